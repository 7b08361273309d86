//! Where a bot's token comes from, and the token itself.

use std::env;
use std::fs;
use std::io::Read;
use std::path::PathBuf;

use secrecy::{ExposeSecret, SecretString};

use super::ArenaUrl;
use crate::content_hash::ContentHash;

/// Where to find a token. The token itself never stands in a config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// An environment variable.
    Env(String),
    /// A file that only its owner can read.
    File(PathBuf),
}

/// A bot's token. It shows itself to nobody but the transport that sends it.
#[derive(Debug, Clone)]
pub struct Token {
    secret: SecretString,
    /// The config key that says where it is.
    key: &'static str,
}

impl Token {
    /// A token from a text, one line break at its end cut off.
    ///
    /// # Errors
    ///
    /// When it is empty or has a character that cannot stand in a request header.
    pub fn new(text: &str) -> Result<Self, BadToken> {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        if text.is_empty() {
            return Err(BadToken::Empty);
        }
        if text.contains(['\n', '\r']) {
            return Err(BadToken::LineBreak);
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(BadToken::NotPrintable);
        }
        Ok(Self { secret: SecretString::from(text), key: "arena.token_env or arena.token_file" })
    }

    /// The config key that says where the token is.
    pub(crate) const fn key(&self) -> &'static str {
        self.key
    }

    /// The value of the `Authorization` header.
    pub(crate) fn bearer(&self) -> SecretString {
        SecretString::from(format!("Bearer {}", self.secret.expose_secret()))
    }

    /// What tells this token at this arena from every other, and from which nobody learns the token.
    pub(crate) fn fingerprint(&self, url: &ArenaUrl) -> ContentHash {
        let both = SecretString::from(format!("{url} {}", self.secret.expose_secret()));
        ContentHash::of(both.expose_secret().as_bytes())
    }

    /// The text with every occurrence of the token taken out: for words of an arena that are going to be shown.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        self.redact_with(text, "[token]")
    }

    /// The same with something else put in its place.
    #[must_use]
    pub fn redact_with(&self, text: &str, instead: &str) -> String {
        text.replace(self.secret.expose_secret(), instead)
    }

    /// Whether the token stands in a text.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        text.contains(self.secret.expose_secret())
    }
}

/// Whether two bots would log in as one.
impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.secret.expose_secret() == other.secret.expose_secret()
    }
}

/// Why a text is no token; the text itself is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadToken {
    /// Nothing is there.
    #[error("the token is empty")]
    Empty,
    /// More than one line.
    #[error("the token has a line break inside; allowed is one line")]
    LineBreak,
    /// Spaces, control characters or letters outside ASCII.
    #[error("the token has a character that is neither an ASCII letter, digit nor sign")]
    NotPrintable,
}

/// Why a token cannot be had from its source.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The variable is not set.
    #[error("the environment variable {0} is not set; set it to the bot's token before starting the runner")]
    NoVariable(String),
    /// The variable's content is no token.
    #[error("the environment variable {0}: {1}")]
    BadVariable(String, BadToken),
    /// The file cannot be read.
    #[error("the token file {path} cannot be read: {1}", path = .0.display())]
    NoFile(PathBuf, std::io::Error),
    /// Others can read the file.
    #[error("the token file {path} has mode {1:04o}, others may read it; allowed is 0600: chmod 600 it", path = .0.display())]
    OpenFile(PathBuf, u32),
    /// The file's content is no token.
    #[error("the token file {path}: {1}", path = .0.display())]
    BadFile(PathBuf, BadToken),
}

impl TokenSource {
    /// The config key that names this source.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Env(_) => "arena.token_env",
            Self::File(_) => "arena.token_file",
        }
    }

    /// Fetches the token.
    ///
    /// # Errors
    ///
    /// When there is none, or its file is open to others.
    pub fn load(&self) -> Result<Token, TokenError> {
        match self {
            Self::Env(name) => {
                let text = env::var(name).map_err(|error| match error {
                    env::VarError::NotPresent => TokenError::NoVariable(name.clone()),
                    env::VarError::NotUnicode(_) => TokenError::BadVariable(name.clone(), BadToken::NotPrintable),
                })?;
                Token::new(&text).map_err(|bad| TokenError::BadVariable(name.clone(), bad))
            }
            Self::File(path) => {
                let unreadable = |error| TokenError::NoFile(path.clone(), error);
                let mut file = fs::File::open(path).map_err(unreadable)?;
                // Of the very file that is read, whatever its path leads to in the meantime.
                let mode = mode_of(&file.metadata().map_err(unreadable)?);
                if mode & 0o077 != 0 {
                    return Err(TokenError::OpenFile(path.clone(), mode));
                }
                let mut text = String::new();
                file.read_to_string(&mut text).map_err(unreadable)?;
                Token::new(&text).map_err(|bad| TokenError::BadFile(path.clone(), bad))
            }
        }
    }
}

fn mode_of(metadata: &fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o7777
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_shows_itself_in_no_debug_text() {
        let token = Token::new("canary-123\n").unwrap();
        assert!(!format!("{token:?}").contains("canary"));
        assert_eq!(token.redact("you sent canary-123!"), "you sent [token]!");
    }

    #[test]
    fn one_line_break_at_the_end_is_cut_off_and_any_other_refused() {
        assert!(Token::new("abc\r\n").unwrap() == Token::new("abc").unwrap());
        assert_eq!(Token::new("abc\n\n").unwrap_err(), BadToken::LineBreak);
        assert_eq!(Token::new("a\nbc").unwrap_err(), BadToken::LineBreak);
        assert_eq!(Token::new("\n").unwrap_err(), BadToken::Empty);
        assert_eq!(Token::new("a b").unwrap_err(), BadToken::NotPrintable);
    }

    #[test]
    fn a_token_file_that_others_can_read_is_refused_with_its_mode() {
        use std::os::unix::fs::PermissionsExt;
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "canary-123\n").unwrap();
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o640)).unwrap();
        let error = TokenSource::File(file.path().to_owned()).load().unwrap_err().to_string();
        assert!(error.contains("0640") && error.contains("0600") && !error.contains("canary"), "{error}");
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o600)).unwrap();
        assert!(TokenSource::File(file.path().to_owned()).load().unwrap() == Token::new("canary-123").unwrap());
    }

    #[test]
    fn a_missing_variable_is_named() {
        let error = TokenSource::Env("BOT_RUNNER_NO_SUCH_TOKEN".into()).load().unwrap_err().to_string();
        assert!(error.contains("BOT_RUNNER_NO_SUCH_TOKEN"), "{error}");
    }
}

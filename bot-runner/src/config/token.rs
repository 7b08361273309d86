//! Where a bot's token comes from, and the token itself.

use std::env;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use policy_host::{ForeignFile, Sha256};
use secrecy::{ExposeSecret, SecretSlice, SecretString};

/// Where to find a token. The token itself never stands in a config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// An environment variable.
    Env(String),
    /// A file that only its owner can read.
    File(PathBuf),
}

/// Which config keys say where a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenKeys {
    /// The one for an environment variable.
    pub env: &'static str,
    /// The one for a file.
    pub file: &'static str,
}

impl TokenKeys {
    /// The keys of arenas where bots log in by a token.
    pub const TOKEN: Self = Self { env: "arena.token_env", file: "arena.token_file" };
    /// The keys of arenas where the secret of an account is a part of the address.
    pub const SECRET: Self = Self { env: "arena.secret_env", file: "arena.secret_file" };

    /// The key that names this source.
    #[must_use]
    pub const fn of(self, source: &TokenSource) -> &'static str {
        match source {
            TokenSource::Env(_) => self.env,
            TokenSource::File(_) => self.file,
        }
    }
}

/// Largest file with a token, bytes.
const LARGEST_FILE: u64 = 64 << 10;

/// A bot's token. It is shown to nobody but the transport that sends it.
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

    /// A text that the token is a part of.
    pub(crate) fn in_text(&self, text: impl FnOnce(&str) -> String) -> SecretString {
        SecretString::from(text(self.secret.expose_secret()))
    }

    /// What tells this token at this place from every other, and from which nobody learns the token.
    pub(crate) fn fingerprint(&self, place: &str) -> Sha256 {
        let both = SecretString::from(format!("{place} {}", self.secret.expose_secret()));
        Sha256::of(both.expose_secret().as_bytes())
    }

    /// What only somebody who knows the token can answer to a question.
    pub(crate) fn proof(&self, question: &[u8]) -> Sha256 {
        let secret = self.secret.expose_secret().as_bytes();
        let all = SecretSlice::from([b"bot-runner token lock ".as_slice(), question, b" ", secret].concat());
        Sha256::of(all.expose_secret())
    }

    /// What no text that is shown or kept may repeat: for [`ForeignText`](foreign_text::ForeignText).
    pub(crate) const fn secret(&self) -> &SecretString {
        &self.secret
    }
}

/// Whether two bots would log in as one.
impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.secret.expose_secret() == other.secret.expose_secret()
    }
}

/// Why a text is not a token; the text itself is not shown.
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

/// Why a token cannot be had from its source. Neither the variable nor the file is named: somebody may have put the token
/// there by mistake, and the config's key tells where to look.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The variable is not set.
    #[error(
        "the environment variable named here is not set; set it to the bot's token (at Botzone the account's secret) \
         before starting the runner: export NAME=…"
    )]
    NoVariable,
    /// The variable's content is not a token.
    #[error("the environment variable named here: {0}; set it to the bot's token and nothing else: export NAME=…")]
    BadVariable(BadToken),
    /// There is no such file.
    #[error(
        "the file named here is not there (a relative path starts from the config's folder); write the token into it, \
         readable for you alone: (umask 077; cat > FILE)"
    )]
    NoFile,
    /// The file cannot be read.
    #[error("the file named here cannot be read: {0}; it has to belong to the runner's user and to have mode 0600")]
    Unreadable(io::Error),
    /// It is a folder, a pipe or a device.
    #[error("what is named here is not an ordinary file; allowed is one that holds the token and has mode 0600")]
    NotAFile,
    /// Others can read the file.
    #[error("the file named here has mode {0:04o}, so others may read it; allowed is 0600: chmod 600 FILE")]
    OpenFile(u32),
    /// The file has another name.
    #[error(
        "the file named here has {0} names (hard links), so that it may be read by another one; allowed is one: remove the \
         others, or make a file of its own: (umask 077; cp FILE NEW; mv NEW FILE)"
    )]
    OtherNames(u64),
    /// The file's content is not a token.
    #[error("the file named here: {0}; write the token into it and nothing else")]
    BadFile(BadToken),
}

impl TokenSource {
    /// Fetches the token, which these keys name.
    ///
    /// # Errors
    ///
    /// When there is none, or its file is open to others.
    pub fn load(&self, keys: TokenKeys) -> Result<Token, TokenError> {
        let token = match self {
            Self::Env(name) => match env::var(name) {
                Ok(text) => Token::new(&text).map_err(TokenError::BadVariable)?,
                Err(env::VarError::NotPresent) => return Err(TokenError::NoVariable),
                Err(env::VarError::NotUnicode(_)) => return Err(TokenError::BadVariable(BadToken::NotPrintable)),
            },
            Self::File(path) => {
                let text = read_private(path)?;
                Token::new(&text).map_err(TokenError::BadFile)?
            }
        };
        Ok(Token { key: keys.of(self), ..token })
    }
}

/// The text of a file that nobody else may read.
pub(super) fn read_private(path: &Path) -> Result<String, TokenError> {
    let error = |error: io::Error| match error.kind() {
        ErrorKind::NotFound => TokenError::NoFile,
        ErrorKind::InvalidInput => TokenError::NotAFile,
        ErrorKind::InvalidData => TokenError::BadFile(BadToken::NotPrintable),
        _ => TokenError::Unreadable(error),
    };
    let mut file = ForeignFile::open(path).map_err(error)?;
    // Of the file that is open, whatever its path leads to in the meantime.
    let mode = file.metadata().mode() & 0o7777;
    if mode & 0o077 != 0 {
        return Err(TokenError::OpenFile(mode));
    }
    // Rules for what a policy's process may read hold for names.
    let names = file.metadata().nlink();
    if names > 1 {
        return Err(TokenError::OtherNames(names));
    }
    file.read_text(LARGEST_FILE).map_err(error)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::address::ArenaUrl;
    use super::*;

    #[test]
    fn a_token_shows_itself_in_no_debug_text() {
        let token = Token::new("canary-123\n").unwrap();
        assert!(!format!("{token:?}").contains("canary"));
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
        let error = TokenSource::File(file.path().to_owned()).load(TokenKeys::TOKEN).unwrap_err().to_string();
        assert!(error.contains("0640") && error.contains("0600") && !error.contains("canary"), "{error}");
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o600)).unwrap();
        assert!(
            TokenSource::File(file.path().to_owned()).load(TokenKeys::TOKEN).unwrap()
                == Token::new("canary-123").unwrap()
        );
    }

    #[test]
    fn a_token_file_with_another_name_is_refused_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("token"), folder.path().join("other"));
        fs::write(&file, "canary-123\n").unwrap();
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        fs::hard_link(&file, &other).unwrap();
        let load = || TokenSource::File(file.clone()).load(TokenKeys::TOKEN);
        let error = load().unwrap_err().to_string();
        assert!(error.contains("2 names") && error.contains("umask 077") && !error.contains("canary"), "{error}");
        fs::remove_file(other).unwrap();
        assert!(load().is_ok());
    }

    #[test]
    fn a_source_without_a_token_is_told_with_what_to_do_and_without_its_name_which_may_be_the_token() {
        let folder = tempfile::tempdir().unwrap();
        let error = |source: TokenSource| source.load(TokenKeys::TOKEN).unwrap_err().to_string();
        for name in ["BOT_RUNNER_NO_SUCH_TOKEN", "canary0123456789abcdef", "CANARY_9f86d081884c7d65"] {
            let variable = error(TokenSource::Env(name.to_owned()));
            assert!(variable.contains("is not set") && variable.ends_with("export NAME=…"), "{variable}");
            let file = error(TokenSource::File(folder.path().join(name)));
            assert!(file.contains("is not there") && file.contains("umask 077"), "{file}");
            assert!(!variable.contains(name) && !file.contains(name), "{variable} {file}");
        }
    }

    #[test]
    fn a_token_file_that_is_a_pipe_or_a_folder_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [pipe.as_path(), folder.path()] {
            let error = TokenSource::File(path.to_owned()).load(TokenKeys::TOKEN).unwrap_err().to_string();
            assert!(error.contains("not an ordinary file") && error.contains("0600"), "{error}");
        }
    }

    #[test]
    fn a_fingerprint_tells_tokens_and_arenas_apart_but_no_names_of_this_machine_and_shows_neither() {
        let of = |url: &str, token: &str| {
            let url = ArenaUrl::parse(url).unwrap();
            Token::new(token).unwrap().fingerprint(&url.under_one_name())
        };
        let one = of("ws://127.0.0.1:8080", "canary-1");
        for url in ["ws://localhost:8080", "ws://[::1]:8080"] {
            assert_eq!(of(url, "canary-1"), one, "{url}");
        }
        assert_eq!(of("ws://localhost", "canary-1"), of("ws://[::1]", "canary-1"));
        for (url, token) in [
            ("ws://127.0.0.1:8080", "canary-2"),
            ("ws://127.0.0.1:8081", "canary-1"),
            ("ws://127.0.0.1", "canary-1"),
            ("wss://localhost:8080", "canary-1"),
            ("wss://example.org:8080", "canary-1"),
        ] {
            assert_ne!(of(url, token), one, "{url} {token}");
        }
        assert!(!one.to_string().contains("canary"));
    }

    #[test]
    fn a_token_knows_the_key_that_it_comes_from() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "canary-123\n").unwrap();
        let source = TokenSource::File(file.path().to_owned());
        assert_eq!(source.load(TokenKeys::TOKEN).unwrap().key(), "arena.token_file");
    }
}

//! Where a bot's token comes from, and the token itself.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use policy_host::Sha256;
use rustix::fs::OFlags;
use secrecy::{ExposeSecret, SecretString};

use super::address::ArenaUrl;

/// Where to find a token. The token itself never stands in a config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// An environment variable.
    Env(String),
    /// A file that only its owner can read.
    File(PathBuf),
}

/// Shortest beginning of a token that is taken for one where a text breaks off.
const SHORTEST_PART: usize = 6;

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
    pub(crate) fn fingerprint(&self, url: &ArenaUrl) -> Sha256 {
        let both = SecretString::from(format!("{} {}", url.under_one_name(), self.secret.expose_secret()));
        Sha256::of(both.expose_secret().as_bytes())
    }

    /// The text with every occurrence of the token taken out: for words of an arena that are going to be shown.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        self.redact_with(text, "[token]")
    }

    /// The same with something else put in its place, also where the text breaks off within the token. Of a text that spells
    /// the token by JSON's escapes nothing is left.
    #[must_use]
    pub fn redact_with(&self, text: &str, instead: &str) -> String {
        let secret = self.secret.expose_secret();
        let mut shown = text.replace(secret, instead);
        if self.is_in(&shown) {
            return instead.to_owned();
        }
        let begun = (SHORTEST_PART..secret.len()).rev().find(|&length| shown.ends_with(&secret[..length]));
        if let Some(length) = begun {
            shown.truncate(shown.len() - length);
            shown.push_str(instead);
        }
        shown
    }

    /// Whether the token stands in a text, as it is or by JSON's escapes.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        let secret = self.secret.expose_secret();
        text.contains(secret) || (text.contains('\\') && unescaped(text).contains(secret))
    }
}

/// A text with its JSON escapes undone, whether it is JSON or not: what is hidden in a frame that cannot be read is still there.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let code = after.strip_prefix('u').and_then(|hex| u32::from_str_radix(hex.get(..4)?, 16).ok());
        match code.and_then(char::from_u32) {
            Some(letter) => {
                plain.push(letter);
                rest = &after[5..];
            }
            None => rest = after,
        }
    }
    plain.push_str(rest);
    plain
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

/// Why a token cannot be had from its source, without what might be a token put in place of its source.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The variable is not set.
    #[error("{name} is not set; set it to the bot's token before starting the runner: export {set}=…", name = variable(.0), set = export(.0))]
    NoVariable(String),
    /// The variable's content is no token.
    #[error("{name}: {1}; set it to the bot's token and nothing else: export {set}=…", name = variable(.0), set = export(.0))]
    BadVariable(String, BadToken),
    /// There is no such file.
    #[error("{path} is not there; write the token into it, readable for you alone: (umask 077; cat > FILE)", path = file(.0))]
    NoFile(PathBuf),
    /// The file cannot be read.
    #[error("{path} cannot be read: {1}; it has to be the runner's user's, with mode 0600", path = file(.0))]
    Unreadable(PathBuf, io::Error),
    /// It is a folder, a pipe or a device.
    #[error("{path} is no ordinary file; allowed is one with the token in it and mode 0600", path = file(.0))]
    NotAFile(PathBuf),
    /// Others can read the file.
    #[error("{path} has mode {1:04o}, others may read it; allowed is 0600: chmod 600 it", path = file(.0))]
    OpenFile(PathBuf, u32),
    /// The file's content is no token.
    #[error("{path}: {1}; write the token into it and nothing else", path = file(.0))]
    BadFile(PathBuf, BadToken),
}

/// Longest name of a variable that is shown, and longest of its words.
const LONGEST_NAME: usize = 40;
const LONGEST_WORD: usize = 16;

/// Whether a name may be shown that could be a token put in its place: it is one like `KUMA_TOKEN`, of short words in upper
/// case. Tokens are long, and have letters of both cases or no `_`.
fn is_plain_name(name: &str) -> bool {
    let is_plain = |word: &str| {
        word.len() <= LONGEST_WORD && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    name.len() <= LONGEST_NAME && name.split('_').all(is_plain)
}

fn variable(name: &str) -> String {
    if is_plain_name(name) {
        return format!("the environment variable {name}");
    }
    "the environment variable named here (not shown, it may be a token; here belongs a name like KUMA_TOKEN)".to_owned()
}

fn export(name: &str) -> &str {
    if is_plain_name(name) { name } else { "NAME" }
}

/// A token's file in words. What is there may be shown. Of what is not there, only names of the sort of `kuma.token`, for
/// any other could be a token put in place of its file: lower case, and short but for an extension.
fn file(path: &Path) -> String {
    let there = path.ancestors().find(|path| path.exists()).unwrap_or(Path::new(""));
    let rest = path.strip_prefix(there).unwrap_or(path);
    if rest.iter().all(|name| name.to_str().is_some_and(is_plain_file_name)) {
        return format!("the token file {}", path.display());
    }
    let folder = if there == Path::new("") { Path::new(".") } else { there };
    format!("the token file named here (not shown, it may be a token; looked for in {})", folder.display())
}

fn is_plain_file_name(name: &str) -> bool {
    let letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase());
    let has_extension = name.rsplit_once('.').is_some_and(|(_, end)| (1..=5).contains(&end.len()) && letters(end));
    let longest = if has_extension { LONGEST_NAME } else { LONGEST_WORD };
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
    name.len() <= longest && name.bytes().all(is_plain)
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
        let token = match self {
            Self::Env(name) => {
                let text = env::var(name).map_err(|error| match error {
                    env::VarError::NotPresent => TokenError::NoVariable(name.clone()),
                    env::VarError::NotUnicode(_) => TokenError::BadVariable(name.clone(), BadToken::NotPrintable),
                })?;
                Token::new(&text).map_err(|bad| TokenError::BadVariable(name.clone(), bad))?
            }
            Self::File(path) => {
                let unreadable = |error: io::Error| match error.kind() {
                    io::ErrorKind::NotFound => TokenError::NoFile(path.clone()),
                    io::ErrorKind::InvalidData => TokenError::BadFile(path.clone(), BadToken::NotPrintable),
                    _ => TokenError::Unreadable(path.clone(), error),
                };
                // Opening a pipe would wait for somebody to write into it.
                let at_once = OFlags::NONBLOCK.bits().cast_signed();
                let mut file = OpenOptions::new().read(true).custom_flags(at_once).open(path).map_err(unreadable)?;
                // Of the very file that is read, whatever its path leads to in the meantime.
                let metadata = file.metadata().map_err(unreadable)?;
                if !metadata.is_file() {
                    return Err(TokenError::NotAFile(path.clone()));
                }
                let mode = mode_of(&metadata);
                if mode & 0o077 != 0 {
                    return Err(TokenError::OpenFile(path.clone(), mode));
                }
                let mut text = String::new();
                file.read_to_string(&mut text).map_err(unreadable)?;
                Token::new(&text).map_err(|bad| TokenError::BadFile(path.clone(), bad))?
            }
        };
        Ok(Token { key: self.key(), ..token })
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
    fn a_token_is_taken_out_where_a_text_breaks_off_in_it_and_where_it_is_spelled_by_escapes() {
        let token = Token::new("canary-123").unwrap();
        for broken in ["you sent canary", "you sent canary-", "you sent canary-12"] {
            assert_eq!(token.redact(broken), "you sent [token]");
        }
        assert_eq!(token.redact("you sent a can"), "you sent a can");
        for escaped in
            [r"\u0063anary-123", r#"canary-123 {"a":"\u0063anary-123","a":1}"#, r"\u63 \ué \ud800 \u0063anary-123"]
        {
            assert!(token.is_in(escaped) && token.redact(escaped) == "[token]", "{escaped}");
        }
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
    fn a_missing_variable_is_named_with_what_to_do_and_a_token_in_its_place_is_not() {
        let error = |name: &str| TokenSource::Env(name.to_owned()).load().unwrap_err().to_string();
        let named = error("BOT_RUNNER_NO_SUCH_TOKEN");
        assert!(named.ends_with("export BOT_RUNNER_NO_SUCH_TOKEN=…"), "{named}");
        for token in ["canary0123456789abcdef", "canary_token", "CANARY0123456789ABCDEF", "CANARY_9f86d081884c7d65"] {
            let error = error(token);
            assert!(!error.to_lowercase().contains("canary") && error.contains("like KUMA_TOKEN"), "{error}");
        }
    }

    #[test]
    fn a_token_file_that_is_not_there_is_named_and_a_token_in_its_place_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let error = |name: &str| TokenSource::File(folder.path().join(name)).load().unwrap_err().to_string();
        for name in ["kuma.token", "token", "tokens/kuma", "riichilab-kuma.2026-11-21.token"] {
            let error = error(name);
            assert!(error.contains(&format!("{name} is not there")) && error.contains("umask 077"), "{error}");
        }
        for token in [
            "eyJhbGciOi.canary-secret_part.sig",
            "canary-0123456789abcdef",
            "CanaryCanary",
            "ab/Canary+canary==",
            &format!("{}.txt", "canary".repeat(10)),
        ] {
            let error = error(token);
            assert!(!error.to_lowercase().contains("canary") && error.contains("not shown"), "{error}");
            assert!(error.contains(folder.path().to_str().unwrap()), "{error}");
        }
    }

    #[test]
    fn a_token_file_that_is_a_pipe_or_a_folder_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [pipe.as_path(), folder.path()] {
            let error = TokenSource::File(path.to_owned()).load().unwrap_err().to_string();
            assert!(error.contains("no ordinary file") && error.contains("0600"), "{error}");
        }
    }

    #[test]
    fn a_fingerprint_tells_tokens_and_arenas_apart_but_no_names_of_this_machine_and_shows_neither() {
        let of = |url: &str, token: &str| {
            let url = ArenaUrl::parse(url).unwrap();
            Token::new(token).unwrap().fingerprint(&url)
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
        assert_eq!(source.load().unwrap().key(), "arena.token_file");
    }
}

//! The token with which a bot logs in.

use std::io;

use policy_host::Sha256;
use secrecy::{ExposeSecret, SecretSlice, SecretString};

/// Whether a secret is in quotes, which a shell would have taken off and others keep.
pub fn is_quoted(secret: &str) -> bool {
    ['"', '\'']
        .into_iter()
        .any(|quote| secret.len() > 1 && secret.starts_with(quote) && secret.ends_with(quote))
}

/// A bot's token. Only the transport that sends it sees it.
#[derive(Debug, Clone)]
pub struct Token {
    secret: SecretString,
    /// The config key that names its source.
    key: &'static str,
}

impl Token {
    /// A token from a text, without one line break at its end.
    ///
    /// # Errors
    ///
    /// Fails if the token is empty or has a character that is not allowed in a request header.
    pub fn new(text: &str) -> Result<Self, BadToken> {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        if text.is_empty() {
            return Err(BadToken::Empty);
        }
        if text.contains(['\n', '\r']) {
            return Err(BadToken::LineBreak);
        }
        if is_quoted(text) {
            return Err(BadToken::Quoted);
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(BadToken::NotPrintable);
        }
        Ok(Self {
            secret: SecretString::from(text),
            key: "arena.token_env or arena.token_file",
        })
    }

    /// The same token, with the config key that names its source.
    #[must_use]
    pub fn from_key(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    /// The config key that names the source of the token.
    pub const fn key(&self) -> &'static str {
        self.key
    }

    /// The value of the `Authorization` header.
    pub fn bearer(&self) -> SecretString {
        SecretString::from(format!("Bearer {}", self.secret.expose_secret()))
    }

    /// A text that contains the token.
    pub fn in_text(&self, text: impl FnOnce(&str) -> String) -> SecretString {
        SecretString::from(text(self.secret.expose_secret()))
    }

    /// A hash that identifies this token at this place and does not reveal the token.
    pub fn fingerprint(&self, place: &str) -> Sha256 {
        let both = SecretString::from(format!("{place} {}", self.secret.expose_secret()));
        Sha256::of(both.expose_secret().as_bytes())
    }

    /// The answer to a question, which proves knowledge of the token.
    pub fn proof(&self, question: &[u8]) -> Sha256 {
        let secret = self.secret.expose_secret().as_bytes();
        let all = SecretSlice::from(
            [b"bot-runner token lock ".as_slice(), question, b" ", secret].concat(),
        );
        Sha256::of(all.expose_secret())
    }

    /// The secret that must not appear in any shown or stored text; for
    /// [`ForeignText`](foreign_text::ForeignText).
    pub const fn secret(&self) -> &SecretString {
        &self.secret
    }
}

/// Two tokens are equal if two bots would log in as one.
impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.secret.expose_secret() == other.secret.expose_secret()
    }
}

/// A text of 64 hexadecimal digits that nobody can guess: a token, or a part of an address.
///
/// # Errors
///
/// If the system gives no random bytes.
pub fn random_secret() -> io::Result<String> {
    let mut random = [0; 32];
    let provider = rustls::crypto::ring::default_provider();
    provider
        .secure_random
        .fill(&mut random)
        .map_err(|_| io::Error::other("the system gives no random bytes"))?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The reason why a text is not a token; the text itself is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadToken {
    #[error("the token is empty")]
    Empty,
    /// More than one line.
    #[error("the token contains a line break; a token is a single line")]
    LineBreak,
    /// A shell would have taken them off.
    #[error(
        "the token is in quotes, which would be a part of it; write it without them (unlike a shell, \
         `docker --env-file` keeps them)"
    )]
    Quoted,
    /// Spaces, control characters or letters outside ASCII.
    #[error("the token has a character that is neither an ASCII letter, digit nor sign")]
    NotPrintable,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ArenaUrl;

    #[test]
    fn a_token_shows_itself_in_no_debug_text() {
        let token = Token::new("canary-123\n").unwrap();
        assert!(!format!("{token:?}").contains("canary"));
    }

    #[test]
    fn a_random_secret_does_not_come_from_the_generator_that_can_be_guessed() {
        let secret = || {
            fastrand::seed(7);
            random_secret().unwrap()
        };
        let one = secret();
        assert!(
            one.len() == 64 && one.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{one}"
        );
        assert_ne!(one, secret());
    }

    #[test]
    fn one_line_break_at_the_end_is_cut_off_and_any_other_refused() {
        assert!(Token::new("abc\r\n").unwrap() == Token::new("abc").unwrap());
        assert_eq!(Token::new("abc\n\n").unwrap_err(), BadToken::LineBreak);
        assert_eq!(Token::new("a\nbc").unwrap_err(), BadToken::LineBreak);
        assert_eq!(Token::new("\n").unwrap_err(), BadToken::Empty);
        assert_eq!(Token::new("a b").unwrap_err(), BadToken::NotPrintable);
        for quoted in ["\"abc\"", "'abc'\n", "\"\""] {
            assert_eq!(
                Token::new(quoted).unwrap_err(),
                BadToken::Quoted,
                "{quoted}"
            );
        }
        for allowed in ["\"", "'abc", "a\"b"] {
            assert!(Token::new(allowed).is_ok(), "{allowed}");
        }
    }

    #[test]
    fn a_fingerprint_distinguishes_tokens_and_arenas_but_no_names_of_this_machine_and_shows_neither()
     {
        let of = |url: &str, token: &str| {
            let url = ArenaUrl::parse(url).unwrap();
            Token::new(token)
                .unwrap()
                .fingerprint(&url.under_one_name())
        };
        let one = of("ws://127.0.0.1:8080", "canary-1");
        for url in ["ws://localhost:8080", "ws://[::1]:8080"] {
            assert_eq!(of(url, "canary-1"), one, "{url}");
        }
        assert_eq!(
            of("ws://localhost", "canary-1"),
            of("ws://[::1]", "canary-1")
        );
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
}

//! The base addresses of the interface and of the logs.

use std::fmt;

use hyper::Uri;
use hyper::http::uri::InvalidUri;

pub const RIICHILAB_API: &str = "https://api.riichi.dev";
pub const RIICHILAB_LOGS: &str = "https://logs.riichi.dev";

const ALLOWED: &str = "allowed are https://HOST[:PORT] and http://HOST[:PORT]";

/// Why a text is not an address of a ladder.
#[derive(Debug, thiserror::Error)]
pub enum BadLadderAddress {
    #[error("found {0:?}, which is no address ({1}); {ALLOWED}")]
    None(String, InvalidUri),
    /// It has another scheme, or no host.
    #[error("found {0:?}; {ALLOWED}")]
    Other(String),
    #[error("found a user before the host, and the interface asks for no login; {ALLOWED}")]
    User,
    #[error("found a path after the host, the runner adds its own; {ALLOWED}")]
    Path,
}

/// A base address: scheme, host and port. No secret is sent there, so it may be unencrypted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LadderAddress(String);

impl LadderAddress {
    /// Reads an address.
    ///
    /// # Errors
    ///
    /// If it is no address, or has a user or a path.
    pub fn parse(text: &str) -> Result<Self, BadLadderAddress> {
        let uri: Uri = text
            .parse()
            .map_err(|error| BadLadderAddress::None(text.to_owned(), error))?;
        let (Some(scheme @ ("http" | "https")), Some(authority)) =
            (uri.scheme_str(), uri.authority())
        else {
            return Err(BadLadderAddress::Other(text.to_owned()));
        };
        if authority.as_str().contains('@') {
            return Err(BadLadderAddress::User);
        }
        if !matches!(uri.path(), "" | "/") || uri.query().is_some() {
            return Err(BadLadderAddress::Path);
        }
        Ok(Self(format!(
            "{scheme}://{}",
            authority.as_str().to_ascii_lowercase()
        )))
    }

    /// The address of a path, which begins with a slash and has only characters that an address may
    /// contain.
    pub(crate) fn with(&self, path: &str) -> Uri {
        format!("{}{path}", self.0)
            .parse()
            .expect("an address and a path of plain characters")
    }
}

impl fmt::Display for LadderAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_scheme_a_host_and_a_port() {
        for (text, shown) in [
            (RIICHILAB_API, RIICHILAB_API),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
            ("https://API.example", "https://api.example"),
            ("http://[::1]:1", "http://[::1]:1"),
        ] {
            assert_eq!(LadderAddress::parse(text).expect(text).to_string(), shown);
        }
        for text in [
            "",
            "api.riichi.dev",
            "ftp://a",
            "https://a/api/v1",
            "https://u:p@a",
            "https://a?x",
            "http://a b",
        ] {
            let message = LadderAddress::parse(text).expect_err(text).to_string();
            assert!(message.contains("https://HOST[:PORT]"), "{text}: {message}");
        }
    }
}

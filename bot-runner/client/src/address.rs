//! Addresses of arenas, each in one spelling.

use std::fmt;
use std::net::IpAddr;

use tokio_tungstenite::tungstenite::http::Uri;

const ALLOWED_URLS: &str = "allowed are wss://HOST[:PORT], ws://HOST:PORT on this machine, and with allow_unencrypted = true on any";

/// Why a text is not an address that is allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fault}; {allowed}")]
pub struct BadAddress {
    fault: AddressFault,
    /// The form of allowed addresses.
    allowed: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum AddressFault {
    #[error("found no address")]
    None,
    #[error("a user name or password does not belong in an address")]
    User,
    #[error("found no port from 1 to 65535 after the host")]
    Port,
    #[error("found the scheme {0}://")]
    Scheme(String),
    #[error("{0} would send the token unencrypted")]
    ExposedToken(ArenaUrl),
    #[error("found http://, which would send the secret unencrypted")]
    ExposedSecret,
    #[error("found a path, query or fragment after the host, the runner adds its own")]
    Path,
    /// The message omits the address, because the address of an account contains the secret.
    #[error(
        "found a path after the host; give the site alone, and the rest of the address as arena.user and \
         arena.secret_env or arena.secret_file"
    )]
    AccountPath,
    #[error("found a query or fragment after the room")]
    AfterRoom,
}

impl AddressFault {
    const fn among(self, allowed: &'static str) -> BadAddress {
        BadAddress {
            fault: self,
            allowed,
        }
    }
}

/// Address of an arena: `ws://` or `wss://`, host and port, in one spelling: lower case, without
/// the scheme's default port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArenaUrl {
    text: String,
    encrypted: bool,
    loopback: bool,
}

impl ArenaUrl {
    /// Reads an address over which a token can be sent safely: plain `ws://` on this machine only.
    ///
    /// # Errors
    ///
    /// If it is another address, or none.
    pub fn parse(text: &str) -> Result<Self, BadAddress> {
        let url = Self::parse_unencrypted(text)?;
        if url.exposes_token() {
            return Err(AddressFault::ExposedToken(url).among(ALLOWED_URLS));
        }
        Ok(url)
    }

    /// Reads an address, plain `ws://` to other machines included.
    ///
    /// # Errors
    ///
    /// If it is another address, or none.
    pub fn parse_unencrypted(text: &str) -> Result<Self, BadAddress> {
        let allowed = ALLOWED_URLS;
        let AddressParts {
            scheme,
            host,
            port,
            loopback,
            path,
        } = AddressParts::of(text, allowed)?;
        if !matches!(path.as_str(), "" | "/") {
            return Err(AddressFault::Path.among(allowed));
        }
        let (scheme, own_port) = match scheme.as_str() {
            "wss" => ("wss", 443),
            "ws" => ("ws", 80),
            other => return Err(AddressFault::Scheme(other.to_owned()).among(allowed)),
        };
        let port = port
            .filter(|&port| port != own_port)
            .map_or_else(String::new, |port| format!(":{port}"));
        Ok(Self {
            text: format!("{scheme}://{host}{port}"),
            encrypted: scheme == "wss",
            loopback,
        })
    }

    /// Whether anyone between this machine and the arena can read the token.
    pub const fn exposes_token(&self) -> bool {
        !self.encrypted && !self.loopback
    }

    pub const fn is_encrypted(&self) -> bool {
        self.encrypted
    }

    pub const fn is_loopback(&self) -> bool {
        self.loopback
    }

    /// The address, with one name for all names of this machine.
    pub(crate) fn under_one_name(&self) -> String {
        let Some((scheme, place)) = self.text.split_once("://").filter(|_| self.loopback) else {
            return self.text.clone();
        };
        let port = place
            .rfind(']')
            .map_or_else(|| place.find(':').unwrap_or(place.len()), |end| end + 1);
        format!("{scheme}://localhost{}", &place[port..])
    }

    pub fn with_path(&self, path: &str) -> String {
        format!("{}{path}", self.text)
    }
}

impl fmt::Display for ArenaUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Address of a Botzone site: `https://HOST[:PORT]`, or `http://` on this machine, in one spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteUrl {
    text: String,
    encrypted: bool,
    loopback: bool,
}

impl SiteUrl {
    /// Reads an address over which a secret can be sent safely: plain `http://` on this machine
    /// only.
    ///
    /// # Errors
    ///
    /// If it is another address, or none.
    pub fn parse(text: &str) -> Result<Self, BadAddress> {
        let allowed = "allowed are https://HOST[:PORT], and http://HOST:PORT on this machine";
        let AddressParts {
            scheme,
            host,
            port,
            loopback,
            path,
        } = AddressParts::of(text, allowed)?;
        if !matches!(path.as_str(), "" | "/") {
            return Err(AddressFault::AccountPath.among(allowed));
        }
        let own_port = match scheme.as_str() {
            "https" => 443,
            "http" if loopback => 80,
            "http" => return Err(AddressFault::ExposedSecret.among(allowed)),
            other => return Err(AddressFault::Scheme(other.to_owned()).among(allowed)),
        };
        let port = port
            .filter(|&port| port != own_port)
            .map_or_else(String::new, |port| format!(":{port}"));
        Ok(Self {
            text: format!("{scheme}://{host}{port}"),
            encrypted: scheme == "https",
            loopback,
        })
    }

    pub const fn is_encrypted(&self) -> bool {
        self.encrypted
    }

    pub const fn is_loopback(&self) -> bool {
        self.loopback
    }
}

impl fmt::Display for SiteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Address of a room at an original mjai server: `mjsonp://HOST:PORT/ROOM`.
///
/// It contains no secret, so any host is allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomUrl {
    host: String,
    port: u16,
    room: String,
    loopback: bool,
}

impl RoomUrl {
    /// The address on which the original server listens by default.
    const DEFAULT: &'static str = "mjsonp://127.0.0.1";
    const DEFAULT_PORT: u16 = 11600;
    const DEFAULT_ROOM: &'static str = "default";

    /// Reads an address. Missing parts, or all of an empty text, default to the original server's:
    /// this machine, port 11600, room `default`.
    ///
    /// # Errors
    ///
    /// If it is another address, or none.
    pub fn parse(text: &str) -> Result<Self, BadAddress> {
        let allowed = "allowed is mjsonp://HOST[:PORT][/ROOM]";
        let text = if text.is_empty() { Self::DEFAULT } else { text };
        let AddressParts {
            scheme,
            host,
            port,
            loopback,
            path,
        } = AddressParts::of(text, allowed)?;
        if scheme != "mjsonp" {
            return Err(AddressFault::Scheme(scheme).among(allowed));
        }
        if path.contains(['?', '#']) {
            return Err(AddressFault::AfterRoom.among(allowed));
        }
        let room = match path.strip_prefix('/').unwrap_or_default() {
            "" => Self::DEFAULT_ROOM,
            room => room,
        };
        Ok(Self {
            host,
            port: port.unwrap_or(Self::DEFAULT_PORT),
            room: room.to_owned(),
            loopback,
        })
    }

    /// Whether the server runs on this machine.
    pub const fn is_loopback(&self) -> bool {
        self.loopback
    }

    /// The host's name or number, for a resolver.
    pub fn host(&self) -> &str {
        self.host.trim_start_matches('[').trim_end_matches(']')
    }

    pub const fn port(&self) -> u16 {
        self.port
    }

    pub fn room(&self) -> &str {
        &self.room
    }
}

impl fmt::Display for RoomUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mjsonp://{}:{}/{}", self.host, self.port, self.room)
    }
}

struct AddressParts {
    scheme: String,
    host: String,
    port: Option<u16>,
    loopback: bool,
    path: String,
}

impl AddressParts {
    fn of(text: &str, allowed: &'static str) -> Result<Self, BadAddress> {
        let uri: Uri = text
            .parse()
            .map_err(|_| AddressFault::None.among(allowed))?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(AddressFault::None.among(allowed));
        };
        if authority.as_str().contains('@') {
            return Err(AddressFault::User.among(allowed));
        }
        let mut host = authority.host().to_ascii_lowercase();
        let port = match authority.as_str()[host.len()..].strip_prefix(':') {
            None => None,
            Some(digits) => Some(read_port(digits).ok_or(AddressFault::Port.among(allowed))?),
        };
        let ip: Option<IpAddr> = host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse()
            .ok();
        if let Some(IpAddr::V6(address)) = ip {
            host = format!("[{address}]");
        }
        let loopback = host == "localhost" || ip.is_some_and(|address| address.is_loopback());
        // The parser drops a fragment silently, so the part after the host is taken from the text.
        let after_scheme = text.split_once("://").map_or("", |(_, rest)| rest);
        let path = after_scheme
            .find(['/', '?', '#'])
            .map_or("", |start| &after_scheme[start..]);
        Ok(Self {
            scheme: scheme.to_ascii_lowercase(),
            host,
            port,
            loopback,
            path: path.to_owned(),
        })
    }
}

fn read_port(digits: &str) -> Option<u16> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|&port| plain && port > 0)
}

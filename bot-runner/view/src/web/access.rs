//! Access to the page.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::{Context, bail};
use axum::http::{HeaderMap, Uri, header, uri::Authority};
use client::{Token, random_secret};
use policy_host::Sha256;
use secrecy::ExposeSecret;

use crate::person::PersonSeats;

/// Minimum length of a token in characters: a shorter one may be guessed.
pub const MIN_TOKEN_LENGTH: usize = 16;

/// The addresses of `localhost`. There are other addresses of this machine, by which nothing of
/// ours is reached.
const LOCALHOSTS: [IpAddr; 2] = [
    IpAddr::V4(Ipv4Addr::LOCALHOST),
    IpAddr::V6(Ipv6Addr::LOCALHOST),
];

/// The rule for access to the page at an address.
#[derive(Debug)]
pub(super) struct Access {
    address: SocketAddr,
    secrets: Option<Secrets>,
    /// Whether it may be named in any way.
    is_public: bool,
    /// The seats that people take here, each with a token of its own.
    seats: PersonSeats,
}

#[derive(Debug)]
struct Secrets {
    /// Hash of the value of an `Authorization` header.
    bearer: Sha256,
    /// The cookie of a browser that has shown the token.
    session: String,
}

impl Access {
    /// Access for users who reach the address and know the token.
    ///
    /// # Errors
    ///
    /// If other machines can come and there is no token, or it could be guessed.
    pub(super) fn new(address: SocketAddr, token: Option<&Token>) -> anyhow::Result<Self> {
        let Some(token) = token else {
            if !address.ip().is_loopback() {
                bail!(
                    "--page {address} can be reached from other machines, so it needs --page-token-file FILE with a token \
                     that readers must know; or listen on this machine alone: --page 127.0.0.1:{}",
                    address.port()
                );
            }
            return Ok(Self {
                address,
                secrets: None,
                is_public: false,
                seats: PersonSeats::default(),
            });
        };
        let bearer = token.bearer();
        if bearer.expose_secret().len() < "Bearer ".len() + MIN_TOKEN_LENGTH {
            bail!(
                "--page-token-file: the token has fewer than {MIN_TOKEN_LENGTH} characters, so that it could be guessed; write \
                 a longer one: (umask 077; openssl rand -hex 32 > FILE)"
            );
        }
        let secrets = Secrets {
            bearer: Sha256::of(bearer.expose_secret().as_bytes()),
            session: random_secret().context("the page cannot let browsers in")?,
        };
        Ok(Self {
            address,
            secrets: Some(secrets),
            is_public: false,
            seats: PersonSeats::default(),
        })
    }

    /// Access for everyone who reaches the address: beyond this machine, what is there is public.
    pub(super) fn of_readers(address: SocketAddr) -> Self {
        Self {
            address,
            secrets: None,
            is_public: !address.ip().is_loopback(),
            seats: PersonSeats::default(),
        }
    }

    /// The same for a page with the seats of people.
    pub(super) fn with_seats(self, seats: PersonSeats) -> Self {
        Self { seats, ..self }
    }

    pub(super) fn has_seat(&self) -> bool {
        !self.seats.is_empty()
    }

    pub(super) const fn port(&self) -> u16 {
        self.address.port()
    }

    /// The same after the system has chosen the port.
    pub(super) fn at(self, address: SocketAddr) -> Self {
        Self { address, ..self }
    }

    /// Whether a request names this machine in a way that another site cannot redirect here (DNS
    /// rebinding).
    pub(super) fn is_meant(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        if self.is_public {
            return true;
        }
        let mut named = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (named.next(), named.next()) else {
            return false;
        };
        let host = host
            .to_str()
            .ok()
            .and_then(|host| host.parse::<Authority>().ok());
        // Without the name of a user, which no browser sends.
        let is_own =
            |place: &Authority| self.is_own_name(place.host()) && !place.as_str().contains('@');
        host.as_ref().is_some_and(is_own) && uri.authority().is_none_or(is_own)
    }

    /// The port does not matter: it may be forwarded from another.
    fn is_own_name(&self, host: &str) -> bool {
        let own = self.address.ip();
        let bare = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'))
            .unwrap_or(host);
        match bare.parse::<IpAddr>() {
            // An IP address, unlike a name, cannot be redirected by another site.
            Ok(address) => {
                own.is_unspecified()
                    || address == own
                    || (own.is_loopback() && LOCALHOSTS.contains(&address))
            }
            Err(_) => {
                let machine = rustix::system::uname();
                let machine = machine.nodename().to_str().unwrap_or_default();
                bare.eq_ignore_ascii_case("localhost")
                    && (own.is_loopback() || own.is_unspecified())
                    || !own.is_loopback()
                        && !machine.is_empty()
                        && bare.eq_ignore_ascii_case(machine)
            }
        }
    }

    /// Whether a request contains the token, or the cookie for it.
    pub(super) fn is_allowed(&self, headers: &HeaderMap) -> bool {
        let Some(secrets) = &self.secrets else {
            return true;
        };
        let bearer = headers
            .get(header::AUTHORIZATION)
            .is_some_and(|value| Sha256::of(value.as_bytes()) == secrets.bearer);
        let cookies = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let name = self.cookie();
        let known = Sha256::of(secrets.session.as_bytes());
        let is_session = |pair: &str| {
            pair.trim()
                .split_once('=')
                .is_some_and(|(key, value)| key == name && Sha256::of(value.as_bytes()) == known)
        };
        bearer || cookies.flat_map(|value| value.split(';')).any(is_session)
    }

    /// The cookie for a browser that sends this token; `None` if it is not the token.
    pub(super) fn login(&self, token: &str) -> Option<String> {
        let secrets = self.secrets.as_ref()?;
        let shown = Token::new(token.trim()).ok()?;
        let is_token = Sha256::of(shown.bearer().expose_secret().as_bytes()) == secrets.bearer;
        is_token.then(|| {
            format!(
                "{}={}; Path=/; HttpOnly; SameSite=Strict",
                self.cookie(),
                secrets.session
            )
        })
    }

    /// Cookies ignore ports: the pages of several processes on a machine need different names.
    fn cookie(&self) -> String {
        format!("bot-runner-{}", self.address.port())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(address: &str) -> Access {
        Access {
            address: address.parse().expect("an address"),
            secrets: None,
            is_public: false,
            seats: PersonSeats::default(),
        }
    }

    #[test]
    fn names_that_others_can_direct_here_are_not_ours() {
        for (address, host, own) in [
            ("127.0.0.1:80", "127.0.0.1", true),
            ("127.0.0.1:80", "localhost", true),
            ("127.0.0.1:80", "[::1]", true),
            ("127.0.0.1:80", "127.0.0.2", false),
            ("127.0.0.1:80", "[::ffff:127.0.0.1]", false),
            ("127.0.0.2:80", "127.0.0.2", true),
            ("127.0.0.1:80", "192.0.2.1", false),
            ("127.0.0.1:80", "localhost.example.org", false),
            ("127.0.0.1:80", "127.0.0.1.example.org", false),
            ("[::1]:80", "localhost", true),
            ("0.0.0.0:80", "192.0.2.1", true),
            ("0.0.0.0:80", "localhost", true),
            ("0.0.0.0:80", "example.org", false),
            ("192.0.2.1:80", "192.0.2.1", true),
            ("192.0.2.1:80", "192.0.2.2", false),
            ("192.0.2.1:80", "localhost", false),
        ] {
            assert_eq!(
                access(address).is_own_name(host),
                own,
                "{host} at {address}"
            );
        }
    }
}

//! Botzone's `localai`: HTTP requests whose address is the secret.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use foreign_text::ForeignText;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::{StatusCode, Uri};
use outbound::{Authorities, AuthoritiesError, HttpClient, HttpError, retry_after};
use protocol::MAX_FRAME;
use protocol::botzone::{MatchId, parse_created_match};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use tokio::time::timeout;

use super::after_colon;
use crate::{SiteUrl, Token};

/// Time limits for answers; a poll without news ends earlier.
#[derive(Debug, Clone, Copy)]
pub struct PollLimits {
    /// Until a poll is answered, with or without news.
    pub poll: Duration,
    /// Until any other request is answered.
    pub request: Duration,
    /// Until a connection is open.
    pub connect: Duration,
}

impl Default for PollLimits {
    fn default() -> Self {
        Self {
            poll: Duration::from_secs(60),
            request: Duration::from_secs(20),
            connect: Duration::from_secs(20),
        }
    }
}

/// An account at Botzone, and the connections to it.
#[derive(Clone)]
pub struct BotzoneSite(Arc<SiteConnections>);

/// Maximum number of responses in one poll, and of simultaneous matches of an account: more lines
/// would exceed the head of a request that servers accept.
pub const MAX_RESPONSES: usize = 64;

/// Slashes in `https://HOST/api/USER/SECRET/`.
const SLASHES: usize = 6;

struct SiteConnections {
    url: SiteUrl,
    user: String,
    http: HttpClient,
    /// The address with user and secret, to which the name of a request is appended.
    account: SecretString,
    secret: Token,
    limits: PollLimits,
}

#[derive(Debug, Clone)]
pub struct WantedMatch {
    /// The game's name at Botzone.
    pub game: &'static str,
    /// The seating: ids of bots, and `None` for the own seat.
    pub players: Vec<Option<String>>,
}

/// An account that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    /// The user or the secret.
    #[error(
        "it contains a character that an address may not contain, such as / ? # or %; copy it unchanged from Botzone's menu"
    )]
    NoAddress,
    #[error(transparent)]
    Authorities(#[from] AuthoritiesError),
}

/// The reason why there is no usable answer. The secret never appears in the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SiteFault {
    /// HTTP 401.
    #[error(
        "Botzone refused the account: HTTP 401{}; see that arena.user and {key} are those of Botzone's menu for local AIs, and \
         that the account's level is high enough",
        after_colon(Some(.words))
    )]
    Refused {
        words: ForeignText,
        /// The config key that names the source of the secret.
        key: &'static str,
    },
    /// HTTP 403: another poll of this user arrived.
    #[error("another poll of this user displaced this one")]
    Displaced,
    /// HTTP 403 otherwise: requests were too frequent.
    #[error("Botzone asks for fewer polls: HTTP 403{}", after_colon(Some(.words)))]
    TooOften {
        words: ForeignText,
        /// The delay that it asks for, if any.
        wait: Option<Duration>,
    },
    /// HTTP 400: the request is impossible.
    #[error("Botzone refuses this: HTTP 400{}", after_colon(Some(.0)))]
    Impossible(ForeignText),
    /// HTTP 503.
    #[error("Botzone is temporarily closed: HTTP 503{}", after_colon(Some(.words)))]
    Closed {
        words: ForeignText,
        /// The delay that it asks for, if any.
        wait: Option<Duration>,
    },
    /// HTTP 500, 502 and similar.
    #[error("Botzone failed to answer: HTTP {status}{}", after_colon(Some(.words)))]
    NoAnswer {
        status: StatusCode,
        words: ForeignText,
        /// The delay that it asks for, if any.
        wait: Option<Duration>,
    },
    /// A redirect, which is not followed: the secret would be sent along.
    #[error(
        "Botzone answered HTTP {0}, a redirect; the runner sends a secret to no other address; check arena.url"
    )]
    Redirect(StatusCode),
    /// Any other answer.
    #[error("the server is not Botzone: {0}; is arena.url right?")]
    NotBotzone(String),
    /// The connection was lost before the answer, or there was none in time.
    #[error("no answer: {0}")]
    Lost(String),
    #[error("no connection: {0}")]
    NotConnected(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PollEnd {
    /// A body with news.
    News(String),
    NothingNew,
}

impl BotzoneSite {
    /// The account of a user at a site.
    ///
    /// # Errors
    ///
    /// If the user or secret has a character that is not allowed in an address, or the environment
    /// names no authority.
    pub fn new(
        url: &SiteUrl,
        user: &str,
        secret: Token,
        authorities: &Authorities,
        limits: PollLimits,
    ) -> Result<Self, AccountError> {
        let account = secret.in_text(|secret| format!("{url}/api/{user}/{secret}/"));
        let text = account.expose_secret();
        let is_path = text
            .parse::<Uri>()
            .is_ok_and(|uri| text.ends_with(uri.path()));
        if !is_path || text.matches('/').count() != SLASHES {
            return Err(AccountError::NoAddress);
        }
        let http = HttpClient::new(authorities, limits.connect)?;
        let (url, user) = (url.clone(), user.to_owned());
        Ok(Self(Arc::new(SiteConnections {
            http,
            url,
            user,
            account,
            secret,
            limits,
        })))
    }

    pub fn secret(&self) -> &Token {
        &self.0.secret
    }

    /// Polls once, with responses to waiting matches: at most the first [`MAX_RESPONSES`].
    ///
    /// # Errors
    ///
    /// If the site does not accept the poll; then it is unknown whether the responses were
    /// accepted, unless the poll was displaced.
    pub async fn poll(&self, responses: &[(MatchId, String)]) -> Result<PollEnd, SiteFault> {
        let mut headers = HeaderMap::with_capacity(responses.len().min(MAX_RESPONSES));
        for (id, response) in responses.iter().take(MAX_RESPONSES) {
            headers.insert(
                header_name(&format!("x-match-{id}")),
                header_value(response),
            );
        }
        match timeout(self.0.limits.poll, self.get("localai", headers)).await {
            // The request may hang while the user has no match.
            Err(_elapsed) => Ok(PollEnd::NothingNew),
            Ok(Err(SiteFault::NoAnswer {
                status: StatusCode::GATEWAY_TIMEOUT,
                ..
            })) => Ok(PollEnd::NothingNew),
            Ok(Ok(text)) => Ok(PollEnd::News(text)),
            Ok(Err(fault)) => Err(fault),
        }
    }

    /// Creates a match. Its first request may arrive in a poll before this returns.
    ///
    /// # Errors
    ///
    /// If the site does not create one.
    pub async fn run_match(&self, wanted: &WantedMatch) -> Result<MatchId, SiteFault> {
        let mut headers = HeaderMap::new();
        headers.insert(header_name("x-game"), header_value(wanted.game));
        for (seat, player) in wanted.players.iter().enumerate() {
            headers.insert(
                header_name(&format!("x-player-{seat}")),
                header_value(player.as_deref().unwrap_or("me")),
            );
        }
        let text = self.ask("runmatch", headers).await?;
        parse_created_match(&text).ok_or_else(|| {
            SiteFault::NotBotzone(format!("no id of a match: {}", self.words(&text)))
        })
    }

    /// Aborts a match.
    ///
    /// # Errors
    ///
    /// If the site refuses.
    pub async fn abort_match(&self, id: &MatchId) -> Result<(), SiteFault> {
        let mut headers = HeaderMap::new();
        headers.insert(header_name("x-matchid"), header_value(id.as_str()));
        self.ask("abortmatch", headers).await.map(drop)
    }

    async fn ask(&self, what: &str, headers: HeaderMap) -> Result<String, SiteFault> {
        let limit = self.0.limits.request;
        let late = |_elapsed| {
            Err(SiteFault::Lost(format!(
                "nothing came within {} s",
                limit.as_secs()
            )))
        };
        timeout(limit, self.get(what, headers))
            .await
            .unwrap_or_else(late)
    }

    /// The body of a successful answer.
    async fn get(&self, what: &str, headers: HeaderMap) -> Result<String, SiteFault> {
        let response = self
            .0
            .http
            .get(self.uri(what), headers)
            .await
            .map_err(|error| self.lost(error))?;
        let (status, wait) = (response.status(), retry_after(response.headers()));
        let text = match HttpClient::body_of(response, MAX_FRAME).await {
            Ok(body) => Ok(String::from_utf8_lossy(&body).into_owned()),
            Err(error) => Err(self.lost(error)),
        };
        match text {
            // No source names the status of this answer.
            Ok(text) if is_kicked(&text) => Err(SiteFault::Displaced),
            text if status == StatusCode::OK => text,
            text => Err(self.fault(status, &text.unwrap_or_default(), wait)),
        }
    }

    fn uri(&self, what: &str) -> Uri {
        let address = SecretString::from(format!("{}{what}", self.0.account.expose_secret()));
        address
            .expose_secret()
            .parse()
            .expect("it was tried when the site was made")
    }

    fn lost(&self, error: HttpError) -> SiteFault {
        match error {
            HttpError::NotConnected(words) => {
                SiteFault::NotConnected(self.words(&words).to_string())
            }
            HttpError::Lost(words) => SiteFault::Lost(self.words(&words).to_string()),
            HttpError::TooLong => {
                SiteFault::Lost(format!("the answer is longer than {MAX_FRAME} bytes"))
            }
        }
    }

    fn fault(&self, status: StatusCode, text: &str, wait: Option<Duration>) -> SiteFault {
        let words = self.words(text);
        match status {
            StatusCode::UNAUTHORIZED => SiteFault::Refused {
                words,
                key: self.0.secret.key(),
            },
            StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => SiteFault::TooOften {
                wait: wait.or_else(|| told_wait(text)),
                words,
            },
            StatusCode::BAD_REQUEST => SiteFault::Impossible(words),
            StatusCode::SERVICE_UNAVAILABLE => SiteFault::Closed { words, wait },
            _ if status.is_server_error() => SiteFault::NoAnswer {
                status,
                words,
                wait,
            },
            _ if status.is_redirection() => SiteFault::Redirect(status),
            _ => SiteFault::NotBotzone(format!("HTTP {status}{}", after_colon(Some(&words)))),
        }
    }

    /// Words of the site.
    fn words(&self, words: &str) -> ForeignText {
        ForeignText::new(words.trim(), Some(self.0.secret.secret()))
    }

    /// A text that quotes a part of the site's response.
    pub(crate) fn excerpt(&self, text: &str, words: &dyn fmt::Display) -> ForeignText {
        ForeignText::excerpt(text, words, Some(self.0.secret.secret()))
    }
}

/// Shows only the address.
impl fmt::Display for BotzoneSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.url.fmt(f)
    }
}

impl fmt::Debug for BotzoneSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BotzoneSite({}, user {})", self.0.url, self.0.user)
    }
}

fn header_name(name: &str) -> HeaderName {
    HeaderName::try_from(name).expect("a header's name consists of letters, digits and -")
}

/// One line of visible ASCII; any other text could inject a header.
fn header_value(text: &str) -> HeaderValue {
    let plain: String = text
        .chars()
        .filter(|letter| matches!(letter, ' '..='~'))
        .collect();
    HeaderValue::try_from(plain).expect("a header consists of visible ASCII characters")
}

/// Whether another poll of the same user displaced this one: `{"error":"Kicked"}`.
fn is_kicked(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Failed {
        error: String,
    }
    serde_json::from_str::<Failed>(text).is_ok_and(|failed| failed.error == "Kicked")
}

/// The delay in its words: `… in 300 seconds`.
fn told_wait(text: &str) -> Option<Duration> {
    let words: Vec<&str> = text
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .collect();
    let told = words
        .windows(2)
        .find(|pair| pair[1].starts_with("second"))?;
    told[0].parse().ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(url: &str) -> BotzoneSite {
        let secret = Token::new("canary-0123456789").expect("a secret");
        let (url, authorities) = (
            SiteUrl::parse(url).expect("an address"),
            Authorities::default(),
        );
        BotzoneSite::new(&url, "0123", secret, &authorities, PollLimits::default()).expect("a site")
    }

    #[test]
    fn neither_the_site_nor_a_fault_shows_the_secret() {
        let site = site("http://127.0.0.1:1");
        let refused = site.fault(
            StatusCode::UNAUTHORIZED,
            "no user 0123 with canary-0123456789",
            None,
        );
        for text in [
            format!("{site:?}"),
            site.to_string(),
            refused.to_string(),
            format!("{refused:?}"),
        ] {
            assert!(!text.contains("canary"), "{text}");
        }
    }

    #[test]
    fn each_status_has_its_class() {
        let site = site("http://127.0.0.1:1");
        let fault = |status: u16, text: &str| {
            site.fault(StatusCode::from_u16(status).expect("a status"), text, None)
        };
        assert!(matches!(fault(401, "level"), SiteFault::Refused { .. }));
        let SiteFault::TooOften { wait, .. } = fault(403, "only one match in 300 seconds") else {
            panic!()
        };
        assert_eq!(wait, Some(Duration::from_secs(300)));
        assert!(matches!(fault(400, "X-Game"), SiteFault::Impossible(_)));
        assert!(matches!(fault(503, ""), SiteFault::Closed { .. }));
        assert!(
            matches!(fault(502, ""), SiteFault::NoAnswer { .. })
                && matches!(fault(500, ""), SiteFault::NoAnswer { .. })
        );
        assert!(
            matches!(fault(302, ""), SiteFault::Redirect(_))
                && matches!(fault(404, ""), SiteFault::NotBotzone(_))
        );
    }

    #[test]
    fn a_response_cannot_become_another_header() {
        assert_eq!(header_value("PLAY W1\r\nX-Other: 1é"), "PLAY W1X-Other: 1");
    }
}

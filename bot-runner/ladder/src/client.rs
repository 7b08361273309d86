//! Requests to the interface.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use foreign_text::ForeignText;
use hyper::header::{HeaderMap, HeaderValue, USER_AGENT};
use hyper::{StatusCode, Uri};
use outbound::{Authorities, AuthoritiesError, HttpClient, HttpError, retry_after};
use serde::de::DeserializeOwned;
use time::Date;
use tokio::time::timeout;

use crate::answers::{Wrapped, is_game_id};
use crate::log::unpacked;
use crate::pace::Turn;
use crate::{GameOnLadder, GamesPage, LadderAddress, LadderError, LeaderboardRow, Profile};

/// Maximum number of games that the interface puts on a page.
pub const MAX_GAMES_PER_PAGE: u64 = 50;
/// Maximum number of rows of the leaderboard in one answer.
pub const MAX_ROWS_OF_LEADERBOARD: u64 = 100;

/// Until an answer is complete.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);
/// Maximum size of an answer.
const MAX_ANSWER_BYTES: usize = 16 << 20;
/// Number of tries of a request that may succeed later.
const TRIES: u32 = 3;
/// The pause after the first try that failed; it grows fourfold with each.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
/// Maximum time that a request waits because the ladder asks for it.
const MAX_PATIENCE: Duration = Duration::from_secs(60);
/// Asks the interface of a ladder.
#[derive(Debug)]
pub struct LadderClient {
    http: HttpClient,
    api: LadderAddress,
    logs: LadderAddress,
    agent: HeaderValue,
    /// The addresses that were refused, and when.
    refused: Mutex<HashMap<Uri, (StatusCode, tokio::time::Instant)>>,
}

/// What a try gave.
enum Tried<T> {
    Answer(T),
    /// It may succeed later: the reason, and how long the ladder asks to wait.
    Later(String, Option<Duration>),
}

impl LadderClient {
    /// A log that was not there may be published later: after so long it may be asked for once
    /// more. No other address that was refused is asked again.
    pub const LATE_LOG: Duration = Duration::from_secs(24 * 3600);

    /// A client that calls itself by this name and version.
    ///
    /// # Errors
    ///
    /// If the environment names no certificate authority.
    pub fn new(
        api: LadderAddress,
        logs: LadderAddress,
        version: &str,
    ) -> Result<Self, AuthoritiesError> {
        let http = HttpClient::new(&Authorities::default(), ANSWER_TIMEOUT)?;
        let agent = format!("bot-runner/{version}");
        let agent = HeaderValue::from_str(&agent).unwrap_or(HeaderValue::from_static("bot-runner"));
        Ok(Self {
            http,
            api,
            logs,
            agent,
            refused: Mutex::default(),
        })
    }

    /// Rows of the leaderboard, by falling rating, from `offset` on.
    ///
    /// # Errors
    ///
    /// If there is no usable answer.
    pub async fn leaderboard(
        &self,
        limit: u64,
        offset: u64,
    ) -> Result<Vec<LeaderboardRow>, LadderError> {
        let limit = limit.min(MAX_ROWS_OF_LEADERBOARD);
        self.data(&format!("/leaderboard?limit={limit}&offset={offset}"))
            .await
    }

    /// A bot.
    ///
    /// # Errors
    ///
    /// If there is no usable answer.
    pub async fn bot(&self, bot: u64) -> Result<Profile, LadderError> {
        self.data(&format!("/bots/{bot}")).await
    }

    /// A page of a bot's games, the newest first: the first page, or the one at a cursor.
    ///
    /// # Errors
    ///
    /// If there is no usable answer.
    pub async fn games(
        &self,
        bot: u64,
        limit: u64,
        cursor: Option<&str>,
    ) -> Result<GamesPage, LadderError> {
        let mut path = format!(
            "/bots/{bot}/games?limit={}",
            limit.clamp(1, MAX_GAMES_PER_PAGE)
        );
        if let Some(cursor) = cursor {
            path.push_str("&cursor=");
            for byte in cursor.bytes() {
                let _ = match byte.is_ascii_alphanumeric() {
                    true => path.write_char(byte.into()),
                    false => write!(path, "%{byte:02X}"),
                };
            }
        }
        self.data(&path).await
    }

    /// A game with its players.
    ///
    /// # Errors
    ///
    /// If there is no usable answer, or the id is no UUID.
    pub async fn game(&self, id: &str) -> Result<GameOnLadder, LadderError> {
        self.require_id(id)?;
        self.data(&format!("/games/{id}")).await
    }

    /// The log of a game of this date, with all hands: mjai events, a line each.
    ///
    /// # Errors
    ///
    /// If there is no usable answer, or the id is no UUID. A log that is not there yet is refused,
    /// and not asked for again for a day.
    pub async fn log(&self, id: &str, date: Date) -> Result<String, LadderError> {
        self.require_id(id)?;
        let (year, month, day) = date.to_calendar_date();
        let path = format!(
            "/mjai-logs/{year:04}/{:02}/{day:02}/{id}.jsonl.gz",
            u8::from(month)
        );
        self.ask(&self.logs.with(&path), |body| {
            unpacked(body).map_err(|error| error.to_string())
        })
        .await
    }

    fn require_id(&self, id: &str) -> Result<(), LadderError> {
        match is_game_id(id) {
            true => Ok(()),
            false => Err(LadderError::NoMeaning {
                address: self.api.to_string(),
                why: ForeignText::new(&format!("a game's id is {id:?}, which is no UUID"), None),
            }),
        }
    }

    /// The data of an answer.
    async fn data<T: DeserializeOwned>(&self, path: &str) -> Result<T, LadderError> {
        let read = |body: &[u8]| match serde_json::from_slice::<Wrapped<T>>(body) {
            Ok(Wrapped { ok: true, data }) => Ok(data),
            Ok(_) => Err("`ok` is false".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        self.ask(&self.api.with(&format!("/api/v1{path}")), read)
            .await
    }

    /// Asks up to three times. An answer that `read` does not understand may be a page of a server
    /// under repair, so it is asked for again too.
    async fn ask<T>(
        &self,
        address: &Uri,
        read: impl Fn(&[u8]) -> Result<T, String>,
    ) -> Result<T, LadderError> {
        let shown = || address.to_string();
        let (mut last, mut pause) = (String::new(), FIRST_PAUSE);
        for _ in 0..TRIES {
            self.refuse_again(address)?;
            let turn = Turn::wait(MAX_PATIENCE).await;
            let mut turn = turn.map_err(|wait| LadderError::AsksToWait {
                address: shown(),
                wait,
            })?;
            match self.try_once(address, &read).await? {
                Tried::Answer(answer) => return Ok(answer),
                Tried::Later(why, wait) => {
                    turn.pause_for(wait.unwrap_or(pause));
                    last = why;
                    pause *= 4;
                }
            }
        }
        Err(LadderError::NoAnswer {
            address: shown(),
            tries: TRIES,
            why: last,
        })
    }

    async fn try_once<T>(
        &self,
        address: &Uri,
        read: &impl Fn(&[u8]) -> Result<T, String>,
    ) -> Result<Tried<T>, LadderError> {
        let shown = || address.to_string();
        let headers = HeaderMap::from_iter([(USER_AGENT, self.agent.clone())]);
        let asked = async {
            let response = self.http.get(address.clone(), headers).await?;
            let (status, wait) = (response.status(), retry_after(response.headers()));
            Ok((
                status,
                wait,
                HttpClient::body_of(response, MAX_ANSWER_BYTES).await?,
            ))
        };
        let (status, wait, body) = match timeout(ANSWER_TIMEOUT, asked).await {
            Err(_elapsed) => {
                return Ok(Tried::Later(
                    format!("no answer in {} s", ANSWER_TIMEOUT.as_secs()),
                    None,
                ));
            }
            Ok(Err(HttpError::TooLong)) => {
                return Err(LadderError::TooLong {
                    address: shown(),
                    max_bytes: MAX_ANSWER_BYTES,
                });
            }
            Ok(Err(error)) => {
                return Ok(Tried::Later(
                    ForeignText::new(&error.to_string(), None).to_string(),
                    None,
                ));
            }
            Ok(Ok(answer)) => answer,
        };
        match status {
            StatusCode::OK => match read(&body) {
                Ok(answer) => Ok(Tried::Answer(answer)),
                Err(why) => Ok(Tried::Later(ForeignText::new(&why, None).to_string(), None)),
            },
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => {
                let now = tokio::time::Instant::now();
                let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
                refused.insert(address.clone(), (status, now));
                Err(LadderError::Refused {
                    address: shown(),
                    status,
                })
            }
            _ if status.is_redirection() => Err(LadderError::Redirect {
                address: shown(),
                status,
            }),
            _ if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() => {
                Ok(Tried::Later(format!("HTTP {status}"), wait))
            }
            _ => {
                let why = ForeignText::new(&format!("HTTP {status}"), None);
                Err(LadderError::NoMeaning {
                    address: shown(),
                    why,
                })
            }
        }
    }

    /// Refuses an address that was refused before.
    fn refuse_again(&self, address: &Uri) -> Result<(), LadderError> {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(&(status, when)) = refused.get(address) else {
            return Ok(());
        };
        let may_come = status == StatusCode::NOT_FOUND && address.path().starts_with("/mjai-logs/");
        if may_come && when.elapsed() >= Self::LATE_LOG {
            return Ok(());
        }
        Err(LadderError::Refused {
            address: address.to_string(),
            status,
        })
    }
}

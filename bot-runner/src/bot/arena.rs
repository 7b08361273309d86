//! An arena as a bot reaches it, in the arena's own dialect.

use std::fmt;

use mahjong::Rules;

use crate::config::{ArenaUrl, Token};
use crate::session::Dialect;
use crate::session::riichilab::{Goal, Session};
use crate::transport::{ConnectError, Connection, websocket};

/// Where a bot plays and how it logs in.
#[derive(Debug, Clone)]
pub enum Arena {
    /// One that speaks RiichiLab's protocol.
    Riichilab {
        /// Its address.
        url: ArenaUrl,
        /// The bot's token there.
        token: Token,
    },
}

/// What an arena means by refusing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Our last game goes on without us.
    StillPlaying,
    /// The token or the bot is not accepted.
    Login,
    /// Something else, which may pass.
    Other,
}

impl Arena {
    /// Connects for one game.
    pub(super) async fn connect(&self, goal: Goal) -> Result<Connection, ConnectError> {
        match self {
            Self::Riichilab { url, token } => {
                websocket::Connection::open(&url.with_path(goal.path()), token).await.map(Connection::WebSocket)
            }
        }
    }

    /// The session of a connection just opened.
    pub(super) fn session(&self, goal: Goal, rules: Rules) -> Box<dyn Dialect> {
        match self {
            Self::Riichilab { token, .. } => Box::new(Session::new(goal, rules).hiding(token.clone())),
        }
    }

    /// What the arena means by the words it refuses with.
    pub(super) fn refusal(&self, message: &str) -> Refusal {
        match self {
            // The arena's words count, not those that stand in for a token it repeats.
            Self::Riichilab { token, .. } => riichilab_refusal(&token.redact_with(message, "")),
        }
    }

    /// Words of the arena as they may be shown.
    pub(super) fn redact(&self, message: &str) -> String {
        match self {
            Self::Riichilab { token, .. } => token.redact(message),
        }
    }
}

/// The address.
impl fmt::Display for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Riichilab { url, .. } => url.fmt(f),
        }
    }
}

/// RiichiLab's texts are `This bot is already connected to a game` and `Token verification failed: …`; others are not
/// known.
fn riichilab_refusal(message: &str) -> Refusal {
    let message = message.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if says(&["already connected", "already in"]) {
        Refusal::StillPlaying
    } else if says(&["token", "inactive", "unauthor", "forbidden", "invalid"]) {
        Refusal::Login
    } else {
        Refusal::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_goes_on_without_us_is_no_trouble_with_the_token() {
        assert_eq!(riichilab_refusal("This bot is already connected to a game"), Refusal::StillPlaying);
        assert_eq!(riichilab_refusal("Token verification failed: Bot is inactive"), Refusal::Login);
        assert_eq!(riichilab_refusal("Server is restarting"), Refusal::Other);
    }
}

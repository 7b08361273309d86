//! The events of a bot's life that are reported.

use std::sync::Arc;
use std::time::Duration;

use results::ResultsReceipt;
use riichi::Seat;

use crate::decision_note::DecisionNote;
use crate::game_report::GameReport;

#[derive(Debug, Clone)]
pub struct NamedBotEvent {
    pub bot: Arc<str>,
    pub event: BotEvent,
    /// Reports when the result of the ended game is stored, if results are stored.
    pub receipt: Option<ResultsReceipt>,
}

#[derive(Debug, Clone)]
pub enum BotEvent {
    /// It has not connected yet.
    Starting,
    /// Another runner on this machine has its token, which it waits for.
    TokenInUse(String),
    /// It waits for its turn to queue.
    AwaitsTurn,
    /// It waits until one of the current games ends.
    AwaitsPermit,
    /// It waits for a game.
    Queued,
    /// A game has begun.
    Started(Seat),
    Finished(GameReport),
    /// The decisions on a connection that has ended, if notes are enabled.
    Decided(Vec<Arc<DecisionNote>>),
    /// The connection was lost in a game.
    Dropped(String),
    /// The arena aborted a game; the reason is in the arena's words.
    Aborted(String),
    /// Its policy is set aside, so it waits until that is tried again or another build takes over.
    AwaitsPolicy,
    /// It waits before the next attempt.
    Waiting {
        reason: String,
        wait: Duration,
    },
    Ended(LifeEnd),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LifeEnd {
    /// It has played all its games.
    Done,
    /// It was asked to stop.
    Stopped,
    /// The arena does not accept it; in the arena's words, without the token.
    Refused(String),
    /// It gave up after too many failures.
    GaveUp(String),
    /// Its token could not be locked, or its policy did not start, so it never connected.
    NotBegun(String),
    /// The arena's table differs from the config: the difference, and the setting to change.
    WrongTable(String),
    Validated {
        passed: bool,
        /// The reason if it did not pass.
        reason: Option<String>,
    },
}

impl LifeEnd {
    /// Why the bot stopped, if it was not meant to.
    pub fn trouble(&self) -> Option<&str> {
        match self {
            Self::Refused(why)
            | Self::GaveUp(why)
            | Self::NotBegun(why)
            | Self::WrongTable(why) => Some(why),
            Self::Done | Self::Stopped | Self::Validated { .. } => None,
        }
    }
}

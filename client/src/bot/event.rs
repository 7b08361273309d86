//! The events of a bot's life that are reported.

use std::sync::Arc;
use std::time::Duration;

use results::ResultsReceipt;
use riichi::Seat;

use super::report::GameReport;
use crate::decision_note::DecisionNote;

/// An event with the bot's name.
#[derive(Debug, Clone)]
pub struct NamedBotEvent {
    /// Its name.
    pub bot: Arc<str>,
    pub event: BotEvent,
    /// Tells when the result of the game that has ended is kept, where results are.
    pub receipt: Option<ResultsReceipt>,
}

/// An event of a bot's life.
#[derive(Debug, Clone)]
pub enum BotEvent {
    /// It is about to begin.
    Starting,
    /// Another runner on this machine has its token, which it waits for.
    TokenInUse(String),
    /// It waits for its turn to queue.
    AwaitsTurn,
    /// It waits for one of the games to end that are on at once.
    AwaitsPermit,
    /// It waits for a game.
    Queued,
    /// A game has begun.
    Started(Seat),
    /// A game was played to its end.
    Finished(GameReport),
    /// The decisions made on a connection that has ended, if notes are wanted.
    Decided(Vec<DecisionNote>),
    /// The connection was lost in a game.
    Dropped(String),
    /// The arena aborted a game, for this reason in its own words.
    Aborted(String),
    /// Its policy has been set aside, so it waits for another build before it plays on.
    SetAside,
    /// It waits before the next attempt.
    Waiting {
        /// Why.
        reason: String,
        /// For how long.
        wait: Duration,
    },
    /// Its life is over.
    Ended(LifeEnd),
}

/// Why a bot's life ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LifeEnd {
    /// It has played what it should.
    Done,
    /// It was asked to stop.
    Stopped,
    /// The arena does not want it; in the arena's words, the token taken out.
    Refused(String),
    /// Nothing worked any more.
    GaveUp(String),
    /// The arena's table does not fit the config: the difference, and what to set instead.
    WrongTable(String),
    /// The verdict on a validation.
    Validated {
        /// Whether it passed.
        passed: bool,
        /// Why not.
        reason: Option<String>,
    },
}

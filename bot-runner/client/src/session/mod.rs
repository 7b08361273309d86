//! Sessions: the arenas' dialects as state machines without I/O.
//!
//! Each frame results in steps: an event, a decision, a reply, or the end of the connection. The
//! caller handles time and decisions.

pub mod botzone;
pub mod choice;
pub mod desync;
pub mod game;
mod lines;
mod log;
pub mod mjsonp;
pub mod observed;
pub mod riichilab;
pub mod stdio;

use std::fmt;

use foreign_text::ForeignText;
use riichi::Event;

pub use game::{AckCounts, GameState, OpenQuestion};

/// A step that follows from a frame.
#[derive(Debug, PartialEq)]
pub enum SessionStep {
    /// An event, which the table already reflects.
    Happened(Event),
    /// The table was rebuilt from this observation of the arena, which is in base64.
    Rebuilt(String),
    /// A decision is needed: see [`GameState::question`].
    Ask,
    /// Send this at once.
    Reply(String),
    Ended(SessionEnd),
}

/// The steps of one frame, in order.
pub type SessionSteps = Vec<SessionStep>;

/// The way in which the arena ended a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionEnd {
    /// The ranked game has ended.
    Game,
    Validation {
        passed: bool,
        /// The reason if it did not pass, if the arena gives one.
        reason: Option<ForeignText>,
    },
    /// The arena aborted the game for all players.
    Aborted {
        /// The reason in the arena's words.
        words: ForeignText,
        /// Whether the words blame one of our replies.
        by_us: bool,
    },
    /// The arena refuses the bot, now or permanently; in its own words.
    Refused(ForeignText),
    /// The arena deals another table than the bot plays at. The game has not begun.
    WrongTable(WrongTable),
}

/// A table with another number of players than the bot is set to play with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrongTable {
    /// The number of players at the arena's table.
    pub dealt: u8,
    /// The number of players in the bot's config.
    pub players: u8,
}

impl fmt::Display for WrongTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |players| if players == 3 { "three" } else { "four" };
        write!(
            f,
            "this table has {} players, and the bot is set to play with {}",
            words(self.dealt),
            words(self.players)
        )
    }
}

/// A session of any dialect: one connection.
pub trait Dialect: Send {
    fn hear(&mut self, frame: &str) -> SessionSteps;

    /// The reply to the open question for the choice with this index; the safe answer without an
    /// index, or if it is beyond the legal actions.
    ///
    /// `None` if no question is open, or there is no safe answer: then nothing is sent.
    fn answer(&mut self, choice: Option<usize>) -> Option<String>;

    /// Compares the arena's information in the last request with our own picture. Call this after
    /// the reply is written; otherwise it runs before the next event.
    fn review(&mut self);

    /// Whether an open question must be answered before the next frame is handled. Otherwise the
    /// next frame may settle it.
    fn answers_in_turn(&self) -> bool;

    fn game(&self) -> &GameState;
}

//! Sessions: the arenas' dialects as state machines without I/O.
//!
//! Each frame results in steps: an event happened, a decision is needed, a reply is to be sent, or the connection is
//! done. The caller handles time and decisions.

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

use arrayvec::ArrayVec;
use foreign_text::ForeignText;
use riichi::Event;

pub use game::{AckCounts, GameState, OpenQuestion};

/// A step that follows from a frame.
#[derive(Debug, PartialEq)]
pub enum SessionStep {
    /// Something happened, and the table shows it.
    Happened(Event),
    /// A decision is needed: see [`GameState::question`].
    Ask,
    /// Send this at once.
    Reply(String),
    /// The connection is done.
    Ended(SessionEnd),
}

/// The steps that follow from one frame, in order.
pub type SessionSteps = ArrayVec<SessionStep, 3>;

/// How the arena ended a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionEnd {
    /// The ranked game is over.
    Game,
    /// The validation is over.
    Validation {
        /// Whether the bot passed.
        passed: bool,
        /// Why not, if the arena says so.
        reason: Option<ForeignText>,
    },
    /// The arena aborted the game for all players.
    Aborted {
        /// Why, in the arena's own words.
        words: ForeignText,
        /// Whether they say that a reply of ours was at fault.
        by_us: bool,
    },
    /// The arena refuses the bot, now or permanently; in its own words.
    Refused(ForeignText),
    /// The arena deals another table than the bot plays at. Nothing of the game was played.
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
    /// Takes in a frame.
    fn hear(&mut self, frame: &str) -> SessionSteps;

    /// The reply to the open question that carries out the choice with this index; the safe answer without one, or when
    /// the index is beyond the legal actions.
    ///
    /// `None` when no question is open, or when there is no safe answer: then nothing is sent.
    fn answer(&mut self, choice: Option<usize>) -> Option<String>;

    /// Compares the arena's information in the last request with our own picture. Call this after the reply is written;
    /// otherwise it runs before the next event.
    fn review(&mut self);

    /// Whether an open question must be answered before the next frame is handled. Otherwise the next frame may settle
    /// it.
    fn answers_in_turn(&self) -> bool;

    /// The game on this connection.
    fn game(&self) -> &GameState;
}

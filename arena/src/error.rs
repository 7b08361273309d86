//! Why a game cannot go on.

use riichi::game::AnswerError;
use riichi::table::Contradiction;
use riichi::{Event, Seat};

/// Why a game cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArenaGameError {
    /// An action is not legal, or its seat is not asked.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// What the game tells contradicts a seat's table, which is a fault of the rules.
    #[error("seat {seat} cannot take in {event:?}: {contradiction}")]
    Table {
        /// Whose table it is.
        seat: Seat,
        /// What happened.
        event: Box<Event>,
        /// Why it cannot have.
        contradiction: Contradiction,
    },
}

//! The reason why a game cannot continue.

use riichi::game::AnswerError;
use riichi::table::Contradiction;
use riichi::{Event, Seat};

/// The reason why a game cannot continue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArenaGameError {
    /// An action is not legal, or its seat is not asked.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// The game's events contradict a seat's table, which is a bug in the rules.
    #[error("seat {seat} cannot apply {event:?}: {contradiction}")]
    Table {
        seat: Seat,
        event: Box<Event>,
        contradiction: Contradiction,
    },
}

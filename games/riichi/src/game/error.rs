//! Why an answer is not taken.

use game_core::Seat;

use crate::action::Action;

/// Why [`RiichiGame::answer`](super::RiichiGame::answer) does not take an answer. The game is as
/// before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The seat is not asked, or has answered already.
    #[error("seat {seat} is not asked now")]
    NotAsked {
        /// The seat that answered.
        seat: Seat,
    },
    /// The action is not one of the seat's legal actions.
    #[error(
        "seat {seat} cannot play {action:?} now; `RiichiGame::legal_actions` lists what it can"
    )]
    NotLegal {
        /// The seat that answered.
        seat: Seat,
        /// The answer.
        action: Action,
    },
}

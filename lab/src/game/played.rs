//! The identity of a game, and how it ended.

use arrayvec::ArrayVec;
use protocol::game_record::{GameOutcome, RecordEnd};
use riichi::MAX_PLAYERS;

/// The measure of each seat at the end of a game: its place, from 1, or its points.
pub type SeatValues = ArrayVec<i32, MAX_PLAYERS>;

/// It determines all randomness of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameId {
    /// The seed of all games.
    pub seed: u64,
    /// The wall's number, from 1.
    pub wall: u64,
    /// The number of the seating within the wall, from 0.
    pub seating: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct GameEnd {
    /// The score of each seat.
    pub scores: Vec<f64>,
    /// The place of each seat, from 1; seats with equal scores may share one.
    pub places: Vec<u8>,
    /// The winner and the winning hand, in a game with one win.
    pub outcome: Option<GameOutcome>,
}

impl GameEnd {
    /// The end in the form of a record.
    pub fn recorded(&self) -> RecordEnd {
        RecordEnd {
            scores: self.scores.clone(),
            outcome: self.outcome.clone(),
        }
    }

    /// The winning seats, in a game with one win.
    pub fn winners(&self) -> Vec<usize> {
        self.outcome
            .as_ref()
            .map_or_else(Vec::new, |outcome| outcome.winners(self.scores.len()))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct PlayedGame {
    pub end: GameEnd,
    /// The outcomes of asking each seat's policy.
    pub seats: Vec<SeatAnswers>,
    /// The first decision that failed, with the seat that made it.
    pub first_fault: Option<(usize, String)>,
}

/// The outcomes of asking the policy of a seat.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SeatAnswers {
    /// Number of requested decisions.
    pub decisions: u64,
    /// Number of illegal actions that it chose. The safe answer was played.
    pub illegal: u64,
    /// Number of failed decisions: a panic, an error, the end of its process. The safe answer was
    /// played.
    pub failed: u64,
    /// Number of late decisions. The safe answer was played.
    pub late: u64,
}

impl SeatAnswers {
    /// Number of decisions that the policy did not make.
    pub const fn faults(&self) -> u64 {
        self.illegal + self.failed + self.late
    }
}

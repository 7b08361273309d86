//! The time a seat has for its answers.

/// The time a seat has for its answers, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// Free time for each answer.
    pub grace_ms: u64,
    /// Additional time for all answers of a round together.
    pub bank_ms: u64,
}

impl TimeControl {
    /// The public arena's: 3 s for each answer and 15 s for each round.
    pub const PUBLIC: Self = Self {
        grace_ms: 3_000,
        bank_ms: 15_000,
    };
}

impl Default for TimeControl {
    fn default() -> Self {
        Self::PUBLIC
    }
}

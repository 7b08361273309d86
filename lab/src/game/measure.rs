//! The measure of a game.

use lab_stats::SeatCounts;

/// The measure that compares bots in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The average place; lower is better.
    Places,
    /// The average points of a seat in a game; higher is better.
    Points {
        /// The maximum difference of a wall in points for a sequential test, which needs a bound: see
        /// [`Measure::bounded`].
        cap: i32,
    },
}

/// The counts of games that are won once, of [`SeatCounts::NAMES`].
const POINT_COUNTS: &[&str] = &["points", "rounds", "wins", "decisions", "illegal", "late"];

impl Measure {
    /// The counted ones of [`SeatCounts::NAMES`].
    #[must_use]
    pub const fn counted(self) -> &'static [&'static str] {
        match self {
            Self::Places => SeatCounts::NAMES,
            Self::Points { .. } => POINT_COUNTS,
        }
    }

    /// The number of seats, over all games, in these counts.
    #[must_use]
    pub fn seats(self, counts: &SeatCounts) -> u64 {
        match self {
            Self::Places => counts.places.iter().sum(),
            // One for each game.
            Self::Points { .. } => counts.rounds,
        }
    }

    /// Sum of the measure over these seats.
    #[must_use]
    pub fn sum(self, counts: &SeatCounts) -> i64 {
        match self {
            Self::Places => counts.place_sum() as i64,
            Self::Points { .. } => counts.points,
        }
    }

    /// The mean of the measure.
    #[must_use]
    pub fn mean(self, counts: &SeatCounts) -> f64 {
        self.sum(counts) as f64 / self.seats(counts) as f64
    }

    /// The difference between two means; positive if the first is better.
    #[must_use]
    pub fn better_by(self, one: f64, other: f64) -> f64 {
        match self {
            Self::Places => other - one,
            Self::Points { .. } => one - other,
        }
    }

    /// Whether the first value of a seat is better than the second.
    #[must_use]
    pub const fn is_better(self, one: i32, other: i32) -> bool {
        match self {
            Self::Places => one < other,
            Self::Points { .. } => one > other,
        }
    }

    /// A wall's difference for a sequential test, which needs a bound. Places have one. Points are bounded by the rules
    /// (each peasant may win 3 x 2^15 of them: bid 3, 14 bombs and a spring), but too widely for any test to end. So a
    /// difference counts up to a cap. For two equal bots the mean of the capped differences is still 0: swapping them
    /// only changes the sign of each. The test makes statements about capped differences.
    #[must_use]
    pub fn bounded(self, difference: f64) -> f64 {
        match self {
            Self::Places => difference,
            Self::Points { cap } => difference.clamp(-f64::from(cap), cap.into()),
        }
    }
}

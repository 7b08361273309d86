//! Means with their intervals, which of two is better, linear equations, and counts of seats'
//! actions in games of riichi.
#![forbid(unsafe_code)]

mod clustered_mean;
mod comparison;
mod counts;
mod elo;
mod estimate;
mod group_mean;
mod linear;
mod rating;
mod sprt;

pub use clustered_mean::ClusteredMean;
pub use comparison::{Advantage, Basis, Comparison, Differences, Verdict};
pub use counts::{SeatCounter, SeatCounts};
pub use elo::{elo_of_score, score_of_elo};
pub use estimate::{Estimate, MIN_GAMES_OF_INTERVAL, Spread, estimate, spread_of};
pub use group_mean::GroupMean;
pub use linear::Cholesky;
pub use rating::{
    GameCleanness, HeldRating, MATURE_GAMES, PROVISIONAL_GAMES, RANK_POINTS, RatedGame,
    RatingGrade, average_rank_points,
};
pub use sprt::{SPRT_ERROR_RATE, Sprt, SprtDecision};

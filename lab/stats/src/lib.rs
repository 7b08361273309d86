//! Means with their intervals, and counts of what seats do in games of riichi.
#![forbid(unsafe_code)]

mod clustered_mean;
mod counts;
mod estimate;

pub use clustered_mean::{ClusteredMean, MeanDifference};
pub use counts::{SeatCounter, SeatCounts};
pub use estimate::{Estimate, RunningMean, Spread, estimate, spread_of};

//! Games between policies in this process, to find out which is better.
//!
//! The unit is the wall: each is played in all seatings, so that its luck and that of the seats falls on all alike, and
//! the statistics are taken over walls. Nothing here knows a clock: the same seed gives the same results on any number of
//! threads. How long decisions take is measured apart.

mod clear;
mod counts;
mod game;
mod result;
mod run;
mod seating;
mod statistics;
mod times;

pub use clear::{ERROR_RATE, TEST, Verdict, Watch};
pub use counts::SeatCounts;
pub use game::{Entrant, GameId, TournamentGame, TournamentGameError, play};
pub use result::{Competitor, Ended, EntrantResult, TournamentResult};
pub use run::{Plan, PlayedWalls, TournamentError, TournamentProgress, WallResult, run};
pub use seating::{Format, Seating};
pub use statistics::{Estimate, estimate};
pub use times::{DecisionTimes, thread_time};

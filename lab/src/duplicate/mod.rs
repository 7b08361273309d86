//! Games of several bots at the same walls, for games in which the score of one hand or deal is the whole result: Chinese Standard
//! mahjong and Dou Dizhu.
//!
//! As in tournaments of riichi the unit is the wall: each is played in all seatings, so that its luck falls on all alike, and the
//! statistics are taken over walls. Nothing here knows a clock: the same seed gives the same results on any number of threads.

mod run;
mod seatings;
mod standing;
#[cfg(test)]
mod tests;

pub use self::run::{DuplicateError, DuplicatePlan, WallScores, run};
pub use self::seatings::{CannotFill, seatings};
pub use self::standing::{BotStanding, PairStanding, pairs, standings};

//! Simulates the outcome of each action in a round: all seats play every candidate to the end of
//! the round many times, with hidden tiles drawn at random; then the game is played out using
//! statistics of how rounds end.
//!
//! [`Calculation`] does that for a decision of one seat. All candidates are played on the same
//! worlds, so that common luck cancels out, and most simulations are spent on close choices. All
//! seats play by one fast policy, which uses only its seat's knowledge. [`places`] estimates the
//! probability of each final place after the round. [`estimates`] holds the estimates that
//! simulations and strategies share.
//!
//! This crate has no I/O and no clock: the caller decides when to stop.
#![forbid(unsafe_code)]

mod attack;
mod calculation;
pub mod estimates;
mod fast_policy;
pub mod places;
mod round;
mod stakes;
mod tally;
mod worth;

pub use calculation::{ActionEstimate, Calculation, CalculationError};
pub use tally::{ActionFigures, Mean};

//! What all games share: [`Seat`], [`PerSeat`], and random numbers that can be repeated ([`rng`]).
//!
//! Nothing here knows a tile or a card.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod rng;
mod seat;

pub use seat::{MAX_PLAYERS, PerSeat, Seat};

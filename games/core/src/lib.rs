//! The parts that all games share: the whole game ([`WholeGame`]) and one seat's table ([`SeatTable`]), [`Seat`],
//! [`PerSeat`], and reproducible random numbers ([`rng`]).
//!
//! This crate knows no tiles or cards.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod game;
pub mod rng;
mod seat;

pub use game::{ActionOf, EventOf, SeatTable, WholeGame};
pub use seat::{MAX_PLAYERS, PerSeat, Seat};

//! The parts that all games share: the whole game ([`WholeGame`]) and one seat's table
//! ([`SeatTable`]), [`Seat`], [`PerSeat`], the measure that compares players ([`Measure`]), what is
//! wrong in a record ([`Finding`]), the words of an action ([`ActionWords`]), and reproducible
//! random numbers ([`rng`]).
//!
//! This crate knows no tiles or cards.
#![warn(missing_docs, rustdoc::private_intra_doc_links)]
#![forbid(unsafe_code)]

mod finding;
mod game;
mod measure;
pub mod rng;
mod seat;
mod words;

pub use finding::{Finding, FindingKind};
pub use game::{ActionOf, EventOf, SeatTable, WholeGame};
pub use measure::Measure;
pub use seat::{MAX_PLAYERS, PerSeat, Seat};
pub use words::{ActionWords, WordedAction};

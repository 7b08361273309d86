//! The public interface of RiichiLab's ladder, read only and without a token: the leaderboard,
//! bots, games and logs.
//!
//! All requests of the process are made one after the other ([`pace`]), and an address that was
//! refused is not asked again. Every text of an answer is a
//! [`ForeignText`](foreign_text::ForeignText).
#![forbid(unsafe_code)]

mod address;
mod answers;
mod client;
mod error;
mod log;
mod moment;
mod pace;

pub use address::{BadLadderAddress, LadderAddress, RIICHILAB_API, RIICHILAB_LOGS};
pub use answers::{GameOnLadder, GameRow, GamesPage, LeaderboardRow, PlayerInGame, Profile};
pub use client::{LadderClient, MAX_GAMES_PER_PAGE, MAX_ROWS_OF_LEADERBOARD};
pub use error::LadderError;
pub use hyper::StatusCode;
pub use log::with_names;
pub use moment::PlayedAt;

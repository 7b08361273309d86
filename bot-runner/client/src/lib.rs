//! Clients for arenas: connections, sessions, bots, and their records and results.
//!
//! This crate does not depend on config files, commands, pages or tournaments: the builder of a bot
//! passes its [`Token`], address and policy.
#![forbid(unsafe_code)]

pub mod address;
pub mod board;
pub mod bot;
mod botzone_seat;
pub mod budget;
pub mod decision_note;
pub mod game_report;
pub mod kept_game;
pub mod latency;
pub mod own_thread;
pub mod place;
pub mod records;
pub mod seat_news;
pub mod session;
pub mod shutdown;
mod token;
pub mod token_lock;
pub mod transport;

pub use address::{ArenaUrl, BadAddress, RoomUrl, SiteUrl};
pub use botzone_seat::{BOTZONE_URL, BotzoneGame, BotzoneSeat};
pub use token::{BadToken, Token, is_quoted, random_secret};

//! A local arena that speaks RiichiLab's protocol on a real WebSocket: validation, ranked games,
//! tokens, matchmaking, time banks, acks and chombo. [`riichi::game`] has the rules.
//!
//! The arena depends on the wire and the rules, never on a policy. It has no global state: several
//! arenas can run in one process. [`start`] opens one; [`FrameGame`] is the game without any
//! socket.
#![forbid(unsafe_code)]

mod bots;
mod config;
mod connection;
mod engine;
mod error;
mod game;
mod kind;
mod matching;
mod matchmaker;
mod queue;
mod seeds;
mod server;
mod table;
mod time;

pub use bots::{RegisteredBot, RegistrationState, Tokens};
pub use config::ArenaSettings;
pub use error::ArenaGameError;
pub use game::{ArenaPlayer, FrameGame, GameSetup, Outgoing, SeatAckCounts, SeatResult};
pub use kind::GamePurpose;
pub use server::{ArenaHandle, start};
pub use table::FinishedGame;
pub use time::TimeControl;

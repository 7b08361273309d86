//! A local arena that speaks RiichiLab's protocol on a real WebSocket: validation, ranked games, tokens, matchmaking,
//! time banks, acks and chombo. The rules are those of [`mahjong::game`].
//!
//! The arena knows the wire and the rules, and never a policy. Nothing here is global: several arenas can run in one
//! process. [`start`] opens one; [`Game`] is the game without any socket, for whoever wants to drive it himself, and
//! [`DirectGame`] the same game without frames, for policies in the process.
#![forbid(unsafe_code)]

mod bots;
mod config;
mod connection;
mod direct;
mod engine;
mod game;
mod matching;
mod matchmaker;
mod queue;
mod seeds;
mod server;
mod table;

pub use bots::{BotState, RegisteredBot, Tokens};
pub use config::{ArenaConfig, TimeControl};
pub use direct::DirectGame;
pub use game::{AckCounts, Game, GameError, GameKind, GameSetup, Outgoing, Player, SeatResult};
pub use server::{ArenaHandle, start};
pub use table::FinishedGame;

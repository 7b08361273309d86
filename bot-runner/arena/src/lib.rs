//! A local arena that speaks RiichiLab's protocol on a real WebSocket: validation, ranked games,
//! tokens, matchmaking, time banks, acks and chombo. [`riichi::game`] has the rules. On request it
//! keeps a ladder with the public interface of RiichiLab's, or plays an event.
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
mod event;
mod game;
mod kept;
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
pub use event::{
    EventFormat, EventSettings, EventStanding, MAX_EVENT_BOTS, MAX_EVENT_GAMES, standings,
};
pub use game::{ArenaPlayer, FrameGame, GameSetup, Outgoing, SeatAckCounts, SeatResult};
pub use kept::{
    ArenaLadder, EventSlot, KeepError, KeptGame, KeptSeat, LadderBot, LadderFolderError,
    MAX_KEPT_GAMES, RunningTable, SeatFigures, Skill, WallSeed,
};
pub use kind::GamePurpose;
pub use seeds::seats_of;
pub use server::{ArenaHandle, start};
pub use table::FinishedGame;
pub use time::TimeControl;

//! Bots: each with its connection, its session and its policy.

mod arena;
mod attempt;
mod backoff;
mod connection;
mod deciders;
mod decisions;
mod event;
mod fault;
mod figures;
mod follow;
mod life;
mod match_publisher;
mod policy;
pub mod polling;
mod report;
mod retry;
mod riichi_news;
mod setup;
mod shown_match;
mod turns;
mod validation;

pub use arena::Arena;
pub use backoff::Patience;
pub use connection::{ConnectionEnd, play_connection};
pub use event::{BotEvent, LifeEnd, NamedBotEvent};
pub use figures::{BotFigures, GameTotals, LiveFigures};
pub use match_publisher::MatchPublisher;
pub use policy::BotPolicy;
pub use report::BotReport;
pub use setup::Bot;
pub use shown_match::{LiveRound, ShownMatch, WatchedRound};
pub use turns::{Permit, PermitPool, QueueTurns};

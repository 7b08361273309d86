//! Bots: each with its connection, its session and its policy.

mod arena;
mod backoff;
mod brain;
mod connection;
mod event;
mod fault;
mod figures;
mod life;
mod report;
mod trouble;
mod turns;
mod validation;

pub use arena::Arena;
pub use backoff::Patience;
pub use brain::Brain;
pub use connection::{GameEnd, play_connection};
pub use event::{BotEvent, BotNews, LifeEnd};
pub use figures::{Figures, LiveFigures};
pub use life::Bot;
pub use report::{BotReport, GameReport};
pub use turns::QueueTurns;

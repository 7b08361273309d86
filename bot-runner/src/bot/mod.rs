//! Bots: each with its connection, its session and its policy.

mod arena;
mod backoff;
mod connection;
mod fault;
mod figures;
mod life;
mod note;
mod report;
mod trouble;
mod validation;

pub use arena::Arena;
pub use backoff::Patience;
pub use connection::{Brain, GameEnd, play_connection};
pub use figures::{Figures, LiveFigures};
pub use life::{Bot, BotEvent, LifeEnd, QueueTurns};
pub use note::{DecisionNote, Said};
pub use report::{BotReport, GameReport, Latency};

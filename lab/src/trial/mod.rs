//! A library tried out before it plays for anybody: scripted situations, whole games, and every answer checked.
//!
//! The policy runs in a process of its own, so that whatever it does costs the trial and nothing else.

mod chinese_standard;
mod doudizhu;
mod games;
mod memory;
mod repeat;
mod riichi;
mod rules;
mod situations;
mod subject;

pub use chinese_standard::ChineseStandardTrial;
pub use doudizhu::DouDizhuTrial;
pub use games::{SEED, TrialGame, TrialGameError, TrialGames};
pub use memory::Memory;
pub use repeat::{Repeat, repeat};
pub use riichi::RiichiTrial;
pub use rules::{ActionIn, TrialRules};
pub use subject::{Subject, TrialAnswer};

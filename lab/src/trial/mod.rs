//! A trial of a library before it plays: scripted situations, whole games, and every answer checked.
//!
//! The policy runs in a process of its own, so that whatever it does costs the trial and nothing else.

mod games;
mod memory;
mod repeat;
mod subject;

pub use games::{SEED, TrialGame, TrialGames};
pub use memory::Memory;
pub use repeat::{Repeat, repeat};
pub use subject::{Subject, TrialAnswer};

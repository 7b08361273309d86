//! A trial of a library before it plays: scripted situations, whole games, and checks of every
//! answer.
//!
//! The policy runs in its own process, so that damage is limited to the trial.

mod games;
mod memory;
mod repeat;
mod subject;

pub use games::{SEED, TrialGames};
pub use memory::Memory;
pub use repeat::{Repeat, repeat};
pub use subject::{Subject, TrialAnswer};

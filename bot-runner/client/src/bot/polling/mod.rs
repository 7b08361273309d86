//! An account at Botzone: one poll at a time, and all matches that are played through it.
//!
//! The answer to a request travels in the next poll, so a poll waits a moment for answers that are
//! being thought about, and an answer that comes later displaces the poll that is waiting: the new
//! one is sent while the old one still listens, so that nothing that was on its way is lost.
//! Whether a poll that failed was read is open; what it carried is sent again.

mod account;
mod bot_player;
mod life;
mod pace;
mod past;
mod permits;
mod player;

pub use account::{AccountEnd, AccountGoal, BotzoneAccount, Matchmaking};
pub use pace::PollPatience;
pub use player::{MatchEnd, MatchEvent, MatchPlayer, Readiness};

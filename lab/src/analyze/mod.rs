//! What hand knowledge says of a hand that somebody types in.

mod facts;
mod future;
mod position;

pub use facts::{DiscardFacts, Facts, ScoreFacts, ShantenFacts, WaitFacts, WinFacts};
pub use future::{FutureFacts, TurnFacts};
pub use position::{Position, PositionError, TypedHand};

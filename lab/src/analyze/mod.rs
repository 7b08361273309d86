//! Facts about a typed hand.

mod facts;
mod future;
mod position;
mod scene;

pub use facts::{DiscardFacts, Facts, ScoreFacts, ShantenFacts, WaitFacts, WinFacts};
pub use future::{FutureFacts, TurnFacts};
pub use position::{HandPosition, PositionError, TypedHand};
pub use scene::{SceneError, SeatScene, TypedScene};

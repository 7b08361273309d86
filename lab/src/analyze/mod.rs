//! Facts about a typed hand.

mod doudizhu;
mod facts;
mod future;
mod mcr;
mod position;
mod scene;

pub use self::doudizhu::{DouDizhuHandFacts, PlayFacts, SPLITS_LISTED, SplitFacts};
pub use self::mcr::{
    AcceptedTiles, CountedFan, CountedName, IncompleteHand, JoinedName, McrDiscardFacts,
    McrHandFacts, McrWinFacts,
};
pub use facts::{
    DiscardFacts, Facts, ScoreFacts, ShantenFacts, WaitFacts, WinCircumstances, WinFacts,
    may_replace, payment_words,
};
pub use future::{FutureFacts, TurnFacts};
pub use position::{HandPosition, PositionError, TypedHand};
pub use scene::{SceneError, SeatScene, TypedScene};

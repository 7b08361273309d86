//! doudizhu-split: the Dou Dizhu policy that plays its plan out in hands that the others may have.
//!
//! - The others' hands are drawn at random from the unseen cards: the number that each has left,
//!   including the landlord's public cards (`worlds`).
//! - Each possible action is tried in such deals: all three seats play the game to its end by rules
//!   of thumb (`playout`). These split a hand into parts and play long ones and low ones first; a
//!   player that has the highest cards for all parts but one plays those first. So the value of a
//!   play is the lead that it wins back.
//! - It does what wins most of these games ([`choice`]), and bids by the share of games that it
//!   wins as the landlord ([`bid`]).
//!
//! It uses only the seat's knowledge. Its random numbers follow from that knowledge, so that the
//! same table always gets the same answer.
#![forbid(unsafe_code)]

pub mod bid;
pub mod choice;
pub mod effort;
mod playout;
mod policy;
#[cfg(test)]
mod tests;
mod worlds;

use doudizhu::{DouDizhuAction, DouDizhuSeatState};

pub use choice::SplitDecision;
pub use effort::SplitEffort;
pub use policy::{DouDizhuSplit, SPLIT_PARAMS};

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: policy_sdk::abi::Entry = policy_sdk::entry(
    concat!("doudizhu-split ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<DouDizhuSplit>()],
);

/// The policy's choice: one of the legal actions of the table's seat. `None` if there are none.
pub fn decide(
    table: &DouDizhuSeatState,
    legal: &[DouDizhuAction],
    effort: &SplitEffort,
) -> Option<SplitDecision> {
    match legal.first()? {
        DouDizhuAction::Bid(_) => bid::choose_bid(table, legal, effort),
        DouDizhuAction::Pass | DouDizhuAction::Play(_) => choice::choose_play(table, legal, effort),
    }
}

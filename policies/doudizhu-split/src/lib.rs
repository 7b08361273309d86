//! doudizhu-split: the Dou Dizhu policy that plays by what is left to play afterwards.
//!
//! - Each thing that it can do is valued by the hand that it leaves: the turns that this takes at least
//!   ([`doudizhu::split`]), less for each of them that nobody is likely to beat, for such a turn wins back the lead that
//!   another one loses ([`worth`]).
//! - How likely a play is to be beaten follows from the cards that are not seen, how many cards each seat has, and the
//!   landlord's public cards ([`chances`]). For a peasant only the landlord counts.
//! - To the value comes what the play does: it keeps the lead if nobody beats it; it may let another seat go out, which is bad for
//!   an opponent and good for a partner. A pass leaves the lead to whoever has played ([`choice`]).
//! - A hand that nobody can stop any more is played out.
//! - It bids by the worth of its hand ([`bid`]).
//!
//! It sees what its seat may know and nothing else, and there is no chance in it.
#![forbid(unsafe_code)]

pub mod bid;
pub mod chances;
pub mod choice;
mod policy;
#[cfg(test)]
mod tests;
pub mod weights;
pub mod worth;

use doudizhu::{CardAction, CardTable};

pub use choice::SplitDecision;
pub use policy::DouDizhuSplit;
pub use weights::SplitWeights;

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: policy_sdk::abi::Entry =
    policy_sdk::entry(concat!("doudizhu-split ", env!("CARGO_PKG_VERSION")), &[policy_sdk::policy::<DouDizhuSplit>()]);

/// What the policy does: one of the legal actions of the table's seat. `None` where there are none.
#[must_use]
pub fn decide(table: &CardTable, legal: &[CardAction], weights: &SplitWeights) -> Option<SplitDecision> {
    match legal.first()? {
        CardAction::Bid(_) => bid::choose_bid(table, legal, weights),
        CardAction::Pass | CardAction::Play(_) => choice::choose_play(table, legal, weights),
    }
}

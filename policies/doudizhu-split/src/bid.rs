//! Bidding.
//!
//! The chance to win as the landlord follows from the worth of the 17 cards: a logistic curve, fitted to 6,000 games of this policy
//! against itself. The worst twelfth of the hands wins a third of the games, the best two thirds; the public cards blur it.
//! A landlord wins or loses twice the stake, so a bid is worth `2 * bid * (2 * chance - 1)`. That grows with the bid, so the policy
//! bids as high as it can or not at all. Never to bid costs one seat 0.27 points a game (0.18 to 0.36) against two that do.

use doudizhu::{CardAction, CardSeat, CardTable};

use crate::chances::OtherHand;
use crate::choice::SplitDecision;
use crate::weights::SplitWeights;
use crate::worth::hand_worth;

/// The curve: `1 / (1 + exp(-(BASE + SLOPE * worth)))`.
const BASE: f64 = 0.87;
const SLOPE: f64 = 0.21;

/// The chance to win as the landlord with the cards of the table's seat, before the public cards are known.
#[must_use]
pub fn chance_as_landlord(table: &CardTable, weights: &SplitWeights) -> f64 {
    let others: Vec<OtherHand> =
        CardSeat::all().filter(|&seat| Some(seat) != table.seat()).map(|seat| OtherHand::new(table, seat)).collect();
    let worth = hand_worth(table.hand_counts(), table.round().rules(), &others, weights);
    1.0 / (1.0 + (-(BASE + SLOPE * worth)).exp())
}

/// Chooses a bid.
pub(crate) fn choose_bid(table: &CardTable, legal: &[CardAction], weights: &SplitWeights) -> Option<SplitDecision> {
    let chance = chance_as_landlord(table, weights);
    let value = |action: &CardAction| match action {
        CardAction::Bid(bid) => 2.0 * f64::from(*bid) * (2.0 * chance - 1.0),
        CardAction::Pass | CardAction::Play(_) => f64::NEG_INFINITY,
    };
    let values = legal.iter().map(|action| value(action) as f32).collect();
    SplitDecision::highest(values, |_| format!("wins {:.0} % as the landlord", 100.0 * chance))
}

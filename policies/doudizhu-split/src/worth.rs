//! What a hand is worth.

use doudizhu::split::best_splits;
use doudizhu::{CardRules, HandSplit, RankCounts};

use crate::chances::{OtherHand, holds};
use crate::weights::SplitWeights;

/// A hand without cards has won.
const WON: f64 = 100.0;

/// What a split is worth: less one for each turn, and more for each that holds.
#[must_use]
pub fn split_worth(split: &HandSplit, opponents: &[OtherHand], weights: &SplitWeights) -> f64 {
    split.plays.iter().map(|play| weights.hold * holds(play, opponents) - 1.0).sum()
}

/// What a hand is worth: that of its best split. In turns, less one for each that it takes at least and that opponents beat.
#[must_use]
pub fn hand_worth(hand: RankCounts, rules: CardRules, opponents: &[OtherHand], weights: &SplitWeights) -> f64 {
    if hand.is_empty() {
        return WON;
    }
    let splits = best_splits(hand, rules, weights.splits);
    splits.iter().map(|split| split_worth(split, opponents, weights)).fold(f64::NEG_INFINITY, f64::max)
}

//! In how few turns a hand of Dou Dizhu can be played out, and how, in a form for programs.

use doudizhu::{DouDizhuPlay, DouDizhuRules, HandSplit, RankCounts, best_splits};
use serde::Serialize;

pub const SPLITS_LISTED: usize = 100;

/// The best ways to play a hand out.
#[derive(Debug, Serialize)]
pub struct DouDizhuHandFacts {
    pub cards: String,
    /// The best first.
    pub splits: Vec<SplitFacts>,
}

/// A way to play it out.
#[derive(Debug, Serialize)]
pub struct SplitFacts {
    pub turns: usize,
    pub weight: u8,
    pub plays: Vec<PlayFacts>,
}

/// Cards that are played together.
#[derive(Debug, Serialize)]
pub struct PlayFacts {
    pub cards: String,
    pub kind: &'static str,
}

impl DouDizhuHandFacts {
    /// What there is to know of these cards.
    pub fn of(cards: RankCounts) -> Self {
        let splits = best_splits(cards, DouDizhuRules::FIXED, SPLITS_LISTED);
        Self {
            cards: cards.to_string(),
            splits: splits.iter().map(SplitFacts::of).collect(),
        }
    }
}

impl SplitFacts {
    fn of(split: &HandSplit) -> Self {
        let play = |play: &DouDizhuPlay| PlayFacts {
            cards: play.cards.to_string(),
            kind: play.combination.kind.name(),
        };
        Self {
            turns: split.turns(),
            weight: split.weight,
            plays: split.plays.iter().map(play).collect(),
        }
    }
}

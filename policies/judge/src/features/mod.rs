//! A decision as numbers, for learning from games.
//!
//! Trainer and policy describe a decision by the same function, [`DescribedDecision::describe`]:
//! the table once, and each choice. [`TABLE`] and [`CHOICE`] document them, field by field;
//! their [hash](correction::list_hash) is in every file of weights, so that weights are never read
//! with features other than those they were learned with.
//!
//! Every feature is clamped to its range, and scaled to about 1. Products of the two say at which
//! tables a feature of a choice counts more or less: [`TABLE_FACTORS`], [`CHOICE_FACTORS`].

mod choice;
mod hand;
mod table;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use correction::{Described, DescribedRow, Feature, FeatureSet, places, put_products};
use policy_sdk::View;

use crate::choice::Judged;
use crate::choices::choices;
use crate::options::JudgeOptions;
use crate::prospect::Judge;

pub use choice::CHOICE;
pub use table::{SITUATIONS, TABLE};

pub const TABLE_FEATURES: usize = TABLE.len();
/// Number of features of a choice in itself: [`CHOICE`].
pub const PLAIN_FEATURES: usize = CHOICE.len();
/// Number of features of a choice: [`CHOICE`], and the products of [`TABLE_FACTORS`] and
/// [`CHOICE_FACTORS`].
pub const CHOICE_FEATURES: usize = correction::choice_features::<RiichiFeatures>();

/// The features of a decision in riichi.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RiichiFeatures;

impl FeatureSet for RiichiFeatures {
    const TABLE: &'static [Feature] = TABLE;
    const CHOICE: &'static [Feature] = CHOICE;
    const TABLE_FACTORS: &'static [&'static str] = &TABLE_FACTORS;
    const CHOICE_FACTORS: &'static [&'static str] = &CHOICE_FACTORS;
    const SITUATIONS: usize = SITUATIONS;
    const PLAYERS: &'static [u8] = &[4, 3];
}

/// The features of [`TABLE`] that say how much more or less a feature of a choice counts at this
/// table. Each of them is multiplied by each of [`CHOICE_FACTORS`].
pub const TABLE_FACTORS: [&str; 8] = [
    "turn",
    "dealer",
    "last",
    "win-5200",
    "loss-5200",
    "own-open",
    "blind-risk",
    "lost",
];
/// The features of [`CHOICE`] whose worth depends on the table.
pub const CHOICE_FACTORS: [&str; 23] = [
    "value",
    "push",
    "pushes",
    "deal-in-riichi",
    "risk",
    "next-risk",
    "safe-left",
    "tenpai",
    "one-away",
    "tiles-one",
    "next-step",
    "wins",
    "win",
    "riichi",
    "damaten",
    "lone-honours",
    "simples",
    "sets-of-kind",
    "opens",
    "pon-value",
    "pass",
    "thrown-2-8",
    "thrown-live",
];
static TABLE_PLACES: LazyLock<[usize; TABLE_FACTORS.len()]> =
    LazyLock::new(|| places(TABLE, TABLE_FACTORS));
static CHOICE_PLACES: LazyLock<[usize; CHOICE_FACTORS.len()]> =
    LazyLock::new(|| places(CHOICE, CHOICE_FACTORS));

/// Maximum difference in places from the best choice at which a choice is still described.
const MAX_BEHIND: f32 = 0.25;

#[derive(Debug, Clone)]
pub struct DescribedChoice {
    pub judged: Judged,
    /// Its features: those of [`CHOICE`], then for each of [`TABLE_FACTORS`] its products with
    /// [`CHOICE_FACTORS`].
    pub features: [f32; CHOICE_FEATURES],
}

#[derive(Debug, Clone)]
pub struct DescribedDecision {
    /// The situation, below [`SITUATIONS`].
    pub situation: usize,
    /// The features of the table, in the order of [`TABLE`].
    pub table: [f32; TABLE_FEATURES],
    /// The choices that are not far behind the best, in the order in which they are visited.
    pub choices: Vec<DescribedChoice>,
}

impl Default for DescribedDecision {
    fn default() -> Self {
        Self {
            situation: 0,
            table: [0.0; TABLE_FEATURES],
            choices: Vec::new(),
        }
    }
}

impl DescribedDecision {
    /// Describes a decision, in the memory of the one before, with the choices that have [rough
    /// values](choices) where `rough` asks for them. A decision without alternatives has no
    /// choices.
    pub fn describe(
        &mut self,
        view: &View<'_>,
        judge: &Judge<'_>,
        options: JudgeOptions,
        rough: bool,
    ) {
        let Self {
            situation,
            table,
            choices: described,
        } = self;
        described.clear();
        let now = shanten_now(view);
        let mut best = f32::NEG_INFINITY;
        choices(view, judge, options, rough, |choice| {
            best = best.max(choice.value);
            // Features take long, so choices that are already too far behind get none.
            if choice.value < best - MAX_BEHIND {
                return;
            }
            let mut features = [0.0; CHOICE_FEATURES];
            features[..PLAIN_FEATURES].copy_from_slice(&choice::of_choice(judge, choice, now));
            described.push(DescribedChoice {
                judged: Judged::of(choice, choice.value),
                features,
            });
        });
        *situation = table::situation(judge, now);
        *table = table::of_table(judge, now);
        described.retain(|choice| choice.judged.value >= best - MAX_BEHIND);
        for choice in described.iter_mut() {
            choice.features[0] = (choice.judged.value - best).clamp(CHOICE[0].low, CHOICE[0].high);
            put_products(
                table,
                &*TABLE_PLACES,
                &mut choice.features,
                PLAIN_FEATURES,
                &*CHOICE_PLACES,
            );
        }
    }
}

impl Described for DescribedDecision {
    type Features = RiichiFeatures;

    fn situation(&self) -> usize {
        self.situation
    }

    fn table(&self) -> &[f32] {
        &self.table
    }

    fn rows(&self) -> impl ExactSizeIterator<Item = DescribedRow<'_>> {
        self.choices.iter().map(|choice| DescribedRow {
            index: choice.judged.index,
            value: choice.judged.value,
            features: &choice.features,
        })
    }
}

/// The lowest shanten number of the hand after its discard, if one is due.
fn shanten_now(view: &View<'_>) -> i8 {
    riichi::shanten::shanten(view.concealed())
}

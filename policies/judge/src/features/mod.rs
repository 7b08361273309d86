//! A decision as numbers, for learning from games.
//!
//! Trainer and policy describe a decision by the same function, [`DescribedDecision::describe`]:
//! the table once, and each choice. [`TABLE`] and [`CHOICE`] document them, field by field;
//! [`list_hash`] of the two lists is in every file of weights, so that weights are never read with
//! features other than those they were learned with.
//!
//! Every feature is clamped to its range, and scaled to about 1. Products of the two say at which
//! tables a feature of a choice counts more or less: [`TABLE_FACTORS`], [`CHOICE_FACTORS`].

mod choice;
mod hand;
mod table;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

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
pub const CHOICE_FEATURES: usize = PLAIN_FEATURES + TABLE_FACTORS.len() * CHOICE_FACTORS.len();

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

/// The places of features in a list.
///
/// # Panics
///
/// If one is not in the list.
pub fn places<const N: usize>(list: &[Feature], names: [&str; N]) -> [usize; N] {
    names.map(|name| {
        list.iter()
            .position(|feature| feature.name == name)
            .expect("the feature is in the list")
    })
}
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
            choice::of_choice(judge, choice, now, &mut features[..PLAIN_FEATURES]);
            described.push(DescribedChoice {
                judged: Judged::of(choice, choice.value),
                features,
            });
        });
        *situation = table::situation(judge, now);
        table::of_table(judge, now, table);
        described.retain(|choice| choice.judged.value >= best - MAX_BEHIND);
        for choice in described.iter_mut() {
            choice.features[0] = (choice.judged.value - best).clamp(CHOICE[0].low, CHOICE[0].high);
            let (plain, products) = choice.features.split_at_mut(PLAIN_FEATURES);
            let factors = CHOICE_PLACES.map(|place| plain[place]);
            for (products, by) in products
                .chunks_exact_mut(CHOICE_FACTORS.len())
                .zip(&*TABLE_PLACES)
            {
                products
                    .iter_mut()
                    .zip(factors)
                    .for_each(|(product, factor)| *product = table[*by] * factor);
            }
        }
    }
}

/// The lowest shanten number of the hand after its discard, if one is due.
fn shanten_now(view: &View<'_>) -> i8 {
    riichi::shanten::shanten(view.concealed())
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Feature {
    /// Its name, unique in its list.
    pub name: &'static str,
    /// The unit, with the scale.
    pub unit: &'static str,
    pub low: f32,
    pub high: f32,
    /// Its description and its origin.
    pub meaning: &'static str,
}

/// A feature that is 0 or 1.
const fn flag(name: &'static str, meaning: &'static str) -> Feature {
    Feature {
        name,
        unit: "0 or 1",
        low: 0.0,
        high: 1.0,
        meaning,
    }
}

/// A feature from 0 to `high`.
const fn upto(name: &'static str, unit: &'static str, high: f32, meaning: &'static str) -> Feature {
    Feature {
        name,
        unit,
        low: 0.0,
        high,
        meaning,
    }
}

/// A feature from `-bound` to `bound`.
const fn around(
    name: &'static str,
    unit: &'static str,
    bound: f32,
    meaning: &'static str,
) -> Feature {
    Feature {
        name,
        unit,
        low: -bound,
        high: bound,
        meaning,
    }
}

/// The SHA-256 of the names, units and ranges of all features, in their order, and of the names of
/// the factors, as hexadecimal digits.
#[must_use]
pub fn list_hash() -> String {
    let mut hash = Sha256::new();
    for feature in TABLE.iter().chain(CHOICE) {
        let Feature {
            name,
            unit,
            low,
            high,
            meaning: _,
        } = feature;
        hash.update(format!("{name} {unit} {low} {high}\n"));
    }
    for factor in TABLE_FACTORS.iter().chain(&CHOICE_FACTORS) {
        hash.update(format!("{factor}\n"));
    }
    hash.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Writes features in the order of their list.
struct FeatureRow<'r> {
    list: &'static [Feature],
    values: &'r mut [f32],
    next: usize,
}

impl<'r> FeatureRow<'r> {
    fn new(list: &'static [Feature], values: &'r mut [f32]) -> Self {
        assert_eq!(
            list.len(),
            values.len(),
            "a row has room for each feature of its list"
        );
        Self {
            list,
            values,
            next: 0,
        }
    }

    /// Writes the next feature, which has this name.
    fn put(&mut self, name: &str, value: f32) {
        let feature = &self.list[self.next];
        debug_assert_eq!(
            feature.name, name,
            "features are written in the order of their list"
        );
        self.values[self.next] = value.clamp(feature.low, feature.high);
        self.next += 1;
    }

    fn flag(&mut self, name: &str, holds: bool) {
        self.put(name, f32::from(u8::from(holds)));
    }

    fn finish(self) {
        debug_assert_eq!(self.next, self.list.len(), "every feature is written");
    }
}

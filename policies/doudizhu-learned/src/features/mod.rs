//! A decision in Dou Dizhu as numbers, for learning from games.
//!
//! Trainer and policy describe a decision by the same function, [`DouDizhuDescription::describe`].
//! [`TABLE`] and [`CHOICE`] document the numbers, field by field.

mod choice;
mod table;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use correction::{
    Described, DescribedRow, Feature, FeatureSet, choice_features, places, put_products,
};
use doudizhu::{DouDizhuAction, DouDizhuSeatState};
use doudizhu_split::{SplitDecision, SplitEffort};

pub use choice::CHOICE;
pub use table::{SITUATIONS, TABLE};

use table::Role;

/// The features of the table that say how much more or less a feature of a choice counts.
const TABLE_FACTORS: [&str; 4] = ["best", "own-left", "fewest-left", "partner-left"];
/// The features of a choice whose worth depends on the table.
const CHOICE_FACTORS: [&str; 12] = [
    "value",
    "pass",
    "turns",
    "saved",
    "bomb",
    "single",
    "pair",
    "rank",
    "high-used",
    "high-left",
    "unbeaten",
    "beats-partner",
];

static TABLE_PLACES: LazyLock<[usize; TABLE_FACTORS.len()]> =
    LazyLock::new(|| places(TABLE, TABLE_FACTORS));
static CHOICE_PLACES: LazyLock<[usize; CHOICE_FACTORS.len()]> =
    LazyLock::new(|| places(CHOICE, CHOICE_FACTORS));

/// The features of a decision in Dou Dizhu.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DouDizhuFeatures;

impl FeatureSet for DouDizhuFeatures {
    const TABLE: &'static [Feature] = TABLE;
    const CHOICE: &'static [Feature] = CHOICE;
    const TABLE_FACTORS: &'static [&'static str] = &TABLE_FACTORS;
    const CHOICE_FACTORS: &'static [&'static str] = &CHOICE_FACTORS;
    const SITUATIONS: usize = SITUATIONS;
    const PLAYERS: &'static [u8] = &[3];
}

/// Points of the unit of all values: a landlord who wins with a bid of three gains half a unit, and
/// each peasant loses a quarter.
pub const POINTS: f32 = 12.0;

/// A choice of a decision: an action that `doudizhu-split` has tried.
#[derive(Debug, Clone)]
pub struct DouDizhuChoice {
    /// Its index in the legal list.
    pub index: usize,
    /// The value of `doudizhu-split`, in units of [`POINTS`].
    pub value: f32,
    /// Its features: those of [`CHOICE`], then for each factor of the table its products with the
    /// factors of the choice.
    pub features: Vec<f32>,
}

/// A decision with its choices.
#[derive(Debug, Clone)]
pub struct DouDizhuDescription {
    situation: usize,
    table: Vec<f32>,
    choices: Vec<DouDizhuChoice>,
    decided: Option<SplitDecision>,
}

impl Default for DouDizhuDescription {
    fn default() -> Self {
        Self {
            situation: 0,
            table: vec![0.0; TABLE.len()],
            choices: Vec::new(),
            decided: None,
        }
    }
}

impl DouDizhuDescription {
    /// The choices, in the order of the legal list; none without legal actions.
    pub fn choices(&self) -> &[DouDizhuChoice] {
        &self.choices
    }

    /// The decision of `doudizhu-split`.
    pub const fn decided(&self) -> Option<&SplitDecision> {
        self.decided.as_ref()
    }

    /// The index of the choice of the highest value with its correction, with that correction; of
    /// equal ones the choice of `doudizhu-split`. `None` without choices.
    pub fn best(
        &self,
        mut correction: impl FnMut(&DouDizhuChoice) -> f32,
    ) -> Option<(&DouDizhuChoice, f32)> {
        let uncorrected = self.decided.as_ref()?.index;
        self.choices
            .iter()
            .map(|choice| (choice, correction(choice)))
            .reduce(|best, other| {
                let order = |(choice, learned): (&DouDizhuChoice, f32)| {
                    (choice.value + learned, choice.index == uncorrected)
                };
                if order(other) > order(best) {
                    other
                } else {
                    best
                }
            })
    }

    /// Describes a decision of the table's seat.
    pub fn describe(
        &mut self,
        table: &DouDizhuSeatState,
        legal: &[DouDizhuAction],
        effort: &SplitEffort,
    ) {
        self.choices.clear();
        self.decided = doudizhu_split::decide(table, legal, effort);
        let (Some(decided), Some(role)) = (&self.decided, Role::of(table)) else {
            return;
        };
        let highest = legal.iter().filter_map(bid_of).max();
        // A bid between none and the highest is worth something in between.
        let is_choice = |action: &DouDizhuAction| {
            bid_of(action).is_none_or(|bid| bid == 0 || Some(bid) == highest)
        };
        let tried = legal
            .iter()
            .zip(&decided.values)
            .enumerate()
            .filter_map(|(index, (action, value))| Some((index, action, (*value)?)))
            .filter(|(_, action, _)| is_choice(action));
        let tried: Vec<_> = tried
            .map(|(index, action, value)| (index, action, value * unit(action, role)))
            .collect();
        let best = tried
            .iter()
            .map(|(.., value)| *value)
            .fold(f32::NEG_INFINITY, f32::max);
        self.situation = table::situation(table, role);
        self.table = table::of_table(table, role, best).to_vec();
        let hand = choice::OwnHand::new(table);
        for (index, action, value) in tried {
            let mut features = vec![0.0; choice_features::<DouDizhuFeatures>()];
            features[..CHOICE.len()].copy_from_slice(&choice::of_choice(
                value - best,
                table,
                &hand,
                action,
            ));
            put_products(
                &self.table,
                &*TABLE_PLACES,
                &mut features,
                CHOICE.len(),
                &*CHOICE_PLACES,
            );
            self.choices.push(DouDizhuChoice {
                index,
                value,
                features,
            });
        }
    }
}

/// The worth of 1 in the values of `doudizhu-split`: points of a bid, a share of games of a play.
fn unit(action: &DouDizhuAction, role: Role) -> f32 {
    match (action, role) {
        (DouDizhuAction::Bid(_), _) => 1.0 / POINTS,
        (_, Role::Landlord) => 1.0,
        _ => 0.5,
    }
}

const fn bid_of(action: &DouDizhuAction) -> Option<u8> {
    match action {
        DouDizhuAction::Bid(bid) => Some(*bid),
        DouDizhuAction::Pass | DouDizhuAction::Play(_) => None,
    }
}

impl Described for DouDizhuDescription {
    type Features = DouDizhuFeatures;

    fn situation(&self) -> usize {
        self.situation
    }

    fn table(&self) -> &[f32] {
        &self.table
    }

    fn rows(&self) -> impl ExactSizeIterator<Item = DescribedRow<'_>> {
        self.choices.iter().map(|choice| DescribedRow {
            index: choice.index,
            value: choice.value,
            features: &choice.features,
        })
    }
}

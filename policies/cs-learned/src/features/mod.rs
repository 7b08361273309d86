//! A decision in Chinese Standard mahjong as numbers, for learning from games.
//!
//! Trainer and policy describe a decision by the same function, [`McrDescription::describe`].
//! [`TABLE`] and [`CHOICE`] document the numbers, field by field.

mod choice;
mod opponents;
mod table;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use correction::{
    Described, DescribedRow, Feature, FeatureSet, choice_features, places, put_products,
};
use cs_fan::{FanOutlook, FanParams};
use mcr::{McrAction, McrEvent, McrSeatState};

pub use choice::CHOICE;
pub use table::{SITUATIONS, TABLE};

use choice::LeftHand;
use opponents::Opponents;

/// The features of the table that say how much more or less a feature of a choice counts.
const TABLE_FACTORS: [&str; 6] = [
    "turn",
    "threat",
    "most-melds",
    "own-win",
    "own-melds",
    "claim",
];
/// The features of a choice whose worth depends on the table.
const CHOICE_FACTORS: [&str; 20] = [
    "value",
    "win",
    "waiting",
    "one-away",
    "two-away",
    "waits",
    "tiles-one",
    "tiles-two",
    "fan",
    "danger",
    "greatest-danger",
    "passed",
    "own-rivers",
    "live",
    "honour",
    "terminal",
    "middle",
    "opens",
    "pass",
    "safe-left",
];

static TABLE_PLACES: LazyLock<[usize; TABLE_FACTORS.len()]> =
    LazyLock::new(|| places(TABLE, TABLE_FACTORS));
static CHOICE_PLACES: LazyLock<[usize; CHOICE_FACTORS.len()]> =
    LazyLock::new(|| places(CHOICE, CHOICE_FACTORS));

/// The features of a decision in Chinese Standard mahjong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct McrFeatures;

impl FeatureSet for McrFeatures {
    const TABLE: &'static [Feature] = TABLE;
    const CHOICE: &'static [Feature] = CHOICE;
    const TABLE_FACTORS: &'static [&'static str] = &TABLE_FACTORS;
    const CHOICE_FACTORS: &'static [&'static str] = &CHOICE_FACTORS;
    const SITUATIONS: usize = SITUATIONS;
    const PLAYERS: &'static [u8] = &[4];
}

/// Points by which a choice is worse whose value by `cs-fan` is smaller by the factor e.
const POINTS_OF_FACTOR: f32 = 4.0;
/// Added to the values of `cs-fan` before they are compared: differences of values that are far
/// below it count for nothing.
const NEGLIGIBLE: f32 = 0.02;

/// A choice of a decision.
#[derive(Debug, Clone)]
pub struct McrChoice {
    /// Its index in the legal list.
    pub index: usize,
    /// The value of `cs-fan`.
    pub raw: f32,
    /// Points that it is worse than the choice of `cs-fan`, by the ratio of their values; 0 or
    /// below.
    pub value: f32,
    /// Its features: those of [`CHOICE`], then for each factor of the table its products with the
    /// factors of the choice.
    pub features: Vec<f32>,
}

/// A choice with its correction.
#[derive(Debug, Clone, Copy)]
pub struct CorrectedChoice<'d> {
    /// The choice.
    pub choice: &'d McrChoice,
    /// The correction, in points.
    pub learned: f32,
}

impl CorrectedChoice<'_> {
    /// Its value with the correction, in points.
    pub fn value(&self) -> f32 {
        self.choice.value + self.learned
    }
}

/// A decision with its choices.
#[derive(Debug, Clone)]
pub struct McrDescription {
    situation: usize,
    table: Vec<f32>,
    choices: Vec<McrChoice>,
}

impl Default for McrDescription {
    fn default() -> Self {
        Self {
            situation: 0,
            table: vec![0.0; TABLE.len()],
            choices: Vec::new(),
        }
    }
}

impl McrDescription {
    /// The choices, in the order of the legal list.
    pub fn choices(&self) -> &[McrChoice] {
        &self.choices
    }

    /// The choice of the highest value with its correction; of equal ones the choice of `cs-fan`.
    /// `None` without choices.
    pub fn best(
        &self,
        mut correction: impl FnMut(&McrChoice) -> f32,
    ) -> Option<CorrectedChoice<'_>> {
        let corrected = self.choices.iter().map(|choice| CorrectedChoice {
            choice,
            learned: correction(choice),
        });
        corrected.reduce(|best, other| {
            let order = |of: &CorrectedChoice<'_>| (of.value(), of.choice.raw);
            if order(&other) > order(&best) {
                other
            } else {
                best
            }
        })
    }

    /// Describes the decision of a seat with these legal actions and all events that it has seen.
    /// One without alternatives, or with a win, has no choices.
    pub fn describe(
        &mut self,
        seat: &McrSeatState,
        legal: &[McrAction],
        events: impl Iterator<Item = McrEvent>,
        params: &FanParams,
    ) {
        self.choices.clear();
        if legal.len() < 2 || legal.contains(&McrAction::Win) {
            return;
        }
        let opponents = Opponents::new(seat, events);
        let mut outlook = FanOutlook::new(seat, params);
        let worths: Vec<_> = legal
            .iter()
            .map(|&action| outlook.of_action(action))
            .collect();
        let best = worths
            .iter()
            .map(|worth| worth.value)
            .fold(0.0_f32, f32::max);
        let hands: Vec<LeftHand<'_>> = outlook
            .hands()
            .iter()
            .map(|hand| LeftHand::new(hand, &outlook, &opponents))
            .collect();
        for (index, (&action, worth)) in legal.iter().zip(&worths).enumerate() {
            let ratio = (worth.value + NEGLIGIBLE) / (best + NEGLIGIBLE);
            let value = POINTS_OF_FACTOR * ratio.ln();
            let mut features = vec![0.0; choice_features::<McrFeatures>()];
            let hand = worth.hand.map(|place| &hands[place]);
            let plain = choice::of_choice(value / POINTS_OF_FACTOR, seat, action, hand, &opponents);
            features[..CHOICE.len()].copy_from_slice(&plain);
            self.choices.push(McrChoice {
                index,
                raw: worth.value,
                value,
                features,
            });
        }
        let best = self
            .choices
            .iter()
            .max_by(|one, other| one.raw.total_cmp(&other.raw))
            .map(|choice| choice.features.as_slice())
            .unwrap_or_default();
        self.situation = table::situation(seat, best, &opponents);
        self.table = table::of_table(seat, best, &opponents).to_vec();
        for choice in &mut self.choices {
            put_products(
                &self.table,
                &*TABLE_PLACES,
                &mut choice.features,
                CHOICE.len(),
                &*CHOICE_PLACES,
            );
        }
    }
}

impl Described for McrDescription {
    type Features = McrFeatures;

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

/// Whether a discard of another is offered.
fn is_claim(seat: &McrSeatState) -> bool {
    seat.drawn().is_none()
}

//! Features: numbers that describe a decision.

use std::fmt::Debug;

use sha2::{Digest, Sha256};

/// A number that describes a table or a choice. It is clamped to its range, and scaled to about 1.
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
#[must_use]
pub const fn flag(name: &'static str, meaning: &'static str) -> Feature {
    Feature {
        name,
        unit: "0 or 1",
        low: 0.0,
        high: 1.0,
        meaning,
    }
}

/// A feature from 0 to `high`.
#[must_use]
pub const fn upto(
    name: &'static str,
    unit: &'static str,
    high: f32,
    meaning: &'static str,
) -> Feature {
    Feature {
        name,
        unit,
        low: 0.0,
        high,
        meaning,
    }
}

/// A feature from `-bound` to `bound`.
#[must_use]
pub const fn around(
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

/// The features by which a policy describes its decisions.
pub trait FeatureSet: Debug + Clone + Copy + PartialEq + Send + Sync + 'static {
    /// The features of the table.
    const TABLE: &'static [Feature];
    /// The features of a choice in itself.
    const CHOICE: &'static [Feature];
    /// The features of the table that say how much more or less a feature of a choice counts at
    /// this table. Each of them is multiplied by each of [`CHOICE_FACTORS`](Self::CHOICE_FACTORS).
    const TABLE_FACTORS: &'static [&'static str];
    /// The features of a choice whose worth depends on the table.
    const CHOICE_FACTORS: &'static [&'static str];
    /// The number of situations, each with weights of its own.
    const SITUATIONS: usize;
    /// With how many players the game may be played.
    const PLAYERS: &'static [u8];
}

/// Number of features of a choice: those in itself, and the products of the factors.
#[must_use]
pub const fn choice_features<F: FeatureSet>() -> usize {
    F::CHOICE.len() + F::TABLE_FACTORS.len() * F::CHOICE_FACTORS.len()
}

/// The SHA-256 of the names, units and ranges of all features, in their order, and of the names of
/// the factors, as hexadecimal digits. It is in every file of weights, so that weights are never
/// read with features other than those they were learned with.
#[must_use]
pub fn list_hash<F: FeatureSet>() -> String {
    let mut hash = Sha256::new();
    for feature in F::TABLE.iter().chain(F::CHOICE) {
        let Feature {
            name,
            unit,
            low,
            high,
            meaning: _,
        } = feature;
        hash.update(format!("{name} {unit} {low} {high}\n"));
    }
    for factor in F::TABLE_FACTORS.iter().chain(F::CHOICE_FACTORS) {
        hash.update(format!("{factor}\n"));
    }
    hash.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The place of a feature in a list.
///
/// # Panics
///
/// If it is not in the list.
#[must_use]
pub fn place(list: &[Feature], name: &str) -> usize {
    list.iter()
        .position(|feature| feature.name == name)
        .expect("the feature is in the list")
}

/// The places of features in a list.
///
/// # Panics
///
/// If one is not in the list.
#[must_use]
pub fn places<const N: usize>(list: &[Feature], names: [&str; N]) -> [usize; N] {
    names.map(|name| place(list, name))
}

/// Writes the products of the features of the table and of a choice at these places behind the
/// choice's `plain` own features.
///
/// # Panics
///
/// If there is no room for them.
pub fn put_products(
    table: &[f32],
    table_places: &[usize],
    features: &mut [f32],
    plain: usize,
    choice_places: &[usize],
) {
    let (plain, products) = features.split_at_mut(plain);
    for (products, &by) in products
        .chunks_exact_mut(choice_places.len())
        .zip(table_places)
    {
        for (product, &place) in products.iter_mut().zip(choice_places) {
            *product = table[by] * plain[place];
        }
    }
}

/// Writes features in the order of their list.
#[derive(Debug)]
pub struct FeatureRow<'r> {
    list: &'static [Feature],
    values: &'r mut [f32],
    next: usize,
}

impl<'r> FeatureRow<'r> {
    /// A row of this list.
    ///
    /// # Panics
    ///
    /// If there is no place for each feature.
    #[must_use]
    pub fn new(list: &'static [Feature], values: &'r mut [f32]) -> Self {
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
    pub fn put(&mut self, name: &str, value: f32) {
        let feature = &self.list[self.next];
        debug_assert_eq!(
            feature.name, name,
            "features are written in the order of their list"
        );
        self.values[self.next] = value.clamp(feature.low, feature.high);
        self.next += 1;
    }

    /// Writes the next feature as 1 or 0.
    pub fn flag(&mut self, name: &str, holds: bool) {
        self.put(name, f32::from(u8::from(holds)));
    }

    /// Ends the row.
    pub fn finish(self) {
        debug_assert_eq!(self.next, self.list.len(), "every feature is written");
    }
}

/// A choice of a described decision.
#[derive(Debug, Clone, Copy)]
pub struct DescribedRow<'d> {
    /// Its index in the legal list.
    pub index: usize,
    /// The value that the policy gives it without a correction.
    pub value: f32,
    /// Its features.
    pub features: &'d [f32],
}

/// A decision as numbers.
pub trait Described {
    type Features: FeatureSet;

    /// The situation, below [`FeatureSet::SITUATIONS`].
    fn situation(&self) -> usize;

    /// The features of the table.
    fn table(&self) -> &[f32];

    /// The choices.
    fn rows(&self) -> impl ExactSizeIterator<Item = DescribedRow<'_>>;
}

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
pub const fn choice_features<F: FeatureSet>() -> usize {
    F::CHOICE.len() + F::TABLE_FACTORS.len() * F::CHOICE_FACTORS.len()
}

/// The SHA-256 of the names, units and ranges of all features, in their order, and of the names of
/// the factors, as hexadecimal digits. It is in every file of weights, so that weights are never
/// read with features other than those they were learned with.
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

/// The value of a feature as its expression gives it.
pub trait FeatureValue {
    /// The value as a number: a condition is 1 or 0.
    fn number(self) -> f32;
}

impl FeatureValue for f32 {
    fn number(self) -> f32 {
        self
    }
}

impl FeatureValue for bool {
    fn number(self) -> f32 {
        f32::from(u8::from(self))
    }
}

/// The values, each within the range of its feature.
pub fn clamped<const N: usize>(list: &[Feature; N], mut values: [f32; N]) -> [f32; N] {
    for (value, feature) in values.iter_mut().zip(list) {
        *value = value.clamp(feature.low, feature.high);
    }
    values
}

/// Declares a list of features, and the function that computes their values: a row is the feature
/// and the expression of its value, a number or a condition. The body of the function holds what
/// the expressions have in common.
///
/// ```
/// correction::features! {
///     /// The features of a hand.
///     pub const HAND;
///
///     /// The features of a hand with so many tiles and pairs.
///     fn of_hand(tiles: u8, pairs: u8) -> [f32; HAND.len()] {
///         let most = tiles / 2;
///     }
///
///     upto("pairs", "pairs / 7", 1.0, "pairs") = f32::from(pairs) / 7.0;
///     flag("only-pairs", "whether nothing else is left") = pairs == most;
/// }
///
/// assert_eq!(HAND.map(|feature| feature.name), ["pairs", "only-pairs"]);
/// assert_eq!(of_hand(14, 7), [1.0, 1.0]);
/// ```
#[macro_export]
macro_rules! features {
    (
        $(#[$about_list:meta])*
        $list_vis:vis const $list:ident;

        $(#[$about:meta])*
        $vis:vis fn $values:ident($($arg:ident: $type:ty),* $(,)?) -> $row:ty { $($shared:tt)* }

        $($kind:ident($($fact:expr),* $(,)?) = $value:expr;)*
    ) => {
        $(#[$about_list])*
        $list_vis const $list: &[$crate::Feature; [$(stringify!($kind)),*].len()] =
            &[$($crate::$kind($($fact),*)),*];

        $(#[$about])*
        $vis fn $values($($arg: $type),*) -> $row {
            $($shared)*
            $crate::clamped($list, [$($crate::FeatureValue::number($value)),*])
        }
    };
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

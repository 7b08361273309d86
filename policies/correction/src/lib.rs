//! Corrections of a policy's values that are learned from games.
//!
//! A policy describes a decision by numbers: the table once, and each choice. A correction of a
//! choice's value is a weighted sum of its features, with weights for each situation. This crate
//! holds what is the same in all games: lists of [features](FeatureSet), [weights](Weights) and
//! their file. The features themselves belong to the policies, and the trainer
//! (docs/training.md) makes the weights.
#![forbid(unsafe_code)]

mod feature;
mod file;
mod weights;

pub use feature::{
    Described, DescribedRow, Feature, FeatureSet, FeatureValue, around, choice_features, clamped,
    flag, list_hash, place, places, put_products, upto,
};
pub use file::{NoWeights, read_weights};
pub use weights::{MAX_WEIGHTS_BYTES, Provenance, Weights, WeightsError, corrected_by};

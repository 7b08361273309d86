//! Danger: certain safety, classes, traits, and the resulting figures.

mod classes;
mod estimates;
mod properties;
mod safety;
mod scene;
mod traits;

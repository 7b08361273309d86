//! Danger: what is certainly safe, classes, traits, and the figures that follow from them.

mod classes;
mod estimates;
mod properties;
mod safety;
mod scene;
mod traits;

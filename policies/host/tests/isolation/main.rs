//! Policies in their own processes.

#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "the tests of other crates use the rest")]
mod common;

mod child;
mod deciding;
mod ending;
mod mutated;
mod playing;
mod starting;
mod surroundings;
mod together;

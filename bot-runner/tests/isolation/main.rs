//! Policies in processes of their own.

#[path = "../common/mod.rs"]
mod common;

mod child;
mod deciding;
mod ending;
mod playing;
mod starting;
mod surroundings;

//! Policies in processes of their own.

#[path = "../common/mod.rs"]
mod common;

mod child;
mod playing;

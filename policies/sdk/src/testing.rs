//! Support for the tests of policies: situations written by hand, and a small host that seats a policy in them.
//!
//! Tiles are written `123m 0p 11z`: numbers before their suit, `0` for a red five, `1z..7z` for `E S W N P F C`.

mod bot;
mod furiten;
mod notation;
mod situation;

pub use bot::{Answered, Bot, Refused, Setting};
pub use notation::{tile, tiles};
pub use situation::{Scene, Situation};

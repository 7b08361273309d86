//! Support for the tests of policies: situations written by hand, and a small host that seats a
//! policy in them.
//!
//! Tiles are written `123m 0p 11z`, as in [`riichi::notation`].

mod actions;
mod bot;
mod explained;
mod furiten;
mod notation;
mod random;
mod situation;

pub use actions::{ankan, chi, daiminkan, drawn, from_hand, kakan, pon, seat};
pub use bot::{Answered, Refused, Setting, TestInstance};
pub use explained::assert_every_decision_is_explained;
pub use notation::{tile, tiles, written};
pub use random::all_tiles;
pub use situation::{Scene, Situation};

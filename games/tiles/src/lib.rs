//! Mahjong tiles: the parts that riichi and Chinese Standard mahjong share.
//!
//! - [`tile`], [`kinds`], [`wind`]: the 34 kinds, red fives, winds, counts and sets of kinds;
//! - [`notation`]: tiles in text;
//! - [`concealed`], [`shanten`]: the concealed tiles of a hand, and how far they are from four sets
//!   and a pair, seven pairs and thirteen orphans.
//!
//! The rules of the games are elsewhere.
#![warn(missing_docs, rustdoc::private_intra_doc_links)]
#![forbid(unsafe_code)]

pub mod concealed;
pub mod kinds;
pub mod notation;
pub mod shanten;
pub mod tile;
pub mod wind;

pub use concealed::ConcealedHand;
pub use kinds::{Counts, KindSet};
pub use tile::{KINDS, Kind, Tile};
pub use wind::Wind;

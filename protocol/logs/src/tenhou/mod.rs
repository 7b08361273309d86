//! The JSON of Tenhou's viewer (<https://tenhou.net/6>), which most reviewers read too.
//!
//! Each round is a list: its number, counters and sticks; scores; dora and ura indicators; for each
//! of four seats the dealt tiles, the draws and calls, and the discards; and the result. Tiles are
//! numbers: 11 to 19 characters, 21 to 29 dots, 31 to 39 bamboo, 41 to 47 E S W N P F C, 51 to 53
//! the red fives. 60 is the drawn tile. Calls are texts whose letter precedes the called tile; its
//! position shows which seat discarded the tile. Three players sit on the first three of four
//! seats.

mod read;
mod round;
mod write;

pub(crate) use read::{is_tenhou, read};
pub use write::{NoTenhouForm, TenhouForm, tenhou_form};

/// Seats of a round in this format; with three players the last is empty.
const SEATS: usize = 4;
/// The tile just drawn.
const DRAWN: u8 = 60;
/// Replaces a discard after an open kan.
const NO_DISCARD: u8 = 0;

//! Waits: the tiles that complete a hand.
//!
//! A named choice: a kind of which all four are among the closed tiles is no wait, although the hand would have its
//! shape with a fifth. This is what RiichiEnv does. It follows that a hand whose only "wait" is such a kind is not
//! tenpai: it may not declare riichi, and pays as noten in an exhaustive draw. Furiten does not come into it, since none of
//! the four can lie in the own river. Tiles in the melds do not count: a hand that waits for the tile of its own closed
//! kan alone *is* tenpai.

use crate::acceptance::shanten_and_acceptance;
use crate::kinds::{Counts, KindSet};
use crate::shanten::shanten;

/// Kinds that complete a hand of 13 tiles (less 3 for each of the `melds`); empty when it is not tenpai.
///
/// Whether the win would have a yaku, and whether the seat is furiten, is not looked at. Any input is taken without
/// panicking; for counts above four, or another total, the result means nothing.
#[must_use]
pub fn waits(closed: &Counts, melds: u8) -> KindSet {
    if shanten(closed, melds) != 0 {
        return KindSet::EMPTY;
    }
    shanten_and_acceptance(closed, melds).1
}

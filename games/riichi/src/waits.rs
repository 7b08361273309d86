//! Waits: the tiles that complete a hand.
//!
//! A kind with all four tiles concealed in the hand is no wait, although a fifth would complete its
//! shape. RiichiEnv decides the same. It follows that a hand whose only "wait" is such a kind is
//! not tenpai: it may not declare riichi, and pays as noten in an exhaustive draw. Furiten is not
//! affected, since none of the four can lie in the own river. Tiles in melds do not count: a hand
//! that waits only for the tile of its own kan *is* tenpai.

use tiles::shanten::shanten;
use tiles::{ConcealedHand, KindSet};

use crate::acceptance::shanten_and_acceptance;

/// Kinds that complete a hand before its draw; empty when it is not tenpai, and for a full hand.
///
/// Whether the win would have a yaku, and whether the seat is furiten, is not checked.
pub fn waits(hand: &ConcealedHand) -> KindSet {
    if hand.is_full() || shanten(hand) != 0 {
        return KindSet::EMPTY;
    }
    shanten_and_acceptance(hand).1
}

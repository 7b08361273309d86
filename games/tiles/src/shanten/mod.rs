//! Shanten: how many tiles must still be exchanged until the hand is tenpai.
//!
//! The number computed here is the minimum number of tiles that a hand lacks to *some* complete
//! hand, less one; a complete hand never has a kind five times. So four of a kind in the hand can
//! be in the way: `1111m` is not a pair with two tiles over that wait for a fifth. Tiles elsewhere,
//! melds included, do not count: the shanten number does not say whether the missing tiles can
//! still be drawn. (`xiangting` calls this number, before one is taken off, the replacement number;
//! RiichiEnv's shanten agrees.)
//!
//! With three players there are no runs of characters, so the same tiles can be further from a
//! complete hand than with four.

use crate::concealed::ConcealedHand;
use crate::kinds::KindSet;
use crate::tile::Kind;

pub mod tables;

use tables::Keyed;

/// The thirteen kinds of thirteen orphans: ones, nines and honours.
pub const ORPHANS: KindSet = {
    let mut orphans = KindSet::EMPTY;
    let mut index = 0;
    while let Some(kind) = Kind::new(index) {
        if kind.is_terminal_or_honour() {
            orphans.insert(kind);
        }
        index += 1;
    }
    orphans
};

/// Shanten number of a hand: -1 complete, 0 tenpai, at most 8.
///
/// The least of the standard form and, without melds, seven pairs and thirteen orphans.
pub fn shanten(hand: &ConcealedHand) -> i8 {
    if hand.players() == 3 {
        shanten_of_three_players(hand)
    } else {
        least_of_forms::<false>(hand)
    }
}

/// A separate function, so that hands of four players are as fast as without it.
#[inline(never)]
fn shanten_of_three_players(hand: &ConcealedHand) -> i8 {
    least_of_forms::<true>(hand)
}

#[inline(always)]
fn least_of_forms<const THREE_PLAYERS: bool>(hand: &ConcealedHand) -> i8 {
    let keyed = Keyed::<THREE_PLAYERS>::new(hand);
    let standard = keyed.missing() as i8 - 1;
    if hand.melds() > 0 {
        return standard;
    }
    standard
        .min(keyed.seven_pairs_shanten())
        .min(keyed.thirteen_orphans_shanten())
}

/// Shanten number to four sets and a pair, where each meld is a set.
pub fn standard_shanten(hand: &ConcealedHand) -> i8 {
    let missing = if hand.players() == 3 {
        Keyed::<true>::new(hand).missing()
    } else {
        Keyed::<false>::new(hand).missing()
    };
    missing as i8 - 1
}

/// Shanten number to seven pairs of different kinds; `None` with melds.
pub fn seven_pairs_shanten(hand: &ConcealedHand) -> Option<i8> {
    // The number of players makes no difference here.
    (hand.melds() == 0).then(|| Keyed::<false>::new(hand).seven_pairs_shanten())
}

/// Shanten number to one each of the ones, nines and honours and one of them twice; `None` with
/// melds.
pub fn thirteen_orphans_shanten(hand: &ConcealedHand) -> Option<i8> {
    (hand.melds() == 0).then(|| Keyed::<false>::new(hand).thirteen_orphans_shanten())
}

//! Shanten: how many tiles must still be exchanged until the hand is tenpai.
//!
//! The number counted here is the least number of tiles that a hand lacks to *some* complete hand, less one, where a
//! complete hand never has a kind five times. So four of a kind in the hand can be in the way: `1111m` is no pair with
//! two tiles over that wait for a fifth. Tiles elsewhere, melds included, do not count: the shanten number does not say
//! whether the missing tiles can still be drawn. (`xiangting` calls this number, before one is taken off, the
//! replacement number; RiichiEnv's shanten agrees.)
//!
//! All functions take any input without panicking; for counts above four, or totals other than stated, the number means
//! nothing.

use crate::kinds::{Counts, KindSet};
use crate::tile::Kind;

pub(crate) mod tables;

/// The thirteen kinds of thirteen orphans: ones, nines and honours.
pub(crate) const ORPHANS: KindSet = {
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
/// `closed` are the concealed tiles by kind, 13 or 14 less 3 for each of the `melds`. The least of the standard form
/// and, without melds, seven pairs and thirteen orphans.
#[must_use]
pub fn shanten(closed: &Counts, melds: u8) -> i8 {
    let standard = standard_shanten(closed, melds);
    if melds > 0 || standard < 0 {
        return standard;
    }
    standard.min(seven_pairs_shanten(closed)).min(thirteen_orphans_shanten(closed))
}

/// Shanten number to four sets and a pair, of which the `melds` are there already.
#[must_use]
pub fn standard_shanten(closed: &Counts, melds: u8) -> i8 {
    tables::Keyed::new(closed, melds).missing() as i8 - 1
}

/// Shanten number to seven pairs of different kinds, for a hand without melds.
#[must_use]
pub fn seven_pairs_shanten(closed: &Counts) -> i8 {
    let (mut kinds, mut pairs) = (0, 0);
    for count in closed.0 {
        kinds += i8::from(count > 0);
        pairs += i8::from(count > 1);
    }
    6 - pairs.min(7) + (7 - kinds).max(0)
}

/// Shanten number to one each of the ones, nines and honours and one of them twice, for a hand without melds.
#[must_use]
pub fn thirteen_orphans_shanten(closed: &Counts) -> i8 {
    let (mut kinds, mut pair) = (0, false);
    for kind in ORPHANS.iter() {
        kinds += i8::from(closed[kind] > 0);
        pair |= closed[kind] > 1;
    }
    13 - kinds - i8::from(pair)
}

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
    let words = words(closed);
    let kinds = total(words.map(|word| at_least(word, 1)));
    let pairs = total(words.map(|word| at_least(word, 2)));
    6 - pairs.min(7) + (7 - kinds).max(0)
}

/// Shanten number to one each of the ones, nines and honours and one of them twice, for a hand without melds.
#[must_use]
pub fn thirteen_orphans_shanten(closed: &Counts) -> i8 {
    let mut orphans = words(closed);
    for (word, mask) in orphans.iter_mut().zip(ORPHAN_BYTES) {
        *word &= mask;
    }
    let kinds = total(orphans.map(|word| at_least(word, 1)));
    let pair = orphans.iter().any(|&word| at_least(word, 2) != 0);
    13 - kinds - i8::from(pair)
}

/// The counts, a byte for each kind, eight to a word.
#[inline]
fn words(counts: &Counts) -> [u64; 5] {
    let (eights, rest) = counts.0.as_chunks();
    let mut words = [0; 5];
    for (word, bytes) in words.iter_mut().zip(eights) {
        *word = u64::from_le_bytes(*bytes);
    }
    words[4] = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    words
}

/// All ones in the bytes of the orphans.
const ORPHAN_BYTES: [u64; 5] = {
    let mut words = [0; 5];
    let mut index = 0;
    while let Some(kind) = Kind::new(index) {
        if ORPHANS.contains(kind) {
            words[index as usize / 8] |= 0xff << (index % 8 * 8);
        }
        index += 1;
    }
    words
};

const ONES: u64 = 0x0101_0101_0101_0101;

/// 1 in each byte that is at least `least` (and below 128), 0 in the others.
#[inline]
const fn at_least(word: u64, least: u64) -> u64 {
    word.wrapping_add((128 - least) * ONES) >> 7 & ONES
}

/// Sum of all bytes, which are 0 or 1.
#[inline]
fn total(words: [u64; 5]) -> i8 {
    (words.into_iter().sum::<u64>().wrapping_mul(ONES) >> 56) as i8
}

//! Acceptance (ukeire): the tiles that bring a hand nearer to completion.
//!
//! Kinds are found, not copies: how many of them are still unseen is for the caller to count. As everywhere in hand
//! knowledge, a kind of which all four are among the closed tiles is never wanted.
//!
//! All functions take any input without panicking; for counts above four, or totals other than stated, the result means
//! nothing.

use arrayvec::ArrayVec;

use crate::kinds::{Counts, KindSet};
use crate::shanten::ORPHANS;
use crate::shanten::tables::Keyed;
use crate::tile::Kind;

/// Kinds that lower the shanten number of a hand of 13 tiles (less 3 for each of the `melds`).
///
/// For a tenpai hand these are its waits.
#[must_use]
pub fn acceptance(closed: &Counts, melds: u8) -> KindSet {
    shanten_and_acceptance(closed, melds).1
}

/// What a hand is after one of its tiles has been thrown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscardOption {
    /// The kind thrown.
    pub kind: Kind,
    /// Shanten number afterwards.
    pub shanten: i8,
    /// Acceptance afterwards.
    pub acceptance: KindSet,
}

/// For each kind in a hand of 14 tiles (less 3 for each of the `melds`): shanten number and acceptance after throwing
/// it, in order of index. Only the first 14 kinds of a hand that has more.
#[must_use]
pub fn discard_options(closed: &Counts, melds: u8) -> ArrayVec<DiscardOption, 14> {
    let mut rest = *closed;
    let mut options = ArrayVec::new();
    for kind in closed.kinds().iter().take(options.capacity()) {
        rest[kind] -= 1;
        let (shanten, acceptance) = shanten_and_acceptance(&rest, melds);
        rest[kind] += 1;
        options.push(DiscardOption { kind, shanten, acceptance });
    }
    options
}

/// Both at once for a hand of 13 tiles: they share most of the work.
pub(crate) fn shanten_and_acceptance(closed: &Counts, melds: u8) -> (i8, KindSet) {
    let keyed = Keyed::new(closed, melds);
    let standard = keyed.missing() as i8 - 1;
    let (pairs, orphans) =
        if melds == 0 { (keyed.seven_pairs_shanten(), keyed.thirteen_orphans_shanten()) } else { (i8::MAX, i8::MAX) };
    let least = standard.min(pairs).min(orphans);
    let mut kinds = KindSet::EMPTY;
    // A tile lowers the number of a form by at most one, so forms that are further away do not count.
    if standard == least {
        kinds |= KindSet::from_bits(keyed.improving(keyed.missing())) - closed.at_least(4);
    }
    if pairs == least {
        kinds |= wanted_by_seven_pairs(closed);
    }
    if orphans == least {
        kinds |= wanted_by_thirteen_orphans(closed);
    }
    (least, kinds)
}

fn wanted_by_seven_pairs(closed: &Counts) -> KindSet {
    let held = closed.kinds();
    // With seven kinds or more only a second tile helps; with fewer, a new kind does too.
    if held.len() < 7 { KindSet::ALL - closed.at_least(2) } else { held - closed.at_least(2) }
}

fn wanted_by_thirteen_orphans(closed: &Counts) -> KindSet {
    let paired = closed.at_least(2);
    // Without a pair a second tile of any helps as well.
    if paired.intersects(ORPHANS) { ORPHANS - closed.kinds() } else { ORPHANS }
}

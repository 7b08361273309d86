//! Complete shapes, and the readings of a hand: the ways to see it as sets and a pair.

use arrayvec::ArrayVec;

use crate::kinds::Counts;
use crate::shanten::{seven_pairs_shanten, shanten, thirteen_orphans_shanten};
use crate::tile::{KINDS, Kind};

/// Whether a hand is complete: four sets and a pair, of which the `melds` are sets, or seven pairs, or thirteen orphans.
///
/// `closed` are the concealed tiles by kind, the winning tile included. False for any other total than 14 less 3 for
/// each meld, and for more than four of a kind.
#[must_use]
pub fn is_complete(closed: &Counts, melds: u8) -> bool {
    closed.0.iter().all(|&count| count <= 4)
        && closed.total() + 3 * u32::from(melds) == 14
        && shanten(closed, melds) == -1
}

/// Whether these are seven pairs of different kinds.
pub(crate) fn is_seven_pairs(closed: &Counts) -> bool {
    closed.total() == 14 && seven_pairs_shanten(closed) == -1
}

/// Whether these are thirteen orphans and one of them twice.
pub(crate) fn is_thirteen_orphans(closed: &Counts) -> bool {
    closed.total() == 14 && thirteen_orphans_shanten(closed) == -1
}

/// A concealed set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Set {
    /// A run, by its lowest kind.
    Run(Kind),
    /// Three of a kind.
    Triplet(Kind),
}

impl Set {
    /// The lowest kind in it.
    #[must_use]
    pub const fn first(self) -> Kind {
        match self {
            Self::Run(kind) | Self::Triplet(kind) => kind,
        }
    }

    /// Whether a tile of this kind is in it.
    #[must_use]
    pub fn contains(self, kind: Kind) -> bool {
        match self {
            Self::Triplet(of) => of == kind,
            Self::Run(first) => {
                kind.suit() == first.suit() && (0..3).contains(&(kind.index() as i8 - first.index() as i8))
            }
        }
    }
}

/// One way to see the concealed tiles of a complete hand as sets and a pair.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reading {
    /// The kind of the pair.
    pub pair: Kind,
    /// The concealed sets in order of their lowest kinds, a triplet before runs.
    pub sets: ArrayVec<Set, 4>,
}

/// No hand has more readings than this, as a test over all hands finds: for instance `66677778888999m` has four.
pub const MAX_READINGS: usize = 4;

/// All readings of a complete hand of standard form, each once, in order of the pair.
///
/// `closed` are the concealed tiles by kind, winning tile included, melds not. Empty for anything that is not sets and
/// one pair: for seven pairs and thirteen orphans too, unless the pairs can also be read as runs.
#[must_use]
pub fn readings(closed: &Counts) -> ArrayVec<Reading, MAX_READINGS> {
    let mut found = ArrayVec::new();
    if closed.total() > 14 {
        return found;
    }
    let Some(part) = part_with_pair(closed) else {
        return found;
    };
    let mut rest = *closed;
    for kind in part {
        if rest[kind] >= 2 {
            rest[kind] -= 2;
            split(&mut rest, 0, &mut ArrayVec::new(), &mut |sets| {
                // More than fit there cannot be.
                let _ = found.try_push(Reading { pair: kind, sets: sets.clone() });
            });
            rest[kind] += 2;
        }
    }
    found
}

/// The kinds of the suit, or the honours, that must hold the pair: the only part whose total is not a multiple of three.
fn part_with_pair(closed: &Counts) -> Option<impl Iterator<Item = Kind>> {
    let mut with_pair = None;
    for first in (0..KINDS).step_by(9) {
        let part = first..KINDS.min(first + 9);
        let total: u32 = closed.0[part.clone()].iter().map(|&count| u32::from(count)).sum();
        match total % 3 {
            0 => {}
            2 if with_pair.is_none() => with_pair = Some(part),
            _ => return None,
        }
    }
    with_pair.map(|part| part.filter_map(|index| Kind::new(index as u8)))
}

/// Splits `rest`, empty below `from`, into sets, and calls `found` for each way. `rest` is the same afterwards.
fn split(rest: &mut Counts, from: usize, sets: &mut ArrayVec<Set, 4>, found: &mut impl FnMut(&ArrayVec<Set, 4>)) {
    let Some(kind) = (from..KINDS).find(|&index| rest.0[index] > 0).and_then(|index| Kind::new(index as u8)) else {
        found(sets);
        return;
    };
    let index = kind.index();
    let count = rest.0[index];
    // Whatever does not go into a triplet begins a run.
    for triplets in (0..=count / 3).rev() {
        let runs = count - 3 * triplets;
        if runs > 0 && (kind.offset(2).is_none() || rest.0[index + 1] < runs || rest.0[index + 2] < runs) {
            continue;
        }
        let before = sets.len();
        if usize::from(triplets + runs) > sets.remaining_capacity() {
            continue;
        }
        sets.extend(std::iter::repeat_n(Set::Triplet(kind), usize::from(triplets)));
        sets.extend(std::iter::repeat_n(Set::Run(kind), usize::from(runs)));
        rest.0[index] = 0;
        if runs > 0 {
            rest.0[index + 1] -= runs;
            rest.0[index + 2] -= runs;
        }
        split(rest, index + 1, sets, found);
        if runs > 0 {
            rest.0[index + 1] += runs;
            rest.0[index + 2] += runs;
        }
        rest.0[index] = count;
        sets.truncate(before);
    }
}

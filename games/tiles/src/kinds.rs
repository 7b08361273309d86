//! Sets and counts of tile kinds.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Index, IndexMut, Sub};

use crate::tile::{KINDS, Kind, Tile};

/// A set of tile kinds, as a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct KindSet(u64);

impl KindSet {
    /// The set without any kind.
    pub const EMPTY: Self = Self(0);

    /// The set of all kinds.
    pub const ALL: Self = Self((1 << KINDS) - 1);

    /// The kinds used in a game of this many players: three players do not use 2m to 8m.
    pub const fn in_play(players: u8) -> Self {
        const TWO_TO_EIGHT: u64 = 0b1111_1110;
        if players == 3 {
            Self(Self::ALL.0 & !TWO_TO_EIGHT)
        } else {
            Self::ALL
        }
    }

    /// The set of the kinds with these bits, by index; higher bits are dropped.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// A bit for each kind, lowest index first.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Adds a kind.
    pub const fn insert(&mut self, kind: Kind) {
        self.0 |= 1 << kind.index();
    }

    /// Whether the kind is in the set.
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 >> kind.index() & 1 == 1
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of kinds.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the two sets have a kind in common.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The kinds in index order.
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let kind = Kind::new(rest.trailing_zeros() as u8)?;
            rest &= rest - 1;
            Some(kind)
        })
    }
}

impl FromIterator<Kind> for KindSet {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Self {
        let mut set = Self::EMPTY;
        for kind in kinds {
            set.insert(kind);
        }
        set
    }
}

impl BitOr for KindSet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for KindSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for KindSet {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for KindSet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl fmt::Debug for KindSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The lowest bit of each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGH: u64 = 0x80 * ONES;

/// Number of tiles of each kind, ignoring colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Counts(pub [u8; KINDS]);

impl Counts {
    /// No tile of any kind.
    pub const EMPTY: Self = Self([0; KINDS]);

    /// Total number of tiles.
    pub fn total(&self) -> u32 {
        self.0.iter().map(|&n| u32::from(n)).sum()
    }

    /// The kinds with at least one tile.
    pub fn kinds(&self) -> KindSet {
        self.at_least(1)
    }

    /// The kinds with at least `least` tiles (1 to 127).
    pub fn at_least(&self, least: u8) -> KindSet {
        // Eight kinds at a time, a byte for each. Gathers the lowest bit of each byte into the
        // highest byte, the first kind lowest.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let (eights, rest) = self.0.as_chunks();
        let mut bits = 0;
        for (place, bytes) in eights.iter().enumerate() {
            let word = u64::from_le_bytes(*bytes);
            // The highest bit of a byte says whether it is great enough: by carry, or because it
            // was set before.
            let reached = ((word & !HIGH) + u64::from(0x80 - least) * ONES) | word;
            bits |= (reached >> 7 & ONES).wrapping_mul(GATHER) >> 56 << (8 * place);
        }
        for (place, &count) in rest.iter().enumerate() {
            bits |= u64::from(count >= least) << (8 * eights.len() + place);
        }
        KindSet(bits)
    }

    /// Total number of tiles; `None` when there are more than four of a kind.
    #[inline]
    pub fn total_of_at_most_four(&self) -> Option<u8> {
        // Eight kinds at a time, a byte for each, then the last two.
        let eight = |from: usize| {
            self.0[from..]
                .first_chunk()
                .map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        let last = u64::from(self.0[32]) | u64::from(self.0[33]) << 8;
        let words = [eight(0), eight(8), eight(16), eight(24), last];
        // The highest bit of a byte is set by the carry of 5 to 127, or was set before.
        let fifth = words.iter().fold(0, |fifth, &word| {
            fifth | ((word & !HIGH) + 123 * ONES) | word
        });
        let sums = words
            .iter()
            .fold(0_u64, |sums, &word| sums.wrapping_add(word));
        (fifth & HIGH == 0).then(|| (sums.wrapping_mul(ONES) >> 56) as u8)
    }

    /// Total number of tiles of the kinds in a set.
    pub fn total_of(&self, kinds: KindSet) -> u32 {
        kinds.iter().map(|kind| u32::from(self[kind])).sum()
    }
}

impl Default for Counts {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Index<Kind> for Counts {
    type Output = u8;
    fn index(&self, kind: Kind) -> &u8 {
        &self.0[kind.index()]
    }
}

impl IndexMut<Kind> for Counts {
    fn index_mut(&mut self, kind: Kind) -> &mut u8 {
        &mut self.0[kind.index()]
    }
}

impl FromIterator<Kind> for Counts {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Self {
        let mut counts = Self::EMPTY;
        for kind in kinds {
            counts[kind] = counts[kind].saturating_add(1);
        }
        counts
    }
}

impl FromIterator<Tile> for Counts {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        tiles.into_iter().map(Tile::kind).collect()
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(
                Kind::all().flat_map(|kind| std::iter::repeat_n(kind, usize::from(self[kind]))),
            )
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_by_their_count() {
        let mut counts = Counts::EMPTY;
        for (place, count) in counts.0.iter_mut().enumerate() {
            *count = [0, 1, 2, 3, 4, 127, 128, 255][place * 5 % 8];
        }
        for least in [1, 2, 4, 127] {
            let expected: KindSet = Kind::all().filter(|&kind| counts[kind] >= least).collect();
            assert_eq!(counts.at_least(least), expected, "at least {least}");
        }
    }

    #[test]
    fn tiles_are_counted_unless_there_are_five_of_a_kind() {
        let mut counts = Counts([4; KINDS]);
        assert_eq!(counts.total_of_at_most_four(), Some(136));
        for fifth in [5, 127, 128, 200, 255] {
            for kind in Kind::all() {
                counts[kind] = fifth;
                assert_eq!(counts.total_of_at_most_four(), None, "{fifth} of {kind}");
                counts[kind] = 4;
            }
        }
        counts[Kind::EAST] = 1;
        assert_eq!(counts.total_of_at_most_four(), Some(133));
    }

    #[test]
    fn a_set_returns_its_kinds_in_index_order() {
        let kinds = [33, 0, 17].map(|index| Kind::new(index).unwrap());
        let set: KindSet = kinds.into_iter().collect();
        assert_eq!(set.iter().map(Kind::index).collect::<Vec<_>>(), [0, 17, 33]);
        assert_eq!(set.len(), 3);
        assert!(KindSet::from_bits(u64::MAX).iter().count() == KINDS);
    }
}

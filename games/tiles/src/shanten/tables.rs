//! The number of tiles that a hand lacks to its sets and a pair, by table look-ups.
//!
//! The counts of each suit and of the honours are turned into a small *key*: 126 keys for a suit
//! and 55 for the honours represent all that matters about them, namely how many tiles are missing
//! to n sets, without and with a pair. Two suits make one of 180 *half hands*, the third suit and
//! the honours one of 165, and a table over these two and the melds has the missing tiles of the
//! whole. On the way to the key the same entries count the kinds and pairs that seven pairs and
//! thirteen orphans need. `build.rs` derives all of it (about 0.5 MB) from the definition, in which
//! no kind is ever wanted a fifth time.
//!
//! With three players 1m and 9m are like honours: there are no runs of characters. Together with
//! the honours they are nine such kinds, which have the same 55 keys, since a hand never uses more
//! than five of them. The characters' own key is then the key of a suit without tiles. It offers
//! sets of three missing tiles and pairs of two that do not exist, which changes nothing: the other
//! sets and the pair of a hand leave some kind unused, and a triplet of that kind lacks no more.

use crate::concealed::ConcealedHand;
use crate::kinds::Counts;
use crate::tile::KINDS;

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// Weights of digits of base 5, one for each count of 0 to 4.
const WEIGHTS: [usize; 5] = [1, 5, 25, 125, 625];

/// The first four kinds of a part make the row of the table of keys, the others the column.
const ROW_KINDS: usize = 4;

/// The tables of a suit, or of the honours.
///
/// The entries of a row and a column add up to a *sum*: its low bits are the index of the key in
/// `keys`, and the bits above are the tallies.
struct SuitTables {
    column_kinds: usize,
    rows: &'static [u32],
    columns: &'static [u32],
    keys: &'static [u8],
}

const SUIT: SuitTables = SuitTables {
    column_kinds: 5,
    rows: &SUIT_ROWS,
    columns: &SUIT_COLUMNS,
    keys: &SUIT_KEYS,
};
const HONOURS: SuitTables = SuitTables {
    column_kinds: 3,
    rows: &HONOUR_ROWS,
    columns: &HONOUR_COLUMNS,
    keys: &HONOUR_KEYS,
};

/// The counts of a part as two numbers of base 5, the first kind as the lowest digit.
#[derive(Clone, Copy)]
struct TableIndex {
    row: usize,
    column: usize,
}

impl TableIndex {
    /// The first eight kinds of a part, a byte for each, and the ninth.
    #[inline]
    fn new(eight: u64, ninth: u8) -> Self {
        // Neighbouring bytes are joined into one number, twice. No sum overflows into the next one.
        let two = (eight & 0x00ff_00ff_00ff_00ff) + (eight >> 8 & 0x00ff_00ff_00ff_00ff) * 5;
        let four = (two & 0x0000_ffff_0000_ffff) + (two >> 16 & 0x0000_ffff_0000_ffff) * 25;
        Self {
            row: (four & 0xffff_ffff) as usize,
            column: (four >> 32) as usize + usize::from(ninth) * WEIGHTS[4],
        }
    }
}

/// An entry of a table; 0 for an index past its end, which only a fifth tile of a kind leads to.
#[inline]
fn entry(table: &[u32], index: usize) -> u32 {
    table.get(index).map_or(0, |&entry| entry)
}

impl SuitTables {
    #[inline]
    fn sum(&self, place: TableIndex) -> u32 {
        entry(self.rows, place.row) + entry(self.columns, place.column)
    }

    #[inline]
    fn key(&self, sum: u32) -> usize {
        usize::from(self.keys[(sum & KEY_MASK) as usize])
    }

    /// The kinds of the part, as bits, for which one more tile leads to a key that is `better`.
    ///
    /// For a kind with all four tiles present, the bit is meaningless.
    #[inline]
    fn improving(&self, place: TableIndex, better: impl Fn(usize) -> bool) -> u64 {
        let (row, column) = (
            entry(self.rows, place.row),
            entry(self.columns, place.column),
        );
        let mut kinds = 0;
        for (index, weight) in WEIGHTS.into_iter().take(ROW_KINDS).enumerate() {
            let key = self.key(entry(self.rows, place.row + weight) + column);
            kinds |= u64::from(better(key)) << index;
        }
        for (index, weight) in WEIGHTS.into_iter().take(self.column_kinds).enumerate() {
            let key = self.key(row + entry(self.columns, place.column + weight));
            kinds |= u64::from(better(key)) << (ROW_KINDS + index);
        }
        kinds
    }

    /// The kinds of the part, of those `held`, as bits, one tile less of which leads to a key that
    /// is `enough`.
    #[inline]
    fn dispensable(&self, place: TableIndex, mut held: u64, enough: impl Fn(usize) -> bool) -> u64 {
        let (row, column) = (
            entry(self.rows, place.row),
            entry(self.columns, place.column),
        );
        let mut kinds = 0;
        while held != 0 {
            let index = held.trailing_zeros() as usize;
            held &= held - 1;
            let sum = match index.checked_sub(ROW_KINDS) {
                None => entry(self.rows, place.row.wrapping_sub(WEIGHTS[index])) + column,
                Some(index) => row + entry(self.columns, place.column.wrapping_sub(WEIGHTS[index])),
            };
            kinds |= u64::from(enough(self.key(sum))) << index;
        }
        kinds
    }
}

/// The concealed tiles of a hand as the tables see them, of a game of three players or of four.
/// They are separate types, so that the difference costs nothing for hands of four players.
pub struct Keyed<const THREE_PLAYERS: bool> {
    places: [TableIndex; 4],
    keys: [usize; 4],
    /// The tallies of the whole hand.
    tallies: u32,
    /// The start of the table for this number of melds.
    melds: usize,
    terminals: Terminals,
}

/// With three players, the parts of the key of the honours with 1m and 9m.
#[derive(Clone, Copy)]
struct Terminals {
    /// The key of the honours alone.
    honours: usize,
    ones: usize,
    nines: usize,
}

impl Terminals {
    /// The key of honours, 1m and 9m. A fourth tile of a kind counts for no more than the third.
    #[inline]
    fn key(honours: usize, ones: usize, nines: usize) -> usize {
        usize::from(HONOURS_WITH_TERMINALS[honours][ones.min(3)][nines.min(3)])
    }

    /// As [`SuitTables::improving`], for 1m, 9m and the honours, with the bits of their indices.
    fn improving(&self, honours: TableIndex, better: impl Fn(usize) -> bool) -> u64 {
        let Self {
            honours: key,
            ones,
            nines,
        } = *self;
        u64::from(better(Self::key(key, ones + 1, nines)))
            | u64::from(better(Self::key(key, ones, nines + 1))) << 8
            | HONOURS.improving(honours, |key| better(Self::key(key, ones, nines))) << 27
    }

    /// As [`SuitTables::dispensable`], for 1m, 9m and the honours, with the bits of their indices.
    fn dispensable(&self, honours: TableIndex, held: u64, enough: impl Fn(usize) -> bool) -> u64 {
        let Self {
            honours: key,
            ones,
            nines,
        } = *self;
        let terminals = u64::from(enough(Self::key(key, ones.saturating_sub(1), nines)))
            | u64::from(enough(Self::key(key, ones, nines.saturating_sub(1)))) << 8;
        terminals & held
            | HONOURS.dispensable(honours, held >> 27, |key| {
                enough(Self::key(key, ones, nines))
            }) << 27
    }
}

impl<const THREE_PLAYERS: bool> Keyed<THREE_PLAYERS> {
    /// The hand looked up in the tables.
    #[inline]
    pub fn new(hand: &ConcealedHand) -> Self {
        Self::of_tiles(hand.counts(), hand.melds())
    }

    /// Of any tiles with this many melds, at most four of a kind: also a part of a hand.
    #[inline]
    pub fn of_tiles(counts: &Counts, melds: u8) -> Self {
        let counts = &counts.0;
        let eight = |from: usize| {
            counts[from..]
                .first_chunk()
                .map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        let places = [
            TableIndex::new(eight(0), counts[8]),
            TableIndex::new(eight(9), counts[17]),
            TableIndex::new(eight(18), counts[26]),
            // The seven honours follow the last suit.
            TableIndex::new(eight(KINDS - 8) >> 8, 0),
        ];
        let sums = [
            SUIT.sum(places[0]),
            SUIT.sum(places[1]),
            SUIT.sum(places[2]),
            HONOURS.sum(places[3]),
        ];
        let mut keys = [
            SUIT.key(sums[0]),
            SUIT.key(sums[1]),
            SUIT.key(sums[2]),
            HONOURS.key(sums[3]),
        ];
        let tallies = sums.map(|sum| sum >> KEY_BITS).iter().sum();
        let melds = usize::from(melds) * MISSING_SIZE;
        let terminals = Terminals {
            honours: keys[3],
            ones: usize::from(counts[0]),
            nines: usize::from(counts[8]),
        };
        if THREE_PLAYERS {
            (keys[0], keys[3]) = (
                EMPTY_SUIT,
                Terminals::key(keys[3], terminals.ones, terminals.nines),
            );
        }
        Self {
            places,
            keys,
            tallies,
            melds,
            terminals,
        }
    }

    /// Shanten number to seven pairs of different kinds.
    #[inline]
    pub fn seven_pairs_shanten(&self) -> i8 {
        let (kinds, pairs) = (self.tallies & 0xf, self.tallies >> 4 & 0x7);
        6 - pairs as i8 + 7_u32.saturating_sub(kinds) as i8
    }

    /// Shanten number to thirteen orphans.
    #[inline]
    pub fn thirteen_orphans_shanten(&self) -> i8 {
        let (kinds, pairs) = (self.tallies >> 7 & 0xf, self.tallies >> 11);
        13 - kinds as i8 - i8::from(pairs > 0)
    }

    /// Tiles missing to the sets that the melds leave open, and a pair.
    #[inline]
    pub fn missing(&self) -> u8 {
        let [m, p, s, z] = self.keys;
        self.missing_of(TWO_SUITS[m][p], SUIT_AND_HONOURS[z][s])
    }

    #[inline]
    fn missing_of(&self, two_suits: u16, suit_and_honours: u16) -> u8 {
        MISSING[self.melds + usize::from(two_suits) + usize::from(suit_and_honours)]
    }

    /// The kinds, as bits by index, for which one more tile leaves fewer than `now` missing. For a
    /// kind with all four tiles present, the bit is meaningless.
    ///
    /// Every kind is tried, without branches, because the relevant ones cannot be predicted.
    #[inline]
    pub fn improving(&self, now: u8) -> u64 {
        let [m, p, s, z] = self.keys;
        let (first_half, second_half) = (TWO_SUITS[m][p], SUIT_AND_HONOURS[z][s]);
        let better = |first_half, second_half| self.missing_of(first_half, second_half) < now;
        // Two suits make the same half hand in either order.
        let (beside_m, beside_p, beside_s, beside_z) = (
            &TWO_SUITS[m],
            &TWO_SUITS[p],
            &HONOURS_AND_SUIT[s],
            &SUIT_AND_HONOURS[z],
        );
        let better_z = |key: usize| better(first_half, beside_s[key]);
        let dots = SUIT.improving(self.places[1], |key| better(beside_m[key], second_half)) << 9;
        let bamboo = SUIT.improving(self.places[2], |key| better(first_half, beside_z[key])) << 18;
        let characters_and_honours = if THREE_PLAYERS {
            self.terminals.improving(self.places[3], better_z)
        } else {
            SUIT.improving(self.places[0], |key| better(beside_p[key], second_half))
                | HONOURS.improving(self.places[3], better_z) << 27
        };
        characters_and_honours | dots | bamboo
    }

    /// Of these kinds, as bits by index, those of which one tile less leaves at most this many
    /// missing. There must be a tile of each.
    #[inline]
    pub fn dispensable(&self, held: u64, at_most: u8) -> u64 {
        let [m, p, s, z] = self.keys;
        let (first_half, second_half) = (TWO_SUITS[m][p], SUIT_AND_HONOURS[z][s]);
        let enough = |first_half, second_half| self.missing_of(first_half, second_half) <= at_most;
        let (beside_m, beside_p, beside_s, beside_z) = (
            &TWO_SUITS[m],
            &TWO_SUITS[p],
            &HONOURS_AND_SUIT[s],
            &SUIT_AND_HONOURS[z],
        );
        let of_suit = |suit: u32| held >> (9 * suit) & 0x1ff;
        let enough_z = |key: usize| enough(first_half, beside_s[key]);
        let dots = SUIT.dispensable(self.places[1], of_suit(1), |key| {
            enough(beside_m[key], second_half)
        }) << 9;
        let bamboo = SUIT.dispensable(self.places[2], of_suit(2), |key| {
            enough(first_half, beside_z[key])
        }) << 18;
        let characters_and_honours = if THREE_PLAYERS {
            self.terminals.dispensable(self.places[3], held, enough_z)
        } else {
            SUIT.dispensable(self.places[0], of_suit(0), |key| {
                enough(beside_p[key], second_half)
            }) | HONOURS.dispensable(self.places[3], held >> 27, enough_z) << 27
        };
        characters_and_honours | dots | bamboo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_take_at_most_a_megabyte() {
        let parts = [&SUIT, &HONOURS].map(|part| {
            size_of_val(part.rows) + size_of_val(part.columns) + size_of_val(part.keys)
        });
        let halves = size_of_val(&TWO_SUITS)
            + size_of_val(&HONOURS_AND_SUIT)
            + size_of_val(&SUIT_AND_HONOURS);
        let bytes = parts.iter().sum::<usize>()
            + halves
            + size_of_val(&HONOURS_WITH_TERMINALS)
            + size_of_val(&MISSING);
        assert!((100_000..=1 << 20).contains(&bytes), "{bytes} bytes");
    }
}

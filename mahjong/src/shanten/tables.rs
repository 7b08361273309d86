//! How many tiles a hand lacks to its sets and a pair, by table look-ups.
//!
//! The counts of each suit and of the honours are turned into a small *key*: 126 keys for a suit and 55 for the
//! honours stand for all that matters about them, namely how many tiles are missing to n sets, without and with a
//! pair. Two suits make one of 180 *half hands*, the third suit and the honours one of 165, and a table over these two
//! and the melds has the missing tiles of the whole. `build.rs` derives all of it (about 0.4 MB) from the definition, in
//! which no kind is ever wanted a fifth time.

use crate::kinds::Counts;
use crate::tile::KINDS;

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// Most melds that a hand has.
const MAX_MELDS: u8 = 4;

/// Weights of digits of base 5, one for each count of 0 to 4.
const WEIGHTS: [usize; 5] = [1, 5, 25, 125, 625];

/// The first four kinds of a part make the row of the table of keys, the others the column.
const ROW_KINDS: usize = 4;

/// The tables of a suit, or of the honours.
struct Part<Row: 'static> {
    column_kinds: usize,
    /// Where a row begins in `keys`.
    rows: &'static [Row],
    columns: &'static [u16],
    keys: &'static [u8],
}

const SUIT: Part<u32> = Part { column_kinds: 5, rows: &SUIT_ROWS, columns: &SUIT_COLUMNS, keys: &SUIT_KEYS };
const HONOURS: Part<u16> = Part { column_kinds: 3, rows: &HONOUR_ROWS, columns: &HONOUR_COLUMNS, keys: &HONOUR_KEYS };

/// The counts of a part as two numbers of base 5, the first kind as the lowest digit.
#[derive(Clone, Copy)]
struct Place {
    row: usize,
    column: usize,
}

impl Place {
    /// The first eight kinds of a part, a byte for each, and the ninth.
    #[inline]
    fn new(eight: u64, ninth: u8) -> Self {
        // Neighbours become one number, twice: no sum of bytes reaches the next lane, whatever they are.
        let two = (eight & 0x00ff_00ff_00ff_00ff) + (eight >> 8 & 0x00ff_00ff_00ff_00ff) * 5;
        let four = (two & 0x0000_ffff_0000_ffff) + (two >> 16 & 0x0000_ffff_0000_ffff) * 25;
        Self { row: (four & 0xffff_ffff) as usize, column: (four >> 32) as usize + usize::from(ninth) * WEIGHTS[4] }
    }
}

/// An entry of a table; for an index that only counts above four lead to, 0.
#[inline]
fn entry<T: Copy + Into<u32>>(table: &[T], index: usize) -> usize {
    table.get(index).map_or(0, |&entry| entry.into() as usize)
}

impl<Row: Copy + Into<u32>> Part<Row> {
    #[inline]
    fn key(&self, place: Place) -> usize {
        usize::from(self.keys[entry(self.rows, place.row) + entry(self.columns, place.column)])
    }

    /// The kinds of the part, as bits, of which one more tile leads to a key that is `better`.
    ///
    /// For a kind of which four are there, the bit means nothing.
    #[inline]
    fn improving(&self, place: Place, better: impl Fn(usize) -> bool) -> u64 {
        let (row, column) = (entry(self.rows, place.row), entry(self.columns, place.column));
        let mut kinds = 0;
        for (index, weight) in WEIGHTS.into_iter().take(ROW_KINDS).enumerate() {
            let key = self.keys[entry(self.rows, place.row + weight) + column];
            kinds |= u64::from(better(usize::from(key))) << index;
        }
        for (index, weight) in WEIGHTS.into_iter().take(self.column_kinds).enumerate() {
            let key = self.keys[row + entry(self.columns, place.column + weight)];
            kinds |= u64::from(better(usize::from(key))) << (ROW_KINDS + index);
        }
        kinds
    }
}

#[inline]
fn two_suits(first: usize, second: usize) -> usize {
    usize::from(TWO_SUITS[first * TWO_SUITS_STRIDE + second])
}

#[inline]
fn suit_and_honours(suit: usize, honours: usize) -> usize {
    usize::from(SUIT_AND_HONOURS[suit * SUIT_AND_HONOURS_STRIDE + honours])
}

/// The closed tiles of a hand as the tables see them.
pub(crate) struct Keyed {
    places: [Place; 4],
    keys: [usize; 4],
    /// Where the part of the table for this number of melds begins.
    melds: usize,
}

impl Keyed {
    /// Melds above 4 are taken for 4, and for counts above 4 anything may come out.
    #[inline]
    pub(crate) fn new(closed: &Counts, melds: u8) -> Self {
        let counts = &closed.0;
        let eight = |from: usize| counts[from..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let places = [
            Place::new(eight(0), counts[8]),
            Place::new(eight(9), counts[17]),
            Place::new(eight(18), counts[26]),
            // The seven honours follow the last suit.
            Place::new(eight(KINDS - 8) >> 8, 0),
        ];
        let keys = [SUIT.key(places[0]), SUIT.key(places[1]), SUIT.key(places[2]), HONOURS.key(places[3])];
        Self { places, keys, melds: usize::from(melds.min(MAX_MELDS)) * MISSING_SIZE }
    }

    /// Tiles missing to the sets that the melds leave open, and a pair.
    #[inline]
    pub(crate) fn missing(&self) -> u8 {
        let [m, p, s, z] = self.keys;
        self.missing_of(two_suits(m, p), suit_and_honours(s, z))
    }

    #[inline]
    fn missing_of(&self, two_suits: usize, suit_and_honours: usize) -> u8 {
        MISSING[self.melds + two_suits + suit_and_honours]
    }

    /// The kinds, as bits by index, of which one more tile leaves fewer than `now` missing. For a kind of which four are
    /// there, the bit means nothing.
    ///
    /// Every kind is tried, without branches: which of them matter cannot be foreseen.
    #[inline]
    pub(crate) fn improving(&self, now: u8) -> u64 {
        let [m, p, s, z] = self.keys;
        let (first_half, second_half) = (two_suits(m, p), suit_and_honours(s, z));
        let better = |first_half, second_half| self.missing_of(first_half, second_half) < now;
        SUIT.improving(self.places[0], |key| better(two_suits(key, p), second_half))
            | SUIT.improving(self.places[1], |key| better(two_suits(m, key), second_half)) << 9
            | SUIT.improving(self.places[2], |key| better(first_half, suit_and_honours(key, z))) << 18
            | HONOURS.improving(self.places[3], |key| better(first_half, suit_and_honours(s, key))) << 27
    }
}

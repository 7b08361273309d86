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
const WEIGHTS: [u16; 5] = [1, 5, 25, 125, 625];

/// The tables of a suit, or of the honours.
struct Part {
    /// So many kinds make the row, the others the column of the table of keys.
    row_kinds: usize,
    rows: &'static [u16],
    columns: &'static [u16],
    keys: &'static [u8],
    width: usize,
}

const SUIT: Part = Part { row_kinds: 5, rows: &SUIT_ROWS, columns: &SUIT_COLUMNS, keys: &SUIT_KEYS, width: SUIT_WIDTH };
const HONOURS: Part =
    Part { row_kinds: 4, rows: &HONOUR_ROWS, columns: &HONOUR_COLUMNS, keys: &HONOUR_KEYS, width: HONOUR_WIDTH };

/// The counts of a part as two numbers of base 5, the first kind as the lowest digit.
#[derive(Clone, Copy)]
struct Place {
    row: u16,
    column: u16,
}

impl Part {
    /// `counts`: at most 4 each.
    #[inline]
    fn place(&self, counts: &[u8]) -> Place {
        let digits = |counts: &[u8]| counts.iter().rev().fold(0, |number, &count| 5 * number + u16::from(count));
        Place { row: digits(&counts[..self.row_kinds]), column: digits(&counts[self.row_kinds..]) }
    }

    /// With one more tile of the kind `index` of the part, of which there are at most three.
    #[inline]
    fn with_tile(&self, place: Place, index: usize) -> Place {
        match index.checked_sub(self.row_kinds) {
            None => Place { row: place.row + WEIGHTS[index], ..place },
            Some(index) => Place { column: place.column + WEIGHTS[index], ..place },
        }
    }

    #[inline]
    fn key(&self, place: Place) -> usize {
        let row = usize::from(self.rows[usize::from(place.row)]);
        let column = usize::from(self.columns[usize::from(place.column)]);
        usize::from(self.keys[row * self.width + column])
    }
}

/// What the two halves of a hand and its melds lack.
#[inline]
fn missing(two_suits: u16, suit_and_honours: u16, melds: u8) -> u8 {
    let melds = usize::from(melds.min(MAX_MELDS));
    MISSING[melds * MISSING_SIZE + usize::from(two_suits) * MISSING_STRIDE + usize::from(suit_and_honours)]
}

/// The closed tiles of a hand as the tables see them.
pub(crate) struct Keyed {
    counts: [u8; KINDS],
    places: [Place; 4],
    keys: [usize; 4],
    two_suits: u16,
    suit_and_honours: u16,
    melds: u8,
}

impl Keyed {
    /// Counts above 4 are taken for 4, and melds above 4 for 4.
    #[inline]
    pub(crate) fn new(closed: &Counts, melds: u8) -> Self {
        let counts = closed.0.map(|count| count.min(4));
        let places = [
            SUIT.place(&counts[..9]),
            SUIT.place(&counts[9..18]),
            SUIT.place(&counts[18..27]),
            HONOURS.place(&counts[27..]),
        ];
        let keys = [SUIT.key(places[0]), SUIT.key(places[1]), SUIT.key(places[2]), HONOURS.key(places[3])];
        let two_suits = TWO_SUITS[keys[0] * TWO_SUITS_STRIDE + keys[1]];
        let suit_and_honours = SUIT_AND_HONOURS[keys[2] * SUIT_AND_HONOURS_STRIDE + keys[3]];
        Self { counts, places, keys, two_suits, suit_and_honours, melds }
    }

    /// Tiles missing to the sets that the melds leave open, and a pair.
    #[inline]
    pub(crate) fn missing(&self) -> u8 {
        missing(self.two_suits, self.suit_and_honours, self.melds)
    }

    /// The kinds, as bits by index, of which one more tile makes [`missing`](Self::missing) smaller.
    #[inline]
    pub(crate) fn wanted(&self) -> u64 {
        let now = self.missing();
        let mut wanted = 0;
        for (number, part) in [&SUIT, &SUIT, &SUIT, &HONOURS].into_iter().enumerate() {
            let first = 9 * number;
            for (index, &count) in self.counts[first..KINDS.min(first + 9)].iter().enumerate() {
                if count >= 4 {
                    continue;
                }
                let key = part.key(part.with_tile(self.places[number], index));
                if key != self.keys[number] && self.missing_with_key(number, key) < now {
                    wanted |= 1 << (first + index);
                }
            }
        }
        wanted
    }

    /// Missing tiles if the part `number` had another key.
    #[inline]
    fn missing_with_key(&self, number: usize, key: usize) -> u8 {
        let [m, p, s, z] = self.keys;
        let (two_suits, suit_and_honours) = match number {
            0 => (TWO_SUITS[key * TWO_SUITS_STRIDE + p], self.suit_and_honours),
            1 => (TWO_SUITS[m * TWO_SUITS_STRIDE + key], self.suit_and_honours),
            2 => (self.two_suits, SUIT_AND_HONOURS[key * SUIT_AND_HONOURS_STRIDE + z]),
            _ => (self.two_suits, SUIT_AND_HONOURS[s * SUIT_AND_HONOURS_STRIDE + key]),
        };
        missing(two_suits, suit_and_honours, self.melds)
    }
}

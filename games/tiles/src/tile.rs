//! Tiles: the 34 kinds, and the 37 tiles that distinguish red fives from plain ones.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// Number of tile kinds.
pub const KINDS: usize = 34;

/// One of the 34 kinds of tile; a red five is of the same kind as a plain one.
///
/// The index runs `1m..9m` (0..=8), `1p..9p` (9..=17), `1s..9s` (18..=26), `E S W N P F C`
/// (27..=33).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Kind(u8);

impl Kind {
    /// East wind; the other honours follow in the order `E S W N P F C`.
    pub const EAST: Self = Self(27);
    /// North wind.
    pub const NORTH: Self = Self(30);
    /// White dragon (`P`), the first of the three dragons.
    pub const WHITE: Self = Self(31);

    /// The kind with this index; `None` beyond 33.
    pub const fn new(index: u8) -> Option<Self> {
        if index < KINDS as u8 {
            Some(Self(index))
        } else {
            None
        }
    }

    /// All kinds in index order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..KINDS as u8).map(Self)
    }

    /// Index from 0 to 33.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether this is a wind or a dragon.
    pub const fn is_honour(self) -> bool {
        self.0 >= Self::EAST.0
    }

    /// Whether this is one of the three dragons.
    pub const fn is_dragon(self) -> bool {
        self.0 >= Self::WHITE.0
    }

    /// Whether this is an honour, a one or a nine.
    pub const fn is_terminal_or_honour(self) -> bool {
        self.is_honour() || self.0.is_multiple_of(9) || self.0 % 9 == 8
    }

    /// The number on a suited tile, 1 to 9; `None` for honours.
    pub const fn number(self) -> Option<u8> {
        if self.is_honour() {
            None
        } else {
            Some(self.0 % 9 + 1)
        }
    }

    /// The suit of a suited tile: 0 characters, 1 dots, 2 bamboo; `None` for honours.
    pub const fn suit(self) -> Option<u8> {
        if self.is_honour() {
            None
        } else {
            Some(self.0 / 9)
        }
    }

    /// The kind `steps` away in the same suit; `None` past the ends and for honours.
    pub const fn offset(self, steps: i8) -> Option<Self> {
        let Some(number) = self.number() else {
            return None;
        };
        let moved = number as i8 + steps;
        if moved < 1 || moved > 9 {
            return None;
        }
        Some(Self((self.0 as i8 + steps) as u8))
    }

    /// The dora that this kind indicates in a four-player game: the next of its suit, wind or
    /// dragon, round to the first.
    #[must_use]
    pub const fn indicated(self) -> Self {
        Self(match self.0 {
            8 | 17 | 26 => self.0 - 8,
            30 => 27,
            33 => 31,
            other => other + 1,
        })
    }

    /// The plain (never red) tile of this kind.
    pub const fn tile(self) -> Tile {
        Tile(self.0)
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tile().name())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tile().name())
    }
}

/// A tile with its colour. A plain tile has the index of its kind; the red fives `5mr 5pr 5sr`
/// follow (34..=36).
///
/// Tiles are ordered by kind, and a plain five comes before the red one of its suit. That is not
/// the order of the index.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Tile(u8);

const NAMES: [&str; 37] = [
    "1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1p", "2p", "3p", "4p", "5p", "6p", "7p",
    "8p", "9p", "1s", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "E", "S", "W", "N", "P", "F",
    "C", "5mr", "5pr", "5sr",
];

impl Tile {
    /// The tile with this index; `None` beyond 36.
    pub const fn new(index: u8) -> Option<Self> {
        if index < NAMES.len() as u8 {
            Some(Self(index))
        } else {
            None
        }
    }

    /// All 37 tiles by index.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..NAMES.len() as u8).map(Self)
    }

    /// The red five of a suit (0 characters, 1 dots, 2 bamboo).
    pub const fn red_five(suit: u8) -> Option<Self> {
        if suit < 3 {
            Some(Self(34 + suit))
        } else {
            None
        }
    }

    /// Index from 0 to 36.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The kind, without the colour.
    pub const fn kind(self) -> Kind {
        if self.is_red() {
            Kind(4 + 9 * (self.0 - 34))
        } else {
            Kind(self.0)
        }
    }

    /// Whether this is a red five.
    pub const fn is_red(self) -> bool {
        self.0 >= KINDS as u8
    }

    /// mjai's name of the tile, for instance `5mr` or `E`.
    pub const fn name(self) -> &'static str {
        NAMES[self.0 as usize]
    }

    /// The tile that mjai calls `name`; `None` for anything else, `?` included.
    pub const fn from_name(name: &str) -> Option<Self> {
        let index = match name.as_bytes() {
            [number @ b'1'..=b'9', suit] => match suit {
                b'm' => *number - b'1',
                b'p' => *number - b'1' + 9,
                b's' => *number - b'1' + 18,
                _ => return None,
            },
            [b'5', b'm', b'r'] => 34,
            [b'5', b'p', b'r'] => 35,
            [b'5', b's', b'r'] => 36,
            b"E" => 27,
            b"S" => 28,
            b"W" => 29,
            b"N" => 30,
            b"P" => 31,
            b"F" => 32,
            b"C" => 33,
            _ => return None,
        };
        Some(Self(index))
    }
}

impl Ord for Tile {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.kind(), self.is_red()).cmp(&(other.kind(), other.is_red()))
    }
}

impl PartialOrd for Tile {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is not mjai's name of a tile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a tile: allowed are 1m..9m 1p..9p 1s..9s, E S W N P F C, and the red fives 5mr 5pr 5sr"
)]
pub struct UnknownTile(pub String);

impl FromStr for Tile {
    type Err = UnknownTile;

    fn from_str(name: &str) -> Result<Self, UnknownTile> {
        Self::from_name(name).ok_or_else(|| UnknownTile(name.chars().take(16).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_parses_back_to_its_tile() {
        for (index, name) in NAMES.iter().enumerate() {
            assert_eq!(name.parse::<Tile>().unwrap().index(), index);
        }
        for name in ["?", "", "0m", "10m", "5mR", "4mr", "e", "Ｅ"] {
            assert!(name.parse::<Tile>().is_err(), "{name}");
        }
    }

    #[test]
    fn a_red_five_is_of_the_kind_of_the_plain_five() {
        for (red, plain) in [("5mr", "5m"), ("5pr", "5p"), ("5sr", "5s")] {
            let (red, plain): (Tile, Tile) = (red.parse().unwrap(), plain.parse().unwrap());
            assert_eq!(red.kind(), plain.kind());
            assert_ne!(red, plain);
        }
    }

    #[test]
    fn tiles_are_ordered_by_kind_and_a_plain_five_before_the_red_one() {
        let names = [
            "4m", "5m", "5mr", "6m", "5p", "5pr", "1s", "5s", "5sr", "E", "C",
        ];
        let tiles = names.map(|name| name.parse::<Tile>().unwrap());
        assert!(tiles.is_sorted_by(|a, b| a < b));
        assert!(
            tiles[2].index() > tiles[10].index(),
            "the index is in another order"
        );
    }

    #[test]
    fn indicators_wrap_within_suit_winds_and_dragons() {
        for (indicator, dora) in [
            ("1m", "2m"),
            ("9m", "1m"),
            ("9p", "1p"),
            ("9s", "1s"),
            ("N", "E"),
            ("C", "P"),
            ("E", "S"),
        ] {
            assert_eq!(
                Tile::from_name(indicator)
                    .unwrap()
                    .kind()
                    .indicated()
                    .to_string(),
                dora
            );
        }
    }

    #[test]
    fn offsets_stay_in_the_suit() {
        let nine = Tile::from_name("9m").unwrap().kind();
        assert_eq!(nine.offset(1), None);
        assert_eq!(nine.offset(-2).unwrap().to_string(), "7m");
        assert_eq!(Kind::EAST.offset(1), None);
    }
}

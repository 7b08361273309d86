//! The short notation of tiles for typing: numbers, then their suit.
//!
//! The suits are `m` characters, `p` dots, `s` bamboo and `z` honours (`1234567z` = E S W N P F C);
//! `0` is the red five of its suit. `123m406p77z` are eight tiles. Spaces are ignored.
//!
//! ```
//! use tiles::notation::Tiles;
//!
//! let tiles: Tiles = "123m406p77z".parse().unwrap();
//! assert_eq!(tiles.0[4].name(), "5pr");
//! assert_eq!(tiles.to_string(), "123m406p77z");
//! ```

use std::fmt;
use std::str::FromStr;

use crate::kinds::KindSet;
use crate::tile::{Kind, Tile};

/// The error in a text. Places are counted in characters, from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// A character that is neither a number nor a suit.
    #[error(
        "{found:?} in {text:?} (character {place}) is neither a number nor a suit; allowed are 0 to 9 and m, p, s, z"
    )]
    Character {
        /// The text.
        text: String,
        /// The character.
        found: char,
        /// Its place.
        place: usize,
    },
    /// Numbers at the end without a suit.
    #[error(
        "the suit is missing after {numbers:?} in {text:?} (character {place}); allowed are m, p, s and, for honours, z"
    )]
    NoSuit {
        /// The text.
        text: String,
        /// The numbers.
        numbers: String,
        /// Place of the first of them.
        place: usize,
    },
    /// A suit without numbers before it.
    #[error(
        "{suit:?} in {text:?} (character {place}) has no numbers before it; write the numbers first, as in 123m"
    )]
    NoNumbers {
        /// The text.
        text: String,
        /// The suit.
        suit: char,
        /// Its place.
        place: usize,
    },
    /// The number of an honour that does not exist.
    #[error(
        "{number}z in {text:?} (character {place}) is not an honour; 1z to 7z are E S W N P F C"
    )]
    Honour {
        /// The text.
        text: String,
        /// The number.
        number: char,
        /// Its place.
        place: usize,
    },
    /// Tiles that are not a meld.
    #[error(
        "{text:?} is not a meld; write a run as 123m, a triplet as 555p, a kan as 7777s, a closed kan as c7777s"
    )]
    Meld {
        /// The text.
        text: String,
    },
}

/// Tiles in the order in which they are written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tiles(pub Vec<Tile>);

impl FromStr for Tiles {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut tiles = Vec::new();
        let mut numbers: Vec<(usize, char)> = Vec::new();
        let text_of = || text.to_owned();
        for (place, character) in (1..)
            .zip(text.chars())
            .filter(|(_, character)| !character.is_whitespace())
        {
            match character {
                '0'..='9' => numbers.push((place, character)),
                'm' | 'p' | 's' | 'z' if numbers.is_empty() => {
                    return Err(NotationError::NoNumbers {
                        text: text_of(),
                        suit: character,
                        place,
                    });
                }
                'm' | 'p' | 's' | 'z' => {
                    for (place, number) in numbers.drain(..) {
                        let tile = tile_of(number, character);
                        tiles.push(tile.ok_or_else(|| NotationError::Honour {
                            text: text_of(),
                            number,
                            place,
                        })?);
                    }
                }
                found => {
                    return Err(NotationError::Character {
                        text: text_of(),
                        found,
                        place,
                    });
                }
            }
        }
        match numbers.first() {
            None => Ok(Self(tiles)),
            Some(&(place, _)) => {
                let numbers = numbers.iter().map(|&(_, number)| number).collect();
                Err(NotationError::NoSuit {
                    text: text_of(),
                    numbers,
                    place,
                })
            }
        }
    }
}

/// The tile with this number (a digit) and suit; `None` for an honour that does not exist.
fn tile_of(number: char, suit: char) -> Option<Tile> {
    let number = number.to_digit(10)? as u8;
    let suit = "mpsz".find(suit)? as u8;
    match (suit, number) {
        (3, 1..=7) => Tile::new(Kind::EAST.index() as u8 + number - 1),
        (3, _) => None,
        (_, 0) => Tile::red_five(suit),
        _ => Tile::new(suit * 9 + number - 1),
    }
}

impl FromIterator<Tile> for Tiles {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        Self(tiles.into_iter().collect())
    }
}

impl fmt::Display for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tiles(f, self.0.iter().copied())
    }
}

/// The kinds in index order, fives as plain ones.
impl fmt::Display for KindSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tiles(f, self.iter().map(Kind::tile))
    }
}

/// Writes tiles in the short notation, in their order.
///
/// # Errors
///
/// If the formatter cannot be written to.
pub fn write_tiles(f: &mut fmt::Formatter<'_>, tiles: impl Iterator<Item = Tile>) -> fmt::Result {
    let mut tiles = tiles.peekable();
    while let Some(tile) = tiles.next() {
        let (kind, suit) = (tile.kind(), tile.kind().suit());
        let number = match kind.number() {
            Some(_) if tile.is_red() => 0,
            Some(number) => number,
            None => (kind.index() - Kind::EAST.index()) as u8 + 1,
        };
        write!(f, "{number}")?;
        if tiles.peek().is_none_or(|next| next.kind().suit() != suit) {
            f.write_str(suit.map_or("z", |suit| ["m", "p", "s"][usize::from(suit)]))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles(text: &str) -> Tiles {
        text.parse().expect("it can be read")
    }

    fn names(text: &str) -> String {
        tiles(text)
            .0
            .iter()
            .map(|tile| tile.name())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn numbers_are_followed_by_their_suit_and_0_is_a_red_five() {
        assert_eq!(names("19m406p 5s17z"), "1m 9m 4p 5pr 6p 5s E C");
        assert_eq!(names(""), "");
    }

    #[test]
    fn tiles_are_written_in_the_order_in_which_they_were_read() {
        for text in ["123m456p789s1234567z", "0555m", "50p", "7z1z9m", "1m1p1m"] {
            let written = tiles(text).to_string();
            assert_eq!(tiles(&written), tiles(text));
        }
        assert_eq!(tiles("7z1z 9m0m").to_string(), "71z90m");
        assert_eq!(tiles("1m1p1m").to_string(), "1m1p1m");
    }

    #[test]
    fn kinds_are_written_in_order_without_colour() {
        let set: KindSet = tiles("7z0p1p9m").0.into_iter().map(Tile::kind).collect();
        assert_eq!(set.to_string(), "9m15p7z");
    }

    #[test]
    fn an_error_names_the_character_its_place_and_the_allowed_ones() {
        let wrong = |text: &str| {
            text.parse::<Tiles>()
                .expect_err("it cannot be read")
                .to_string()
        };
        let expected = "'x' in \"1 2x\" (character 4) is neither a number nor a suit; allowed are 0 to 9 and m, p, s, z";
        assert_eq!(wrong("1 2x"), expected);
        assert!(
            wrong("123m45")
                .starts_with("the suit is missing after \"45\" in \"123m45\" (character 5)")
        );
        assert!(wrong("1mp").starts_with("'p' in \"1mp\" (character 3) has no numbers before it"));
        assert_eq!(
            wrong("18z"),
            "8z in \"18z\" (character 2) is not an honour; 1z to 7z are E S W N P F C"
        );
        assert!(wrong("0z").starts_with("0z in"));
    }
}

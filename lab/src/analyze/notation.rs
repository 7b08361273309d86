//! Tiles as people type them: numbers and then the suit, `m` characters, `p` dots, `s` bamboo, `z` honours
//! (`1234567z` = E S W N P F C); 0 is a red five. `123m406p77z` are eight tiles.
//!
//! Melds are written by their tiles: `123m` a run, `555p` a triplet, `7777s` a kan, `c7777s` a closed kan.

use std::fmt::Write as _;

use mahjong::{Called, Kind, KindSet, Meld, MeldKind, Seat, Tile};

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// Something that is no number and no suit.
    #[error("{found:?} in {text:?} is neither a number nor one of the suits m, p, s, z")]
    Character {
        /// The text.
        text: String,
        /// The character.
        found: char,
    },
    /// Numbers with no suit behind them.
    #[error("the suit is missing after {numbers:?} in {text:?}; allowed are m, p, s and, for honours, z")]
    NoSuit {
        /// The text.
        text: String,
        /// The numbers.
        numbers: String,
    },
    /// A suit with no numbers before it.
    #[error("{suit:?} in {text:?} has no numbers before it")]
    NoNumbers {
        /// The text.
        text: String,
        /// The suit.
        suit: char,
    },
    /// An honour that there is not.
    #[error("{number}z in {text:?} is no honour; 1z to 7z are E S W N P F C")]
    Honour {
        /// The text.
        text: String,
        /// The number.
        number: char,
    },
    /// Tiles that make no meld.
    #[error("{text:?} is no meld; write a run as 123m, a triplet as 555p, a kan as 7777s, a closed kan as c7777s")]
    Meld {
        /// The text.
        text: String,
    },
}

/// The tiles of a text, in its order; spaces are passed over.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn tiles(text: &str) -> Result<Vec<Tile>, NotationError> {
    let mut tiles = Vec::new();
    let mut numbers = String::new();
    for character in text.chars().filter(|character| !character.is_whitespace()) {
        match character {
            '0'..='9' => numbers.push(character),
            'm' | 'p' | 's' | 'z' if numbers.is_empty() => {
                return Err(NotationError::NoNumbers { text: text.to_owned(), suit: character });
            }
            'm' | 'p' | 's' | 'z' => {
                for number in std::mem::take(&mut numbers).chars() {
                    tiles.push(
                        tile(number, character)
                            .ok_or_else(|| NotationError::Honour { text: text.to_owned(), number })?,
                    );
                }
            }
            found => return Err(NotationError::Character { text: text.to_owned(), found }),
        }
    }
    if numbers.is_empty() { Ok(tiles) } else { Err(NotationError::NoSuit { text: text.to_owned(), numbers }) }
}

/// A tile by its number and its suit; `None` for an honour that there is not.
fn tile(number: char, suit: char) -> Option<Tile> {
    let number = number.to_digit(10)? as u8;
    let suit = "mpsz".find(suit)? as u8;
    match (suit, number) {
        (3, 1..=7) => Tile::new(Kind::EAST.index() as u8 + number - 1),
        (3, _) => None,
        (_, 0) => Tile::red_five(suit),
        _ => Tile::new(suit * 9 + number - 1),
    }
}

/// The meld of a text, called by `seat` of four: a run from the seat before it, triplets and kans from the one after.
///
/// # Errors
///
/// When it is none.
pub fn meld(text: &str, seat: Seat) -> Result<Meld, NotationError> {
    const PLAYERS: u8 = 4;
    let (closed, own) = text.strip_prefix('c').map_or((false, text), |own| (true, own));
    let tiles = tiles(own)?;
    let is_run = tiles.first().map(|tile| tile.kind()) != tiles.last().map(|tile| tile.kind());
    let kind = match (tiles.len(), closed) {
        (3, false) if is_run => MeldKind::Chi,
        (3, false) => MeldKind::Pon,
        (4, false) => MeldKind::Daiminkan,
        (4, true) => MeldKind::Ankan,
        _ => return Err(NotationError::Meld { text: text.to_owned() }),
    };
    let next = seat.next(PLAYERS);
    let from = if kind == MeldKind::Chi { next.next(PLAYERS).next(PLAYERS) } else { next };
    let called = kind.opens_hand().then(|| Called { tile: tiles[0], from });
    Meld::new(kind, &tiles, called, 0).ok_or_else(|| NotationError::Meld { text: text.to_owned() })
}

/// Tiles in this notation, in order of their kinds.
#[must_use]
pub fn written(tiles: impl IntoIterator<Item = Tile>) -> String {
    let mut tiles: Vec<Tile> = tiles.into_iter().collect();
    tiles.sort_by_key(|tile| (tile.kind(), tile.index()));
    let mut text = String::new();
    for (place, tile) in tiles.iter().enumerate() {
        let number = match tile.kind().number() {
            Some(_) if tile.is_red() => 0,
            Some(number) => number,
            None => (tile.kind().index() - Kind::EAST.index()) as u8 + 1,
        };
        let _ = write!(text, "{number}");
        if tiles.get(place + 1).is_none_or(|next| next.kind().suit() != tile.kind().suit()) {
            text.push(tile.kind().suit().map_or('z', |suit| ['m', 'p', 's'][usize::from(suit)]));
        }
    }
    text
}

/// Kinds in this notation.
#[must_use]
pub fn kinds(kinds: KindSet) -> String {
    written(kinds.iter().map(Kind::tile))
}

/// A meld in this notation.
#[must_use]
pub fn written_meld(meld: &Meld) -> String {
    let closed = if meld.kind().opens_hand() { "" } else { "c" };
    format!("{closed}{}", written(meld.tiles().iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> String {
        let tiles = tiles(text).expect("it can be read");
        tiles.iter().map(|tile| tile.name()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn numbers_are_followed_by_their_suit_and_0_is_a_red_five() {
        assert_eq!(names("19m406p 5s17z"), "1m 9m 4p 5pr 6p 5s E C");
        assert_eq!(names(""), "");
    }

    #[test]
    fn what_is_written_can_be_read_again() {
        for text in ["123m456p789s1234567z", "0555m", "50p"] {
            assert_eq!(written(tiles(text).expect("it can be read")).len(), text.len());
        }
        assert_eq!(written(tiles("7z1z9m0m5m").expect("it can be read")), "509m17z");
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_allowed() {
        let wrong = |text: &str| tiles(text).expect_err("it cannot be read").to_string();
        assert_eq!(wrong("12x"), "'x' in \"12x\" is neither a number nor one of the suits m, p, s, z");
        assert!(wrong("123m45").starts_with("the suit is missing after \"45\""));
        assert_eq!(wrong("m"), "'m' in \"m\" has no numbers before it");
        assert!(wrong("8z").contains("1z to 7z") && wrong("0z").contains("1z to 7z"));
    }

    #[test]
    fn melds_are_told_by_their_tiles() {
        let seat = Seat::new(1).expect("a seat");
        let read = |text: &str| meld(text, seat).expect("a meld");
        for (text, kind, from) in [
            ("123m", MeldKind::Chi, Some(0)),
            ("406p", MeldKind::Chi, Some(0)),
            ("505p", MeldKind::Pon, Some(2)),
            ("7777s", MeldKind::Daiminkan, Some(2)),
            ("c5055s", MeldKind::Ankan, None),
        ] {
            let meld = read(text);
            assert_eq!((meld.kind(), meld.called.map(|called| called.from.index())), (kind, from), "{text}");
        }
        assert_eq!(written_meld(&read("c5055s")), "c5550s");
        for text in ["12m", "124m", "123z", "556p", "c555p", "66667m", "5678m", ""] {
            assert!(matches!(meld(text, seat), Err(NotationError::Meld { .. })), "{text}");
        }
    }
}

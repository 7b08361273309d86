//! The short notation of cards for typing: one character for each card, `34567789TJQKA2xX`.
//!
//! `T` is the ten, `x` the small joker, `X` the big one; `j`, `q`, `k`, `a`, `t` are read like the
//! capitals, and `10` like `T`. Spaces are ignored. Suits are not written.
//!
//! ```
//! use doudizhu::RankCounts;
//!
//! let hand: RankCounts = "X2 33 10jq".parse().unwrap();
//! assert_eq!(hand.to_string(), "33TJQ2X");
//! ```

use std::fmt;
use std::str::FromStr;

use crate::card::Rank;
use crate::counts::RankCounts;

/// The characters of the ranks, lowest first.
pub const RANKS: &str = "3456789TJQKA2xX";

/// The error in a text of cards. Places are counted in characters, from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DouDizhuNotationError {
    /// A character that is not a card.
    #[error(
        "{found:?} in {text:?} (character {place}) is not a card; allowed are 3 to 9, T (or 10), J, Q, K, A, 2, x for the \
         small joker and X for the big one"
    )]
    Character {
        /// The text.
        text: String,
        /// The character.
        found: char,
        /// Its place.
        place: usize,
    },
    /// Too many cards of a rank.
    #[error("{text:?} has too many {rank} (character {place}); the deck has {} of them", rank.copies())]
    TooMany {
        /// The text.
        text: String,
        /// The rank.
        rank: Rank,
        /// Place of the first that is too many.
        place: usize,
    },
}

impl Rank {
    /// The character that represents it.
    pub fn letter(self) -> char {
        char::from(RANKS.as_bytes()[self.index()])
    }

    fn of_letter(letter: char) -> Option<Self> {
        let letter = if matches!(letter, 'x' | 'X') {
            letter
        } else {
            letter.to_ascii_uppercase()
        };
        RANKS
            .find(letter)
            .and_then(|number| Self::new(number as u8))
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for RankCounts {
    type Err = DouDizhuNotationError;

    fn from_str(text: &str) -> Result<Self, DouDizhuNotationError> {
        let mut counts = Self::EMPTY;
        let mut characters = (1..).zip(text.chars()).peekable();
        while let Some((place, character)) = characters.next() {
            if character.is_whitespace() {
                continue;
            }
            let ten = character == '1' && characters.next_if(|&(_, next)| next == '0').is_some();
            let rank = Rank::of_letter(if ten { 'T' } else { character });
            let Some(rank) = rank else {
                return Err(DouDizhuNotationError::Character {
                    text: text.to_owned(),
                    found: character,
                    place,
                });
            };
            match Self::of(rank, 1) {
                Some(one) if counts.get(rank) < rank.copies() => counts = counts.plus(one),
                _ => {
                    return Err(DouDizhuNotationError::TooMany {
                        text: text.to_owned(),
                        rank,
                        place,
                    });
                }
            }
        }
        Ok(counts)
    }
}

/// Lowest first.
impl fmt::Display for RankCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter()
            .try_for_each(|(rank, cards)| (0..cards).try_for_each(|_| write!(f, "{rank}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        text.parse::<RankCounts>().expect("cards").to_string()
    }

    fn error(text: &str) -> String {
        text.parse::<RankCounts>()
            .expect_err("it cannot be read")
            .to_string()
    }

    #[test]
    fn cards_are_written_lowest_first_whatever_their_order() {
        assert_eq!(written("Xx2AKQJT9876543"), "3456789TJQKA2xX");
        assert_eq!(written(" 10 t T10 jqka"), "TTTTJQKA");
        assert_eq!(written(""), "");
    }

    #[test]
    fn an_error_names_the_character_its_place_and_the_allowed_ones() {
        assert_eq!(
            error("33 41"),
            "'1' in \"33 41\" (character 5) is not a card; allowed are 3 to 9, T (or 10), J, Q, K, A, 2, x for the small \
             joker and X for the big one"
        );
        assert!(error("3h").starts_with("'h' in \"3h\" (character 2) is not a card"));
        assert!(error("0").starts_with("'0' in"));
    }

    #[test]
    fn no_more_cards_are_read_than_the_deck_has() {
        assert_eq!(
            error("3333 3"),
            "\"3333 3\" has too many 3 (character 6); the deck has 4 of them"
        );
        assert_eq!(
            error("XX"),
            "\"XX\" has too many X (character 2); the deck has 1 of them"
        );
    }
}

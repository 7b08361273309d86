//! Points in words; tiles in words and as the scripts read them: two characters each, a number and
//! the suit `m`, `p` or `s`; `0` for a red five; `1z` to `7z` for the honours East, South, West,
//! North, white, green, red.

use riichi::{Kind, Tile};

const SUITS: [&str; 3] = ["characters", "dots", "bamboo"];
const HONOURS: [&str; 7] = [
    "East",
    "South",
    "West",
    "North",
    "white dragon",
    "green dragon",
    "red dragon",
];

/// Honours follow the three suits of nine.
const fn honour(kind: Kind) -> usize {
    kind.index() - 27
}

/// A tile as the scripts read it.
pub(crate) fn tile_code(tile: Tile) -> String {
    let kind = tile.kind();
    match (kind.number(), kind.suit()) {
        (Some(number), Some(suit)) => {
            format!(
                "{}{}",
                if tile.is_red() { 0 } else { number },
                ["m", "p", "s"][usize::from(suit)]
            )
        }
        _ => format!("{}z", honour(kind) + 1),
    }
}

pub(crate) fn tile_codes(tiles: impl IntoIterator<Item = Tile>) -> String {
    tiles.into_iter().map(tile_code).collect()
}

fn number_word(tile: Tile) -> Option<String> {
    tile.kind().number().map(|number| {
        if tile.is_red() {
            format!("red {number}")
        } else {
            number.to_string()
        }
    })
}

/// A tile in words: `red 5 of dots`, `white dragon`.
pub(crate) fn tile_word(tile: Tile) -> String {
    tiles_word([tile])
}

/// Tiles in words; adjacent tiles of one suit are grouped: `1 2 3 of characters, East, East`.
pub(crate) fn tiles_word(tiles: impl IntoIterator<Item = Tile>) -> String {
    let mut parts: Vec<(Option<u8>, String)> = Vec::new();
    for tile in tiles {
        let (kind, number) = (tile.kind(), number_word(tile));
        match (parts.last_mut(), number) {
            (Some((suit, numbers)), Some(number)) if *suit == kind.suit() => {
                *numbers += &format!(" {number}")
            }
            (_, Some(number)) => parts.push((kind.suit(), number)),
            (_, None) => parts.push((None, HONOURS[honour(kind)].to_owned())),
        }
    }
    let part = |(suit, words): (Option<u8>, String)| match suit {
        Some(suit) => format!("{words} of {}", SUITS[usize::from(suit)]),
        None => words,
    };
    parts.into_iter().map(part).collect::<Vec<_>>().join(", ")
}

/// The tiles or cards of an action on a page.
pub trait ShownPieces {
    fn in_words(&self) -> String;

    /// As the scripts read them.
    fn codes(&self) -> String;
}

impl ShownPieces for Vec<Tile> {
    fn in_words(&self) -> String {
        tiles_word(self.iter().copied())
    }

    fn codes(&self) -> String {
        tile_codes(self.iter().copied())
    }
}

/// Points with a comma after each thousand: `-1,200`, `0.5`.
pub(crate) fn points_word(points: f64) -> String {
    let text = format!("{points}");
    let (sign, digits) = text
        .strip_prefix('-')
        .map_or(("", &*text), |digits| ("-", digits));
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let grouped = whole.char_indices().map(|(index, digit)| {
        let starts = index > 0 && (whole.len() - index).is_multiple_of(3);
        if starts {
            format!(",{digit}")
        } else {
            digit.to_string()
        }
    });
    format!("{sign}{}{rest}", grouped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_a_comma_after_each_thousand() {
        let words = [0.0, 100.0, 1_000.0, 25_000.0, -1_200.0, 1_234_567.0, -0.5].map(points_word);
        assert_eq!(
            words,
            ["0", "100", "1,000", "25,000", "-1,200", "1,234,567", "-0.5"]
        );
    }

    #[test]
    fn tiles_are_two_characters_each() {
        let codes = tile_codes(
            ["1m", "5mr", "5p", "9s", "E", "P", "C"].map(|name| name.parse().expect("a tile")),
        );
        assert_eq!(codes, "1m0m5p9s1z5z7z");
        let all: std::collections::HashSet<String> = Tile::all().map(tile_code).collect();
        assert_eq!(
            (all.len(), all.iter().all(|code| code.len() == 2)),
            (37, true)
        );
    }

    #[test]
    fn adjacent_tiles_of_a_suit_are_grouped() {
        let words = tiles_word(
            ["1m", "5mr", "E", "E", "5pr", "C"].map(|name| name.parse().expect("a tile")),
        );
        assert_eq!(
            words,
            "1 red 5 of characters, East, East, red 5 of dots, red dragon"
        );
    }
}

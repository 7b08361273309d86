//! Tiles as tests write them.

use mahjong::Tile;

/// The tiles of a text such as `123m 0p 11z`.
///
/// # Panics
///
/// When the text is something else.
#[must_use]
pub fn tiles(text: &str) -> Vec<Tile> {
    let mut tiles = Vec::new();
    let mut numbers = Vec::new();
    for character in text.chars().filter(|character| !character.is_whitespace()) {
        if let Some(number) = character.to_digit(10) {
            numbers.push(number as u8);
            continue;
        }
        let suit = "mpsz".find(character).unwrap_or_else(|| panic!("`{character}` in `{text}` is no suit")) as u8;
        assert!(!numbers.is_empty(), "no number before `{character}` in `{text}`");
        for number in numbers.drain(..) {
            let tile = match number {
                0 => Tile::red_five(suit),
                _ if suit == 3 && number > 7 => None,
                _ => Tile::new(9 * suit + number - 1),
            };
            tiles.push(tile.unwrap_or_else(|| panic!("there is no {number}{character} (in `{text}`)")));
        }
    }
    assert!(numbers.is_empty(), "no suit after the last number of `{text}`");
    tiles
}

/// The one tile of a text such as `0p`.
///
/// # Panics
///
/// When the text is something else.
#[must_use]
pub fn tile(text: &str) -> Tile {
    match tiles(text)[..] {
        [tile] => tile,
        _ => panic!("`{text}` is not one tile"),
    }
}

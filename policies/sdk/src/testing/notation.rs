//! Short constructors of tiles for tests; they panic on invalid text.

use riichi::Tile;
use riichi::notation::Tiles;

/// The tiles of a text such as `123m 0p 11z`.
///
/// # Panics
///
/// If the text is invalid.
pub fn tiles(text: &str) -> Vec<Tile> {
    text.parse::<Tiles>()
        .unwrap_or_else(|error| panic!("{error}"))
        .0
}

/// The one tile of a text such as `0p`.
///
/// # Panics
///
/// If the text is invalid.
pub fn tile(text: &str) -> Tile {
    match tiles(text)[..] {
        [tile] => tile,
        _ => panic!("`{text}` is not one tile"),
    }
}

/// Tiles as a text that [`tiles`] reads.
pub fn written(tiles: &[Tile]) -> String {
    Tiles(tiles.to_vec()).to_string()
}

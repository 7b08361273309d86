//! Names of tiles: `W` characters, `B` dots and `T` bamboo with their number, `F1` to `F4` the
//! winds from east, `J1` red, `J2` green, `J3` white, `H1` to `H8` the flowers.

use mcr::event::Flower;
use riichi::Kind;
use riichi::tile::KINDS;

/// The names, in the order of the kinds.
const NAMES: [&str; KINDS] = [
    "W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "B1", "B2", "B3", "B4", "B5", "B6", "B7",
    "B8", "B9", "T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "F1", "F2", "F3", "F4", "J3",
    "J2", "J1",
];

const FLOWERS: [&str; 8] = ["H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8"];

pub(super) const TILES_ALLOWED: &str = "a tile: W1 to W9, B1 to B9, T1 to T9, F1 to F4, J1 to J3";

pub(super) const FLOWERS_ALLOWED: &str = "a flower: H1 to H8";

/// Botzone's name of a kind.
pub const fn tile_name(kind: Kind) -> &'static str {
    NAMES[kind.index()]
}

/// The kind with this name at Botzone.
pub fn parse_tile_name(name: &str) -> Option<Kind> {
    Kind::all().find(|&kind| tile_name(kind) == name)
}

/// Botzone's name of a flower.
pub const fn flower_name(flower: Flower) -> &'static str {
    FLOWERS[flower.number() as usize - 1]
}

/// The flower with this name at Botzone.
pub fn parse_flower_name(name: &str) -> Option<Flower> {
    let place = FLOWERS.iter().position(|&known| known == name)?;
    Flower::new(place as u8 + 1)
}

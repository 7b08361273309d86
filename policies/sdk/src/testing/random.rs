//! Random hands as situations take them.

use mahjong::{Kind, Tile};

/// All tiles of a four-player game, one of each five red.
#[must_use]
pub fn all_tiles() -> Vec<Tile> {
    let copies = |kind: Kind| {
        let red = kind.suit().and_then(Tile::red_five).filter(|red| red.kind() == kind);
        [kind.tile(), kind.tile(), kind.tile(), red.unwrap_or(kind.tile())]
    };
    Kind::all().flat_map(copies).collect()
}

/// Tiles as a text that [`tiles`](super::tiles) reads.
#[must_use]
pub fn written(tiles: &[Tile]) -> String {
    let one = |tile: &Tile| match (tile.is_red(), tile.kind().number(), tile.kind().suit()) {
        (true, _, Some(suit)) => format!("0{}", ["m", "p", "s"][usize::from(suit)]),
        (false, Some(number), Some(suit)) => format!("{number}{}", ["m", "p", "s"][usize::from(suit)]),
        _ => format!("{}z", tile.kind().index() - Kind::EAST.index() + 1),
    };
    tiles.iter().map(one).collect()
}

//! Random hands for situations.

use riichi::{Kind, Tile};

/// All tiles of a four-player game, with one red five of each suit.
pub fn all_tiles() -> Vec<Tile> {
    let copies = |kind: Kind| {
        let red = kind
            .suit()
            .and_then(Tile::red_five)
            .filter(|red| red.kind() == kind);
        [
            kind.tile(),
            kind.tile(),
            kind.tile(),
            red.unwrap_or(kind.tile()),
        ]
    };
    Kind::all().flat_map(copies).collect()
}

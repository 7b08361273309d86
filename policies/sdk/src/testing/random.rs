//! Random hands as situations take them.

use riichi::{Kind, Tile};

/// All tiles of a four-player game, one of each five red.
#[must_use]
pub fn all_tiles() -> Vec<Tile> {
    let copies = |kind: Kind| {
        let red = kind.suit().and_then(Tile::red_five).filter(|red| red.kind() == kind);
        [kind.tile(), kind.tile(), kind.tile(), red.unwrap_or(kind.tile())]
    };
    Kind::all().flat_map(copies).collect()
}

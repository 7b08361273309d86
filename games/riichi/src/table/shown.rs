//! The tiles that all seats have seen, counted.

use tiles::{Counts, KindSet, Tile};

use super::Contradiction;
use crate::rules::Rules;

/// Tiles that all seats have seen.
#[derive(Debug, Clone)]
pub(crate) struct ShownTiles {
    pub(super) counts: Counts,
    pub(super) reds: [u8; 3],
}

impl ShownTiles {
    /// Nothing shown yet. Kinds that the game is not played with count as shown four times.
    pub(super) fn nothing(rules: &Rules) -> Self {
        let mut counts = Counts::EMPTY;
        for kind in (KindSet::ALL - rules.kinds()).iter() {
            counts[kind] = 4;
        }
        Self {
            counts,
            reds: [0; 3],
        }
    }

    /// Adds a tile. Five of a kind is a mistake in a description, and no reason to lose the round.
    pub(super) fn add(&mut self, tile: Tile) {
        let kind = tile.kind();
        self.counts[kind] = self.counts[kind].saturating_add(1).min(4);
        if let (true, Some(suit)) = (tile.is_red(), kind.suit()) {
            let reds = &mut self.reds[usize::from(suit)];
            *reds = reds.saturating_add(1);
        }
    }

    /// Adds tiles of hands that are not known; unchanged if there are fewer copies besides those
    /// shown and those held.
    pub(super) fn see(&mut self, tiles: &[Tile], held: &Counts) -> Result<(), Contradiction> {
        self.expect_hidden(tiles, held)?;
        tiles.iter().for_each(|&tile| self.add(tile));
        Ok(())
    }

    /// An error if there are fewer copies of the tiles besides those shown and those held.
    pub(super) fn expect_hidden(&self, tiles: &[Tile], held: &Counts) -> Result<(), Contradiction> {
        for (place, tile) in tiles.iter().enumerate() {
            let kind = tile.kind();
            let again = tiles[..place]
                .iter()
                .filter(|other| other.kind() == kind)
                .count() as u8;
            if self.counts[kind] + held[kind] + again >= 4 {
                return Err(Contradiction::FifthTile { kind });
            }
        }
        Ok(())
    }
}

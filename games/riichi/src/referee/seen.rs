//! The hands that a record shows, and the tiles that it has shown in a round.

use game_core::{PerSeat, Seat};
use tiles::{Counts, Kind, Tile};

use crate::event::StartKyoku;
use crate::game::all_tiles;
use crate::rules::Rules;
use crate::table::{Contradiction, Hands, Own, ShownTiles};

/// The hands of some seats.
#[derive(Debug, Clone)]
pub(super) struct KnownHands(pub(super) PerSeat<Option<Own>>);

impl Hands for KnownHands {
    fn deal(
        &mut self,
        rules: &Rules,
        start: &StartKyoku,
        _: &ShownTiles,
    ) -> Result<(), Contradiction> {
        let mut hands = self.0;
        for (seat, own) in hands.iter_mut() {
            *own = start.tehais[seat]
                .map(|dealt| Own::new(dealt, rules))
                .transpose()?;
        }
        self.0 = hands;
        Ok(())
    }

    fn own(&self, seat: Seat) -> Option<&Own> {
        self.0[seat].as_ref()
    }

    fn own_mut(&mut self, seat: Seat) -> Option<&mut Own> {
        self.0[seat].as_mut()
    }

    fn held(&self) -> &Counts {
        &Counts::EMPTY
    }
}

/// The copies of each tile that a record has not shown yet in a round.
#[derive(Debug, Clone)]
pub(super) struct UnseenTiles([u8; TILES]);

/// Different tiles, red fives apart.
const TILES: usize = 37;

impl UnseenTiles {
    pub(super) fn all(rules: &Rules) -> Self {
        let mut unseen = Self([0; TILES]);
        all_tiles(rules)
            .iter()
            .for_each(|&tile| unseen.0[tile.index()] += 1);
        unseen
    }

    /// Takes a tile that is shown for the first time.
    ///
    /// # Errors
    ///
    /// If all copies of it were shown before, in words.
    pub(super) fn take(&mut self, tile: Tile) -> Result<(), String> {
        let left = &mut self.0[tile.index()];
        *left = left.checked_sub(1).ok_or_else(|| used_up(tile))?;
        Ok(())
    }

    pub(super) fn take_all(&mut self, tiles: impl IntoIterator<Item = Tile>) -> Result<(), String> {
        tiles.into_iter().try_for_each(|tile| self.take(tile))
    }
}

fn used_up(tile: Tile) -> String {
    let is_five = tile.kind().number() == Some(5);
    match tile.is_red() {
        true => format!("the record shows every {tile} of the round elsewhere"),
        false if is_five => {
            format!("the record shows every {tile} of the round, the red apart, elsewhere")
        }
        false => format!("the record shows all four {tile} of the round elsewhere"),
    }
}

/// The kind in the notation of hands.
pub(super) fn written(tiles: impl IntoIterator<Item = Tile>) -> crate::notation::Tiles {
    tiles.into_iter().collect()
}

/// The kinds in the notation of hands.
pub(super) fn written_kinds(kinds: impl IntoIterator<Item = Kind>) -> crate::notation::Tiles {
    written(kinds.into_iter().map(Kind::tile))
}

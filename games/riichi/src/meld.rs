//! Melds: sets shown on the table.

use game_core::Seat;
use tiles::{Counts, Kind, KindSet, Tile};

/// The kinds of meld, by mjai's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MeldKind {
    /// A run completed with the tile the seat before threw.
    Chi,
    /// A triplet completed with a discard.
    Pon,
    /// A kan completed with a discard.
    Daiminkan,
    /// A closed kan.
    Ankan,
    /// A pon with the fourth tile added.
    Kakan,
}

impl MeldKind {
    /// Whether it is one of the three kans.
    pub const fn is_kan(self) -> bool {
        matches!(self, Self::Daiminkan | Self::Ankan | Self::Kakan)
    }

    /// Whether it opens the hand: all but the closed kan do.
    pub const fn opens_hand(self) -> bool {
        !matches!(self, Self::Ankan)
    }
}

/// A tile taken from another seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Called {
    /// The discarded tile.
    pub tile: Tile,
    /// The discarder.
    pub from: Seat,
}

/// A meld with its tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Meld {
    kind: MeldKind,
    tiles: [Tile; 4],
    /// The called tile and its discarder; `None` for a closed kan.
    pub called: Option<Called>,
    /// Number of the call in the round's order, shared with discards.
    pub order: u8,
}

impl Meld {
    /// A meld of three or four tiles, or `None` when the tiles do not make one of that kind.
    ///
    /// `tiles` are all of them, the called one included, in any order. `order` is the call's number
    /// in the round.
    pub fn new(kind: MeldKind, tiles: &[Tile], called: Option<Called>, order: u8) -> Option<Self> {
        if tiles.len() != if kind.is_kan() { 4 } else { 3 } || called.is_some() != kind.opens_hand()
        {
            return None;
        }
        let mut all = [tiles[0]; 4];
        all[..tiles.len()].copy_from_slice(tiles);
        all[..tiles.len()].sort_unstable();
        let first = all[0].kind();
        let fits = if kind == MeldKind::Chi {
            first.offset(1) == Some(all[1].kind()) && first.offset(2) == Some(all[2].kind())
        } else {
            all[..tiles.len()].iter().all(|tile| tile.kind() == first)
        };
        fits.then_some(Self {
            kind,
            tiles: all,
            called,
            order,
        })
    }

    /// The kind of meld.
    pub const fn kind(&self) -> MeldKind {
        self.kind
    }

    /// Its three or four tiles in order of kind, plain before red.
    #[inline]
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles[..if self.kind.is_kan() { 4 } else { 3 }]
    }

    /// The lowest kind in it; the only one unless it is a chi.
    pub const fn first(&self) -> Kind {
        self.tiles[0].kind()
    }

    /// This pon with the fourth tile added, or `None` when it is not a pon or the tile is another.
    pub fn with_added(&self, tile: Tile) -> Option<Self> {
        if self.kind != MeldKind::Pon {
            return None;
        }
        let all = [self.tiles[0], self.tiles[1], self.tiles[2], tile];
        Self::new(MeldKind::Kakan, &all, self.called, self.order)
    }

    /// Adds its tiles to a count of kinds.
    pub fn count_into(&self, counts: &mut Counts) {
        for tile in self.tiles() {
            counts[tile.kind()] = counts[tile.kind()].saturating_add(1);
        }
    }
}

/// The kinds that may not be discarded right after calling a run or triplet, if the rules forbid
/// kuikae: the called one, and the one that would have made a run at the other end of the two `own`
/// tiles (lower kind first).
pub(crate) fn kuikae(called: Kind, own: [Kind; 2]) -> KindSet {
    let far_end = if called.offset(1) == Some(own[0]) {
        called.offset(3)
    } else if called.offset(-1) == Some(own[1]) {
        called.offset(-3)
    } else {
        None
    };
    std::iter::once(called).chain(far_end).collect()
}

impl std::fmt::Debug for Meld {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}{:?}", self.kind, self.tiles())?;
        if let Some(called) = self.called {
            write!(f, " ({} from {})", called.tile, called.from)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles(names: &str) -> Vec<Tile> {
        names.split(' ').map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn tiles_that_make_no_set_are_refused() {
        let called = Some(Called {
            tile: tiles("3m")[0],
            from: Seat::new(0).unwrap(),
        });
        assert!(Meld::new(MeldKind::Chi, &tiles("3m 4m 5mr"), called, 0).is_some());
        for wrong in ["8m 9m 1p", "3m 4m 6m", "E S W", "3m 4m"] {
            assert!(
                Meld::new(MeldKind::Chi, &tiles(wrong), called, 0).is_none(),
                "{wrong}"
            );
        }
        assert!(Meld::new(MeldKind::Pon, &tiles("5m 5m 5mr"), called, 0).is_some());
        assert!(Meld::new(MeldKind::Pon, &tiles("5m 5m 5p"), called, 0).is_none());
        assert!(
            Meld::new(MeldKind::Ankan, &tiles("5m 5m 5m 5mr"), called, 0).is_none(),
            "an ankan has no called tile"
        );
    }

    #[test]
    fn kuikae_forbids_the_called_kind_and_the_other_end_of_the_own_two() {
        for (called, own, forbidden) in [
            ("4m", "5m 6m", "4m 7m"),
            ("7m", "5m 6m", "4m 7m"),
            ("7m", "8m 9m", "7m"),
            ("3m", "1m 2m", "3m"),
            ("4m", "3m 5m", "4m"),
            ("4m", "4m 4m", "4m"),
        ] {
            let kinds = |names| tiles(names).into_iter().map(Tile::kind);
            let own: Vec<Kind> = kinds(own).collect();
            let expected: KindSet = kinds(forbidden).collect();
            assert_eq!(
                kuikae(tiles(called)[0].kind(), [own[0], own[1]]),
                expected,
                "{called} called"
            );
        }
    }

    #[test]
    fn a_pon_grows_to_a_kakan_only_with_its_own_kind() {
        let called = Some(Called {
            tile: tiles("5m")[0],
            from: Seat::new(2).unwrap(),
        });
        let pon = Meld::new(MeldKind::Pon, &tiles("5m 5m 5m"), called, 7).unwrap();
        assert!(pon.with_added(tiles("6m")[0]).is_none());
        let kakan = pon.with_added(tiles("5mr")[0]).unwrap();
        assert_eq!(
            (kakan.kind(), kakan.tiles().len(), kakan.called),
            (MeldKind::Kakan, 4, called)
        );
        assert!(kakan.with_added(tiles("5m")[0]).is_none());
    }
}

//! Melds that a hand makes.

use arrayvec::ArrayVec;
use game_core::Seat;
use tiles::concealed::{ConcealedHand, MAX_MELDS};
use tiles::{Counts, Kind, Tile};

use riichi::meld::{Called, Meld, MeldKind};

/// A run or a triplet made by a call, as a number of ten bits: never 0, the lowest kind, whether it
/// is a run, the red fives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NewMeld(u16);

impl NewMeld {
    fn of(tiles: [Tile; 3]) -> Self {
        let kinds = tiles.map(Tile::kind);
        let first = kinds[0].min(kinds[1]).min(kinds[2]);
        let run = kinds[0] != kinds[1];
        let reds = tiles.into_iter().filter(|tile| tile.is_red()).count();
        Self(1 << 9 | (first.index() as u16) << 3 | u16::from(run) << 2 | reds as u16)
    }

    pub(super) fn first(self) -> Kind {
        Kind::new((self.0 >> 3 & 0x3f) as u8).unwrap_or(Kind::EAST)
    }

    pub(super) const fn is_run(self) -> bool {
        self.0 >> 2 & 1 == 1
    }

    fn kinds(self) -> [Kind; 3] {
        let first = self.first();
        let step = i8::from(self.is_run());
        [
            first,
            first.offset(step).unwrap_or(first),
            first.offset(2 * step).unwrap_or(first),
        ]
    }

    /// Its tiles as a meld of the table. Its discarder makes no difference to the value of a win.
    fn on_the_table(self, from: Seat) -> Option<Meld> {
        let mut reds = self.0 & 3;
        let tiles = self.kinds().map(|kind| {
            let red = kind
                .suit()
                .filter(|_| reds > 0 && kind.number() == Some(5))
                .and_then(Tile::red_five);
            reds -= u16::from(red.is_some());
            red.unwrap_or_else(|| kind.tile())
        });
        let kind = if self.is_run() {
            MeldKind::Chi
        } else {
            MeldKind::Pon
        };
        Meld::new(
            kind,
            &tiles,
            Some(Called {
                tile: tiles[0],
                from,
            }),
            0,
        )
    }
}

/// The melds that a hand has made since the present one, in order of their numbers; 0 means none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct NewMelds([u16; MAX_MELDS as usize]);

impl NewMelds {
    pub(super) fn of(melds: &[Meld]) -> Self {
        let tiles = melds
            .iter()
            .filter_map(|meld| meld.tiles().first_chunk().copied());
        tiles.fold(Self::default(), |made, tiles| made.with(NewMeld::of(tiles)))
    }

    pub(super) fn is_empty(self) -> bool {
        self.0[self.0.len() - 1] == 0
    }

    fn with(mut self, meld: NewMeld) -> Self {
        self.0[0] = meld.0;
        self.0.sort_unstable();
        self
    }

    pub(super) fn iter(self) -> impl Iterator<Item = NewMeld> {
        self.0.into_iter().filter(|&meld| meld != 0).map(NewMeld)
    }

    /// All of them in 40 bits.
    pub(super) fn bits(self) -> u64 {
        self.0
            .into_iter()
            .fold(0, |bits, meld| bits << 10 | u64::from(meld))
    }
}

/// A hand that the present one may become: its closed tiles, and the melds made on the way.
#[derive(Debug, Clone, Copy)]
pub(super) struct HandAhead {
    pub(super) closed: ConcealedHand,
    /// Red fives among the closed tiles, by suit.
    pub(super) reds: [u8; 3],
    pub(super) melds: NewMelds,
}

impl HandAhead {
    /// The tiles of the closed part and of the new melds.
    pub(super) fn tiles(&self) -> Counts {
        let mut tiles = *self.closed.counts();
        for kind in self.melds.iter().flat_map(NewMeld::kinds) {
            tiles[kind] += 1;
        }
        tiles
    }

    /// The tile that it discards of this kind: a red five is worth no less than a plain one and is
    /// discarded only if there is no other.
    pub(super) fn discarded(&self, kind: Kind) -> Tile {
        let suit = kind.suit().filter(|_| kind.number() == Some(5));
        let only_red =
            suit.filter(|&suit| self.closed.counts()[kind] == self.reds[usize::from(suit)]);
        only_red
            .and_then(Tile::red_five)
            .unwrap_or_else(|| kind.tile())
    }

    /// Whether a draw may make this full hand that is not the draw of a tile that it would discard:
    /// of a red five beside a plain one, which is discarded first.
    pub(super) fn may_be_drawn_otherwise(&self) -> bool {
        (0..3).any(|suit| {
            let red = self.reds[usize::from(suit)];
            let fives = Tile::red_five(suit).map_or(0, |red| self.closed.counts()[red.kind()]);
            red > 0 && fives > red
        })
    }

    /// The hand after a draw; it must be able to draw the tile.
    pub(super) fn with(&self, tile: Tile) -> Self {
        let closed = self.closed.with(tile.kind()).unwrap_or(self.closed);
        let reds = with_red(self.reds, tile);
        Self {
            closed,
            reds,
            ..*self
        }
    }

    /// The hand after a discard; `None` if it cannot discard the tile.
    pub(super) fn without(&self, tile: Tile) -> Option<Self> {
        let closed = self.closed.without(tile.kind())?;
        let mut reds = self.reds;
        if let (true, Some(suit)) = (tile.is_red(), tile.kind().suit()) {
            reds[usize::from(suit)] -= 1;
        }
        Some(Self {
            closed,
            reds,
            ..*self
        })
    }

    /// How many of those tiles are of this kind.
    pub(super) fn held(&self, kind: Kind) -> u8 {
        let melded = self.melds.iter().flat_map(NewMeld::kinds);
        self.closed.counts()[kind] + melded.filter(|&of| of == kind).count() as u8
    }

    /// The red fives among those tiles, by suit.
    pub(super) fn all_reds(&self) -> [u8; 3] {
        let mut reds = self.reds;
        for meld in self.melds.iter() {
            if let Some(suit) = meld.first().suit() {
                reds[usize::from(suit)] += (meld.0 & 3) as u8;
            }
        }
        reds
    }

    /// All melds of the hand: those it had and the new ones.
    pub(super) fn all_melds(
        &self,
        had: &[Meld],
        seat: Seat,
    ) -> ArrayVec<Meld, { MAX_MELDS as usize }> {
        had.iter()
            .copied()
            .chain(self.melds.iter().filter_map(|meld| meld.on_the_table(seat)))
            .collect()
    }

    /// Calls `visit` for each possible call of this tile, by pon, and by chi if `chi` allows it,
    /// with the own tiles, whether it makes a run, and the resulting full hand. It uses red fives
    /// first, which count the same in a meld and are then not discarded.
    pub(super) fn calls(
        &self,
        tile: Tile,
        chi: bool,
        mut visit: impl FnMut([Tile; 2], bool, Self),
    ) {
        let kind = tile.kind();
        let runs = [[-2, -1], [-1, 1], [1, 2]];
        let runs = runs
            .into_iter()
            .filter(|_| chi)
            .filter_map(|[low, high]| Some([kind.offset(low)?, kind.offset(high)?]));
        for own in std::iter::once([kind; 2]).chain(runs) {
            let Some(closed) = self.closed.calling(own) else {
                continue;
            };
            let mut reds = self.reds;
            let shown = own.map(|kind| {
                let suit = kind
                    .suit()
                    .filter(|&suit| kind.number() == Some(5) && reds[usize::from(suit)] > 0);
                let Some(suit) = suit else { return kind.tile() };
                reds[usize::from(suit)] -= 1;
                Tile::red_five(suit).unwrap_or_else(|| kind.tile())
            });
            let meld = NewMeld::of([tile, shown[0], shown[1]]);
            visit(
                shown,
                own[0] != own[1],
                Self {
                    closed,
                    reds,
                    melds: self.melds.with(meld),
                },
            );
        }
    }
}

/// The red fives with this tile added, if it is red.
pub(super) fn with_red(mut reds: [u8; 3], tile: Tile) -> [u8; 3] {
    if let (true, Some(suit)) = (tile.is_red(), tile.kind().suit()) {
        reds[usize::from(suit)] += 1;
    }
    reds
}

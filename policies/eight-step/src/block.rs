//! Blocks: the tiles of a suit that lie side by side, or the tiles of one honour.

use arrayvec::ArrayVec;
use riichi::shape::is_complete;
use riichi::tile::KINDS;
use riichi::waits::waits;
use riichi::{ConcealedHand, Counts, Kind, KindSet};

/// A chain of adjacent tiles, with no tile of the hand next to its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block {
    tiles: Counts,
    lowest: Kind,
    highest: Kind,
    players: u8,
}

/// The blocks of a hand, in order.
pub(crate) fn blocks(hand: &ConcealedHand) -> ArrayVec<Block, KINDS> {
    let closed = hand.counts();
    let mut blocks: ArrayVec<Block, KINDS> = ArrayVec::new();
    for kind in closed.kinds().iter() {
        match blocks
            .last_mut()
            .filter(|block| block.highest.offset(1) == Some(kind))
        {
            Some(block) => {
                block.highest = kind;
                block.tiles[kind] = closed[kind];
            }
            None => {
                let mut tiles = Counts::EMPTY;
                tiles[kind] = closed[kind];
                blocks.push(Block {
                    tiles,
                    lowest: kind,
                    highest: kind,
                    players: hand.players(),
                });
            }
        }
    }
    blocks
}

impl Block {
    /// Number of tiles.
    pub(crate) fn size(&self) -> u32 {
        self.tiles.total()
    }

    pub(crate) fn contains(&self, kind: Kind) -> bool {
        self.tiles[kind] > 0
    }

    /// Whether some kind is in it exactly twice.
    pub(crate) fn holds_a_pair(&self) -> bool {
        self.tiles.0.contains(&2)
    }

    /// Number of kinds between this one and the nearer end of the block.
    pub(crate) fn inward(&self, kind: Kind) -> usize {
        kind.index()
            .abs_diff(self.lowest.index())
            .min(kind.index().abs_diff(self.highest.index()))
    }

    /// Whether it is nothing but sets, or sets and a pair.
    pub(crate) fn is_complete(&self) -> bool {
        self.are_sets(&self.tiles) || self.are_sets_and_pair(&self.tiles)
    }

    /// Whether it is nothing but sets without a tile of this kind.
    pub(crate) fn is_sets_without(&self, kind: Kind) -> bool {
        self.are_sets(&self.without(kind))
    }

    /// Whether it is sets and a pair without a tile of this kind.
    pub(crate) fn is_sets_and_pair_without(&self, kind: Kind) -> bool {
        self.are_sets_and_pair(&self.without(kind))
    }

    /// The kinds with which the block, without a tile of this kind, becomes sets, or sets and a
    /// pair.
    pub(crate) fn waits_without(&self, kind: Kind) -> KindSet {
        let rest = self.without(kind);
        match rest.total() % 3 {
            1 => self.waits_of(&rest),
            2 => {
                let (rest, pair) = with_pair_elsewhere(&rest);
                self.waits_of(&rest) - pair
            }
            _ => KindSet::EMPTY,
        }
    }

    fn without(&self, kind: Kind) -> Counts {
        let mut rest = self.tiles;
        rest[kind] -= 1;
        rest
    }

    fn are_sets(&self, tiles: &Counts) -> bool {
        let (tiles, _) = with_pair_elsewhere(tiles);
        self.are_sets_and_pair(&tiles)
    }

    fn are_sets_and_pair(&self, tiles: &Counts) -> bool {
        self.beside_melds(tiles)
            .is_some_and(|hand| is_complete(&hand))
    }

    fn waits_of(&self, tiles: &Counts) -> KindSet {
        self.beside_melds(tiles)
            .map_or(KindSet::EMPTY, |hand| waits(&hand))
    }

    /// The tiles with the number of melds that completes a hand of 13 or 14, if there is one.
    fn beside_melds(&self, tiles: &Counts) -> Option<ConcealedHand> {
        let melds = 14_u32.checked_sub(tiles.total())? / 3;
        ConcealedHand::new(*tiles, melds as usize, self.players).ok()
    }
}

/// The tiles and a pair that none of them goes with, which counts like one of the rest of the hand.
fn with_pair_elsewhere(tiles: &Counts) -> (Counts, KindSet) {
    let pair = if tiles[Kind::EAST] == 0 {
        Kind::EAST
    } else {
        Kind::WHITE
    };
    let mut hand = *tiles;
    hand[pair] = 2;
    (hand, KindSet::from_iter([pair]))
}

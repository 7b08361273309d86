//! The public state of one player in a round.

use arrayvec::ArrayVec;
use game_core::Seat;
use tiles::{KindSet, Tile};

use crate::meld::Meld;

/// Maximum number of discards kept for a player in a round; more than in any real round.
pub const MAX_RIVER: usize = 32;

/// One tile in a river.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Discard {
    /// The tile.
    pub tile: Tile,
    /// Whether it was the tile just drawn.
    pub tsumogiri: bool,
    /// Whether riichi was declared with it.
    pub riichi: bool,
    /// The seat that called it, if any. It stays in the river, since it counts for furiten.
    pub called_by: Option<Seat>,
    /// Its number in the round's order of discards and calls, from 0.
    pub order: u8,
}

/// A declared riichi, from its discard on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Riichi {
    /// Whether the discard passed and the stick is paid.
    pub accepted: bool,
    /// Whether it was declared with the first discard, before any call (double riichi).
    pub double: bool,
    /// Whether a win now would be within one turn of it, before any call (ippatsu).
    pub ippatsu: bool,
    /// Number of its discard in the round's order.
    pub order: u8,
}

/// The public state of one player in a round.
#[derive(Debug, Clone, Default)]
pub struct PlayerState {
    /// Sets shown, in the order they were.
    pub melds: ArrayVec<Meld, 4>,
    /// Discards, first to last, called ones included.
    pub river: ArrayVec<Discard, MAX_RIVER>,
    /// Set from the riichi discard on.
    pub riichi: Option<Riichi>,
    /// Norths set aside (three players).
    pub kita: u8,
    /// Kinds in the river.
    pub discarded: KindSet,
    /// Kinds that others threw and no player won on since this player's last discard.
    pub passed_since_discard: KindSet,
    /// The same since this player's riichi discard; empty without riichi.
    pub passed_since_riichi: KindSet,
}

impl PlayerState {
    /// Whether no meld opens the hand.
    pub fn is_closed(&self) -> bool {
        self.melds.iter().all(|meld| !meld.kind().opens_hand())
    }

    /// Number of kans shown.
    pub fn kans(&self) -> usize {
        self.melds
            .iter()
            .filter(|meld| meld.kind().is_kan())
            .count()
    }

    /// The tile riichi was declared with, if it was.
    pub fn riichi_tile(&self) -> Option<Tile> {
        self.river
            .iter()
            .find(|discard| discard.riichi)
            .map(|discard| discard.tile)
    }

    /// Kinds that cannot be won from others now, furiten forbidding it: what this player threw, let
    /// pass since its last discard, or let pass in riichi.
    pub fn cannot_ron(&self) -> KindSet {
        self.discarded | self.passed_since_discard | self.passed_since_riichi
    }
}

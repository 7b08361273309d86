//! Keys for finding hands again.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use tiles::{Kind, Tile};

use super::melds::HandAhead;

/// A hand as a number: the tiles of its closed part and its new melds, three bits for each kind and
/// three for the red fives of a suit, manzu and pinzu in the first part and the others in the
/// second; then the new melds, and the kinds that may not be discarded after a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key([u64; 3]);

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [first, second, melds] = self.0;
        let mixed =
            first.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ second.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        state.write_u64(mixed ^ melds.wrapping_mul(0x1656_67b1_9e37_79f9));
    }
}

/// Kinds in the first part.
const FIRST_KINDS: usize = 18;

impl Key {
    pub(super) fn new(hand: &HandAhead) -> Self {
        let mut key = Self([0, 0, hand.melds.bits()]);
        let tiles = hand.tiles();
        for kind in tiles.kinds().iter() {
            let (part, bit) = Self::place(kind);
            key.0[part] += u64::from(tiles[kind]) << bit;
        }
        for (suit, reds) in hand.all_reds().into_iter().enumerate() {
            let (part, bit) = Self::red_place(suit);
            key.0[part] += u64::from(reds) << bit;
        }
        key
    }

    fn place(kind: Kind) -> (usize, usize) {
        let index = kind.index();
        if index < FIRST_KINDS {
            (0, 3 * index)
        } else {
            (1, 3 * (index - FIRST_KINDS))
        }
    }

    fn red_place(suit: usize) -> (usize, usize) {
        if suit < 2 {
            (0, 3 * (FIRST_KINDS + suit))
        } else {
            (1, 3 * FIRST_KINDS)
        }
    }

    fn of(tile: Tile) -> (usize, u64) {
        let (part, bit) = Self::place(tile.kind());
        let red = tile.kind().suit().filter(|_| tile.is_red());
        let red = red.map_or(0, |suit| 1 << Self::red_place(usize::from(suit)).1);
        (part, red + (1 << bit))
    }

    pub(super) fn with(mut self, tile: Tile) -> Self {
        let (part, bits) = Self::of(tile);
        self.0[part] += bits;
        self
    }

    pub(super) fn without(mut self, tile: Tile) -> Self {
        let (part, bits) = Self::of(tile);
        self.0[part] -= bits;
        self
    }

    /// The full hand that such a call makes of a waiting one: other calls allow other discards.
    pub(super) fn called(self, tile: Tile, made: &HandAhead, own: [Tile; 2]) -> Self {
        let [first, second, _] = self.with(tile).0;
        let [called, low] = [tile, own[0]].map(|tile| tile.kind().index() as u64 + 1);
        Self([first, second, made.melds.bits() | called << 40 | low << 46])
    }

    /// The hand without the restriction on its discard, which ends with the discard.
    pub(super) fn waiting(mut self) -> Self {
        self.0[2] &= (1 << 40) - 1;
        self
    }
}

/// The keys are not controlled from outside, so a fast hash is enough.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, mixed: u64) {
        let mixed = (self.0 ^ mixed ^ mixed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 29;
    }
}

/// A map from hands to values.
pub(super) type ByKey<T> = HashMap<Key, T, BuildHasherDefault<KeyHasher>>;

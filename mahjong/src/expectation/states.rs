//! The hands that a hand may come to, and how they lead to each other.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::acceptance::shanten_and_acceptance;
use crate::concealed::ConcealedHand;
use crate::hand::Hand;
use crate::kinds::Counts;
use crate::shanten::shanten;
use crate::tile::Tile;

use super::surroundings::{Surroundings, with_red};
use super::tenpai::Tenpai;

/// The tiles of a hand as a number, by which hands are found: three bits for each kind, two for the red fives of a suit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key(u128);

impl Key {
    fn new(counts: &Counts, reds: [u8; 3]) -> Self {
        let mut key = 0;
        for red in reds.into_iter().rev() {
            key = key << 2 | u128::from(red);
        }
        for &count in counts.0.iter().rev() {
            key = key << 3 | u128::from(count);
        }
        Self(key)
    }

    fn of(tile: Tile) -> u128 {
        let kind = tile.kind();
        let red = match kind.suit() {
            Some(suit) if tile.is_red() => 1 << (3 * 34 + 2 * u32::from(suit)),
            _ => 0,
        };
        red + (1 << (3 * kind.index()))
    }

    fn with(self, tile: Tile) -> Self {
        Self(self.0 + Self::of(tile))
    }

    fn without(self, tile: Tile) -> Self {
        Self(self.0 - Self::of(tile))
    }
}

/// Keys are of our own making, so that a quick hash will do.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u128(u128::from(byte));
        }
    }

    fn write_u128(&mut self, key: u128) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = (key as u64).wrapping_mul(ODD) ^ ((key >> 64) as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        self.0 = (mixed ^ mixed >> 32).wrapping_mul(ODD);
        self.0 ^= self.0 >> 29;
    }
}

type ByKey<T> = HashMap<Key, T, BuildHasherDefault<KeyHasher>>;

/// A hand before its draw.
struct Waiting {
    hand: ConcealedHand,
    reds: [u8; 3],
    key: Key,
    /// In how many tiles it differs from the present hand.
    changed: i8,
    /// What it is worth, when it is tenpai.
    tenpai: Option<u32>,
    /// Where its draws end; they begin where those of the hand before it end.
    draws_end: u32,
}

/// A draw that a waiting hand may keep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draw {
    /// The full hand it makes.
    pub(super) full: u32,
    /// How many such tiles there are.
    pub(super) tiles: u8,
    pub(super) tile: Tile,
}

/// A tile that a full hand may throw.
#[derive(Debug, Clone, Copy)]
pub(super) struct Discarding {
    /// The waiting hand it leaves.
    pub(super) left: u32,
    pub(super) tile: Tile,
}

/// Hands and the ways between them. The first full hand is the present one.
pub(super) struct States {
    waiting: Vec<Waiting>,
    by_key: ByKey<u32>,
    tenpai: Vec<Tenpai>,
    draws: Vec<Draw>,
    throws: Vec<Discarding>,
    /// Where the throws of each full hand end.
    throws_end: Vec<u32>,
}

/// A full hand on the way.
struct HandToThrow {
    hand: ConcealedHand,
    reds: [u8; 3],
    key: Key,
    changed: i8,
}

impl States {
    /// All hands that can be reached.
    pub(super) fn reached(around: &Surroundings<'_>, root: ConcealedHand, reds: [u8; 3]) -> Self {
        let mut states = Self {
            waiting: Vec::new(),
            by_key: ByKey::default(),
            tenpai: Vec::new(),
            draws: Vec::new(),
            throws: Vec::new(),
            throws_end: Vec::new(),
        };
        let mut full_by_key = ByKey::default();
        let key = Key::new(root.counts(), reds);
        states.throw_each(around, &HandToThrow { hand: root, reds, key, changed: 0 }, None);
        full_by_key.insert(key, Some(0));
        let mut next = 0;
        while next < states.waiting.len() {
            states.draw_each(around, next, &mut full_by_key);
            next += 1;
        }
        states
    }

    /// Adds the full hand with its throws, unless it could only throw what it drew, and says which one it is.
    fn throw_each(&mut self, around: &Surroundings<'_>, full: &HandToThrow, drawn: Option<Tile>) -> Option<u32> {
        let before = self.throws.len();
        full.hand.each_discard(|kind, rest| {
            let changed = full.changed - i8::from(around.gained(full.hand.counts(), kind) > 0);
            // A red five is worth no less than a plain one and is thrown only where there is no other.
            let red_fives = Tile::red_five(kind.suit().unwrap_or(3)).filter(|_| kind.number() == Some(5));
            let reds_held = kind.suit().filter(|_| red_fives.is_some()).map_or(0, |suit| full.reds[usize::from(suit)]);
            let only_red = red_fives.filter(|_| full.hand.counts()[kind] == reds_held);
            let tile = only_red.unwrap_or_else(|| kind.tile());
            let key = full.key.without(tile);
            let left = match self.by_key.get(&key) {
                Some(&left) => left,
                None => {
                    if shanten(rest) + changed > around.reach {
                        return;
                    }
                    let mut reds = full.reds;
                    if let (Some(_), Some(suit)) = (only_red, kind.suit()) {
                        reds[usize::from(suit)] -= 1;
                    }
                    let left = self.waiting.len() as u32;
                    self.by_key.insert(key, left);
                    self.waiting.push(Waiting { hand: *rest, reds, key, changed, tenpai: None, draws_end: 0 });
                    left
                }
            };
            self.throws.push(Discarding { left, tile });
        });
        if let ([only], Some(drawn)) = (&self.throws[before..], drawn)
            && only.tile == drawn
        {
            self.throws.pop();
        }
        if self.throws.len() == before {
            return None;
        }
        self.throws_end.push(self.throws.len() as u32);
        Some(self.throws_end.len() as u32 - 1)
    }

    fn draw_each(&mut self, around: &Surroundings<'_>, state: usize, full_by_key: &mut ByKey<Option<u32>>) {
        let Waiting { hand, reds, key, changed, .. } = self.waiting[state];
        let (shanten, accepted) = shanten_and_acceptance(&hand);
        let mut tenpai = Tenpai::default();
        if shanten == 0 {
            tenpai = Tenpai::of(around, &hand, reds, accepted);
            self.waiting[state].tenpai = Some(self.tenpai.len() as u32);
            self.tenpai.push(tenpai);
        }
        for kind in hand.kinds_in_play().iter() {
            let gained = hand.counts()[kind] >= around.held_now(kind);
            let now_changed = changed + i8::from(gained);
            let now_shanten = shanten - i8::from(accepted.contains(kind));
            if now_shanten.max(0) + now_changed > around.reach || tenpai.by_tsumo.contains(kind) {
                continue;
            }
            let Some(full) = hand.with(kind) else { continue };
            for (tile, tiles) in around.unseen_of(hand.counts(), reds, kind) {
                let key = key.with(tile);
                let made = match full_by_key.get(&key) {
                    Some(&made) => made,
                    None => {
                        let full = HandToThrow { hand: full, reds: with_red(reds, tile), key, changed: now_changed };
                        let made = self.throw_each(around, &full, Some(tile));
                        full_by_key.insert(key, made);
                        made
                    }
                };
                if let Some(full) = made {
                    self.draws.push(Draw { full, tiles, tile });
                }
            }
        }
        self.waiting[state].draws_end = self.draws.len() as u32;
    }

    /// How many hands there are before a draw.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// How many full hands there are.
    pub(super) fn full_hands(&self) -> usize {
        self.throws_end.len()
    }

    /// What the present hand may throw, with the hand that is left.
    pub(super) fn discards_of_root(&self) -> impl Iterator<Item = (Tile, usize)> {
        self.throws(0).iter().map(|throw| (throw.tile, throw.left as usize))
    }

    pub(super) fn throws(&self, full: usize) -> &[Discarding] {
        let begin = full.checked_sub(1).map_or(0, |before| self.throws_end[before]);
        &self.throws[begin as usize..self.throws_end[full] as usize]
    }

    /// What is drawn and kept.
    pub(super) fn draws(&self, state: usize) -> &[Draw] {
        let begin = state.checked_sub(1).map_or(0, |before| self.waiting[before].draws_end);
        &self.draws[begin as usize..self.waiting[state].draws_end as usize]
    }

    pub(super) fn hand(&self, state: usize) -> &ConcealedHand {
        &self.waiting[state].hand
    }

    pub(super) fn tenpai(&self, state: usize) -> Option<&Tenpai> {
        self.waiting[state].tenpai.map(|place| &self.tenpai[place as usize])
    }

    pub(super) fn tile_thrown(&self, full: usize, choice: usize) -> Tile {
        self.throws(full)[choice].tile
    }

    pub(super) fn waiting(&self, hand: &Hand) -> Option<usize> {
        self.by_key.get(&Key::new(hand.counts(), hand.reds())).map(|&state| state as usize)
    }

    pub(super) fn wins_by_tsumo(&self, state: usize, drawn: Tile) -> bool {
        self.tenpai(state).is_some_and(|tenpai| tenpai.by_tsumo.contains(drawn.kind()))
    }

    /// The full hand that a draw makes, if it may be kept.
    pub(super) fn kept(&self, state: usize, drawn: Tile) -> Option<usize> {
        self.draws(state).iter().find(|draw| draw.tile == drawn).map(|draw| draw.full as usize)
    }
}

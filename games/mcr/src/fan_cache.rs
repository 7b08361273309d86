//! Totals of fan that were counted before. Consecutive decisions of a seat look for nearly the same
//! targets, and most of the time of a search went into counting them again.

use std::cell::RefCell;

use tiles::{Counts, KINDS, Kind};

use crate::count::{WinToCount, count_fan};
use crate::fan::Counting;
use crate::hand::{DeclaredSet, HandTiles, MAX_SETS};

/// The concealed tiles of a complete hand, three bits for each kind.
pub(crate) type TilesKey = u128;

/// Room for so many totals; a later one takes the place of an earlier one. 768 KiB for each thread
/// that asks.
const SLOTS: usize = 1 << 14;
/// Bits of a [`TilesKey`].
const TILES_BITS: usize = 3 * KINDS;

thread_local! {
    static TOTALS: RefCell<Vec<CacheSlot>> = RefCell::new(vec![CacheSlot::EMPTY; SLOTS]);
}

#[derive(Clone, Copy)]
struct CacheSlot {
    /// The tiles, and above them the winning tile and the circumstances.
    win: u128,
    sets: u32,
    total: Option<u16>,
}

impl CacheSlot {
    /// No win has this key, because its lowest bits stand for seven tiles of a kind.
    const EMPTY: Self = Self {
        win: u128::MAX,
        sets: 0,
        total: None,
    };
}

pub(crate) fn key_of(tiles: &Counts) -> TilesKey {
    tiles
        .0
        .iter()
        .fold(0, |key, &count| key << 3 | u128::from(count))
}

/// The declared sets of a hand, eight bits for each.
pub(crate) fn key_of_sets(sets: &[DeclaredSet]) -> u32 {
    const {
        assert!(
            MAX_SETS * 8 <= u32::BITS as usize && 4 * KINDS < 1 << 8,
            "they fit"
        )
    };
    let of = |set: &DeclaredSet| {
        let form = match set {
            DeclaredSet::Chow(_) => 0,
            DeclaredSet::Pung(_) => 1,
            DeclaredSet::MeldedKong(_) => 2,
            DeclaredSet::ConcealedKong(_) => 3,
        };
        1 + form * KINDS as u32 + set.kind().index() as u32
    };
    sets.iter().fold(0, |key, set| key << 8 | of(set))
}

/// The total fan of a complete hand with these concealed tiles, won with one of them in these
/// circumstances, without flowers, a fourth tile, a kong or the end of the wall. `None` if it is no
/// win. The keys are those of the tiles and of the sets.
pub(crate) fn total_fan(
    tiles: &Counts,
    sets: &[DeclaredSet],
    (tiles_key, sets_key): (TilesKey, u32),
    tile: Kind,
    circumstances: Circumstances,
) -> Option<u16> {
    let win = tiles_key | circumstances.key(tile) << TILES_BITS;
    TOTALS.with_borrow_mut(|slots| {
        let slot = &mut slots[place_of(win, sets_key)];
        if slot.win != win || slot.sets != sets_key {
            *slot = CacheSlot {
                win,
                sets: sets_key,
                total: circumstances.count(tiles, sets, tile),
            };
        }
        slot.total
    })
}

fn place_of(win: u128, sets: u32) -> usize {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed =
        (win as u64 ^ u64::from(sets).rotate_left(32)).wrapping_mul(FACTOR) ^ (win >> 64) as u64;
    (mixed.wrapping_mul(FACTOR) >> (u64::BITS - SLOTS.trailing_zeros())) as usize
}

/// Everything besides the tiles that a total depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Circumstances {
    pub(crate) self_drawn: bool,
    pub(crate) seat_wind: tiles::Wind,
    pub(crate) prevalent_wind: tiles::Wind,
    pub(crate) counting: Counting,
}

impl Circumstances {
    fn key(self, tile: Kind) -> u128 {
        let winds = (self.seat_wind as u128) << 2 | self.prevalent_wind as u128;
        let flags = u128::from(self.self_drawn) << 1 | u128::from(self.counting == Counting::Book);
        (winds << 2 | flags) << 6 | tile.index() as u128
    }

    fn count(self, tiles: &Counts, sets: &[DeclaredSet], tile: Kind) -> Option<u16> {
        let mut concealed = *tiles;
        concealed[tile] -= 1;
        let hand = HandTiles::new(concealed, sets).ok()?;
        let win = WinToCount {
            self_drawn: self.self_drawn,
            seat_wind: self.seat_wind,
            prevalent_wind: self.prevalent_wind,
            ..WinToCount::new(&hand, tile)
        };
        Some(count_fan(&win, self.counting)?.total())
    }
}

#[cfg(test)]
mod tests {
    use tiles::Wind;

    use super::*;
    use crate::game::McrWalls;
    use crate::seat::McrRules;
    use crate::targets::{TargetSituation, targets};

    /// Circumstances that differ in one thing each.
    fn circumstances() -> [Circumstances; 5] {
        let usual = Circumstances {
            self_drawn: false,
            seat_wind: Wind::East,
            prevalent_wind: Wind::East,
            counting: Counting::Judge,
        };
        [
            usual,
            Circumstances {
                self_drawn: true,
                ..usual
            },
            Circumstances {
                seat_wind: Wind::South,
                ..usual
            },
            Circumstances {
                prevalent_wind: Wind::South,
                ..usual
            },
            Circumstances {
                counting: Counting::Book,
                ..usual
            },
        ]
    }

    #[test]
    fn a_remembered_total_is_the_one_that_is_counted() {
        let mut asked = 0;
        for wall in 0..40 {
            let walls = McrWalls::shuffled(wall, McrRules::default());
            let seat = game_core::Seat::new(0).expect("a seat");
            let kinds = walls.of(seat).iter().rev().filter_map(|tile| match tile {
                crate::game::WallTile::Tile(kind) => Some(*kind),
                crate::game::WallTile::Flower(_) => None,
            });
            let hand = HandTiles::new(kinds.take(13).collect(), &[]).expect("13 tiles");
            let situation = TargetSituation {
                seat_wind: Wind::East,
                prevalent_wind: Wind::East,
                counting: Counting::Judge,
                unseen: Counts([4; KINDS]),
            };
            for target in targets(&hand, &situation, 0) {
                let key = (key_of(&target.needed), key_of_sets(&[]));
                for tile in target.needed.kinds().iter() {
                    for circumstances in circumstances() {
                        let counted = circumstances.count(&target.needed, &[], tile);
                        // Counted once, and then remembered.
                        for _ in 0..2 {
                            let total = total_fan(&target.needed, &[], key, tile, circumstances);
                            assert_eq!(total, counted, "{:?} {tile}", target.needed);
                            asked += 1;
                        }
                    }
                }
            }
        }
        assert!(asked > SLOTS, "slots are used again: {asked}");
    }

    #[test]
    fn declared_sets_have_keys_of_their_own() {
        let kinds = [Kind::EAST, Kind::WHITE];
        let mut keys: Vec<u32> = kinds
            .iter()
            .flat_map(|&kind| {
                [
                    DeclaredSet::Pung(kind),
                    DeclaredSet::MeldedKong(kind),
                    DeclaredSet::ConcealedKong(kind),
                ]
            })
            .flat_map(|set| [key_of_sets(&[set]), key_of_sets(&[set, set])])
            .chain([key_of_sets(&[])])
            .collect();
        let number = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), number);
    }
}

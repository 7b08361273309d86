//! Random hands, the same for the same seed.

use riichi::{Counts, Kind};

/// SplitMix64 (Steele, Lea, Flood 2014).
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A kind of those whose index is in the range.
    pub(crate) fn kind(&mut self, from: usize, to: usize) -> Kind {
        Kind::new((from + self.below(to - from)) as u8).expect("a range of kinds")
    }

    /// So many tiles of a wall that has four of each kind in the range of indices.
    pub(crate) fn deal(&mut self, tiles: usize, (from, to): (usize, usize)) -> Counts {
        let mut counts = Counts::EMPTY;
        let mut dealt = 0;
        while dealt < tiles {
            // A kind drawn in proportion to its unseen tiles.
            let kind = self.kind(from, to);
            if self.below(4) >= usize::from(counts[kind]) {
                counts[kind] += 1;
                dealt += 1;
            }
        }
        counts
    }

    /// The same of a wall for three players, who have no 2m to 8m.
    pub(crate) fn deal_three(&mut self, tiles: usize) -> Counts {
        let mut counts = self.deal(tiles, (7, 34));
        // 8m represents 1m, so that every kind is as likely.
        counts.0.swap(0, 7);
        counts
    }

    /// So many sets and a pair of kinds in the range.
    pub(crate) fn complete(&mut self, sets: usize, (from, to): (usize, usize)) -> Counts {
        loop {
            let mut counts = Counts::EMPTY;
            counts[self.kind(from, to)] += 2;
            for _ in 0..sets {
                let kind = self.kind(from, to);
                match (kind.offset(1), kind.offset(2)) {
                    (Some(second), Some(third)) if self.below(3) > 0 => {
                        [kind, second, third]
                            .into_iter()
                            .for_each(|kind| counts[kind] += 1);
                    }
                    _ => counts[kind] += 3,
                }
            }
            if counts.0.iter().all(|&count| count <= 4) {
                return counts;
            }
        }
    }

    /// Exchanges this many tiles for others of the range.
    pub(crate) fn exchange(
        &mut self,
        counts: &mut Counts,
        tiles: usize,
        (from, to): (usize, usize),
    ) {
        for _ in 0..tiles {
            self.take(counts);
            loop {
                let kind = self.kind(from, to);
                if counts[kind] < 4 {
                    counts[kind] += 1;
                    break;
                }
            }
        }
    }

    /// Takes out a tile and returns its kind.
    pub(crate) fn take(&mut self, counts: &mut Counts) -> Kind {
        let held: Vec<Kind> = counts
            .kinds()
            .iter()
            .flat_map(|kind| std::iter::repeat_n(kind, usize::from(counts[kind])))
            .collect();
        let kind = held[self.below(held.len())];
        counts[kind] -= 1;
        kind
    }
}

//! The tiles that hidden hands are drawn from.

use ::tiles::Counts;
use ::tiles::KINDS;
use game_core::rng::Rng;

/// First kinds of the 21 runs.
pub(super) fn run_starts() -> impl Iterator<Item = usize> {
    (0..3).flat_map(|suit| (0..7).map(move |number| suit * 9 + number))
}

/// The rest of the unseen tiles, and how much likelier than by their number one hand holds each
/// kind.
#[derive(Debug, Clone)]
pub(super) struct TilePool<'a> {
    left: Counts,
    keeps: &'a [f32; KINDS],
    /// Copies left, times their weight for being kept.
    mass: [f32; KINDS],
}

impl<'a> TilePool<'a> {
    pub(super) fn new(left: Counts, keeps: &'a [f32; KINDS]) -> Self {
        let mass = std::array::from_fn(|kind| f32::from(left.0[kind]) * keeps[kind]);
        Self { left, keeps, mass }
    }

    /// Takes these tiles, unless one is not there.
    pub(super) fn take(&mut self, tiles: &[usize], hand: &mut Counts) -> Option<()> {
        for (taken, &kind) in tiles.iter().enumerate() {
            if self.left.0[kind] == 0 {
                for &kind in &tiles[..taken] {
                    self.add(kind, 1);
                    hand.0[kind] -= 1;
                }
                return None;
            }
            self.left.0[kind] -= 1;
            hand.0[kind] += 1;
            self.mass[kind] = f32::from(self.left.0[kind]) * self.keeps[kind];
        }
        Some(())
    }

    fn add(&mut self, kind: usize, copies: u8) {
        self.left.0[kind] += copies;
        self.mass[kind] = f32::from(self.left.0[kind]) * self.keeps[kind];
    }

    /// A run or a triplet, each by the ways in which its tiles can be chosen.
    pub(super) fn take_set(&mut self, hand: &mut Counts, rng: &mut Rng) -> Option<()> {
        let mut weights = [0.0_f32; 21 + KINDS];
        for (weight, first) in weights.iter_mut().zip(run_starts()) {
            *weight = self.mass[first] * self.mass[first + 1] * self.mass[first + 2];
        }
        for (kind, weight) in weights[21..].iter_mut().enumerate() {
            *weight = self.ways(kind, 3);
        }
        let chosen = choose(&weights, rng)?;
        if chosen < 21 {
            let first = chosen / 7 * 9 + chosen % 7;
            self.take(&[first, first + 1, first + 2], hand)
        } else {
            self.take(&[chosen - 21; 3], hand)
        }
    }

    /// Two equal tiles.
    pub(super) fn take_pair(&mut self, hand: &mut Counts, rng: &mut Rng) -> Option<()> {
        let weights: [f32; KINDS] = std::array::from_fn(|kind| self.ways(kind, 2));
        self.take(&[choose(&weights, rng)?; 2], hand)
    }

    /// Two equal tiles of a kind that the hand has none of.
    pub(super) fn take_new_pair(&mut self, hand: &mut Counts, rng: &mut Rng) -> Option<()> {
        let weights: [f32; KINDS] = std::array::from_fn(|kind| {
            if hand.0[kind] == 0 {
                self.ways(kind, 2)
            } else {
                0.0
            }
        });
        self.take(&[choose(&weights, rng)?; 2], hand)
    }

    /// Two tiles that lack one to a run.
    pub(super) fn take_part_of_run(&mut self, hand: &mut Counts, rng: &mut Rng) -> Option<()> {
        /// The factor by which a two-sided pair is kept more often than a one-sided one with the
        /// same number of tiles.
        const TWO_SIDED: f32 = 2.5;
        let mut weights = [0.0_f32; 2 * KINDS];
        for suit in 0..3 {
            for number in 0..8 {
                let low = suit * 9 + number;
                let sides = if matches!(number, 0 | 7) {
                    0.7
                } else {
                    TWO_SIDED
                };
                weights[low] = self.mass[low] * self.mass[low + 1] * sides;
                if number < 7 {
                    weights[KINDS + low] = self.mass[low] * self.mass[low + 2];
                }
            }
        }
        let chosen = choose(&weights, rng)?;
        let (low, step) = if chosen < KINDS {
            (chosen, 1)
        } else {
            (chosen - KINDS, 2)
        };
        self.take(&[low, low + step], hand)
    }

    /// Any tile.
    pub(super) fn take_any(&mut self, hand: &mut Counts, rng: &mut Rng) -> Option<()> {
        self.take(&[choose(&self.mass, rng)?], hand)
    }

    /// The weighted number of ways to choose this many copies of a kind.
    fn ways(&self, kind: usize, copies: i32) -> f32 {
        let left = f32::from(self.left.0[kind]);
        let ways = if copies == 2 {
            left * (left - 1.0) / 2.0
        } else {
            left * (left - 1.0) * (left - 2.0) / 6.0
        };
        ways * self.keeps[kind].powi(copies)
    }
}

/// An index, drawn by the weights; `None` if they are all 0.
pub(super) fn choose(weights: &[f32], rng: &mut Rng) -> Option<usize> {
    let total: f32 = weights.iter().sum();
    let mut rest = rng.unit() as f32 * total;
    let mut last = None;
    for (place, &weight) in weights.iter().enumerate() {
        if weight > 0.0 {
            last = Some(place);
            if rest < weight {
                return last;
            }
            rest -= weight;
        }
    }
    last
}

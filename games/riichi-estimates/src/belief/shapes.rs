//! The shapes that a tenpai hand waits with.

use ::tiles::{Counts, KindSet};
use ::tiles::{KINDS, Kind};
use arrayvec::ArrayVec;
use game_core::rng::Rng;

use super::tiles::run_starts;

/// The weight of each kind of shape as a wait, in addition to the number of ways to choose its
/// tiles.
const TWO_SIDED: f32 = 1.0;
const CLOSED: f32 = 0.17;
const EDGE: f32 = 0.2;
const TWO_PAIRS: f32 = 0.02;
const SINGLE: f32 = 0.15;
/// Rounds of bringing the shapes into agreement with the chances by kind.
const ROUNDS: usize = 16;

/// The tiles that a hand waits with, and the kinds that complete it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WaitShape {
    tiles: [u8; 4],
    len: u8,
    /// Both equal if one kind completes it.
    waits: [u8; 2],
}

impl WaitShape {
    fn new(tiles: &[usize], waits: [usize; 2]) -> Self {
        let mut shape = Self {
            tiles: [0; 4],
            len: tiles.len() as u8,
            waits: waits.map(|kind| kind as u8),
        };
        for (place, &tile) in shape.tiles.iter_mut().zip(tiles) {
            *place = tile as u8;
        }
        shape
    }

    /// Its tiles, as indices of kinds.
    pub(super) fn tiles(&self) -> ArrayVec<usize, 4> {
        self.tiles[..usize::from(self.len)]
            .iter()
            .map(|&tile| usize::from(tile))
            .collect()
    }

    /// The kinds that complete it.
    pub(super) fn waits(&self) -> KindSet {
        self.waits.into_iter().filter_map(Kind::new).collect()
    }

    /// Whether it waits for the second tile of a pair.
    pub(super) const fn is_single(&self) -> bool {
        self.len == 1
    }

    /// Whether the pair is part of it.
    pub(super) const fn is_two_pairs(&self) -> bool {
        self.len == 4
    }
}

/// Shapes with their chances.
#[derive(Debug, Clone, Default)]
pub(super) struct WaitShapes {
    shapes: Vec<WaitShape>,
    /// The chances of all shapes up to and with each.
    sums: Vec<f32>,
}

impl WaitShapes {
    /// The shapes that can be made of unseen tiles and wait for no kind that is ruled out, weighted
    /// by the number of ways to choose their tiles. If no set is missing (`sets`), only a single
    /// tile can wait.
    pub(super) fn new(
        unseen: &Counts,
        keeps: &[f32; KINDS],
        ruled_out: KindSet,
        sets: usize,
    ) -> (Self, Vec<f32>) {
        let mut shapes = Vec::new();
        let mut weights = Vec::new();
        let allowed: [bool; KINDS] = std::array::from_fn(|kind| {
            Kind::new(kind as u8).is_some_and(|kind| !ruled_out.contains(kind))
        });
        let mass: [f32; KINDS] =
            std::array::from_fn(|kind| f32::from(unseen.0[kind]) * keeps[kind]);
        let mut add = |tiles: &[usize], waits: [usize; 2], weight: f32| {
            if weight > 0.0
                && (sets > 0 || tiles.len() == 1)
                && allowed[waits[0]]
                && allowed[waits[1]]
            {
                shapes.push(WaitShape::new(tiles, waits));
                weights.push(weight);
            }
        };
        for first in run_starts() {
            let (low, middle, high) = (first, first + 1, first + 2);
            add(&[low, high], [middle; 2], CLOSED * mass[low] * mass[high]);
            if first % 9 < 6 {
                add(
                    &[middle, high],
                    [low, high + 1],
                    TWO_SIDED * mass[middle] * mass[high],
                );
            } else {
                add(&[middle, high], [low; 2], EDGE * mass[middle] * mass[high]);
            }
            if first % 9 == 0 {
                add(&[low, middle], [high; 2], EDGE * mass[low] * mass[middle]);
            }
        }
        let pairs: [f32; KINDS] = std::array::from_fn(|kind| {
            let left = f32::from(unseen.0[kind]);
            left * (left - 1.0) / 2.0 * keeps[kind] * keeps[kind]
        });
        for one in 0..KINDS {
            add(&[one], [one; 2], SINGLE * mass[one]);
            if pairs[one] > 0.0 {
                for other in one + 1..KINDS {
                    add(
                        &[one, one, other, other],
                        [one, other],
                        TWO_PAIRS * pairs[one] * pairs[other],
                    );
                }
            }
        }
        (
            Self {
                shapes,
                sums: Vec::new(),
            },
            weights,
        )
    }

    /// Assigns probabilities to the shapes so that each kind is waited for with its given
    /// probability, and returns the probability that a hand waits with one of them.
    ///
    /// Starting from the given weights, each shape is multiplied by how much too rare its kinds
    /// are, again and again (iterative proportional fitting): the outcome is the nearest to the
    /// weights that agrees.
    pub(super) fn agree(&mut self, mut weights: Vec<f32>, chances: &[f32; KINDS]) -> f32 {
        for _ in 0..ROUNDS {
            let mut waited = [0.0_f32; KINDS];
            for (shape, &weight) in self.shapes.iter().zip(&weights) {
                let [one, other] = shape.waits.map(usize::from);
                waited[one] += weight;
                if one != other {
                    waited[other] += weight;
                }
            }
            let factors: [f32; KINDS] = std::array::from_fn(|kind| {
                if waited[kind] > 0.0 {
                    (chances[kind] / waited[kind]).sqrt()
                } else {
                    0.0
                }
            });
            for (shape, weight) in self.shapes.iter().zip(&mut weights) {
                let [one, other] = shape.waits.map(usize::from);
                *weight *= factors[one] * factors[other];
            }
        }
        self.keep(&weights)
    }

    /// Assigns these probabilities, or proportional ones, to the shapes, and returns their sum.
    pub(super) fn keep(&mut self, weights: &[f32]) -> f32 {
        let mut sum = 0.0;
        self.sums.clear();
        self.sums.extend(weights.iter().map(|weight| {
            sum += weight;
            sum
        }));
        sum
    }

    /// A shape, by its chance.
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<&WaitShape> {
        let all = *self.sums.last()?;
        if all <= 0.0 {
            return None;
        }
        let at = rng.unit() as f32 * all;
        let place = self.sums.partition_point(|&sum| sum <= at);
        self.shapes.get(place.min(self.shapes.len() - 1))
    }
}

/// The share of possible waits that include each kind, when each shape is weighted by the unseen
/// tiles that it can be made of.
pub(super) fn shares(unseen: &Counts, ruled_out: KindSet, sets: usize) -> [f32; KINDS] {
    let (shapes, weights) = WaitShapes::new(unseen, &[1.0; KINDS], ruled_out, sets);
    let all: f32 = weights.iter().sum();
    let mut shares = [0.0_f32; KINDS];
    for (shape, weight) in shapes.shapes.iter().zip(&weights) {
        for kind in shape.waits().iter() {
            shares[kind.index()] += weight / all;
        }
    }
    shares
}

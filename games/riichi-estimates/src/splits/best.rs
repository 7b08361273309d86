//! The best way to split a hand, found suit by suit.

use arrayvec::ArrayVec;
use tiles::{ConcealedHand, Counts, KINDS};

use super::{Part, Shape, SpacedCounts, SplitParts};

/// A way to split the closed tiles of a hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Shanten number to four sets and a pair by this split: 0 tenpai, -1 complete.
    ///
    /// It ignores which tiles remain: a part may want a kind with all four tiles in the hand.
    pub shanten: i8,
    /// The total cost of its parts.
    pub cost: u32,
    /// The parts.
    pub parts: SplitParts,
}

/// Among all splits those with the lowest shanten number, of these the one that costs least, of
/// these the first in the order of [`for_each_split`](super::for_each_split).
///
/// A split costs what its parts cost together; costs are whole numbers, so that equal ones are
/// equal in whichever order they are summed.
///
/// If no kind is held four times, its shanten number equals
/// [`standard_shanten`](tiles::shanten::standard_shanten) of the hand. With four of a kind it can
/// be lower, never higher: `1111m234p567s888s` splits into four sets and a tile, which would be
/// tenpai for a fifth 1m.
pub fn best_split(hand: &ConcealedHand, cost: impl Fn(Part) -> u32) -> Split {
    let costs = Costs::new(hand.counts(), cost);
    let mut tiles = SpacedCounts::new(hand.counts());
    let mut all = Ways::new();
    all.add(PartCounts::default(), 0, &[], &[]);
    for first in (0..KINDS).step_by(9) {
        let mut suit = Ways::new();
        tiles.split(
            first,
            KINDS.min(first + 9),
            &mut SplitParts::new(),
            &mut |parts| {
                suit.add(PartCounts::of(parts), costs.of(parts), parts, &[]);
            },
        );
        all = all.beside(&suit);
    }
    all.best(hand.melds())
}

/// Shanten number of a hand to four sets and a pair by a split into these parts, as
/// [`Split::shanten`] is of the best one.
pub fn split_shanten(hand: &ConcealedHand, parts: &[Part]) -> i8 {
    PartCounts::of(parts).shanten(hand.melds())
}

/// The cost of each possible part: requested once, as parts occur many times.
struct Costs([[u32; Shape::ALL.len()]; KINDS]);

impl Costs {
    fn new(counts: &Counts, cost: impl Fn(Part) -> u32) -> Self {
        let mut costs = [[0; Shape::ALL.len()]; KINDS];
        for first in counts.kinds().iter() {
            for part in Shape::ALL
                .into_iter()
                .filter_map(|shape| Part::new(shape, first))
            {
                costs[first.index()][part.shape() as usize] = cost(part);
            }
        }
        Self(costs)
    }

    fn of(&self, parts: &[Part]) -> u32 {
        let costs = parts
            .iter()
            .map(|part| self.0[part.first().index()][part.shape() as usize]);
        costs.fold(0, u32::saturating_add)
    }
}

/// The numbers that the shanten number of a split depends on.
#[derive(Debug, Clone, Copy, Default)]
struct PartCounts {
    sets: u8,
    pairs: u8,
    /// Neighbours and gaps.
    halves: u8,
}

impl PartCounts {
    /// An upper bound for the tallies of 14 tiles, which are below 5, 8 and 8.
    const NUMBERS: usize = 5 * 8 * 8;

    fn of(parts: &[Part]) -> Self {
        let mut tally = Self::default();
        for part in parts {
            match part.shape() {
                Shape::Triplet | Shape::Run => tally.sets += 1,
                Shape::Pair => tally.pairs += 1,
                Shape::Neighbours | Shape::Gap => tally.halves += 1,
                Shape::Isolated => {}
            }
        }
        tally
    }

    const fn beside(self, other: Self) -> Self {
        Self {
            sets: self.sets + other.sets,
            pairs: self.pairs + other.pairs,
            halves: self.halves + other.halves,
        }
    }

    const fn number(self) -> usize {
        (self.sets as usize * 8 + self.pairs as usize) * 8 + self.halves as usize
    }

    /// Eight from tenpai with nothing but isolated tiles; a set is worth two exchanges, and one
    /// each the pair and every half-made set for which there is room.
    fn shanten(self, melds: u8) -> i8 {
        let sets = (self.sets + melds).min(4) as i8;
        let room = 4 - sets;
        let halves = (self.pairs + self.halves) as i8;
        let without_pair = 8 - 2 * sets - halves.min(room);
        if self.pairs == 0 {
            without_pair
        } else {
            without_pair.min(8 - 2 * sets - 1 - (halves - 1).min(room))
        }
    }
}

/// For each tally the best split there is with it.
struct Ways {
    ways: ArrayVec<Way, MAX_TALLIES>,
    /// The index of a tally in `ways`, by its number; beyond the end if it is missing.
    places: [u8; PartCounts::NUMBERS],
}

struct Way {
    tally: PartCounts,
    cost: u32,
    parts: SplitParts,
}

/// Number of different tallies of 14 tiles: with 0 to 4 sets, at most 7, 5, 4, 2 and 1 pairs and
/// halves.
const MAX_TALLIES: usize = 36 + 21 + 15 + 6 + 3;

impl Ways {
    const fn new() -> Self {
        Self {
            ways: ArrayVec::new_const(),
            places: [u8::MAX; PartCounts::NUMBERS],
        }
    }

    /// Adds the split into `before` and `behind`, unless there is a better one with its tally.
    fn add(&mut self, tally: PartCounts, cost: u32, before: &[Part], behind: &[Part]) {
        let place = &mut self.places[tally.number()];
        let known = self.ways.get(usize::from(*place));
        let parts = || before.iter().chain(behind).copied();
        if known.is_some_and(|known| {
            known.cost < cost || known.cost == cost && known.parts.iter().copied().le(parts())
        }) {
            return;
        }
        let way = Way {
            tally,
            cost,
            parts: parts().collect(),
        };
        match self.ways.get_mut(usize::from(*place)) {
            Some(known) => *known = way,
            None => {
                *place = self.ways.len() as u8;
                self.ways.push(way);
            }
        }
    }

    /// Each of these combined with each of the other suit's.
    fn beside(&self, suit: &Self) -> Self {
        let mut both = Self::new();
        for one in &self.ways {
            for other in &suit.ways {
                let cost = one.cost.saturating_add(other.cost);
                both.add(
                    one.tally.beside(other.tally),
                    cost,
                    &one.parts,
                    &other.parts,
                );
            }
        }
        both
    }

    fn best(self, melds: u8) -> Split {
        let splits = self
            .ways
            .into_iter()
            .map(|Way { tally, cost, parts }| Split {
                shanten: tally.shanten(melds),
                cost,
                parts,
            });
        splits
            .min_by(|one, other| {
                (one.shanten, one.cost, &one.parts).cmp(&(other.shanten, other.cost, &other.parts))
            })
            .expect("any tiles can be split, if only into isolated ones")
    }
}

//! Which of the loose cards are wings.

use arrayvec::ArrayVec;

use super::search::{Cost, SplitSearch, Wing};
use crate::card::{Card, Rank};
use crate::combination::Wings;
use crate::masks::RankMasks;

/// Takes all wings that the parts want out of the loose cards, so that the rest makes the fewest
/// turns.
pub(super) fn choose_wings(search: &mut SplitSearch, loose: RankMasks, cost: Cost) {
    let mut filling = Filling {
        wanting: ArrayVec::new(),
        chosen: ArrayVec::new(),
        best: None,
        bound: 0,
    };
    let (mut singles, mut pairs) = (0, 0);
    for kind in [Wings::Singles, Wings::Pairs] {
        for (index, part) in search
            .parts
            .iter()
            .enumerate()
            .filter(|(_, part)| part.wings == kind)
        {
            let wings = part.wing_count(search.rules);
            *(if kind == Wings::Singles {
                &mut singles
            } else {
                &mut pairs
            }) += u32::from(wings);
            filling.wanting.push(Wanting {
                part: index,
                wings,
                kind,
                body: part.body().at_least(1),
            });
        }
    }
    // A single out of an odd number of cards saves its turn; of two out of an even number the
    // second does. A pair always does.
    let odd = loose.odd().count_ones();
    let saved = singles.min(odd) + singles.saturating_sub(odd) / 2 + pairs;
    let Some(bound) = loose.fewest_units().checked_sub(saved) else {
        return;
    };
    if !search.wants(cost.plus(Cost::turns(bound))) {
        return;
    }
    filling.bound = bound;
    filling.next_part(loose, 0, singles + pairs);
    if let Some((units, wings, rest)) = filling.best {
        let cost = cost.plus(Cost::turns(units));
        if search.wants(cost) {
            search.found(cost, &wings, rest);
        }
    }
}

/// A part that needs wings.
struct Wanting {
    part: usize,
    wings: u8,
    kind: Wings,
    /// Ranks that cannot be its wings.
    body: u16,
}

type ChosenWings = ArrayVec<Wing, { Card::COUNT }>;

struct Filling {
    /// Those that want singles first.
    wanting: ArrayVec<Wanting, { Card::COUNT }>,
    chosen: ChosenWings,
    /// Turns of the rest, the wings, the rest.
    best: Option<(u32, ChosenWings, RankMasks)>,
    /// No fewer turns are left over.
    bound: u32,
}

impl Filling {
    fn is_done(&self) -> bool {
        self.best
            .as_ref()
            .is_some_and(|(units, _, _)| *units <= self.bound)
    }

    fn next_part(&mut self, loose: RankMasks, index: usize, to_come: u32) {
        let units = loose.fewest_units();
        if self
            .best
            .as_ref()
            .is_some_and(|(best, _, _)| units >= *best + to_come)
        {
            return;
        }
        match self.wanting.get(index) {
            None => self.best = Some((units, self.chosen.clone(), loose)),
            Some(part) => {
                let free = loose.with(part.kind.width()) & !part.body;
                // A pair out of three cards would leave a single, so those come last.
                let first = free
                    & if part.kind == Wings::Singles {
                        loose.odd()
                    } else {
                        !loose.odd()
                    };
                self.choose(loose, index, part.wings, [first, free & !first], to_come);
            }
        }
    }

    /// Takes this many wings of the ranks, the first set before the second.
    fn choose(
        &mut self,
        loose: RankMasks,
        index: usize,
        wings: u8,
        mut ranks: [u16; 2],
        to_come: u32,
    ) {
        if wings == 0 {
            return self.next_part(loose, index + 1, to_come);
        }
        let (part, width) = (self.wanting[index].part, self.wanting[index].kind.width());
        for set in 0..2 {
            while let Some(rank) = Rank::new(ranks[set].trailing_zeros() as u8) {
                if self.is_done()
                    || ranks[0].count_ones() + ranks[1].count_ones() < u32::from(wings)
                {
                    return;
                }
                let bit = 1 << rank.index();
                ranks[set] &= !bit;
                self.chosen.push((part, rank));
                self.choose(
                    loose.without(bit, width),
                    index,
                    wings - 1,
                    ranks,
                    to_come - 1,
                );
                self.chosen.pop();
            }
        }
    }
}

//! The straights and pair straights of a split.

use super::bodies::choose_bodies;
use super::search::{Cost, SplitSearch};
use crate::card::Rank;
use crate::combination::{Combination, CombinationKind, Wings};
use crate::masks::{RUN_RANKS, RankMasks};

/// The position of the search for runs; it visits each choice of runs in one order only.
#[derive(Clone, Copy)]
pub(super) struct From {
    low: u8,
    kind: usize,
    length: u8,
}

impl From {
    pub(super) const START: Self = Self {
        low: 0,
        kind: 0,
        length: 0,
    };
}

const KINDS: [(CombinationKind, u8); 2] = [
    (CombinationKind::Straight, 5),
    (CombinationKind::PairStraight, 3),
];

/// Tries every choice of runs out of the cards, the empty one first.
pub(super) fn choose_runs(search: &mut SplitSearch, cards: RankMasks, cost: Cost, from: From) {
    choose_bodies(search, cards, cost);
    for low in from.low..=Rank::ACE.index() as u8 {
        let first_kind = if low == from.low { from.kind } else { 0 };
        for (index, &(kind, shortest)) in KINDS.iter().enumerate().skip(first_kind) {
            let same = low == from.low && index == from.kind;
            let ranks = (cards.with(kind.width()) & RUN_RANKS) >> low;
            let longest = ranks.trailing_ones() as u8;
            for length in shortest.max(if same { from.length } else { 0 })..=longest {
                let left = cards.without(((1 << length) - 1) << low, kind.width());
                let cost = cost.plus(Cost::of(kind));
                let (Some(rank), true) = (
                    Rank::new(low),
                    search.wants(cost.at_best(u32::from(!left.is_empty()), left)),
                ) else {
                    continue;
                };
                let run = Combination {
                    kind,
                    low: rank,
                    length,
                    wings: Wings::None,
                };
                let next = From {
                    low,
                    kind: index,
                    length,
                };
                search.with_part(run, |search| choose_runs(search, left, cost, next));
            }
        }
    }
}

//! The state shared by the steps of a search: the parts of the current split, and the best splits
//! found.

use arrayvec::ArrayVec;

use super::{HandSplit, bonus};
use crate::card::{Card, Rank};
use crate::combination::{Combination, CombinationKind, Wings};
use crate::counts::RankCounts;
use crate::masks::RankMasks;
use crate::plays::DouDizhuPlay;
use crate::rules::DouDizhuRules;

/// More than the difference between the weights of two splits.
const TURN: i32 = 1024;

/// The cost of a split, lower is better: turns, then the weight beyond the number of cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost(i32);

impl Cost {
    pub(super) const NONE: Self = Self(0);

    pub(super) const fn turns(turns: u32) -> Self {
        Self(turns as i32 * TURN)
    }

    /// Of one part.
    pub(super) const fn of(kind: CombinationKind) -> Self {
        Self(TURN - bonus(kind) as i32)
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// A lower bound of the cost with this many more turns and any bombs that these cards may hold.
    pub(super) const fn at_best(self, turns: u32, cards: RankMasks) -> Self {
        let bombs = cards.with(4).count_ones() as i32 * bonus(CombinationKind::Bomb) as i32;
        let rocket = if cards.has_rocket() {
            bonus(CombinationKind::Rocket) as i32
        } else {
            0
        };
        Self(self.0 + turns as i32 * TURN - bombs - rocket)
    }
}

/// A wing: the part it goes with, its rank.
pub(super) type Wing = (usize, Rank);

pub(super) struct SplitSearch {
    pub(super) rules: DouDizhuRules,
    /// Runs and bodies; of wings only the kind.
    pub(super) parts: ArrayVec<Combination, { Card::COUNT }>,
    most: usize,
    found: Vec<(Cost, HandSplit)>,
}

impl SplitSearch {
    pub(super) const fn new(rules: DouDizhuRules, most: usize) -> Self {
        Self {
            rules,
            parts: ArrayVec::new_const(),
            most,
            found: Vec::new(),
        }
    }

    /// The best splits, best first.
    pub(super) fn into_splits(self) -> Vec<HandSplit> {
        self.found.into_iter().map(|(_, split)| split).collect()
    }

    /// Whether a split of this cost would be among the best.
    pub(super) fn wants(&self, cost: Cost) -> bool {
        self.found.len() < self.most || self.found.last().is_some_and(|(worst, _)| cost < *worst)
    }

    /// Continues with one more part.
    pub(super) fn with_part(&mut self, part: Combination, then: impl FnOnce(&mut Self)) {
        self.parts.push(part);
        then(self);
        self.parts.pop();
    }

    /// Records a complete split: the parts, their wings, and the cards that are played separately.
    pub(super) fn found(&mut self, cost: Cost, wings: &[Wing], rest: RankMasks) {
        let mut plays: Vec<DouDizhuPlay> = self
            .parts
            .iter()
            .map(|&combination| DouDizhuPlay {
                combination,
                cards: combination.body(),
            })
            .collect();
        for &(part, rank) in wings {
            let width = plays[part].combination.wings.width();
            plays[part].cards = plays[part]
                .cards
                .plus(RankCounts::of(rank, width).unwrap_or_default());
        }
        plays.extend(Rank::all().flat_map(|rank| units(rank, rest.count(rank))));
        let weight = plays
            .iter()
            .map(|play| play.cards.len() as i8 + bonus(play.combination.kind))
            .sum::<i8>() as u8;
        let place = self.found.partition_point(|(other, _)| *other <= cost);
        self.found
            .insert(place, (cost, HandSplit { plays, weight }));
        self.found.truncate(self.most);
    }
}

/// The cards of one rank in the minimum number of separate turns, without trios and bombs.
fn units(low: Rank, cards: u8) -> impl Iterator<Item = DouDizhuPlay> {
    let unit = move |kind: CombinationKind| {
        let combination = Combination {
            kind,
            low,
            length: 1,
            wings: Wings::None,
        };
        DouDizhuPlay {
            combination,
            cards: combination.body(),
        }
    };
    let singles = (cards % 2 == 1).then(|| unit(CombinationKind::Single));
    singles
        .into_iter()
        .chain((0..cards / 2).map(move |_| unit(CombinationKind::Pair)))
}

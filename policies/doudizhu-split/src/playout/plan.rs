//! A seat's plan for playing out its hand.

use arrayvec::ArrayVec;
use doudizhu::masks::{JOKERS, RUN_RANKS};
use doudizhu::{Combination, CombinationKind, Rank, RankMasks, Wings};

use super::ranks::{HIGH_RANKS, RankPlay, lowest, lowest_rank};

/// Maximum number of straights and pair straights in a hand of 20 cards.
const MAX_RUNS: usize = 4;
const MAX_CARDS: usize = 20;

pub(crate) type Moves = ArrayVec<RankPlay, MAX_CARDS>;

/// A hand in parts. Trios that are neighbours are played as planes, and take wings from the pairs
/// and singles.
#[derive(Debug, Clone, Default)]
pub(crate) struct HandPlan {
    pub(crate) runs: ArrayVec<PlannedRun, MAX_RUNS>,
    pub(crate) trios: u16,
    pub(crate) pairs: u16,
    pub(crate) singles: u16,
    pub(crate) bombs: u16,
    pub(crate) rocket: bool,
    pub(crate) turns: u8,
}

/// A straight or pair straight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlannedRun {
    pub(crate) kind: CombinationKind,
    pub(crate) low: Rank,
    pub(crate) length: u8,
}

impl HandPlan {
    /// The plan of the fewest turns; to keep a bomb whole counts as much as two turns, and the
    /// rocket is always kept.
    pub(crate) fn of(hand: RankMasks) -> Self {
        let rocket = hand.has_rocket();
        let loose = hand.without(if rocket { JOKERS } else { 0 }, 1);
        let start = Self {
            rocket,
            ..Self::default()
        };
        let mut best = start.with_rest(loose);
        search(loose, 0, start, &mut best);
        best
    }

    fn with_rest(&self, loose: RankMasks) -> Self {
        let mut plan = self.clone();
        plan.bombs = loose.with(4);
        plan.trios = loose.with(3) & !plan.bombs;
        let pairs = loose.with(2) & !loose.with(3);
        plan.singles = loose.with(1) & !loose.with(2);
        let mut in_runs = pairs & RUN_RANKS;
        in_runs &= in_runs >> 1 & in_runs >> 2;
        in_runs |= in_runs << 1 | in_runs << 2;
        let mut left = in_runs;
        while let Some(low) = lowest_rank(left) {
            let length = (left >> low.index()).trailing_ones();
            let run = PlannedRun {
                kind: CombinationKind::PairStraight,
                low,
                length: length as u8,
            };
            if plan.runs.try_push(run).is_err() {
                in_runs &= !left;
                break;
            }
            left &= !(((1 << length) - 1) << low.index());
        }
        plan.pairs = pairs & !in_runs;
        plan.turns = plan.count_turns();
        plan
    }

    const fn cost(&self) -> i8 {
        self.turns as i8 - 2 * self.bombs.count_ones() as i8
    }

    /// Turns of the parts: each wing saves one.
    fn count_turns(&self) -> u8 {
        let groups = (self.trios & RUN_RANKS & !(self.trios << 1)).count_ones()
            + (self.trios & HIGH_RANKS).count_ones();
        let loose = self.pairs.count_ones() + self.singles.count_ones();
        let wings = self.trios.count_ones();
        (self.runs.len() as u32
            + groups
            + loose.saturating_sub(wings)
            + self.bombs.count_ones()
            + u32::from(self.rocket)) as u8
    }

    /// Removes a play; `false` if it is not in the plan.
    pub(crate) fn take(&mut self, played: &RankPlay) -> bool {
        let (body, wings) = (played.body(), played.wings);
        let wings_are_parts = match played.combination.wings {
            Wings::None => true,
            Wings::Singles => self.singles & wings == wings,
            Wings::Pairs => self.pairs & wings == wings,
        };
        let parts = match played.combination.kind {
            CombinationKind::Single => &mut self.singles,
            CombinationKind::Pair => &mut self.pairs,
            CombinationKind::Trio | CombinationKind::Plane => &mut self.trios,
            CombinationKind::Bomb | CombinationKind::FourWithTwo => &mut self.bombs,
            CombinationKind::Rocket => {
                self.rocket = false;
                self.turns = self.count_turns();
                return true;
            }
            kind @ (CombinationKind::Straight | CombinationKind::PairStraight) => {
                let Combination { low, length, .. } = played.combination;
                let place = self
                    .runs
                    .iter()
                    .position(|run| *run == PlannedRun { kind, low, length });
                let Some(place) = place else { return false };
                self.runs.swap_remove(place);
                self.turns = self.count_turns();
                return true;
            }
            CombinationKind::Shuttle => return false,
        };
        if *parts & body != body || !wings_are_parts {
            return false;
        }
        *parts &= !body;
        match played.combination.wings {
            Wings::None => {}
            Wings::Singles => self.singles &= !wings,
            Wings::Pairs => self.pairs &= !wings,
        }
        self.turns = self.count_turns();
        true
    }

    /// The plays, with wings.
    pub(crate) fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        let mut push = |kind, low, length, wings, ranks| {
            let combination = Combination {
                kind,
                low,
                length,
                wings,
            };
            let _ = moves.try_push(RankPlay {
                combination,
                wings: ranks,
            });
        };
        for run in &self.runs {
            push(run.kind, run.low, run.length, Wings::None, 0);
        }
        let (mut singles, mut pairs) = (self.singles, self.pairs);
        let few = singles.count_ones() + pairs.count_ones() <= self.trios.count_ones();
        let spare = if few { u16::MAX } else { RUN_RANKS };
        let mut trios = self.trios;
        while let Some(low) = lowest_rank(trios) {
            let start = low.index();
            let length = if low > Rank::ACE {
                1
            } else {
                ((trios & RUN_RANKS) >> start).trailing_ones()
            };
            trios &= !(((1 << length) - 1) << start);
            let (one, two) = (singles & spare, pairs & spare);
            let kind = if length == 1 {
                CombinationKind::Trio
            } else {
                CombinationKind::Plane
            };
            let by_single = one.count_ones() >= length;
            let by_pair = two.count_ones() >= length;
            // The lower ones go first; singles are the harder to lose.
            let takes_pair =
                by_pair && (!by_single || length == 1 && lowest(two) < lowest(one) >> 3);
            if takes_pair {
                let ranks = lowest_of(two, length);
                pairs &= !ranks;
                push(kind, low, length as u8, Wings::Pairs, ranks);
            } else if by_single {
                let ranks = lowest_of(one, length);
                singles &= !ranks;
                push(kind, low, length as u8, Wings::Singles, ranks);
            } else {
                push(kind, low, length as u8, Wings::None, 0);
            }
        }
        for (kind, ranks) in [
            (CombinationKind::Pair, pairs),
            (CombinationKind::Single, singles),
            (CombinationKind::Bomb, self.bombs),
        ] {
            let mut left = ranks;
            while let Some(low) = lowest_rank(left) {
                left &= left - 1;
                push(kind, low, 1, Wings::None, 0);
            }
        }
        if self.rocket {
            push(
                CombinationKind::Rocket,
                Rank::SMALL_JOKER,
                2,
                Wings::None,
                0,
            );
        }
        moves
    }
}

/// The lowest `number` of these ranks.
pub(crate) fn lowest_of(ranks: u16, number: u32) -> u16 {
    (0..number).fold(0, |chosen, _| chosen | lowest(ranks & !chosen))
}

fn search(loose: RankMasks, from: usize, plan: HandPlan, best: &mut HandPlan) {
    if plan.runs.len() == MAX_RUNS {
        return;
    }
    let (ranks, doubles) = (loose.with(1) & RUN_RANKS, loose.with(2));
    let has = |mask: u16, rank: usize| mask >> rank & 1 == 1;
    for low in from..=7 {
        let longest = (ranks >> low).trailing_ones() as usize;
        // A part may end where the run ends, or where the cards outside of it or next to it may go
        // elsewhere.
        let is_start =
            low == 0 || !has(ranks, low - 1) || has(doubles, low - 1) || has(doubles, low);
        if longest < 5 || !is_start {
            continue;
        }
        for length in 5..=longest {
            let end = low + length - 1;
            if length < longest && !has(doubles, end + 1) && !has(doubles, end) {
                continue;
            }
            let Some(rank) = Rank::new(low as u8) else {
                continue;
            };
            let left = loose.without(((1 << length) - 1) << low, 1);
            let mut longer = plan.clone();
            longer.runs.push(PlannedRun {
                kind: CombinationKind::Straight,
                low: rank,
                length: length as u8,
            });
            let whole = longer.with_rest(left);
            if whole.cost() < best.cost() {
                *best = whole;
            }
            search(left, low, longer, best);
        }
    }
}

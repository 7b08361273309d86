//! Answering and passing.

use doudizhu::masks::{JOKERS, RUN_RANKS};
use doudizhu::{Combination, CombinationKind, Rank, Wings};

use super::plan::{HandPlan, lowest_of};
use super::ranks::{RankPlay, above, bodies, lowest, lowest_rank};
use super::{Playout, SEATS};

/// With this many turns left or fewer, a player checks whether any opponent can still stop it.
const FEW_TURNS: u8 = 4;
/// Parts are taken to pieces against an opponent with no more cards than this, though that costs a
/// turn.
const NEAR: u8 = 10;
/// Bombs are played against an opponent with no more cards than this.
const VERY_NEAR: u8 = 6;
/// The peasant before the landlord beats a partner's single or pair below this rank, the queen.
const BLOCKED_BELOW: usize = 9;
/// Maximum number of ways of breaking up parts that are considered.
const MAX_PIECES: usize = 4;

impl Playout {
    /// The answer of the seat in turn to this play.
    pub(super) fn answer(&self, last: &RankPlay, by: usize) -> Option<RankPlay> {
        let (hand, plan) = self.own();
        let clean = self.part_that_beats(last);
        if let Some(played) = clean.filter(|played| played.cards() == hand.len()) {
            return Some(played);
        }
        if self.are_partners(self.turn, by) {
            return clean.filter(|played| self.beats_partner(last, played));
        }
        let near = self.hands[by].len().min(self.fewest_left());
        if plan.turns <= FEW_TURNS
            && let Some(played) = clean
                .into_iter()
                .chain(self.bomb_above(last))
                .find(|played| self.is_winning(played))
        {
            return Some(played);
        }
        if clean.is_some() {
            return clean;
        }
        if let Some(played) = self.pieces_that_beat(last, near <= NEAR) {
            return Some(played);
        }
        if near <= VERY_NEAR {
            self.bomb_above(last)
        } else {
            None
        }
    }

    /// Whether to beat a partner's play: before the landlord, a low one.
    fn beats_partner(&self, last: &RankPlay, played: &RankPlay) -> bool {
        (self.turn + 1) % SEATS == self.landlord
            && matches!(
                last.combination.kind,
                CombinationKind::Single | CombinationKind::Pair
            )
            && last.combination.low.index() < BLOCKED_BELOW
            && played.combination.low <= Rank::ACE
    }

    /// Whether no player beats the play, and all but one of those that come after it neither.
    fn is_winning(&self, played: &RankPlay) -> bool {
        let (hand, plan) = self.own();
        let others = self.others();
        if !played.is_top(others) {
            return false;
        }
        let mut rest = plan.clone();
        if !rest.take(played) {
            rest = HandPlan::of(played.out_of(hand));
        }
        rest.moves()
            .iter()
            .filter(|played| !played.is_top(others))
            .count()
            <= 1
    }

    /// The lowest part of the plan that beats it.
    fn part_that_beats(&self, last: &RankPlay) -> Option<RankPlay> {
        let (_, plan) = self.own();
        let Combination {
            kind,
            low,
            length,
            wings,
        } = last.combination;
        let single = |ranks: u16| lowest_rank(ranks & above(low));
        let with = |low, ranks| RankPlay {
            combination: Combination {
                low,
                ..last.combination
            },
            wings: ranks,
        };
        match kind {
            CombinationKind::Single => single(plan.singles).map(|low| with(low, 0)),
            CombinationKind::Pair => single(plan.pairs).map(|low| with(low, 0)),
            CombinationKind::Straight | CombinationKind::PairStraight => {
                let runs = plan
                    .runs
                    .iter()
                    .filter(|run| run.kind == kind && run.length == length && run.low > low);
                runs.map(|run| run.low).min().map(|low| with(low, 0))
            }
            CombinationKind::Trio | CombinationKind::Plane => {
                let trios = if kind == CombinationKind::Plane {
                    plan.trios & RUN_RANKS
                } else {
                    plan.trios
                };
                let lows = (1..length).fold(trios, |lows, step| lows & trios >> step);
                let low = single(lows)?;
                let free = match wings {
                    Wings::None => 0,
                    Wings::Singles => plan.singles,
                    Wings::Pairs => plan.pairs,
                };
                let wanted = if wings == Wings::None {
                    0
                } else {
                    u32::from(length)
                };
                let spare = if plan.turns <= 3 {
                    free
                } else {
                    free & RUN_RANKS
                };
                (spare.count_ones() >= wanted).then(|| with(low, lowest_of(spare, wanted)))
            }
            _ => None,
        }
    }

    /// The cards out of larger parts that beat it and cost the fewest turns; at any cost, or at
    /// none.
    fn pieces_that_beat(&self, last: &RankPlay, at_any_cost: bool) -> Option<RankPlay> {
        let (hand, plan) = self.own();
        let Combination {
            kind,
            low,
            length,
            wings,
        } = last.combination;
        if matches!(
            kind,
            CombinationKind::Bomb
                | CombinationKind::Rocket
                | CombinationKind::FourWithTwo
                | CombinationKind::Shuttle
        ) {
            return None;
        }
        let loose = hand
            .without(plan.bombs, 4)
            .without(if plan.rocket { JOKERS } else { 0 }, 1);
        let mut lows = bodies(loose, kind, length) & above(low);
        let mut best: Option<(u8, RankPlay)> = None;
        for _ in 0..MAX_PIECES {
            let Some(low) = lowest_rank(lows) else { break };
            lows &= !lowest(lows);
            let mut played = RankPlay {
                combination: Combination {
                    low,
                    ..last.combination
                },
                wings: 0,
            };
            let rest = played.out_of(loose);
            let wanted = if wings == Wings::None {
                0
            } else {
                u32::from(length)
            };
            if wanted > 0 {
                let free = rest.with(wings.width()) & !played.body();
                let parts = free
                    & if wings == Wings::Pairs {
                        plan.pairs
                    } else {
                        plan.singles
                    };
                let chosen = lowest_of(parts, wanted);
                let chosen = chosen | lowest_of(free & !chosen, wanted - chosen.count_ones());
                if chosen.count_ones() < wanted {
                    continue;
                }
                played.wings = chosen;
            }
            let turns = HandPlan::of(played.out_of(hand)).turns;
            if best.is_none_or(|(fewest, _)| turns < fewest) {
                best = Some((turns, played));
            }
        }
        best.filter(|(turns, _)| at_any_cost || *turns < plan.turns)
            .map(|(_, played)| played)
    }

    /// The lowest bomb that beats it, or the rocket.
    fn bomb_above(&self, last: &RankPlay) -> Option<RankPlay> {
        let (_, plan) = self.own();
        let bombs = match last.combination.kind {
            CombinationKind::Rocket => return None,
            CombinationKind::Bomb => plan.bombs & above(last.combination.low),
            _ => plan.bombs,
        };
        let (kind, low, length) = match lowest_rank(bombs) {
            Some(low) => (CombinationKind::Bomb, low, 1),
            None if plan.rocket => (CombinationKind::Rocket, Rank::SMALL_JOKER, 2),
            None => return None,
        };
        Some(RankPlay {
            combination: Combination {
                kind,
                low,
                length,
                wings: Wings::None,
            },
            wings: 0,
        })
    }
}

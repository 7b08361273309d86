//! Leading.

use doudizhu::{Combination, CombinationKind, Wings};

use super::ranks::RankPlay;
use super::{Playout, SEATS};

/// A lead is worth this for each card,
const PER_CARD: i32 = 3;
/// and costs this for each rank of the lowest card of its body.
const PER_RANK: i32 = 2;

impl Playout {
    /// The lead of the seat in turn.
    pub(super) fn lead(&self) -> RankPlay {
        let (hand, plan) = self.own();
        let moves = plan.moves();
        let is_bomb = |played: &RankPlay| played.combination.is_bomb();
        let out_at_once = moves.iter().find(|played| played.cards() == hand.len());
        if let Some(played) = out_at_once.copied().or_else(|| self.four_with_two(&moves)) {
            return played;
        }
        let others = self.others();
        let is_top = |played: &&RankPlay| played.is_top(others);
        let tops = moves.iter().filter(is_top).count();
        if tops + 1 >= moves.len()
            && let Some(top) = moves
                .iter()
                .filter(is_top)
                .min_by_key(|played| is_bomb(played))
        {
            return *top;
        }
        let worth = |played: &&RankPlay| (!is_bomb(played), self.worth_of_lead(played));
        moves.iter().max_by_key(worth).copied().unwrap_or(moves[0])
    }

    /// The last cards as a four with two.
    fn four_with_two(&self, moves: &[RankPlay]) -> Option<RankPlay> {
        let (_, plan) = self.own();
        let bomb = *moves
            .iter()
            .find(|played| played.combination.kind == CombinationKind::Bomb)?;
        let (wings, ranks) = match (plan.singles.count_ones(), plan.pairs.count_ones()) {
            (2, 0) => (Wings::Singles, plan.singles),
            (0, 2) => (Wings::Pairs, plan.pairs),
            _ => return None,
        };
        let kind = CombinationKind::FourWithTwo;
        let combination = Combination {
            kind,
            wings,
            ..bomb.combination
        };
        (moves.len() == 3).then_some(RankPlay {
            combination,
            wings: ranks,
        })
    }

    fn worth_of_lead(&self, played: &RankPlay) -> i32 {
        let (cards, rank) = (
            i32::from(played.cards()),
            played.combination.low.index() as i32,
        );
        let worth = PER_CARD * cards - PER_RANK * rank;
        let kind = played.combination.kind;
        let is_small = matches!(kind, CombinationKind::Single | CombinationKind::Pair);
        let next = (self.turn + 1) % SEATS;
        // To let a partner that sits before the landlord go out.
        if self.are_partners(self.turn, next)
            && is_small
            && self.hands[next].len() == played.cards()
        {
            return 100 - rank;
        }
        if is_small && self.fewest_left() <= played.cards() {
            2 * rank - 100
        } else {
            worth
        }
    }
}

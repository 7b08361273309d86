//! The fewest turns in which a hand can be played out if no other player plays, with the turns.
//!
//! The rule comes from the project's fourth seed, a blog article on splitting hands ("斗地主AI算法实现
//! 一(拆牌)", <http://www.chinasem.cn/article/950456>): the fewest turns (出牌手数); among equal ones the
//! highest weight, where a split weighs
//!
//! | part | weight |
//! |---|---|
//! | single, pair, trio | 1, 2, 3 |
//! | straight | 4, and 1 for each card beyond the fifth |
//! | pair straight | 5, and 2 for each pair beyond the third |
//! | plane | 6, and 3 for each trio beyond the second |
//! | bomb, the rocket too | 7 |
//!
//! and wings weigh what they weigh alone, as in its example (`QQQ` with a 4: 3 + 1). The article
//! assigns no weight to a four with two or a shuttle; like a trio, which weighs its 3 cards in any
//! body, a four in a body weighs its 4 here. So the weight is the number of cards, and 3 more for
//! each bomb, 5 more for the rocket, 1 less for each straight and pair straight ([`bonus`]).
//!
//! [`Combination`](crate::combination) defines what can be played in one turn. The article does not
//! say which cards are wings, and chooses at random between splits of equal turns and weight; here
//! the first in a fixed order is taken, so that a hand always has the same split.
//!
//! **Method.** A split is some straights and pair straights, and the rest. All choices of straights
//! are tried (`runs`). For the rest the search chooses the bodies, trios and fours, and how they
//! join to planes and shuttles (`bodies`); the remaining cards are singles and pairs, which include
//! the wings (`wings`). Bounds from counting ranks keep all three short. The search is exhaustive,
//! so the result is optimal.

mod bodies;
mod runs;
mod search;
mod wings;

use crate::combination::CombinationKind;
use crate::counts::RankCounts;
use crate::masks::RankMasks;
use crate::plays::DouDizhuPlay;
use crate::rules::DouDizhuRules;
use runs::{From, choose_runs};
use search::{Cost, SplitSearch};

/// A way to play a hand out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandSplit {
    /// The turns: runs and bodies first, single cards and pairs last.
    pub plays: Vec<DouDizhuPlay>,
    /// The total weight of the parts.
    pub weight: u8,
}

impl HandSplit {
    /// Number of turns.
    pub const fn turns(&self) -> usize {
        self.plays.len()
    }
}

/// By how much a part of a kind weighs more than it has cards.
pub const fn bonus(kind: CombinationKind) -> i8 {
    match kind {
        CombinationKind::Bomb => 3,
        CombinationKind::Rocket => 5,
        CombinationKind::Straight | CombinationKind::PairStraight => -1,
        _ => 0,
    }
}

/// The split of the fewest turns, and of the highest weight among those; without turns for no
/// cards.
pub fn best_split(hand: RankCounts, rules: DouDizhuRules) -> HandSplit {
    best_splits(hand, rules, 1).pop().unwrap_or(HandSplit {
        plays: Vec::new(),
        weight: 0,
    })
}

/// The best splits, best first, at most `most` of them. Two splits that differ only in which cards
/// are the wings count as one.
pub fn best_splits(hand: RankCounts, rules: DouDizhuRules, most: usize) -> Vec<HandSplit> {
    let mut search = SplitSearch::new(rules, most);
    if most > 0 && !hand.is_empty() {
        choose_runs(&mut search, RankMasks::new(hand), Cost::NONE, From::START);
    }
    search.into_splits()
}

/// The fewest turns, without the split.
pub fn fewest_turns(hand: RankCounts, rules: DouDizhuRules) -> usize {
    best_split(hand, rules).turns()
}

//! The luck of a game of Dou Dizhu: the deal of the hands and of the public cards.
//!
//! A hand is judged by how it can be played out, alone and with the public cards, and by its high
//! cards. What a better hand brings grows with the bombs that are dealt, since each doubles the
//! stakes.

use std::sync::LazyLock;

use doudizhu::card::{CardSet, Rank};
use doudizhu::counts::RankCounts;
use doudizhu::split::fewest_turns;
use doudizhu::{DouDizhuEvent, DouDizhuGame, DouDizhuRules, DouDizhuSeatState};
use policy_host::PolicyTable;
use riichi::MAX_PLAYERS;

use super::{BySeat, LuckSums, LuckTerms, LuckWeights};

const PLAYERS: usize = 3;

/// Number of classes: the features of a hand, and the same for each bomb that is dealt.
const CLASSES: usize = 2 * FEATURES;
const FEATURES: usize = 10;

/// The version of the terms and classes in this file.
const TERMS: u32 = 1;

static BIDDING: LazyLock<LuckWeights> =
    LazyLock::new(|| LuckWeights::read("dou-dizhu", TERMS, CLASSES, include_str!("doudizhu.txt")));

/// The weights for games by these rules, if there are any.
pub fn weights(rules: &DouDizhuRules) -> Option<&'static LuckWeights> {
    (*rules == DouDizhuRules::BIDDING).then(|| &*BIDDING)
}

/// Adds up the terms of a game.
#[derive(Debug, Clone)]
pub struct DouDizhuLuck {
    rules: DouDizhuRules,
    sums: LuckSums,
}

impl DouDizhuLuck {
    /// Before the deal.
    pub fn new(rules: &DouDizhuRules) -> Self {
        Self {
            rules: *rules,
            sums: LuckSums::new(CLASSES),
        }
    }

    fn features(&self, hand: RankCounts, public: RankCounts) -> [f64; FEATURES] {
        let both = hand.plus(public);
        let turns = |cards| fewest_turns(cards, self.rules) as f64;
        let of = |rank| f64::from(hand.get(rank));
        let (small, big) = (of(Rank::SMALL_JOKER), of(Rank::BIG_JOKER));
        [
            turns(hand),
            turns(both),
            bombs(hand),
            bombs(both),
            small,
            big,
            small * big,
            of(Rank::TWO),
            of(Rank::ACE),
            f64::from(public.get(Rank::TWO)) * of(Rank::TWO),
        ]
    }
}

/// Fours and the rocket.
fn bombs(cards: RankCounts) -> f64 {
    let rocket = cards.get(Rank::SMALL_JOKER) * cards.get(Rank::BIG_JOKER);
    f64::from(cards.at_least(4).count_ones()) + f64::from(rocket)
}

impl LuckTerms<DouDizhuGame> for DouDizhuLuck {
    fn dealt(&mut self, deals: &[Option<DouDizhuEvent>]) {
        let hands: Vec<CardSet> = deals
            .iter()
            .filter_map(|deal| match deal {
                Some(DouDizhuEvent::Deal { hand, .. }) => Some(*hand),
                _ => None,
            })
            .collect();
        if hands.len() != PLAYERS {
            return;
        }
        let dealt = hands
            .iter()
            .fold(CardSet::EMPTY, |all, &hand| all.union(hand));
        let public = RankCounts::from(CardSet::ALL.without(dealt));
        let hands: Vec<RankCounts> = hands.into_iter().map(RankCounts::from).collect();
        let features: Vec<_> = hands
            .iter()
            .map(|&hand| self.features(hand, public))
            .collect();
        let stake = |seat: usize, by: f64| -> BySeat {
            let mut stake = [0.0; MAX_PLAYERS];
            for (other, change) in stake.iter_mut().enumerate().take(PLAYERS) {
                *change = if other == seat { by } else { -by / 2.0 };
            }
            stake
        };
        let all: f64 = hands.iter().map(|&hand| bombs(hand)).sum();
        for (from, by) in [(0, 1.0), (FEATURES, all)] {
            let stakes: Vec<BySeat> = (0..PLAYERS).map(|seat| stake(seat, by)).collect();
            self.sums.add_deal(from, &features, &stakes);
        }
    }

    fn heard(&mut self, _: &DouDizhuEvent, _: &[Option<PolicyTable<DouDizhuSeatState>>]) {}

    fn sums(&self) -> &LuckSums {
        &self.sums
    }
}

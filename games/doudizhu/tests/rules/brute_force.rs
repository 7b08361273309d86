//! Every play and every answer of random hands, against looking at every set of their cards.
//! `PLAY_HANDS=2000 cargo test --release -p doudizhu --test rules` is the long run.

use std::collections::BTreeSet;

use doudizhu::plays::{DouDizhuPlay, plays};
use doudizhu::{Card, CardSet, DouDizhuRules, RankCounts};

fn hands_to_check() -> usize {
    std::env::var("PLAY_HANDS").map_or(12, |hands| hands.parse().expect("PLAY_HANDS is a number"))
}

/// Every set of cards that can be taken out of a hand, ignoring suits.
fn every_set(hand: RankCounts) -> Vec<RankCounts> {
    hand.iter()
        .fold(vec![RankCounts::EMPTY], |sets, (rank, cards)| {
            let some = (0..=cards).filter_map(|cards| RankCounts::of(rank, cards));
            some.flat_map(|some| {
                sets.iter()
                    .map(move |set| set.plus(some))
                    .collect::<Vec<_>>()
            })
            .collect()
        })
}

fn once_each(plays: Vec<DouDizhuPlay>) -> BTreeSet<DouDizhuPlay> {
    let number = plays.len();
    let set: BTreeSet<DouDizhuPlay> = plays.into_iter().collect();
    assert_eq!(set.len(), number, "each play comes once");
    set
}

#[test]
fn the_plays_of_a_hand_are_all_sets_of_its_cards_that_are_combinations() {
    let mut rng = fastrand::Rng::with_seed(11);
    for number in 0..hands_to_check() {
        let mut deck: Vec<Card> = Card::all().collect();
        // Every other hand has few ranks, so that it has bombs, planes and shuttles.
        let ranks = if number % 2 == 0 { 15 } else { 7 };
        deck.retain(|card| card.rank().index() < ranks || card.rank().is_joker());
        rng.shuffle(&mut deck);
        let hand = RankCounts::from(deck[..20].iter().copied().collect::<CardSet>());
        for rules in [DouDizhuRules::FIXED, DouDizhuRules::BIDDING] {
            let all: BTreeSet<DouDizhuPlay> = every_set(hand)
                .into_iter()
                .filter_map(|cards| DouDizhuPlay::of(cards, rules))
                .collect();
            assert_eq!(once_each(plays(hand, None, rules)), all, "{hand} {rules:?}");
            let lasts: Vec<DouDizhuPlay> = plays(
                RankCounts::from(deck[20..].iter().copied().collect::<CardSet>()),
                None,
                rules,
            );
            for last in (0..40).filter_map(|_| rng.choice(&lasts)) {
                let beating = all
                    .iter()
                    .filter(|play| play.combination.beats(&last.combination))
                    .copied()
                    .collect();
                let answers = once_each(plays(hand, Some(&last.combination), rules));
                assert_eq!(answers, beating, "{hand} on {} {rules:?}", last.cards);
            }
        }
    }
}

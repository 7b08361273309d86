//! Equal to exhaustive search: every way to play a hand out, play by play.

use std::collections::HashMap;

use doudizhu::plays::{DouDizhuPlay, for_each_play};
use doudizhu::split::{best_split, best_splits, bonus};
use doudizhu::{DouDizhuRules, RankCounts};

use crate::hands::{dense_hand, random_hand};

/// Turns, and the weight with its sign turned, so that less is better.
type Found = (usize, i32);

fn weight(play: &DouDizhuPlay) -> i32 {
    i32::from(play.cards.len()) + i32::from(bonus(play.combination.kind))
}

/// Every order of every play: nothing is taken for granted.
fn every_order(
    hand: RankCounts,
    rules: DouDizhuRules,
    known: &mut HashMap<RankCounts, Found>,
) -> Found {
    if hand.is_empty() {
        return (0, 0);
    }
    if let Some(&found) = known.get(&hand) {
        return found;
    }
    let mut best = (usize::MAX, 0);
    for_each_play(hand, rules, |play| {
        let rest = hand.minus(play.cards).expect("it is in the hand");
        let (turns, heavier) = every_order(rest, rules, known);
        best = best.min((turns + 1, heavier - weight(&play)));
    });
    known.insert(hand, best);
    best
}

/// As a split has no order, the play with the lowest card may come first; else as above.
fn lowest_first(
    hand: RankCounts,
    rules: DouDizhuRules,
    known: &mut HashMap<RankCounts, Found>,
) -> Found {
    let Some(lowest) = hand.lowest() else {
        return (0, 0);
    };
    if let Some(&found) = known.get(&hand) {
        return found;
    }
    let mut best = (usize::MAX, 0);
    for_each_play(hand, rules, |play| {
        if play.cards.get(lowest) > 0 {
            let rest = hand.minus(play.cards).expect("it is in the hand");
            let (turns, heavier) = lowest_first(rest, rules, known);
            best = best.min((turns + 1, heavier - weight(&play)));
        }
    });
    known.insert(hand, best);
    best
}

/// Checks that a split is valid, and returns the compared values.
fn checked(hand: RankCounts, rules: DouDizhuRules) -> Found {
    let split = best_split(hand, rules);
    let cards = split
        .plays
        .iter()
        .fold(RankCounts::EMPTY, |cards, play| cards.plus(play.cards));
    assert_eq!(cards, hand, "{split:?}");
    for play in &split.plays {
        assert_eq!(
            DouDizhuPlay::of(play.cards, rules),
            Some(*play),
            "{hand}: {split:?}"
        );
    }
    assert_eq!(
        split.plays.iter().map(weight).sum::<i32>(),
        i32::from(split.weight),
        "{hand}"
    );
    (split.turns(), -i32::from(split.weight))
}

fn hands_to_check(by_default: usize) -> usize {
    std::env::var("SPLIT_HANDS").map_or(by_default, |hands| {
        hands.parse().expect("SPLIT_HANDS is a number")
    })
}

fn compare(
    seed: u64,
    hands: usize,
    hand: impl Fn(&mut fastrand::Rng) -> RankCounts,
    search: fn(RankCounts, DouDizhuRules, &mut HashMap<RankCounts, Found>) -> Found,
) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for number in 0..hands {
        let hand = hand(&mut rng);
        for rules in [DouDizhuRules::FIXED, DouDizhuRules::BIDDING] {
            assert_eq!(
                checked(hand, rules),
                search(hand, rules, &mut HashMap::new()),
                "hand {number}: {hand} {rules:?}"
            );
        }
    }
}

#[test]
fn small_hands_are_split_as_by_trying_every_order_of_every_play() {
    compare(
        1,
        hands_to_check(150),
        |rng| {
            let cards = rng.usize(1..=11);
            random_hand(rng, cards)
        },
        every_order,
    );
    compare(
        2,
        hands_to_check(150),
        |rng| {
            let cards = rng.usize(1..=13);
            dense_hand(rng, cards)
        },
        every_order,
    );
}

#[test]
fn hands_of_17_cards_are_split_as_by_exhaustive_search() {
    compare(
        3,
        hands_to_check(60),
        |rng| random_hand(rng, 17),
        lowest_first,
    );
}

#[test]
fn hands_of_20_cards_are_split_as_by_exhaustive_search() {
    compare(
        4,
        hands_to_check(30),
        |rng| random_hand(rng, 20),
        lowest_first,
    );
}

#[test]
fn hands_full_of_runs_trios_and_bombs_are_split_as_by_exhaustive_search() {
    compare(
        5,
        hands_to_check(60),
        |rng| {
            let cards = rng.usize(12..=20);
            dense_hand(rng, cards)
        },
        lowest_first,
    );
}

#[test]
fn of_several_splits_each_comes_once_and_better_ones_come_first() {
    let mut rng = fastrand::Rng::with_seed(6);
    for _ in 0..hands_to_check(100) {
        let hand = random_hand(&mut rng, 17);
        let splits = best_splits(hand, DouDizhuRules::FIXED, 30);
        assert_eq!(splits[0], best_split(hand, DouDizhuRules::FIXED));
        assert!(
            splits.is_sorted_by_key(|split| (split.turns(), -i32::from(split.weight))),
            "{hand}"
        );
        let mut different = splits.clone();
        different.sort_by_cached_key(|split| format!("{split:?}"));
        different.dedup();
        assert_eq!(different.len(), splits.len(), "{hand}");
        assert_eq!(
            best_splits(hand, DouDizhuRules::FIXED, 3),
            splits[..splits.len().min(3)]
        );
    }
}

#[test]
fn no_cards_take_no_turns_and_no_splits_are_none() {
    assert_eq!(
        best_split(RankCounts::EMPTY, DouDizhuRules::FIXED).turns(),
        0
    );
    assert_eq!(best_splits(RankCounts::DECK, DouDizhuRules::FIXED, 0), []);
}

//! The example of the article, scheme by scheme, with its slips named.
//!
//! Its hand is `QQQ 222 45678910J AA 小鬼 6 4`: 19 cards. It sets `222`, `AA` and the small joker
//! aside, which join nothing, and compares six ways to split the 13 others, `QQQJ1098766544`.

use doudizhu::split::{best_split, bonus};
use doudizhu::{Combination, CombinationKind, DouDizhuRules, HandSplit, RankCounts};

const RULES: DouDizhuRules = DouDizhuRules::FIXED;
const REST: &str = "44 5 66 789TJ QQQ";

fn cards(text: &str) -> RankCounts {
    text.parse().expect("cards")
}

fn written(split: &HandSplit) -> Vec<String> {
    split
        .plays
        .iter()
        .map(|play| play.cards.to_string())
        .collect()
}

/// The number of turns of a scheme's parts after trios have taken wings, and the weight of the
/// parts.
fn scheme(parts: &[&str]) -> (usize, i32) {
    let of = |part: &&str| Combination::of(cards(part), RULES).expect("a combination");
    let weight = parts
        .iter()
        .map(|part| i32::from(cards(part).len()) + i32::from(bonus(of(part).kind)))
        .sum();
    let trios = parts
        .iter()
        .filter(|part| of(part).kind == CombinationKind::Trio)
        .count();
    let loose = parts.iter().filter(|part| {
        matches!(
            of(part).kind,
            CombinationKind::Single | CombinationKind::Pair
        )
    });
    (parts.len() - trios.min(loose.count()), weight)
}

#[test]
fn the_schemes_of_the_article_hold_its_13_cards() {
    for parts in [
        &["456789TJ", "4", "6", "QQQ"][..],
        &["QQQ", "66", "789TJ", "5", "44"],
        &["QQQ", "44", "6789TJ", "5", "6"],
        &["66", "789TJQ", "QQ", "5", "44"],
        &["44", "56789TJQ", "6", "QQ"],
        &["456789TJQ", "4", "6", "QQ"],
    ] {
        assert_eq!(cards(&parts.concat()), cards(REST), "{parts:?}");
    }
}

#[test]
fn the_schemes_have_the_turns_and_weights_of_the_article() {
    assert_eq!(scheme(&["456789TJ", "4", "6", "QQQ"]), (3, 12));
    assert_eq!(scheme(&["QQQ", "66", "789TJ", "5", "44"]), (4, 12));
    assert_eq!(scheme(&["44", "56789TJQ", "6", "QQ"]), (4, 12));
}

#[test]
fn scheme_3_leaves_a_5_over_that_the_article_forgets() {
    // It lists QQQ 44 678910j 6, "3+2+5+1 = 11, 3 turns", which are 12 cards: a 5 is missing.
    assert_eq!(scheme(&["QQQ", "44", "6789TJ", "6"]), (3, 11));
    assert_eq!(scheme(&["QQQ", "44", "6789TJ", "5", "6"]), (4, 12));
}

#[test]
fn scheme_4_weighs_12_and_not_10_as_in_the_article() {
    // "2+5+2+1+2 = 10".
    assert_eq!(scheme(&["66", "789TJQ", "QQ", "5", "44"]), (5, 12));
}

#[test]
fn scheme_6_has_two_queens_left_and_not_one_as_in_the_article_and_its_straight_weighs_8() {
    // "45678910JQ 4 6 Q, 9+1+1+1 = 12, 4 turns": nine cards in a row weigh 4 + 4.
    assert_eq!(scheme(&["456789TJQ"]), (1, 8));
    assert_eq!(scheme(&["456789TJQ", "4", "6", "QQ"]), (4, 12));
}

#[test]
fn the_article_s_choice_is_the_best_split_of_the_13_cards() {
    let split = best_split(cards(REST), RULES);
    assert_eq!((split.turns(), split.weight), (3, 12));
    assert_eq!(written(&split), ["456789TJ", "4QQQ", "6"]);
}

#[test]
fn the_whole_hand_takes_5_turns_and_has_the_article_s_parts() {
    // The article's list: 222 QQQ, AA, 小鬼 4 6, 45678910J; both trios take a wing.
    let hand = cards("QQQ 222 456789TJ AA x 64");
    assert_eq!(hand.len(), 19);
    let split = best_split(hand, RULES);
    assert_eq!((split.turns(), split.weight), (5, 18));
    assert_eq!(written(&split), ["456789TJ", "4QQQ", "6222", "AA", "x"]);
}

#[test]
fn parts_weigh_what_the_article_says() {
    for (text, weight) in [
        ("3", 1),
        ("33", 2),
        ("333", 3),
        ("34567", 4),
        ("345678", 5),
        ("334455", 5),
        ("33445566", 7),
        ("333444", 6),
        ("333444555", 9),
        ("3333", 7),
        ("xX", 7),
    ] {
        let split = best_split(cards(text), RULES);
        assert_eq!((split.turns(), split.weight), (1, weight), "{text}");
    }
}

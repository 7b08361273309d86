//! Combinations of cards, according to Botzone's judges.

use doudizhu::CombinationKind as Kind;
use doudizhu::{Combination, DouDizhuRules, Wings};

use crate::cards;

fn kind(text: &str, rules: DouDizhuRules) -> Option<(Kind, char, u8, Wings)> {
    Combination::of(cards(text), rules)
        .map(|made| (made.kind, made.low.letter(), made.length, made.wings))
}

fn is(text: &str, kind_of: Kind, low: char, length: u8, wings: Wings) {
    for rules in [DouDizhuRules::FIXED, DouDizhuRules::BIDDING] {
        assert_eq!(
            kind(text, rules),
            Some((kind_of, low, length, wings)),
            "{text} {rules:?}"
        );
    }
}

fn is_nothing(texts: &[&str]) {
    for text in texts {
        for rules in [DouDizhuRules::FIXED, DouDizhuRules::BIDDING] {
            assert_eq!(kind(text, rules), None, "{text} {rules:?}");
        }
    }
}

#[test]
fn cards_of_one_rank() {
    is("X", Kind::Single, 'X', 1, Wings::None);
    is("22", Kind::Pair, '2', 1, Wings::None);
    is("333", Kind::Trio, '3', 1, Wings::None);
    is("2222", Kind::Bomb, '2', 1, Wings::None);
    is_nothing(&["", "34", "2x"]);
}

#[test]
fn both_jokers_are_the_rocket() {
    is("xX", Kind::Rocket, 'x', 2, Wings::None);
}

#[test]
fn a_trio_takes_a_card_or_a_pair_of_another_rank() {
    is("3334", Kind::Trio, '3', 1, Wings::Singles);
    is("333X", Kind::Trio, '3', 1, Wings::Singles);
    is("33322", Kind::Trio, '3', 1, Wings::Pairs);
    is_nothing(&["33345", "333xX", "333444X"]);
}

#[test]
fn a_straight_has_five_cards_or_more_and_ends_with_the_ace_at_the_latest() {
    is("34567", Kind::Straight, '3', 5, Wings::None);
    is("TJQKA", Kind::Straight, 'T', 5, Wings::None);
    is("3456789TJQKA", Kind::Straight, '3', 12, Wings::None);
    is_nothing(&["3456", "34568", "JQKA2", "3456789TJQKA2", "A2345", "345677"]);
}

#[test]
fn a_pair_straight_has_three_pairs_or_more_and_ends_with_the_ace_at_the_latest() {
    is("334455", Kind::PairStraight, '3', 3, Wings::None);
    is("QQKKAA", Kind::PairStraight, 'Q', 3, Wings::None);
    is_nothing(&["3344", "KKAA22", "334466", "33445"]);
}

#[test]
fn a_plane_takes_no_wings_or_one_single_or_pair_for_each_triple() {
    is("333444", Kind::Plane, '3', 2, Wings::None);
    is("33344456", Kind::Plane, '3', 2, Wings::Singles);
    is("3334445566", Kind::Plane, '3', 2, Wings::Pairs);
    is("333444555666", Kind::Plane, '3', 4, Wings::None);
    is("KKKAAA", Kind::Plane, 'K', 2, Wings::None);
    is_nothing(&[
        "AAA222",
        "333555",
        "3334445",
        "333444567",
        "33344455",
        "333444556",
        "33344455667788",
    ]);
}

#[test]
fn wings_have_different_ranks_of_which_none_is_in_the_body() {
    is_nothing(&[
        "3334443",
        "33334445",
        "333344455",
        "3334445555",
        "333444555777",
        "33355577",
    ]);
}

#[test]
fn a_two_and_either_or_both_jokers_may_be_wings() {
    is("333444xX", Kind::Plane, '3', 2, Wings::Singles);
    is("3334442X", Kind::Plane, '3', 2, Wings::Singles);
    is("3333xX", Kind::FourWithTwo, '3', 1, Wings::Singles);
    is("222x", Kind::Trio, '2', 1, Wings::Singles);
}

#[test]
fn a_four_takes_two_singles_or_two_pairs() {
    is("333345", Kind::FourWithTwo, '3', 1, Wings::Singles);
    is("22224455", Kind::FourWithTwo, '2', 1, Wings::Pairs);
    is_nothing(&["33334", "333344", "3333445", "33334445"]);
}

#[test]
fn fours_in_a_row_are_a_shuttle() {
    is("33334444", Kind::Shuttle, '3', 2, Wings::None);
    is("KKKKAAAA", Kind::Shuttle, 'K', 2, Wings::None);
    is_nothing(&["AAAA2222", "33335555", "333344445"]);
}

#[test]
fn a_shuttle_takes_one_wing_for_each_four_without_bidding_and_two_with() {
    for (text, wings, four_wings) in [
        ("3333444456", Wings::Singles, 1),
        ("333344445566", Wings::Pairs, 1),
        ("333344445678", Wings::Singles, 2),
        ("3333444455667788", Wings::Pairs, 2),
    ] {
        for rules in [DouDizhuRules::FIXED, DouDizhuRules::BIDDING] {
            let shuttle =
                (rules.shuttle_wings == four_wings).then_some((Kind::Shuttle, '3', 2, wings));
            assert_eq!(kind(text, rules), shuttle, "{text} {rules:?}");
        }
    }
}

#[test]
fn combinations_have_the_points_of_fight_the_landlord() {
    for (text, points) in [
        ("3", 1),
        ("33", 2),
        ("333", 4),
        ("3334", 4),
        ("34567", 6),
        ("334455", 6),
        ("333444", 8),
        ("333345", 8),
        ("33334444", 10),
        ("333344445555", 20),
        ("3333", 10),
        ("xX", 16),
    ] {
        let made = Combination::of(cards(text), DouDizhuRules::FIXED).expect("a combination");
        assert_eq!(made.points(), points, "{text}");
    }
}

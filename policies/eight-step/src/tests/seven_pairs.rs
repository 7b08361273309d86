//! The turn to seven pairs.

use super::*;

const FROM_FOUR: Setting<'static> = ("seven_pairs_from", Value::integer(4));

/// A tile of a run, and one of a pair.
fn run_or_pair(hand: &str) -> Situation {
    Situation::called(hand).legal(&[from_hand("1m"), from_hand("5p")])
}

#[test]
fn with_five_pairs_it_keeps_the_pairs_and_discards_from_parts() {
    assert_eq!(
        throws(&[], run_or_pair("11m 55m 99m 33s 77s 456p 1z")),
        tile("5p")
    );
}

#[test]
fn with_four_pairs_it_does_not_by_default() {
    let four_pairs = || run_or_pair("11m 55m 99m 33s 456p 123z");
    assert_eq!(throws(&[], four_pairs()), tile("1m"));
    assert_eq!(throws(&[FROM_FOUR], four_pairs()), tile("5p"));
}

#[test]
fn an_open_hand_does_not() {
    let open = run_or_pair("11m 55m 99m 33s 456p").meld(0, riichi::MeldKind::Pon, "555z", 1);
    assert_eq!(throws(&[FROM_FOUR], open), tile("1m"));
}

#[test]
fn a_third_of_a_kind_goes_first_then_from_the_ends_inward() {
    assert_eq!(
        throws(&[], Situation::called("111m 55m 99m 33s 77s 4p 8s 1z")),
        tile("1m")
    );
    let without = Situation::called("111m 55m 99m 33s 77s 4p 8s 1z")
        .legal(&["4p", "8s", "1z"].map(from_hand));
    assert_eq!(throws(&[], without), tile("1z"));
}

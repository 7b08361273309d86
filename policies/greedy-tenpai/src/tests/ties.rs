//! Ties, in the order of discards.

use super::*;

use riichi::Wind;

/// A hand that is one from tenpai with either of two single tiles, its only legal discards.
fn alone(first: &str, second: &str) -> Situation {
    // The tile to be discarded last is listed first.
    Situation::called(&format!("234567m 99m 23p 68p {first} {second}"))
        .legal(&[from_hand(second), from_hand(first)])
}

fn thrown_before(first: &str, second: &str) {
    assert_eq!(
        throws(alone(first, second)),
        tile(first),
        "{first} before {second}"
    );
}

#[test]
fn a_guest_wind_goes_before_a_value_honour() {
    thrown_before("4z", "1z");
    thrown_before("4z", "5z");
}

#[test]
fn a_guest_wind_is_neither_seat_nor_round_wind() {
    // Seat wind South, round wind West.
    let table = |first, second| throws(alone(first, second).seat(1).bakaze(Wind::West));
    for guest in ["1z", "4z"] {
        for value in ["2z", "3z"] {
            assert_eq!(table(guest, value), tile(guest), "{guest} before {value}");
        }
    }
}

#[test]
fn a_value_honour_goes_before_a_one_or_nine() {
    thrown_before("1z", "1s");
    thrown_before("7z", "9s");
}

#[test]
fn a_one_or_nine_goes_before_a_two_or_eight() {
    thrown_before("9s", "2s");
    thrown_before("1s", "8s");
}

#[test]
fn a_two_or_eight_goes_before_a_three_or_seven() {
    thrown_before("8s", "3s");
    thrown_before("2s", "7s");
}

#[test]
fn a_three_or_seven_goes_before_a_four_or_six() {
    thrown_before("7s", "4s");
    thrown_before("3s", "6s");
}

#[test]
fn a_four_or_six_goes_before_a_five() {
    thrown_before("6s", "5s");
    thrown_before("4s", "5s");
}

#[test]
fn dora_go_last() {
    assert_eq!(throws(alone("5s", "9s").dora_markers("8s")), tile("5s"));
    assert_eq!(throws(alone("5s", "4z").dora_markers("3z")), tile("5s"));
}

#[test]
fn a_red_five_counts_as_dora() {
    thrown_before("5s", "0s");
    // The guest wind is a dora too, and goes before by the order above.
    assert_eq!(throws(alone("4z", "0s").dora_markers("3z")), tile("4z"));
    assert_eq!(throws(alone("0s", "4z").dora_markers("3z3z")), tile("0s"));
}

#[test]
fn of_dora_the_one_worth_less_goes_first_and_of_equal_ones_the_order_holds() {
    assert_eq!(throws(alone("5s", "9s").dora_markers("4s8s8s")), tile("5s"));
    assert_eq!(throws(alone("9s", "5s").dora_markers("4s8s")), tile("9s"));
}

#[test]
fn then_the_drawn_tile_goes_before_one_from_the_hand() {
    let hand = "234567m 99m 23p 68p 1s";
    let drawn = Action::Dahai {
        tile: tile("9s"),
        tsumogiri: true,
    };
    let situation = Situation::drew(hand, "9s").legal(&[from_hand("1s"), drawn]);
    assert_eq!(chooses(&[], situation), drawn);
    let drawn = Action::Dahai {
        tile: tile("1s"),
        tsumogiri: true,
    };
    let situation = Situation::drew(hand, "1s").legal(&[from_hand("1s"), drawn]);
    assert_eq!(chooses(&[], situation), drawn);
}

#[test]
fn then_the_lower_index_goes_first() {
    thrown_before("1s", "9s");
    thrown_before("2z", "4z");
}

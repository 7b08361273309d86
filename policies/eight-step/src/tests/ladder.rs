//! The rungs of the ladder below tenpai, in their order. Each hand has something to throw on the rungs further down.

use super::*;

fn throws_of(hand: &str) -> Tile {
    throws(&[], Situation::called(hand))
}

fn letter_of(hand: &str) -> char {
    answers(&[], Situation::called(hand)).reason.chars().next().expect("a reason")
}

#[test]
fn b_first_a_tile_with_two_vacant_places_on_both_sides() {
    assert_eq!(throws_of("234m 78m 99p 5p 13s 67s 55z"), tile("5p"));
}

#[test]
fn b_honours_standing_alone_belong_there() {
    assert_eq!(throws_of("234m 78m 99p 13s 67s 44z 5z"), tile("5z"));
    // In pairs they do not stand alone.
    assert_eq!(throws_of("234m 78m 99p 13s 679s 44z"), tile("1s"));
}

#[test]
fn b_from_the_ends_inward() {
    let inward = [
        ("3z", "1s"),
        ("1s", "8m"),
        ("9s", "2m"),
        ("8s", "3m"),
        ("2s", "7m"),
        ("7s", "4m"),
        ("3s", "6m"),
        ("4s", "5m"),
    ];
    for (first, then) in inward {
        assert_eq!(throws_of(&format!("{first} {then} 23p 67p 99p 1144z 77z")), tile(first), "{first} before {then}");
    }
}

#[test]
fn c_then_a_tile_with_one_vacant_place() {
    assert_eq!(throws_of("234m 78m 99s 13p 67p 777z"), tile("1p"));
    assert_eq!(throws_of("234m 78m 99s 4p 667p 777z"), tile("4p"), "beside a block");
}

#[test]
fn c_from_the_ends_inward() {
    assert_eq!(throws_of("234m 78m 35p 24s 99s 777z"), tile("2s"));
}

#[test]
fn d_then_in_a_block_of_four_the_one_whose_removal_leaves_complete_parts() {
    assert_eq!(throws_of("2344m 78p 23s 99s 55z 77z"), tile("4m"));
}

#[test]
fn d_in_a_block_of_seven_too() {
    assert_eq!(throws_of("1123456m 23p 78p 555z"), tile("1m"));
    assert_eq!(letter_of("1123456m 23p 78p 555z"), 'D');
}

#[test]
fn d_not_where_no_removal_leaves_complete_parts() {
    assert_eq!(letter_of("2233m 56p 99p 678s 555z"), 'F');
}

#[test]
fn e_then_in_a_block_of_three_the_one_that_leaves_a_wait_if_the_hand_has_a_pair_elsewhere() {
    assert_eq!(throws_of("233m 56p 99p 123s 78s 55z"), tile("3m"));
}

#[test]
fn e_the_one_that_leaves_it_with_a_pair_if_the_hand_has_none_elsewhere() {
    assert_eq!(throws_of("233m 12p 56p 23s 78s 555z"), tile("2m"));
}

#[test]
fn e_in_a_block_of_six_the_one_that_leaves_the_widest_wait() {
    // Without 2m it waits for 3m and 6m, without 1m for 2m alone.
    assert_eq!(throws_of("122345m 56p 99p 23s 55z"), tile("2m"));
    assert_eq!(letter_of("122345m 56p 99p 23s 55z"), 'E');
}

#[test]
fn e_not_in_a_block_of_complete_parts() {
    assert_eq!(letter_of("234m 56p 99p 23s 67s 555z"), 'F');
}

#[test]
fn f_then_in_a_block_of_five_the_one_that_leaves_a_wait() {
    assert_eq!(throws_of("23445m 56p 99p 678s 55z"), tile("5m"));
}

#[test]
fn f_in_a_block_of_two_as_well() {
    assert_eq!(throws_of("234m 12p 99p 56s 67p 555z"), tile("1p"));
}

#[test]
fn g_then_any_tile_pairs_before_parts() {
    let situation = Situation::called("234m 567p 23s 99s 55z 77z").legal(&[from_hand("2m"), from_hand("9s")]);
    assert_eq!(throws(&[], situation), tile("9s"));
}

#[test]
fn of_equal_tiles_the_plain_five_goes_before_the_red_one_and_the_drawn_one_before_one_from_the_hand() {
    let reds = Situation::called("23m 78m 99p 05s 44z 55z 77z").legal(&[from_hand("0s"), from_hand("5s")]);
    assert_eq!(throws(&[], reds), tile("5s"));
    let drawn = Action::Dahai { tile: tile("7z"), tsumogiri: true };
    let situation = Situation::drew("23m 78m 99p 55s 44z 55z 7z", "7z").legal(&[from_hand("7z"), drawn]);
    assert_eq!(chooses(&[], situation), drawn);
}

#[test]
fn the_value_of_a_discard_goes_down_with_the_rungs_and_the_reason_names_the_rung() {
    let each = ["5p", "1s", "7m", "5z", "2m"].map(from_hand);
    let answered = answers(&[], Situation::called("234m 78m 99p 5p 13s 67s 55z").legal(&each));
    assert!(answered.values.is_sorted_by(|higher, lower| higher > lower), "{:?}", answered.values);
    assert_eq!(answered.reason, "B: 5p stands alone");
}

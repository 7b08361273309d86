//! The discard from a hand that is not tenpai.

use super::*;

use riichi::MeldKind;

#[test]
fn an_isolated_tile_goes_before_one_from_a_gap() {
    assert_eq!(
        throws(&[PLAIN], Situation::called("1m 79m 24p 67p 678s 99s 55z")),
        tile("1m")
    );
}

#[test]
fn without_isolated_tiles_one_from_a_gap_goes_before_one_from_neighbours() {
    assert_eq!(
        throws(&[PLAIN], Situation::called("46m 23p 78p 99s 123s 555z")),
        tile("6m")
    );
}

#[test]
fn without_gaps_one_from_neighbours_goes_before_one_from_a_pair() {
    assert_eq!(
        throws(&[PLAIN], Situation::called("34m 78m 99s 55z 123p 567p")),
        tile("8m")
    );
}

/// Four pairs and two sets.
fn pairs() -> Situation {
    Situation::called("22m 88p 55s 77z 123m 456p")
}

#[test]
fn without_neighbours_one_from_a_pair_goes() {
    assert_eq!(throws(&[PLAIN], pairs()), tile("7z"));
}

#[test]
fn one_from_a_set_goes_last() {
    assert_eq!(
        throws(&[PLAIN], pairs().legal(&[from_hand("6p"), from_hand("2m")])),
        tile("2m")
    );
}

#[test]
fn within_a_class_the_highest_index_goes_first_so_honours_before_suits() {
    assert_eq!(
        throws(&[PLAIN], Situation::called("159m 26p 159s 236z 777z")),
        tile("6z")
    );
    assert_eq!(
        throws(&[PLAIN], Situation::called("159m 269p 26s 333z 777z")),
        tile("6s")
    );
    assert_eq!(
        throws(&[PLAIN], Situation::called("13m 68m 24p 79p 99s 55z 77z")),
        tile("9p")
    );
    assert_eq!(
        throws(&[PLAIN], Situation::called("34m 78m 23p 78p 99s 55z 77z")),
        tile("8p")
    );
}

#[test]
fn within_a_class_of_those_that_leave_as_much_the_highest_index_goes_first_by_default_too() {
    assert_eq!(
        throws(&[], Situation::called("234m 567p 78s 99s 2346z")),
        tile("6z")
    );
}

#[test]
fn of_a_gap_or_neighbours_the_tile_goes_that_leaves_the_cheaper_one() {
    // A single 3m goes with more tiles than 1m, and 2p with more than 1p.
    assert_eq!(
        throws(
            &[],
            Situation::called("13m 456p 99s 55z 77z 123s")
                .legal(&[from_hand("1m"), from_hand("3m")])
        ),
        tile("1m")
    );
    assert_eq!(
        throws(
            &[],
            Situation::called("12p 456m 99s 55z 77z 123s")
                .legal(&[from_hand("1p"), from_hand("2p")])
        ),
        tile("1p")
    );
}

#[test]
fn a_plain_five_goes_before_a_red_one() {
    let situation =
        Situation::called("22m 88p 05s 77z 123m 456p").legal(&[from_hand("0s"), from_hand("5s")]);
    assert_eq!(throws(&[PLAIN], situation), tile("5s"));
}

#[test]
fn the_drawn_tile_goes_before_the_same_from_the_hand() {
    let drawn = Action::Dahai {
        tile: tile("6s"),
        tsumogiri: true,
    };
    let situation =
        Situation::drew("6s 22m 88p 77z 123m 456p", "6s").legal(&[from_hand("6s"), drawn]);
    assert_eq!(chooses(&[PLAIN], situation), drawn);
}

#[test]
fn an_open_hand_discards_tiles_that_leave_its_yaku_certain_if_possible() {
    // All characters and honours except 5p.
    let situation = || Situation::drew("456m 99m 78m 123z", "5p").meld(0, MeldKind::Chi, "123m", 3);
    assert_eq!(throws(&[], situation()), tile("5p"));
    assert_eq!(
        throws(&[NO_CALLS], situation()),
        tile("5p"),
        "whoever called"
    );
}

#[test]
fn others_riichi_changes_nothing() {
    let hand = || Situation::called("159m 26p 159s 236z 777z");
    let calm = answers(&[], hand().river(1, "9m"));
    let threatened = answers(&[], hand().riichi(1, "9m"));
    assert_eq!(
        (calm.action, calm.values),
        (threatened.action, threatened.values)
    );
}

#[test]
fn the_value_of_a_discard_is_that_of_its_class_and_the_price_of_its_part() {
    let each = ["1z", "4m", "3p", "9s", "2s"].map(from_hand);
    let situation = Situation::called("46m 23p 99s 123s 567p 14z").legal(&each);
    assert_eq!(
        answers(&[PLAIN], situation).values,
        [30.5, 20.3, 10.2, 0.0, -10.0]
    );
}

#[test]
fn the_reason_names_the_tile_its_class_and_q() {
    let reason = |legal: &str| {
        let situation = Situation::called("46m 23p 99s 123s 567p 14z").legal(&[from_hand(legal)]);
        answers(&[PLAIN], situation).reason
    };
    assert_eq!(reason("1z"), "E by itself; Q 1.50");
    assert_eq!(reason("4m"), "4m from a gap; Q 1.50");
    assert_eq!(reason("3p"), "3p from neighbours; Q 1.50");
    assert_eq!(reason("9s"), "9s from a pair; Q 1.50");
    assert_eq!(reason("2s"), "2s from a set; Q 1.50");
}

//! The rungs of the ladder below tenpai, in order. Each hand also has discards on later rungs.

use super::*;

use policy_sdk::testing::tiles;

fn throws_of(hand: &str) -> Tile {
    throws(&[], Situation::called(hand))
}

fn letter_of(hand: &str) -> char {
    answers(&[], Situation::called(hand))
        .reason
        .chars()
        .next()
        .expect("a reason")
}

#[test]
fn b_first_a_tile_with_two_vacant_places_on_both_sides() {
    assert_eq!(throws_of("234m 78m 99p 5p 13s 67s 55z"), tile("5p"));
}

#[test]
fn b_single_honours_belong_there() {
    assert_eq!(throws_of("234m 78m 99p 13s 67s 44z 5z"), tile("5z"));
    // In pairs they are not single.
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
        assert_eq!(
            throws_of(&format!("{first} {then} 23p 67p 99p 1144z 77z")),
            tile(first),
            "{first} before {then}"
        );
    }
}

#[test]
fn c_then_a_tile_with_one_vacant_place() {
    assert_eq!(throws_of("234m 78m 99s 13p 67p 777z"), tile("1p"));
    assert_eq!(
        throws_of("234m 78m 99s 4p 667p 777z"),
        tile("4p"),
        "beside a block"
    );
}

#[test]
fn c_from_the_ends_inward() {
    assert_eq!(throws_of("234m 78m 35p 24s 99s 777z"), tile("2s"));
}

/// A block, what else there is in the hand, and the tile of the block that goes.
type Case = (&'static str, &'static str, &'static str);

/// Only the tiles of the block are listed, so one of them is discarded by this rung.
fn discarded_from_blocks(rung: char, cases: &[Case]) {
    for &(block, others, expected) in cases {
        let listed: Vec<Action> = {
            let mut kinds = tiles(block);
            kinds.dedup();
            kinds
                .into_iter()
                .map(|tile| Action::Dahai {
                    tile,
                    tsumogiri: false,
                })
                .collect()
        };
        let answered = answers(
            &[],
            Situation::called(&format!("{block} {others}")).legal(&listed),
        );
        assert_eq!(
            answered.action,
            from_hand(expected),
            "of {block} beside {others}: {}",
            answered.reason
        );
        assert!(
            answered.reason.starts_with(rung),
            "of {block} beside {others}: {}",
            answered.reason
        );
    }
}

#[test]
fn d_in_a_block_of_4_7_or_10_the_one_whose_removal_leaves_complete_parts() {
    discarded_from_blocks(
        'D',
        &[
            ("2344m", "78p 23s 99s 55z 77z", "4m"),
            ("1123456m", "23p 78p 555z", "1m"),
            ("1112345678m", "12p 89p", "8m"),
        ],
    );
}

#[test]
fn d_in_a_block_of_13_that_leaves_the_hand_tenpai_which_comes_first() {
    discarded_from_blocks('A', &[("1112345678999m", "5p", "2m")]);
}

#[test]
fn e_in_a_block_of_3_6_or_9_the_one_that_leaves_the_widest_wait_if_the_hand_has_a_pair_elsewhere() {
    discarded_from_blocks(
        'E',
        &[
            ("233m", "56p 99p 123s 78s 55z", "3m"),
            // Without 2m it waits for 3m and 6m, without 1m for 2m alone.
            ("122345m", "56p 99p 23s 55z", "2m"),
            ("122345678m", "99p 12s 7z", "2m"),
        ],
    );
}

#[test]
fn e_in_a_block_of_3_6_9_or_12_the_one_that_leaves_it_with_a_pair_if_the_hand_has_none_elsewhere() {
    discarded_from_blocks(
        'E',
        &[
            ("233m", "12p 56p 23s 78s 555z", "2m"),
            ("233456m", "12p 89p 12s 89s", "2m"),
            // 22m, 345m and 678m.
            ("223345678m", "12p 89p 5z", "3m"),
            // 123m, 456m, 789m and 99m.
            ("112345678999m", "1p 5s", "1m"),
        ],
    );
}

#[test]
fn f_in_a_block_of_2_5_8_or_11_the_one_that_leaves_the_widest_wait() {
    discarded_from_blocks(
        'F',
        &[
            ("12p", "234m 99p 56s 67p 555z", "1p"),
            ("23445m", "56p 99p 678s 55z", "5m"),
            // Without 8m it waits for 1m, 4m and 7m, as 23m 44m 567m or 234m 4567m.
            ("23445678m", "12p 89p 12s", "8m"),
            // Without 2m for 3m, 6m and 9m, without 9m for 2m and 5m.
            ("22344567899m", "1p 5s 5z", "2m"),
        ],
    );
}

#[test]
fn g_then_any_tile_pairs_then_single_tiles_then_parts() {
    // Of 2223m only 3m leaves complete parts; 2m is in no part as a single tile.
    let of = |listed: [&str; 2]| {
        let situation =
            Situation::called("2223m 567p 99s 55z 77z 1z").legal(&listed.map(from_hand));
        answers(&[], situation)
    };
    for (listed, thrown) in [
        (["2m", "9s"], "9s"),
        (["6p", "9s"], "9s"),
        (["6p", "2m"], "2m"),
    ] {
        let answered = of(listed);
        assert_eq!(answered.action, from_hand(thrown), "{}", answered.reason);
        assert!(answered.reason.starts_with('G'), "{}", answered.reason);
    }
    assert_eq!(of(["2m", "9s"]).reason, "G: 9s is of a pair");
    assert_eq!(of(["6p", "2m"]).reason, "G: 2m is of no part");
}

#[test]
fn d_not_if_no_removal_leaves_complete_parts() {
    assert_eq!(letter_of("2233m 56p 99p 678s 555z"), 'F');
}

#[test]
fn e_not_in_a_block_of_complete_parts() {
    assert_eq!(letter_of("234m 56p 99p 23s 67s 555z"), 'F');
}

#[test]
fn of_equal_tiles_the_plain_five_goes_before_the_red_one_and_the_drawn_one_before_one_from_the_hand()
 {
    let reds =
        Situation::called("23m 78m 99p 05s 44z 55z 77z").legal(&[from_hand("0s"), from_hand("5s")]);
    assert_eq!(throws(&[], reds), tile("5s"));
    let drawn = Action::Dahai {
        tile: tile("7z"),
        tsumogiri: true,
    };
    let situation =
        Situation::drew("23m 78m 99p 55s 44z 55z 7z", "7z").legal(&[from_hand("7z"), drawn]);
    assert_eq!(chooses(&[], situation), drawn);
}

#[test]
fn the_value_of_a_discard_goes_down_with_the_rungs_and_the_reason_names_the_rung() {
    let each = ["5p", "1s", "7m", "5z", "2m"].map(from_hand);
    let answered = answers(
        &[],
        Situation::called("234m 78m 99p 5p 13s 67s 55z").legal(&each),
    );
    assert!(
        answered.values.is_sorted_by(|higher, lower| higher > lower),
        "{:?}",
        answered.values
    );
    assert_eq!(answered.reason, "B: 5p stands alone");
}

//! Each yaku by a hand with no other, and by one that misses it.

use riichi::yaku::{Declared, WinBy, WinContext, has_yaku};
use riichi::{Meld, MeldKind, Wind};

use crate::text::{hand, kind, meld};

/// A ron in the South round by the West seat, without any luck.
const RON: WinContext = WinContext {
    by: WinBy::Discard,
    riichi: None,
    seat_wind: Wind::West,
    round_wind: Wind::South,
    open_tanyao: true,
};

const TSUMO: WinContext = WinContext {
    by: WinBy::Draw,
    ..RON
};

fn wins_with(closed: &str, melds: &[Meld], winning: &str, context: &WinContext) -> bool {
    has_yaku(&hand(closed, melds.len()), melds, kind(winning), context)
}

fn chi(text: &str) -> Meld {
    meld(MeldKind::Chi, text)
}

fn pon(text: &str) -> Meld {
    meld(MeldKind::Pon, text)
}

fn ankan(text: &str) -> Meld {
    meld(MeldKind::Ankan, text)
}

/// Complete, and without a yaku unless the circumstances give one.
const NOTHING: (&str, &str) = ("123m456p789s444p11z", "4p");

#[test]
fn shape_alone_is_no_yaku() {
    let (closed, winning) = NOTHING;
    assert!(!wins_with(closed, &[], winning, &RON));
}

#[test]
fn riichi_is_a_yaku() {
    let (closed, winning) = NOTHING;
    assert!(wins_with(
        closed,
        &[],
        winning,
        &WinContext {
            riichi: Some(Declared::default()),
            ..RON
        }
    ));
}

#[test]
fn tsumo_is_a_yaku_of_closed_hands_only() {
    let (closed, winning) = NOTHING;
    assert!(wins_with(closed, &[], winning, &TSUMO));
    assert!(
        wins_with("123m789s444p11z", &[ankan("5555s")], winning, &TSUMO),
        "a closed kan leaves the hand closed"
    );
    assert!(!wins_with(
        "123m789s444p11z",
        &[chi("567p")],
        winning,
        &TSUMO
    ));
}

#[test]
fn luck_is_a_yaku_of_open_hands_too() {
    for by in [
        WinBy::LastDiscard,
        WinBy::LastDraw,
        WinBy::Replacement,
        WinBy::Kan,
    ] {
        assert!(
            wins_with(
                "123m789s444p11z",
                &[chi("567p")],
                "4p",
                &WinContext { by, ..RON }
            ),
            "{by:?}"
        );
    }
}

#[test]
fn pinfu_needs_a_wait_on_both_sides() {
    let closed = "123m456p789s22567p";
    assert!(wins_with(closed, &[], "5p", &RON));
    assert!(!wins_with(closed, &[], "3m", &RON), "the end of 123");
    assert!(!wins_with(closed, &[], "7s", &RON), "the end of 789");
    assert!(!wins_with(closed, &[], "8s", &RON), "a gap");
    assert!(!wins_with(closed, &[], "2p", &RON), "the pair");
}

#[test]
fn pinfu_takes_the_reading_in_which_the_wait_is_two_sided() {
    // 3m completes 12 or 45.
    assert!(wins_with("123345m456p789s99p", &[], "3m", &RON));
}

#[test]
fn pinfu_needs_a_pair_without_value() {
    assert!(
        wins_with("123m456p789s567p11z", &[], "5p", &RON),
        "East is neither the round's nor the seat's"
    );
    for pair in ["22z", "33z", "55z", "66z", "77z"] {
        assert!(
            !wins_with(&format!("123m456p789s567p{pair}"), &[], "5p", &RON),
            "{pair}"
        );
    }
}

#[test]
fn pinfu_needs_a_hand_without_melds() {
    assert!(!wins_with("123m789s56722p", &[chi("456p")], "5p", &RON));
    assert!(!wins_with("123m789s56722p", &[ankan("5555s")], "5p", &RON));
}

#[test]
fn open_tanyao_is_a_matter_of_rules() {
    let closed_only = WinContext {
        open_tanyao: false,
        ..RON
    };
    assert!(wins_with("234m555p678s22p", &[chi("456p")], "5p", &RON));
    assert!(!wins_with(
        "234m555p678s22p",
        &[chi("456p")],
        "5p",
        &closed_only
    ));
    assert!(wins_with("234m555p678s22p456p", &[], "5p", &closed_only));
    assert!(!wins_with("234m555p678s22p", &[chi("789p")], "5p", &RON));
}

#[test]
fn triplets_of_dragons_and_own_winds_are_yakuhai() {
    for (triplet, value) in [
        ("111z", false),
        ("222z", true),
        ("333z", true),
        ("444z", false),
        ("666z", true),
    ] {
        assert_eq!(
            wins_with("123m789s44p567p", &[pon(triplet)], "4p", &RON),
            value,
            "{triplet} melded"
        );
        assert_eq!(
            wins_with(&format!("123m789s44p{triplet}"), &[chi("567p")], "4p", &RON),
            value,
            "{triplet} held"
        );
    }
    assert!(
        !wins_with("123m789s55z567p", &[pon("111z")], "5z", &RON),
        "a pair of dragons"
    );
}

#[test]
fn twin_runs_are_a_yaku_of_closed_hands_only() {
    assert!(wins_with("112233m456p999s44z", &[], "4z", &RON));
    assert!(wins_with("112233m456p44z", &[ankan("9999s")], "4z", &RON));
    assert!(!wins_with("112233m999s44z", &[chi("456p")], "4z", &RON));
    assert!(!wins_with("123m456p999s44z", &[chi("123m")], "4z", &RON));
}

#[test]
fn the_same_run_in_three_suits_is_a_yaku() {
    assert!(wins_with("234m234p999s44z", &[chi("234s")], "4z", &RON));
    assert!(!wins_with("234m234p999s44z", &[chi("345s")], "4z", &RON));
    assert!(
        !wins_with("789m123p999s44z", &[chi("567s")], "4z", &RON),
        "runs do not go from suit to suit"
    );
}

#[test]
fn the_same_triplet_in_three_suits_is_a_yaku() {
    assert!(wins_with("222m222p345s44z", &[pon("222s")], "4z", &RON));
    assert!(!wins_with("222m222p345s44z", &[pon("333s")], "4z", &RON));
}

#[test]
fn a_straight_is_of_one_suit() {
    assert!(wins_with("123456m345p44z", &[chi("789m")], "4z", &RON));
    assert!(!wins_with("123456m345p44z", &[chi("789p")], "4z", &RON));
}

#[test]
fn outside_hands_have_an_end_or_an_honour_in_every_part() {
    assert!(wins_with("123m999p789s44z", &[chi("789p")], "4z", &RON));
    assert!(wins_with("123m999p789s11s", &[chi("789p")], "1s", &RON));
    assert!(!wins_with("123m999p789s22s", &[chi("789p")], "2s", &RON));
    assert!(!wins_with("123m888p789s44z", &[chi("789p")], "4z", &RON));
    assert!(!wins_with("234m999p789s44z", &[chi("789p")], "4z", &RON));
}

#[test]
fn all_triplets_are_a_yaku() {
    assert!(wins_with(
        "222m555p44z",
        &[pon("888s"), pon("111z")],
        "4z",
        &RON
    ));
    assert!(!wins_with(
        "222m555p44z",
        &[pon("888s"), chi("123s")],
        "4z",
        &RON
    ));
}

#[test]
fn three_concealed_triplets_are_a_yaku() {
    assert!(wins_with("222m555p888s44z", &[chi("123s")], "4z", &RON));
    assert!(wins_with(
        "222m555p44z",
        &[ankan("8888s"), chi("123s")],
        "4z",
        &RON
    ));
    assert!(!wins_with(
        "222m555p44z",
        &[pon("888s"), chi("123s")],
        "4z",
        &RON
    ));
}

#[test]
fn a_ron_opens_the_triplet_it_completes() {
    assert!(!wins_with("222m555p888s44z", &[chi("123s")], "8s", &RON));
    assert!(wins_with("222m555p888s44z", &[chi("123s")], "8s", &TSUMO));
}

#[test]
fn a_ron_that_fits_a_run_leaves_the_triplet_concealed() {
    assert!(wins_with("222m555p8888s79s44z", &[], "8s", &RON));
}

#[test]
fn three_kans_are_a_yaku() {
    let two = [
        meld(MeldKind::Daiminkan, "1111m"),
        meld(MeldKind::Kakan, "5555p"),
    ];
    let third = meld(MeldKind::Ankan, "8888s");
    assert!(wins_with("123s44z", &[two[0], two[1], third], "4z", &RON));
    assert!(!wins_with(
        "123s44z",
        &[two[0], two[1], pon("888s")],
        "4z",
        &RON
    ));
}

#[test]
fn one_suit_is_a_yaku_with_honours_or_without() {
    assert!(wins_with(
        "123567m44z",
        &[chi("789m"), pon("111z")],
        "4z",
        &RON
    ));
    assert!(wins_with(
        "12356799m",
        &[chi("789m"), chi("345m")],
        "9m",
        &RON
    ));
    assert!(!wins_with(
        "123567m44z",
        &[chi("789p"), pon("111z")],
        "4z",
        &RON
    ));
}

#[test]
fn only_ends_and_honours_is_a_yaku() {
    assert!(wins_with(
        "111m99p",
        &[pon("999s"), pon("111p"), pon("111z")],
        "9p",
        &RON
    ));
}

#[test]
fn four_winds_are_a_yaku_even_when_the_pair_is_of_the_only_wind_with_value() {
    let east = WinContext {
        seat_wind: Wind::East,
        round_wind: Wind::East,
        ..RON
    };
    assert!(wins_with(
        "123m11z",
        &[pon("222z"), pon("333z"), pon("444z")],
        "1z",
        &east
    ));
}

#[test]
fn seven_pairs_are_a_yaku() {
    assert!(wins_with("1199m2255p3388s4z4z", &[], "4z", &RON));
}

#[test]
fn thirteen_orphans_are_a_yaku() {
    assert!(wins_with("19m19p19s12345677z", &[], "7z", &RON));
}

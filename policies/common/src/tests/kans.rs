use super::*;

use policy_sdk::testing::{ankan, daiminkan, drawn, kakan};
use riichi::MeldKind;

/// Tenpai on 1s and 4s without one of four 1m.
fn four_of_a_kind() -> Situation {
    Situation::drew("111m 456p 789s 23s 55p", "1m").also(ankan("1m"))
}

#[test]
fn with_kan_never_none_is_made() {
    assert!(matches!(
        chooses(&[], four_of_a_kind()),
        Action::Reach { .. }
    ));
}

#[test]
fn with_kan_safe_a_closed_kan_is_shown_that_leaves_shanten_and_waits_unchanged() {
    assert_eq!(chooses(&[KANS], four_of_a_kind()), ankan("1m"));
}

#[test]
fn with_kan_safe_none_is_shown_that_raises_shanten() {
    // 111m and 123m.
    let situation = Situation::drew("11123m 456p 23s 55p 1z", "1m").also(ankan("1m"));
    assert_ne!(chooses(&[KANS], situation), ankan("1m"));
}

#[test]
fn with_kan_safe_none_is_shown_that_changes_the_waits() {
    // Without 4z, 3333456p waits on 6p; after the kan 456p is a set and 4z the wait, which still
    // keeps tenpai.
    let situation = Situation::drew("123789m 333456p 4z", "3p")
        .river(1, "4z")
        .also(ankan("3p"));
    assert_ne!(chooses(&[KANS], situation), ankan("3p"));
}

#[test]
fn with_kan_safe_a_tile_is_added_to_a_pon_if_that_changes_nothing() {
    let situation = || {
        Situation::drew("123m 456p 23s 99s", "5z")
            .meld(0, MeldKind::Pon, "555z", 2)
            .also(kakan("5z"))
    };
    assert_eq!(chooses(&[KANS], situation()), kakan("5z"));
    assert_eq!(chooses(&[], situation()), drawn("5z"));
}

#[test]
fn with_kan_safe_none_is_added_to_that_the_hand_has_a_use_for() {
    // 5s is one end of 567s.
    let situation = Situation::drew("123m 456p 67s 99s", "5s")
        .meld(0, MeldKind::Pon, "555s", 2)
        .also(kakan("5s"));
    assert_ne!(chooses(&[KANS], situation), kakan("5s"));
}

#[test]
fn for_speed_no_open_kan_is_called() {
    let situation = Situation::offered("123m 456p 23s 99s 555z", "5z", 1).also(daiminkan("5z", 1));
    assert_eq!(chooses(&[KANS, CALLS], situation), Action::None);
}

#[test]
fn a_kan_has_the_value_of_the_discard_it_is_shown_instead_of() {
    let answered = answers(&[KANS], four_of_a_kind());
    assert_eq!(answered.values.last(), Some(&1.0), "{answered:?}");
}

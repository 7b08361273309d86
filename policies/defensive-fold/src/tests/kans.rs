//! Kans: one more draw and one more indicator, for all seats.

use super::*;

use policy_sdk::testing::{ankan, daiminkan, kakan};
use riichi::MeldKind;

fn value_of(situation: Situation, action: Action) -> f32 {
    let scene = situation.build();
    let listed = scene
        .view(|view| view.legal().iter().position(|listed| *listed == action))
        .unwrap();
    decides(&[], &scene).values[listed.expect("listed")]
}

#[test]
fn of_two_kans_it_shows_the_one_that_is_worth_more() {
    // Both leave the hand a step from tenpai; ones count twice the fu of twos.
    let situation = Situation::drew("2222m 111p 34s 67s 88s", "1p")
        .also(ankan("2m"))
        .also(ankan("1p"));
    assert_eq!(chooses(&[], situation), ankan("1p"));
}

#[test]
fn without_a_seat_near_tenpai_it_adds_the_fourth_tile() {
    assert_eq!(chooses(&[], adds_to_a_cheap_hand()), kakan("2m"));
}

/// A cheap open hand in tenpai that drew the fourth tile of its pon.
fn adds_to_a_cheap_hand() -> Situation {
    Situation::drew("345p 67p 44s 678s", "2m")
        .meld(0, MeldKind::Pon, "222m", 2)
        .also(kakan("2m"))
}

#[test]
fn against_two_in_riichi_a_cheap_hand_turns_no_indicator_for_them() {
    let situation = adds_to_a_cheap_hand().riichi(1, "1z").riichi(2, "4z");
    assert_eq!(chooses(&[], situation), drawn("2m"));
}

#[test]
fn it_calls_an_open_kan_for_the_draw_and_the_dora() {
    let situation =
        || Situation::offered("456p 23s 99s 555z", "5z", 1).meld(0, MeldKind::Chi, "123m", 3);
    assert_eq!(
        chooses(&[], situation().also(daiminkan("5z", 1))),
        daiminkan("5z", 1)
    );
    assert_eq!(
        chooses(&[NO_KANS], situation().also(daiminkan("5z", 1))),
        Action::None
    );
}

#[test]
fn it_opens_no_closed_hand_for_a_kan() {
    let situation =
        Situation::offered("234m 46p 23s 99s 1z 555z", "5z", 1).also(daiminkan("5z", 1));
    assert_eq!(chooses(&[], situation), Action::None);
}

#[test]
fn in_riichi_it_shows_a_kan_for_the_draw() {
    let situation = Situation::drew("111m 456p 789s 23s 55p", "1m")
        .riichi(0, "4z")
        .also(ankan("1m"));
    assert_eq!(
        chooses(&[], situation.legal(&[drawn("1m"), ankan("1m")])),
        ankan("1m")
    );
}

#[test]
fn the_replacement_tile_of_a_kan_may_be_dangerous_to_discard() {
    let calm = value_of(adds_to_a_cheap_hand(), kakan("2m"));
    let threatened = value_of(adds_to_a_cheap_hand().riichi(1, "9s"), kakan("2m"));
    assert!(threatened < calm, "{threatened} {calm}");
}

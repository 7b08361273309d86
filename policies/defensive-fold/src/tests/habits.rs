//! The shared habits of all strategies, connected, and when riichi is declared.

use super::*;

use policy_sdk::testing::{ankan, assert_every_decision_is_explained};

const NO_KYUSHU: Setting<'static> = ("kyushu", Value::boolean(false));
const ALWAYS_RIICHI: Setting<'static> = ("riichi", Value::text(VALUE_CHOICE, "always"));

#[test]
fn every_decision_has_a_value_and_a_reason() {
    assert_every_decision_is_explained(&ENTRY, "defensive-fold", &[]);
}

#[test]
fn it_wins_on_its_own_draw_under_any_threat() {
    let hora = Action::Hora {
        target: seat(0),
        tile: tile("2z"),
    };
    let situation = Situation::drew("123m 456p 789s 1112z", "2z")
        .riichi(1, "9m")
        .also(hora);
    assert_eq!(chooses(&[], situation), hora);
}

#[test]
fn it_wins_on_a_discard_rather_than_passing() {
    let hora = Action::Hora {
        target: seat(3),
        tile: tile("2z"),
    };
    let situation = Situation::offered("123m 456p 789s 1112z", "2z", 3)
        .riichi(1, "9m")
        .also(hora);
    assert_eq!(chooses(&[], situation), hora);
}

#[test]
fn it_declares_the_draw_by_nine_terminals_by_default() {
    let situation = || Situation::drew("19m 19p 19s 1234z 234m", "5m").also(Action::Ryukyoku);
    assert_eq!(chooses(&[], situation()), Action::Ryukyoku);
    assert!(matches!(
        chooses(&[NO_KYUSHU], situation()),
        Action::Dahai { .. }
    ));
}

#[test]
fn with_kan_safe_it_shows_a_kan_that_leaves_shanten_and_waits_unchanged() {
    let situation = || Situation::drew("111m 456p 789s 23s 55p", "1m").also(ankan("1m"));
    assert_eq!(chooses(&[], situation()), ankan("1m"));
    assert!(matches!(
        chooses(&[NO_KANS], situation()),
        Action::Reach { .. }
    ));
}

#[test]
fn a_hand_that_is_given_up_shows_no_kan() {
    let situation = || {
        Situation::drew("258p 47s 9p 19s 23z 111m", "1m")
            .also(ankan("1m"))
            .river(1, "9p2z")
    };
    assert_eq!(chooses(&[], situation()), ankan("1m"));
    assert_ne!(
        chooses(&[], situation().riichi(1, "4z").riichi(2, "4z")),
        ankan("1m")
    );
}

/// A yakuman that is certain without riichi, far behind in the last round.
fn certain_without_riichi() -> Scene {
    let hand = Situation::drew("555666777z 23s 99s", "1m").dora_markers("4z5z6z");
    in_the_last_round(hand, [20_000, 27_000, 27_000, 26_000])
}

#[test]
fn with_riichi_worth_a_hand_stays_silent_if_that_is_worth_more() {
    assert_eq!(decides(&[], &certain_without_riichi()).action, drawn("1m"));
}

#[test]
fn with_riichi_always_a_closed_tenpai_hand_that_is_played_on_declares_riichi() {
    let riichi = Action::Reach {
        tile: tile("1m"),
        tsumogiri: true,
    };
    assert_eq!(
        decides(&[ALWAYS_RIICHI], &certain_without_riichi()).action,
        riichi
    );
}

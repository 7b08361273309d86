use super::*;

use policy_sdk::testing::{drawn, pon, seat};
use riichi::MeldKind;

#[test]
fn it_always_wins_on_its_own_draw() {
    let hora = Action::Hora {
        target: seat(0),
        tile: tile("2z"),
    };
    let situation = Situation::drew("123m 456p 789s 1112z", "2z")
        .also(Action::Ryukyoku)
        .also(hora);
    assert_eq!(chooses(&[], situation), hora);
}

#[test]
fn it_wins_on_a_discard_rather_than_passing_or_calling() {
    let hora = Action::Hora {
        target: seat(3),
        tile: tile("1z"),
    };
    let situation = Situation::offered("123m 456p 789s 1122z", "1z", 3)
        .also(pon("1z", 3))
        .also(hora);
    assert_eq!(chooses(&[CALLS], situation), hora);
}

/// Nine terminals and honours on the first draw.
fn nine_terminals() -> Situation {
    Situation::drew("19m 19p 19s 1234z 234m", "5m").also(Action::Ryukyoku)
}

#[test]
fn it_declares_the_draw_by_nine_terminals() {
    assert_eq!(chooses(&[], nine_terminals()), Action::Ryukyoku);
}

#[test]
fn with_kyushu_false_it_plays_on_with_nine_terminals() {
    assert!(matches!(
        chooses(&[NO_KYUSHU], nine_terminals()),
        Action::Dahai { .. }
    ));
}

#[test]
fn what_leaves_no_choice_has_a_value_above_those_of_discards_and_a_reason() {
    let answered = answers(&[], nine_terminals());
    assert_eq!(
        (answered.values.last(), answered.reason.as_str()),
        (Some(&1_000.0), "nine terminals")
    );
}

#[test]
fn closed_and_tenpai_it_declares_riichi() {
    let situation = Situation::drew("123456m 789s 45p 88p", "1z");
    assert_eq!(
        chooses(&[], situation),
        Action::Reach {
            tile: tile("1z"),
            tsumogiri: true
        }
    );
}

#[test]
fn after_a_call_it_discards_only_tiles_that_leave_the_yaku_certain_if_possible() {
    // All characters and honours except 5p, which acceptance alone keeps.
    let situation = || Situation::drew("456m 99m 78m 123z", "5p").meld(0, MeldKind::Chi, "123m", 3);
    assert_eq!(chooses(&[CALLS], situation()), drawn("5p"));
    assert_eq!(chooses(&[], situation()), drawn("5p"), "whoever called");
}

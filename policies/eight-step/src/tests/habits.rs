//! The shared habits of every strategy.

use super::*;

use policy_sdk::abi::status::STATUS_BAD_PARAMETER;
use policy_sdk::testing::assert_every_decision_is_explained;

#[test]
fn every_decision_has_a_value_and_a_reason() {
    assert_every_decision_is_explained(&ENTRY, "eight-step", &[CALLS, KANS]);
}

#[test]
fn it_wins_whatever_else_is_listed() {
    let hora = Action::Hora {
        target: seat(0),
        tile: tile("2z"),
    };
    assert_eq!(
        chooses(
            &[],
            Situation::drew("123m 456p 789s 1112z", "2z").also(hora)
        ),
        hora
    );
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
fn by_the_calls_parameter_it_calls_only_if_a_yaku_stays_certain() {
    let dragon = || Situation::offered("123m 456p 23s 99s 55z 1z", "5z", 1).also(pon("5z", 1));
    assert_eq!(chooses(&[], dragon()), Action::None);
    assert_eq!(chooses(&[CALLS], dragon()), pon("5z", 1));
    let guest_wind = Situation::offered("123m 456p 23s 99s 44z 1z", "4z", 1).also(pon("4z", 1));
    assert_eq!(chooses(&[CALLS], guest_wind), Action::None);
}

#[test]
fn by_the_kan_parameter_it_makes_kans_that_change_nothing() {
    let ankan = Action::Ankan {
        consumed: [tile("1m"); 4],
    };
    let situation = || Situation::drew("111m 456p 789s 23s 55p", "1m").also(ankan);
    assert!(matches!(chooses(&[], situation()), Action::Reach { .. }));
    assert_eq!(chooses(&[KANS], situation()), ankan);
}

#[test]
fn there_are_three_levels() {
    for level in [0, 4] {
        let refused =
            TestInstance::create(&ENTRY, "eight-step", &[("level", Value::integer(level))])
                .unwrap_err();
        assert_eq!(refused.status, STATUS_BAD_PARAMETER);
    }
}

#[test]
fn a_list_without_anything_it_plays_has_no_answer() {
    let situation = Situation::drew("19m 159p 19s 123567z", "4z").legal(&[Action::Kita]);
    let refused = TestInstance::create(&ENTRY, "eight-step", &[])
        .unwrap()
        .decide(&situation.build())
        .unwrap_err();
    assert_eq!(refused.text, "no discard among [kita]");
}

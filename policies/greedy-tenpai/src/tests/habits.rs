//! The shared habits of all strategies, connected.

use super::*;

use policy_sdk::testing::{ankan, assert_every_decision_is_explained, pon};

const CALLS: Setting<'static> = ("calls", Value::text(VALUE_CHOICE, "yaku"));
const KANS: Setting<'static> = ("kan", Value::text(VALUE_CHOICE, "safe"));
const NO_KYUSHU: Setting<'static> = ("kyushu", Value::boolean(false));

#[test]
fn every_decision_has_a_value_and_a_reason() {
    assert_every_decision_is_explained(&ENTRY, "greedy-tenpai", &[CALLS, KANS]);
}

#[test]
fn it_calls_nothing_by_default() {
    let dragon_offered =
        || Situation::offered("123m 456p 23s 99s 55z 1z", "5z", 1).also(pon("5z", 1));
    assert_eq!(chooses(&[], dragon_offered()), Action::None);
    assert_eq!(chooses(&[CALLS], dragon_offered()), pon("5z", 1));
}

#[test]
fn it_makes_no_kan_by_default() {
    let four_of_a_kind = || Situation::drew("111m 456p 789s 23s 55p", "1m").also(ankan("1m"));
    assert!(matches!(
        chooses(&[], four_of_a_kind()),
        Action::Reach { .. }
    ));
    assert_eq!(chooses(&[KANS], four_of_a_kind()), ankan("1m"));
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

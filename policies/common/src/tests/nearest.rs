use super::*;

use policy_sdk::testing::{chi, pon};
use riichi::Rules;

/// One dragon more makes it tenpai.
fn dragon_offered() -> Situation {
    Situation::offered("123m 456p 23s 99s 55z 1z", "5z", 1).also(pon("5z", 1))
}

/// 6s makes it a hand of simples nearer to completion.
fn simples_offered() -> Situation {
    Situation::offered("234m 456p 45s 66s 8p 3m 7m", "6s", 3).also(chi("6s", "4s", "5s"))
}

#[test]
fn with_calls_never_everything_passes_with_a_value_and_a_reason() {
    let answered = answers(&[], dragon_offered());
    assert_eq!((answered.action, answered.values[0]), (Action::None, 0.0));
    assert_eq!(answered.reason, "passed: it never calls");
}

#[test]
fn with_calls_yaku_it_calls_what_lowers_shanten_and_leaves_a_yaku_certain() {
    assert_eq!(chooses(&[CALLS], dragon_offered()), pon("5z", 1));
    assert_eq!(chooses(&[CALLS], simples_offered()), chi("6s", "4s", "5s"));
}

#[test]
fn with_calls_yaku_it_lets_pass_what_leaves_no_yaku_certain() {
    // North is not a value for the dealer of an East round.
    let situation = Situation::offered("123m 456p 23s 99s 44z 1z", "4z", 1).also(pon("4z", 1));
    assert_eq!(chooses(&[CALLS], situation), Action::None);
    let without_open_tanyao = Rules {
        open_tanyao: false,
        ..Rules::default()
    };
    assert_eq!(
        chooses(&[CALLS], simples_offered().rules(without_open_tanyao)),
        Action::None
    );
}

#[test]
fn with_calls_yaku_it_lets_pass_what_does_not_lower_shanten() {
    // The run is there already.
    let situation =
        Situation::offered("234m 456p 456s 8s 2p 7m 8m", "6s", 3).also(chi("6s", "4s", "5s"));
    assert_eq!(chooses(&[CALLS], situation), Action::None);
}

#[test]
fn of_several_calls_it_makes_the_one_that_leaves_the_most_acceptance() {
    // The one leaves 45s, which 3s and 6s complete, the other 12s.
    let wide = chi("3s", "1s", "2s");
    let narrow = chi("3s", "4s", "5s");
    let situation = || Situation::offered("678m 555z 12s 45s 33p 9p", "3s", 3);
    let together = chooses(&[CALLS], situation().also(narrow).also(wide));
    let other_way = chooses(&[CALLS], situation().also(wide).also(narrow));
    assert_eq!((together, other_way), (wide, wide));
}

#[test]
fn passing_and_a_call_have_the_value_of_the_resulting_hand() {
    let answered = answers(&[CALLS], dragon_offered());
    // 1s, 4s, 5z and 9s are wanted; after the call and 1z 1s and 4s are waited for, four copies of
    // each.
    let [pass, call] = answered.values[..] else {
        panic!("two values")
    };
    assert_eq!((pass, call), (11.0 - 1_000.0, 8.0));
}

//! Calls: where the hand is better with them.

use super::*;

#[test]
fn it_calls_a_value_honour_that_brings_the_hand_nearer() {
    let situation = || Situation::offered("234m 67m 34p 55z 88s 29p", "5z", 1).also(pon("5z", 1));
    assert_eq!(chooses(&[], situation()), pon("5z", 1));
    assert_eq!(chooses(&[NO_CALLS], situation()), Action::None);
}

#[test]
fn it_calls_a_run_for_a_hand_of_simples() {
    let situation = Situation::offered("234m 67m 24p 55s 678s 2m", "3p", 3).also(chi("3p", "2p", "4p"));
    assert_eq!(chooses(&[], situation), chi("3p", "2p", "4p"));
}

#[test]
fn it_lets_pass_what_leaves_no_yaku_certain() {
    let situation = Situation::offered("123m 456p 23s 99s 44z 1z", "4z", 1).also(pon("4z", 1));
    assert_eq!(chooses(&[], situation), Action::None);
}

#[test]
fn it_does_not_even_judge_what_brings_the_hand_no_nearer() {
    let situation = Situation::offered("234m 456p 456s 8s 2p 7m 8m", "6s", 3).also(chi("6s", "4s", "5s"));
    let answered = decides(&[], &situation.build());
    assert_eq!(answered.action, Action::None);
    assert!(answered.values[1].is_nan(), "{answered:?}");
}

#[test]
fn against_riichi_it_does_not_call_a_cheap_and_slow_hand_open() {
    let situation = Situation::offered("13m 68m 35p 8p 55z 14s 9s 2z", "5z", 1).also(pon("5z", 1));
    assert_eq!(chooses(&[], situation.riichi(2, "1z").riichi(3, "2m")), Action::None);
}

#[test]
fn it_stays_closed_where_the_hand_is_worth_more_so() {
    // Tenpai for a thousand points, or one step from riichi with three good shapes, in the last round and far behind.
    let offered = || Situation::offered("234m 567p 45s 67s 88p 3m", "3s", 3).also(chi("3s", "4s", "5s"));
    let behind = in_the_last_round(offered(), [14_000, 22_000, 32_000, 32_000]);
    assert_eq!(decides(&[], &behind).action, Action::None);
    let ahead = in_the_last_round(offered(), [32_000, 31_000, 20_000, 17_000]);
    assert_eq!(decides(&[], &ahead).action, chi("3s", "4s", "5s"), "and calls it where any win will do");
}

//! Calls: made if the hand is better with them.

use super::*;

#[test]
fn it_calls_a_value_honour_that_brings_the_hand_nearer() {
    let situation = || Situation::offered("234m 67m 34p 55z 88s 29p", "5z", 1).also(pon("5z", 1));
    assert_eq!(chooses(&[], situation()), pon("5z", 1));
    assert_eq!(chooses(&[NO_CALLS], situation()), Action::None);
}

#[test]
fn it_calls_a_run_for_a_hand_of_simples() {
    let situation =
        Situation::offered("234m 67m 24p 55s 678s 2m", "3p", 3).also(chi("3p", "2p", "4p"));
    assert_eq!(chooses(&[], situation), chi("3p", "2p", "4p"));
}

#[test]
fn it_lets_pass_what_leaves_no_yaku_certain() {
    let situation = Situation::offered("123m 456p 23s 99s 44z 1z", "4z", 1).also(pon("4z", 1));
    assert_eq!(chooses(&[], situation), Action::None);
}

#[test]
fn it_lets_pass_what_brings_the_hand_no_nearer_and_no_yaku() {
    let situation =
        Situation::offered("234m 456p 456s 8s 2p 7m 8m", "6s", 3).also(chi("6s", "4s", "5s"));
    assert_eq!(chooses(&[], situation), Action::None);
}

#[test]
fn it_calls_a_value_honour_that_makes_the_yaku_though_the_hand_comes_no_nearer() {
    // Five blocks without the pair of dragons, two of them with a red five or dora, and no other
    // yaku in sight.
    let situation = Situation::offered("0678m 12p 067s 89s 55z", "5z", 1)
        .dora_markers("4s7p")
        .also(pon("5z", 1));
    assert_eq!(chooses(&[], situation), pon("5z", 1));
}

#[test]
fn a_step_from_tenpai_three_colours_are_yaku_enough_for_a_call() {
    // Open for 789m; 7s or 9s makes it tenpai, and every way to win has three colours.
    let situation =
        || Situation::offered("789p 79m 79s 11p 56p 3z 2m", "8m", 3).also(chi("8m", "7m", "9m"));
    let value = |situation: Situation| decides(&[], &situation.build()).values[1];
    assert!(
        value(situation()) > value(situation().river(2, "8s8s8s8s")),
        "8s makes the three colours"
    );
}

#[test]
fn against_riichi_it_does_not_call_a_cheap_and_slow_hand_open() {
    let situation = Situation::offered("13m 68m 35p 8p 55z 14s 9s 2z", "5z", 1).also(pon("5z", 1));
    assert_eq!(
        chooses(&[], situation.riichi(2, "1z").riichi(3, "2m")),
        Action::None
    );
}

#[test]
fn it_stays_closed_if_the_hand_is_then_worth_more() {
    // Tenpai for a thousand points, or one step from riichi with three good shapes, in the last
    // round and far behind.
    let offered =
        || Situation::offered("234m 567p 45s 67s 88p 3m", "3s", 3).also(chi("3s", "4s", "5s"));
    let behind = in_the_last_round(offered(), [14_000, 22_000, 32_000, 32_000]);
    assert_eq!(decides(&[], &behind).action, Action::None);
    let ahead = in_the_last_round(offered(), [32_000, 31_000, 20_000, 17_000]);
    assert_eq!(
        decides(&[], &ahead).action,
        chi("3s", "4s", "5s"),
        "and calls it where any win will do"
    );
}

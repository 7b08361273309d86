//! The calls it makes.

use super::*;

use riichi::{MeldKind, Rules};

/// One dragon more makes it tenpai; the pair is as free as the set.
fn dragon_offered() -> Situation {
    Situation::offered("123m 456p 23s 99s 55z 1z", "5z", 1).also(pon("5z", 1))
}

/// Simples. A chi takes 44m and 55m, which are free as pairs, apart: it leaves 45m.
fn two_pairs_or_a_run() -> Situation {
    Situation::offered("4455m 234p 678s 88p 2s", "6m", 3).also(chi("6m", "4m", "5m"))
}

#[test]
fn a_call_after_which_q_is_lower_is_made() {
    let situation =
        Situation::offered("234m 345p 45s 88s 7m 8p 2s", "6s", 3).also(chi("6s", "4s", "5s"));
    let answered = answers(&[PLAIN], situation);
    assert_eq!(answered.action, chi("6s", "4s", "5s"));
    assert_eq!(answered.reason, "called: Q 1.50 after 1.70");
}

#[test]
fn a_tie_accepts_the_call() {
    let answered = answers(&[PLAIN], dragon_offered());
    assert_eq!(answered.action, pon("5z", 1));
    assert_eq!(answered.reason, "called: Q 0.70 after 0.70");
}

#[test]
fn a_call_after_which_q_is_higher_passes() {
    let answered = answers(&[PLAIN], two_pairs_or_a_run());
    assert_eq!(answered.action, Action::None);
    assert_eq!(answered.reason, "passed: Q would be 0.70 after 0.50");
}

#[test]
fn q_is_compared_with_that_of_the_hand_with_the_tile_it_last_discarded() {
    // A single 2z cost half a point.
    let answered = answers(&[PLAIN], two_pairs_or_a_run().river(0, "12z"));
    assert_eq!(answered.action, chi("6m", "4m", "5m"));
    assert_eq!(answered.reason, "called: Q 0.70 after 1.00");
}

#[test]
fn q_decides_and_not_whether_a_call_brings_the_hand_nearer() {
    // It takes 234m apart for another run: with 1z just discarded a tie. Three dragons are a
    // certain yaku.
    let situation = Situation::offered("234m 68p 99s 777z 147s", "5m", 3)
        .river(0, "1z")
        .also(chi("5m", "3m", "4m"));
    assert_eq!(chooses(&[PLAIN], situation), chi("5m", "3m", "4m"));
}

#[test]
fn of_several_calls_the_one_with_the_lowest_q_is_made() {
    // With 45s it is left with 12s, which want 3s alone; with 12s, with 45s.
    let wide = chi("3s", "1s", "2s");
    let narrow = chi("3s", "4s", "5s");
    let situation = || Situation::offered("678m 555z 12s 45s 33p 9p", "3s", 3);
    let together = chooses(&[], situation().also(narrow).also(wide));
    let other_way = chooses(&[], situation().also(wide).also(narrow));
    assert_eq!((together, other_way), (wide, wide));
}

#[test]
fn only_a_call_after_which_a_yaku_stays_certain_is_made() {
    // North is not a value for the dealer of an East round.
    let situation = Situation::offered("123m 456p 23s 99s 44z 1z", "4z", 1).also(pon("4z", 1));
    assert_eq!(chooses(&[], situation), Action::None);
    let simples =
        Situation::offered("234m 456p 45s 66s 8p 3m 7m", "6s", 3).also(chi("6s", "4s", "5s"));
    let without_open_tanyao = Rules {
        open_tanyao: false,
        ..Rules::default()
    };
    assert_eq!(
        chooses(&[], simples.rules(without_open_tanyao)),
        Action::None
    );
}

#[test]
fn with_calls_never_it_lets_everything_pass() {
    assert_eq!(chooses(&[NO_CALLS], dragon_offered()), Action::None);
}

/// Tenpai on 3s and 6s with three dragons, and the fourth is offered.
fn tenpai_with_a_triplet() -> (Situation, Action) {
    let kan = Action::Daiminkan {
        target: seat(1),
        tile: tile("5z"),
        consumed: [tile("5z"); 3],
    };
    (
        Situation::offered("123m 45s 99s 55z 5z", "5z", 1)
            .meld(0, MeldKind::Chi, "456p", 3)
            .also(kan),
        kan,
    )
}

#[test]
fn once_tenpai_it_calls_no_run_and_no_triplet() {
    let hand = |closed, offered| {
        Situation::offered(closed, offered, 3)
            .meld(0, MeldKind::Chi, "456p", 3)
            .river(0, "9m")
    };
    let run = hand("123m 45s 99s 555z", "4m").also(chi("4m", "2m", "3m"));
    assert_eq!(chooses(&[KANS], run), Action::None);
    let triplet = hand("123m 45s 99s 555z", "9s").also(pon("9s", 3));
    assert_eq!(chooses(&[KANS], triplet), Action::None);
}

#[test]
fn once_tenpai_the_kan_parameter_lets_it_call_a_kan_that_changes_nothing() {
    let (situation, kan) = tenpai_with_a_triplet();
    assert_eq!(chooses(&[], situation.clone()), Action::None);
    assert_eq!(chooses(&[KANS], situation.clone()), kan);
    assert_eq!(chooses(&[KANS, NO_CALLS], situation), Action::None);
}

#[test]
fn a_kan_that_would_change_the_waits_is_not_called() {
    // 5556s wait for 4s, 6s and 7s; with a kan only 6s is left.
    let kan = Action::Daiminkan {
        target: seat(1),
        tile: tile("5s"),
        consumed: [tile("5s"); 3],
    };
    let situation = Situation::offered("123m 5556s 777z", "5s", 1)
        .meld(0, MeldKind::Chi, "456p", 3)
        .also(kan);
    assert_eq!(chooses(&[KANS], situation), Action::None);
}

#[test]
fn a_kan_after_which_no_yaku_is_certain_is_not_called() {
    // North is not a value for the dealer of an East round.
    let kan = Action::Daiminkan {
        target: seat(1),
        tile: tile("4z"),
        consumed: [tile("4z"); 3],
    };
    let situation = Situation::offered("123m 45s 99s 444z", "4z", 1)
        .meld(0, MeldKind::Chi, "456p", 3)
        .also(kan);
    assert_eq!(chooses(&[KANS], situation), Action::None);
}

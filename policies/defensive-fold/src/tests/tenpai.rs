//! The value of a tenpai hand: furiten, and waits without tiles left.

use super::*;

use policy_sdk::abi::view::FURITEN_RIICHI;
use riichi::MeldKind;

/// An open hand that waits for 1s, on which it has no yaku, and 4s, having drawn this and with no
/// other discard.
fn open_on_1s_and_4s(drew: &str) -> Situation {
    let thrown = Action::Dahai {
        tile: tile(drew),
        tsumogiri: true,
    };
    Situation::drew("567m 88m 678p 23s", drew)
        .meld(0, MeldKind::Chi, "234m", 3)
        .legal(&[thrown])
}

fn value(situation: Situation) -> f32 {
    decides(&[], &situation.build()).values[0]
}

#[test]
fn a_wait_in_the_own_river_is_furiten() {
    let seen_in_the_river_of = |seat| value(open_on_1s_and_4s("9p").river(seat, "1s"));
    assert!(seen_in_the_river_of(0) < seen_in_the_river_of(1));
}

#[test]
fn a_discard_that_leaves_a_wait_on_its_own_kind_is_furiten_like_an_earlier_discard() {
    let seen_in_the_river_of = |seat| value(open_on_1s_and_4s("1s").river(seat, "1s"));
    assert_eq!(seen_in_the_river_of(0), seen_in_the_river_of(1));
}

#[test]
fn a_win_let_pass_in_riichi_is_furiten() {
    let flagged = |furiten| {
        let mut scene = open_on_1s_and_4s("9p").build();
        scene.raw_mut().furiten = furiten;
        decides(&[], &scene).values[0]
    };
    assert!(flagged(FURITEN_RIICHI) < flagged(0));
}

/// Tenpai without 1z, with all four 5p of the wait discarded.
fn dead_wait() -> Situation {
    Situation::drew("123456m 789s 88p 46p", "1z")
        .river(2, "555p")
        .river(1, "5p1z")
        .riichi(1, "9s")
}

#[test]
fn riichi_is_not_declared_on_a_wait_of_which_nothing_is_left() {
    let silent = Action::Dahai {
        tile: tile("1z"),
        tsumogiri: true,
    };
    let riichi = Action::Reach {
        tile: tile("1z"),
        tsumogiri: true,
    };
    assert_eq!(chooses(&[], dead_wait().legal(&[riichi, silent])), silent);
    let values = decides(&[], &dead_wait().legal(&[riichi, silent]).build()).values;
    assert!(
        values[0] < values[1],
        "the stick, and no way back: {values:?}"
    );
}

#[test]
fn an_open_hand_does_not_run_into_tenpai_without_a_yaku() {
    // Throwing 8m leaves a wait on 5s and 8s that cannot win, throwing 1m a hand of simples a step
    // away.
    let situation = Situation::drew("23m 44s 67s 8m", "1m");
    let situation = situation
        .meld(0, MeldKind::Chi, "345p", 3)
        .meld(0, MeldKind::Chi, "678p", 3);
    assert_eq!(throws(&situation.build()), tile("1m"));
}

#[test]
fn a_dead_wait_is_left_while_there_is_time() {
    let dead = Situation::drew("123456m 789s 88p 46p", "7m")
        .river(2, "555p")
        .river(1, "5p1z");
    let thrown = throws(&dead.build());
    assert!([tile("4p"), tile("6p")].contains(&thrown), "{thrown}");
}

#[test]
fn a_hand_that_cannot_win_stays_tenpai_for_the_end_of_the_round_if_that_costs_nothing() {
    let late = |one: Action, other: Action| {
        let mut scene = dead_wait().legal(&[one, other]).build();
        scene.raw_mut().tiles_left = 3;
        decides(&[], &scene).action
    };
    let (keeps, breaks) = (
        Action::Dahai {
            tile: tile("1z"),
            tsumogiri: true,
        },
        from_hand("9s"),
    );
    assert_eq!((late(keeps, breaks), late(breaks, keeps)), (keeps, keeps));
}

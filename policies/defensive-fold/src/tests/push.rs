//! Push or fold: by own shanten, the danger of the discard for pushing, worth, turn and placement.

use super::*;

/// 9m, 1z and 9s are certainly safe against the riichi.
fn against_riichi(hand: &str) -> Situation {
    Situation::drew(hand, "5p")
        .dora_markers("2z")
        .river(1, "9m1z9s")
        .riichi(1, "3z")
}

/// One step from tenpai with two good shapes, and a tile that is not safe.
const ONE_AWAY: &str = "234m 567m 34s 67s 99m 1z";
/// The same with two bad shapes.
const ONE_AWAY_BADLY: &str = "234m 567m 35s 68s 99m 1z";
/// Three steps away.
const FAR: &str = "24m 579m 3s 68s 19p 99m 1z";

#[test]
fn by_own_shanten_near_it_pushes_and_far_it_folds() {
    assert!(
        pushes(&against_riichi("234m 567m 345s 67s 9m 9m").build()),
        "tenpai"
    );
    assert!(!pushes(&against_riichi(FAR).build()));
}

#[test]
fn by_danger_it_pushes_with_a_safe_tile_and_folds_before_it_discards_a_dangerous_one() {
    // Late; pushing discards 5p, folding breaks the pair of 9m.
    let choice = |river: &str| {
        let situation = Situation::drew(ONE_AWAY, "5p")
            .dora_markers("2z2z")
            .river(1, river)
            .riichi(1, "3z");
        let mut scene = situation.legal(&[drawn("5p"), from_hand("9m")]).build();
        scene.raw_mut().tiles_left = 12;
        decides(&[], &scene)
    };
    assert_eq!(choice("9m1z9s5p").action, drawn("5p"));
    assert_eq!(choice("9m1z9s").action, from_hand("9m"));
    let value = |river: &str| choice(river).values[0];
    assert!(
        value("9m1z9s") < value("9m1z2p") && value("9m1z2p") < value("9m1z5p"),
        "suji in between"
    );
}

#[test]
fn by_worth_a_hand_with_dora_pushes_what_a_cheap_one_folds() {
    let with_dora = |markers| {
        let mut scene = against_riichi(ONE_AWAY_BADLY).dora_markers(markers).build();
        scene.raw_mut().tiles_left = 50;
        pushes(&scene)
    };
    assert!(with_dora("3m6m"));
    assert!(!with_dora("2z2z"));
}

#[test]
fn by_turn_what_pushes_early_folds_late() {
    let at = |tiles_left: u8| {
        // Two dora in the hand.
        let mut scene = against_riichi(ONE_AWAY_BADLY).dora_markers("3m6m").build();
        scene.raw_mut().tiles_left = tiles_left;
        pushes(&scene)
    };
    assert!(at(50));
    assert!(!at(5));
}

#[test]
fn by_placement_the_leader_of_the_last_round_folds_what_the_last_pushes() {
    let hand = || against_riichi(ONE_AWAY);
    assert!(!pushes(&in_the_last_round(
        hand(),
        [42_000, 20_000, 19_000, 19_000]
    )));
    assert!(pushes(&in_the_last_round(
        hand(),
        [20_000, 29_000, 26_000, 25_000]
    )));
}

/// The setting of what the places pay.
fn payoff(paid: &str) -> Setting<'_> {
    ("payoff", Value::text(VALUE_TEXT, paid))
}

#[test]
fn a_payoff_of_equal_steps_is_the_average_place() {
    for scores in [
        [42_000, 20_000, 19_000, 19_000],
        [20_000, 29_000, 26_000, 25_000],
    ] {
        let scene = in_the_last_round(against_riichi(ONE_AWAY), scores);
        let (plain, paid) = (
            decides(&[], &scene),
            decides(&[payoff("30, 20, 10, 0")], &scene),
        );
        assert_eq!(plain.action, paid.action);
        for (plain, paid) in plain.values.iter().zip(&paid.values) {
            assert!((plain - paid).abs() < 1e-3, "{plain} and {paid}");
        }
    }
}

#[test]
fn a_third_seat_folds_if_only_the_last_place_costs_and_pushes_if_only_the_second_pays() {
    let scene = in_the_last_round(against_riichi(ONE_AWAY), [24_000, 42_000, 26_000, 8_000]);
    let pushes = |paid| {
        decides(&[payoff(paid)], &scene)
            .reason
            .starts_with("push: ")
    };
    assert!(!pushes("1, 1, 1, 0"));
    assert!(pushes("1, 1, 0, 0"));
}

#[test]
fn a_payoff_that_does_not_fit_is_refused_by_name() {
    for (paid, problem) in [
        ("90, 45, 0", "3 numbers"),
        ("90, 45, 0, x", "not a list of numbers"),
        ("90, 0, 45, -135", "a place pays more than a better one"),
        ("1, 1, 1, 1", "all places pay the same"),
    ] {
        let refused = TestInstance::create(&ENTRY, "defensive-fold", &[payoff(paid)])
            .expect_err("it does not fit");
        let expected = format!(
            "`payoff` is \"{paid}\": {problem}; it needs a number for each of 4 places, such as \
             [90, 45, 0, -135]"
        );
        assert!(refused.text.contains(&expected), "{refused:?}");
    }
}

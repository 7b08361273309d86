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

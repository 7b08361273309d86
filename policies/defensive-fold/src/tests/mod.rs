//! The policy's rules, each by its sentence, through the table that a host uses.

mod attack;
mod calls;
mod fold;
mod habits;
mod kans;
mod properties;
mod push;
mod tenpai;

use policy_sdk::abi::params::{VALUE_CHOICE, VALUE_TEXT, Value};
use policy_sdk::testing::{
    Answered, Scene, Setting, Situation, TestInstance, chi, drawn, from_hand, pon, seat, tile,
};
use riichi::{Action, Tile, Wind};

use crate::ENTRY;

const NO_CALLS: Setting<'static> = ("calls", Value::text(VALUE_CHOICE, "never"));
const NO_KANS: Setting<'static> = ("kan", Value::text(VALUE_CHOICE, "never"));

fn decides(settings: &[Setting<'_>], scene: &Scene) -> Answered {
    TestInstance::create(&ENTRY, "defensive-fold", settings)
        .unwrap()
        .decide(scene)
        .unwrap()
}

fn chooses(settings: &[Setting<'_>], situation: Situation) -> Action {
    decides(settings, &situation.build()).action
}

/// The tile that is discarded without riichi.
fn throws(scene: &Scene) -> Tile {
    match decides(&[], scene).action {
        Action::Dahai { tile, .. } => tile,
        other => panic!("a discard, not {other:?}"),
    }
}

/// Whether it plays the hand on, by its own word.
fn pushes(scene: &Scene) -> bool {
    let reason = decides(&[], scene).reason;
    assert!(
        reason.starts_with("push: ") || reason.starts_with("fold: "),
        "{reason}"
    );
    reason.starts_with("push: ")
}

fn in_the_last_round(situation: Situation, scores: [i32; 4]) -> Scene {
    let mut scene = situation.bakaze(Wind::South).build();
    scene.raw_mut().kyoku = 4;
    scene.raw_mut().scores = scores;
    scene
}

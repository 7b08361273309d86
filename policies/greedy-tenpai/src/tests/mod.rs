//! The policy's rules, each by its sentence, through the table that a host uses.

mod discards;
mod habits;
mod random_hands;
mod ties;

use policy_sdk::abi::params::{VALUE_CHOICE, Value};
use policy_sdk::abi::status::STATUS_FAILED;
use policy_sdk::testing::{Answered, Setting, Situation, TestInstance, from_hand, tile};
use riichi::{Action, Tile};

use crate::ENTRY;

fn answers(settings: &[Setting<'_>], situation: Situation) -> Answered {
    TestInstance::create(&ENTRY, "greedy-tenpai", settings)
        .unwrap()
        .decide(&situation.build())
        .unwrap()
}

fn chooses(settings: &[Setting<'_>], situation: Situation) -> Action {
    answers(settings, situation).action
}

/// The tile that is discarded without riichi, with the default parameters.
fn throws(situation: Situation) -> Tile {
    match chooses(&[], situation) {
        Action::Dahai { tile, .. } => tile,
        other => panic!("a discard, not {other:?}"),
    }
}

#[test]
fn a_list_without_anything_it_plays_has_no_answer() {
    let situation = Situation::drew("19m 159p 19s 123567z", "4z").legal(&[Action::Kita]);
    let refused = TestInstance::create(&ENTRY, "greedy-tenpai", &[])
        .unwrap()
        .decide(&situation.build())
        .unwrap_err();
    assert_eq!(
        (refused.status, refused.text.as_str()),
        (STATUS_FAILED, "no discard among [kita]")
    );
}

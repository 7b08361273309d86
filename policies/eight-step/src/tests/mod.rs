//! The policy's rules, each by its sentence, through the table that a host uses.

mod habits;
mod handicap;
mod ladder;
mod levels;
mod random_hands;
mod seven_pairs;
mod tenpai;

use policy_sdk::abi::params::{VALUE_CHOICE, Value};
use policy_sdk::testing::{Answered, Setting, Situation, TestInstance, from_hand, pon, seat, tile};
use riichi::{Action, Tile};

use crate::ENTRY;

const CALLS: Setting<'static> = ("calls", Value::text(VALUE_CHOICE, "yaku"));
const KANS: Setting<'static> = ("kan", Value::text(VALUE_CHOICE, "safe"));
const NO_KYUSHU: Setting<'static> = ("kyushu", Value::boolean(false));
const LEVEL_2: Setting<'static> = ("level", Value::integer(2));
const LEVEL_3: Setting<'static> = ("level", Value::integer(3));

fn answers(settings: &[Setting<'_>], situation: Situation) -> Answered {
    TestInstance::create(&ENTRY, "eight-step", settings)
        .unwrap()
        .decide(&situation.build())
        .unwrap()
}

fn chooses(settings: &[Setting<'_>], situation: Situation) -> Action {
    answers(settings, situation).action
}

/// The tile that is discarded without riichi.
fn throws(settings: &[Setting<'_>], situation: Situation) -> Tile {
    match chooses(settings, situation) {
        Action::Dahai { tile, .. } => tile,
        other => panic!("a discard, not {other:?}"),
    }
}

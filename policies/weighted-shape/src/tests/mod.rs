//! The policy's rules, each by its sentence, through the table that a host uses.

mod claims;
mod discards;
mod habits;
mod random_hands;
mod splits;
mod tenpai;
mod unseen;

use policy_sdk::abi::params::{VALUE_CHOICE, Value};
use policy_sdk::testing::{
    Answered, Setting, Situation, TestInstance, chi, from_hand, pon, seat, tile,
};
use riichi::{Action, Tile};

use crate::ENTRY;

const NO_CALLS: Setting<'static> = ("calls", Value::text(VALUE_CHOICE, "never"));
const KANS: Setting<'static> = ("kan", Value::text(VALUE_CHOICE, "safe"));
const NO_KYUSHU: Setting<'static> = ("kyushu", Value::boolean(false));
/// Parts cost the same regardless of the tiles on the table.
const PLAIN: Setting<'static> = ("unseen", Value::boolean(false));

fn answers(settings: &[Setting<'_>], situation: Situation) -> Answered {
    TestInstance::create(&ENTRY, "weighted-shape", settings)
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

fn number(name: &str, value: f64) -> Setting<'_> {
    (name, Value::number(value))
}

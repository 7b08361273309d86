//! The policy: without weights it is defensive-fold, with them it takes what they value.

use policy_sdk::mahjong::Action;
use policy_sdk::testing::{assert_every_decision_is_explained_and, tile};

use crate::ENTRY;

#[test]
fn every_decision_has_a_value_and_a_reason() {
    let riichi = Action::Reach { tile: tile("1m"), tsumogiri: true };
    assert_every_decision_is_explained_and(&ENTRY, "learned", &[], riichi);
}

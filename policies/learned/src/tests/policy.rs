//! The policy: without weights it is defensive-fold, with them it takes what they value.

use policy_sdk::testing::assert_every_decision_is_explained;

use crate::ENTRY;

#[test]
fn every_decision_has_a_value_and_a_reason() {
    assert_every_decision_is_explained(&ENTRY, "learned", &[]);
}

use super::*;

#[test]
fn only_actions_close_to_the_best_are_simulated() {
    let advice = Advice { index: 2, values: vec![0.1, f32::NAN, 0.3, 0.25, 0.1999], reason: String::new() };
    assert_eq!(candidates(&advice), [2, 3]);
}

#[test]
fn a_decision_without_a_choice_is_not_simulated() {
    let advice = Advice { index: 0, values: vec![1_000.0, f32::NAN], reason: String::new() };
    assert_eq!(candidates(&advice), [0]);
}

#[test]
fn every_decision_comes_with_values_and_a_reason() {
    policy_sdk::testing::assert_every_decision_is_explained(&ENTRY, "monte-carlo", &[]);
}

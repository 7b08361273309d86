//! Features of choices against a riichi.

use policy_common::{Calls, Habits, Kans};
use policy_sdk::testing::Situation;

use super::{CHOICE, CHOICE_FACTORS, DescribedDecision, PLAIN_FEATURES, TABLE, TABLE_FACTORS, places};
use crate::JudgeOptions;

/// The decision with this hand and drawn tile after the right declared riichi with 1m in its river.
fn against_riichi(closed: &str, drawn: &str) -> DescribedDecision {
    let options =
        JudgeOptions { habits: Habits { calls: Calls::Yaku, kans: Kans::Safe, kyushu: true }, always_riichi: false };
    let mut decision = DescribedDecision::default();
    let scene = Situation::drew(closed, drawn).river(1, "1m").riichi(1, "9p").build();
    scene.view(|view| decision.describe(view, &options.judge(view), options, false)).expect("the view is sound");
    decision
}

/// What each choice of a decision deals in with, and the risks of the three safest tiles left.
fn risks(decision: &DescribedDecision) -> Vec<[f32; 4]> {
    let names = places(CHOICE, ["deal-in", "next-risk", "risk-in-two", "risk-in-three"]);
    decision.choices.iter().map(|choice| names.map(|place| choice.features[place])).collect()
}

#[test]
fn each_copy_of_a_safe_tile_lowers_the_risk_of_one_more_discard() {
    let risks = risks(&against_riichi("11m 234p 678p 345s 79s", "5m"));
    assert!(!risks.is_empty());
    for [deal_in, next, two, three] in risks {
        assert!(deal_in > 0.0 && next == 0.0 && two == 0.0 && three > 0.0, "{deal_in} {next} {two} {three}");
    }
}

#[test]
fn the_risks_that_follow_the_last_safe_tile_rise() {
    let risks = risks(&against_riichi("1m 234p 678p 345s 799s", "5m"));
    let folds: Vec<_> = risks.iter().filter(|[deal_in, ..]| *deal_in == 0.0).collect();
    let [[_, next, two, three]] = folds[..] else { panic!("{risks:?}") };
    assert!(0.0 < *next && next <= two && two <= three, "{risks:?}");
}

#[test]
fn a_choice_ends_with_the_products_of_table_and_choice() {
    let decision = against_riichi("11m 234p 678p 345s 79s", "5m");
    let (table, choice) = (places(TABLE, TABLE_FACTORS), places(CHOICE, CHOICE_FACTORS));
    for described in &decision.choices {
        let (plain, products) = described.features.split_at(PLAIN_FEATURES);
        let expected = table.iter().flat_map(|&by| choice.map(|place| decision.table[by] * plain[place]));
        assert!(products.iter().copied().eq(expected));
    }
    assert!(decision.choices.iter().any(|choice| choice.features[PLAIN_FEATURES..].iter().any(|&value| value > 0.0)));
}

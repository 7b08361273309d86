//! Features of choices.

use policy_common::{Calls, Habits, Kans};
use policy_sdk::testing::Situation;

use correction::places;

use super::{CHOICE, CHOICE_FACTORS, DescribedDecision, PLAIN_FEATURES, TABLE, TABLE_FACTORS};
use crate::JudgeOptions;

fn described(situation: Situation) -> DescribedDecision {
    let options = JudgeOptions {
        habits: Habits {
            calls: Calls::Yaku,
            kans: Kans::Safe,
            kyushu: true,
        },
        always_riichi: false,
        payoff: None,
    };
    let mut decision = DescribedDecision::default();
    let scene = situation.build();
    scene
        .view(|view| decision.describe(view, &options.judge(view), options, false))
        .expect("the view is sound");
    decision
}

/// The decision with this hand and drawn tile after the right declared riichi with 1m in its river.
fn against_riichi(closed: &str, drawn: &str) -> DescribedDecision {
    described(
        Situation::drew(closed, drawn)
            .river(1, "1m")
            .riichi(1, "9p"),
    )
}

/// What each choice of a decision deals in with, and the risks of the three safest tiles left.
fn risks(decision: &DescribedDecision) -> Vec<[f32; 4]> {
    let names = places(
        CHOICE,
        ["deal-in", "next-risk", "risk-in-two", "risk-in-three"],
    );
    decision
        .choices
        .iter()
        .map(|choice| names.map(|place| choice.features[place]))
        .collect()
}

#[test]
fn each_copy_of_a_safe_tile_lowers_the_risk_of_one_more_discard() {
    let risks = risks(&against_riichi("11m 234p 678p 345s 79s", "5m"));
    assert!(!risks.is_empty());
    for [deal_in, next, two, three] in risks {
        assert!(
            deal_in > 0.0 && next == 0.0 && two == 0.0 && three > 0.0,
            "{deal_in} {next} {two} {three}"
        );
    }
}

#[test]
fn the_risks_that_follow_the_last_safe_tile_rise() {
    let risks = risks(&against_riichi("1m 234p 678p 345s 799s", "5m"));
    let folds: Vec<_> = risks
        .iter()
        .filter(|[deal_in, ..]| *deal_in == 0.0)
        .collect();
    let [[_, next, two, three]] = folds[..] else {
        panic!("{risks:?}")
    };
    assert!(0.0 < *next && next <= two && two <= three, "{risks:?}");
}

/// The named features of the choice with the greatest first one.
fn greatest<const N: usize>(decision: &DescribedDecision, names: [&str; N]) -> [f32; N] {
    let places = places(CHOICE, names);
    let of_choices = decision
        .choices
        .iter()
        .map(|choice| places.map(|place| choice.features[place]));
    of_choices
        .max_by(|one, other| one[0].total_cmp(&other[0]))
        .expect("there are choices")
}

#[test]
fn a_closed_wait_is_widened_by_the_tiles_that_make_it_two_sided() {
    // 46s waits for 5s; 3s and 7s make it a wait for eight tiles, and 121 tiles are unseen.
    let decision = described(Situation::drew("123456m 789p 46s 55p", "1z"));
    let [wideners, widening] = greatest(&decision, ["wideners", "widening"]);
    assert_eq!(wideners, 8.0 / 20.0);
    assert!((widening - 8.0 / 121.0 * 4.0).abs() < 1e-6, "{widening}");
}

#[test]
fn a_lone_tile_one_step_away_is_widened_by_its_neighbours() {
    // 14p 69p complete a run of the first hand, and few tiles widen it. Whatever is drawn beside 5m
    // widens the second.
    let wideners =
        |closed| greatest(&described(Situation::drew(closed, "1z")), ["wideners-one"])[0];
    let (shapes, lone) = (
        wideners("123456m 23p 78p 99s 4z"),
        wideners("123456m 78p 456p 5m 9s"),
    );
    assert!(shapes < lone, "{shapes} {lone}");
}

#[test]
fn seven_pairs_are_not_widened() {
    assert_eq!(
        greatest(
            &described(Situation::drew("1199m 2255p 3388s 1z", "2z")),
            ["tenpai", "wideners"]
        ),
        [1.0, 0.0]
    );
}

#[test]
fn a_choice_ends_with_the_products_of_table_and_choice() {
    let decision = against_riichi("11m 234p 678p 345s 79s", "5m");
    let (table, choice) = (places(TABLE, TABLE_FACTORS), places(CHOICE, CHOICE_FACTORS));
    for described in &decision.choices {
        let (plain, products) = described.features.split_at(PLAIN_FEATURES);
        let expected = table
            .iter()
            .flat_map(|&by| choice.map(|place| decision.table[by] * plain[place]));
        assert!(products.iter().copied().eq(expected));
    }
    assert!(decision.choices.iter().any(|choice| {
        choice.features[PLAIN_FEATURES..]
            .iter()
            .any(|&value| value > 0.0)
    }));
}

//! The handicap: as frequent as set, and reproducible.

use super::*;

use std::collections::BTreeMap;

const DECISIONS: u32 = 1_000;

fn hand() -> Situation {
    Situation::drew("234m 78m 99p 5p 13s 67s 5z", "5z")
}

/// The answers to this many decisions of a game that differ only in their number.
fn answered(handicap: f64, seed: u64) -> Vec<Answered> {
    let mut bot = TestInstance::create(
        &ENTRY,
        "eight-step",
        &[("handicap", Value::number(handicap))],
    )
    .unwrap();
    (0..DECISIONS)
        .map(|decision| bot.decide(&hand().keys(seed, 0, decision).build()).unwrap())
        .collect()
}

fn random_ones(answers: &[Answered]) -> usize {
    answers
        .iter()
        .filter(|answer| answer.reason == "a random discard")
        .count()
}

#[test]
fn it_plays_a_random_discard_at_the_given_rate() {
    for handicap in [0.0, 0.1, 0.3, 0.5, 1.0] {
        let found = random_ones(&answered(handicap, 7)) as f64;
        let expected = handicap * f64::from(DECISIONS);
        // Four standard deviations.
        let most = 4.0 * (expected * (1.0 - handicap)).sqrt();
        assert!(
            (found - expected).abs() <= most,
            "{found} of {DECISIONS} with {handicap}"
        );
    }
}

#[test]
fn otherwise_it_goes_down_the_ladder() {
    let own = chooses(&[], hand());
    for answer in answered(0.5, 7) {
        assert!(
            answer.reason == "a random discard" || answer.action == own,
            "{answer:?}"
        );
    }
}

#[test]
fn each_legal_discard_is_as_likely() {
    let mut times = BTreeMap::new();
    for answer in answered(1.0, 7) {
        assert!(matches!(answer.action, Action::Dahai { .. }));
        *times.entry(format!("{:?}", answer.action)).or_insert(0_u32) += 1;
    }
    // 12 different tiles in the hand; 5z is there as drawn and from the hand.
    assert_eq!(times.len(), 13);
    let even = f64::from(DECISIONS) / 13.0;
    for (action, times) in times {
        assert!(
            (f64::from(times) - even).abs() < 4.0 * even.sqrt(),
            "{action}: {times}"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_decisions_and_another_seed_others() {
    let actions = |seed| {
        answered(0.3, seed)
            .into_iter()
            .map(|answer| answer.action)
            .collect::<Vec<_>>()
    };
    assert_eq!(actions(7), actions(7));
    assert_ne!(actions(7), actions(8));
}

#[test]
fn it_declares_no_random_riichi_and_passes_no_win() {
    let always = [("handicap", Value::number(1.0))];
    let tenpai = Situation::drew("123456m 789s 45p 88p", "1z");
    for decision in 0..100 {
        assert!(matches!(
            chooses(&always, tenpai.clone().keys(1, 1, decision)),
            Action::Dahai { .. }
        ));
    }
    let hora = Action::Hora {
        target: seat(0),
        tile: tile("1z"),
    };
    assert_eq!(chooses(&always, tenpai.also(hora)), hora);
}

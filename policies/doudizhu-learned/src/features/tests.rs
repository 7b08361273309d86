//! Features of choices and tables.

use correction::{Described, places};
use doudizhu::{DouDizhuAction, DouDizhuGame, DouDizhuSeatState};
use doudizhu_split::SplitEffort;
use policy_sdk::mahjong::WholeGame;

use super::{CHOICE, DouDizhuDescription, TABLE};

const EFFORT: SplitEffort = SplitEffort {
    candidates: 6,
    playouts: 16,
};

/// Plays games with bidding by `doudizhu-split`, and shows each decision.
fn play(games: u64, mut look: impl FnMut(&DouDizhuSeatState, &[DouDizhuAction], usize)) {
    for number in 1..=games {
        let mut game = DouDizhuGame::numbered(DouDizhuGame::usual_rules(3), 7, number);
        while game.end_scores().is_none() {
            let asked: Vec<usize> = game.seats_asked().collect();
            let answers: Vec<_> = asked
                .into_iter()
                .map(|seat| {
                    let table = game.table_of(seat);
                    let legal = table.legal_actions();
                    let decided =
                        doudizhu_split::decide(&table, &legal, &EFFORT).expect("a decision");
                    look(&table, &legal, decided.index);
                    (seat, legal[decided.index])
                })
                .collect();
            game.answer_all(&answers).expect("it is legal");
        }
    }
}

#[test]
fn the_best_uncorrected_choice_is_the_one_of_doudizhu_split() {
    let mut decision = DouDizhuDescription::default();
    let mut described = 0;
    play(4, |table, legal, chosen| {
        decision.describe(table, legal, &EFFORT);
        let (best, _) = decision.best(|_| 0.0).expect("a choice");
        assert_eq!(legal[best.index], legal[chosen]);
        described += 1;
    });
    assert!(described > 60, "{described}");
}

#[test]
fn every_feature_is_finite_and_in_its_range() {
    let mut decision = DouDizhuDescription::default();
    play(3, |table, legal, _| {
        decision.describe(table, legal, &EFFORT);
        for (feature, value) in TABLE.iter().zip(decision.table()) {
            assert!(
                (feature.low..=feature.high).contains(value),
                "{}: {value}",
                feature.name
            );
        }
        for row in decision.rows() {
            for (feature, value) in CHOICE.iter().zip(row.features) {
                assert!(
                    (feature.low..=feature.high).contains(value),
                    "{}: {value}",
                    feature.name
                );
            }
        }
    });
}

#[test]
fn a_pass_keeps_the_hand_and_the_last_cards_leave_no_turns() {
    let [pass, left, turns] = places(CHOICE, ["pass", "left", "turns"]);
    let mut decision = DouDizhuDescription::default();
    let (mut passes, mut ends) = (0, 0);
    play(4, |table, legal, _| {
        decision.describe(table, legal, &EFFORT);
        let held = f32::from(table.hand().len()) / 20.0;
        for row in decision.rows() {
            match legal[row.index] {
                DouDizhuAction::Pass | DouDizhuAction::Bid(0) => {
                    assert_eq!((row.features[pass], row.features[left]), (1.0, held));
                    passes += 1;
                }
                DouDizhuAction::Bid(_) => assert_eq!(row.features[pass], 0.0),
                DouDizhuAction::Play(_) => {
                    assert!(row.features[left] < held);
                    if row.features[left] == 0.0 {
                        assert_eq!(row.features[turns], 0.0);
                        ends += 1;
                    }
                }
            }
        }
    });
    assert!(passes > 20 && ends > 3, "{passes} {ends}");
}

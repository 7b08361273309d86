//! Features of choices and tables.

use correction::{Described, places};
use game_core::Seat;
use game_core::rng::Rng;
use mcr::event::PLAYERS;
use mcr::game::McrWalls;
use mcr::{McrAction, McrEvent, McrGame, McrRules};
use tiles::{Kind, Wind};

use super::opponents::Opponents;
use super::{CHOICE, McrDescription};
use cs_fan::FanParams;

fn kind(text: &str) -> Kind {
    text.parse::<tiles::Tile>().expect("a tile").kind()
}

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

/// The events of a game as this seat saw them.
fn heard(game: &McrGame, own: Seat) -> impl Iterator<Item = McrEvent> {
    game.events()
        .iter()
        .map(move |event| event.hidden_from(own))
}

fn dealt(wall: u64) -> McrGame {
    let rules = McrRules::default();
    McrGame::new(McrWalls::shuffled(wall, rules), Wind::East, rules)
}

/// Plays random actions, and calls `look` before each of them with the seat that is asked and what
/// it may do.
fn play(wall: u64, mut look: impl FnMut(&McrGame, Seat, &[McrAction])) {
    let mut game = dealt(wall);
    let mut rng = Rng::keyed(&[wall]);
    while game.end().is_none() {
        let answers = std::array::from_fn(|number| {
            let own = seat(number as u8);
            let legal = game.seat(own).legal();
            look(&game, own, &legal);
            rng.pick(&legal).copied()
        });
        game.answer(answers);
    }
}

#[test]
fn the_best_uncorrected_choice_is_the_one_of_cs_fan() {
    let params = FanParams::default();
    let mut decision = McrDescription::default();
    let mut described = 0;
    for wall in 1..=6 {
        play(wall, |game, own, legal| {
            decision.describe(game.seat(own), legal, heard(game, own), &params);
            let Some(best) = decision.best(|_| 0.0) else {
                return;
            };
            let fan = cs_fan::decide(game.seat(own), legal, &params).expect("a decision");
            assert_eq!(legal[best.choice.index], legal[fan.index]);
            described += 1;
        });
    }
    assert!(described > 100, "{described}");
}

#[test]
fn every_feature_is_finite_and_in_its_range() {
    let params = FanParams::default();
    let mut decision = McrDescription::default();
    play(3, |game, own, legal| {
        decision.describe(game.seat(own), legal, heard(game, own), &params);
        for row in decision.rows() {
            for (feature, value) in CHOICE.iter().zip(row.features) {
                assert!(
                    (feature.low..=feature.high).contains(value),
                    "{}: {value}",
                    feature.name
                );
            }
            assert!(row.features.iter().all(|value| value.is_finite()));
        }
    });
}

#[test]
fn what_an_opponent_let_pass_is_safe_until_its_hand_changes() {
    let mut game = dealt(1);
    let discards = ["1m", "2m"].map(kind);
    // Seat 0 and 1 discard whatever they hold first; all others pass.
    let mut thrown = Vec::new();
    for _ in 0..2 {
        let by = Seat::all(PLAYERS)
            .find(|&by| game.seat(by).drawn().is_some())
            .expect("a seat has drawn");
        let legal = game.seat(by).legal();
        let discard = legal
            .iter()
            .find_map(|action| match action {
                McrAction::Discard(kind) if !thrown.contains(kind) => Some(*kind),
                _ => None,
            })
            .expect("a discard");
        thrown.push(discard);
        let mut answers = [Some(McrAction::Pass); 4];
        answers[by.index()] = Some(McrAction::Discard(discard));
        game.answer(answers);
        game.answer([Some(McrAction::Pass); 4]);
    }
    let own = seat(2);
    let opponents = Opponents::new(game.seat(own), heard(&game, own));
    // Seat 3 let both pass; seat 0 discarded the first and let the second pass; seat 1 discarded
    // the second, after which its hand had changed.
    assert_eq!(opponents.danger(thrown[0]).passed, 2);
    assert_eq!(opponents.danger(thrown[1]).passed, 3);
    let other = Kind::all()
        .find(|kind| !thrown.contains(kind) && !discards.contains(kind))
        .expect("a kind");
    assert_eq!(opponents.danger(other).passed, 0);
}

#[test]
fn melds_and_turns_make_a_threat_and_a_tile_that_passed_is_no_danger() {
    let mut most = 0.0_f32;
    play(5, |game, own, _| {
        let opponents = Opponents::new(game.seat(own), heard(game, own));
        most = most.max(opponents.greatest_threat());
        for kind in Kind::all() {
            let danger = opponents.danger(kind);
            assert!(danger.passed < 3 || danger.sum == 0.0, "{kind}");
            assert!(danger.greatest <= danger.sum);
        }
    });
    assert!(most > 0.2, "{most}");
}

#[test]
fn a_claim_opens_the_hand_and_a_pass_does_not() {
    let [opens, pass, chow, pung] = places(CHOICE, ["opens", "pass", "chow", "pung"]);
    let params = FanParams::default();
    let mut decision = McrDescription::default();
    let mut claims = 0;
    for wall in 1..=4 {
        play(wall, |game, own, legal| {
            decision.describe(game.seat(own), legal, heard(game, own), &params);
            for row in decision.rows() {
                let features = [opens, pass, chow, pung].map(|place| row.features[place]);
                let expected = match legal[row.index] {
                    McrAction::Pass => [0.0, 1.0, 0.0, 0.0],
                    McrAction::ClaimChow { .. } => [1.0, 0.0, 1.0, 0.0],
                    McrAction::ClaimPung { .. } => [1.0, 0.0, 0.0, 1.0],
                    _ => [0.0; 4],
                };
                assert_eq!(features, expected);
                claims += usize::from(expected[0] > 0.0);
            }
        });
    }
    assert!(claims > 20, "{claims}");
}

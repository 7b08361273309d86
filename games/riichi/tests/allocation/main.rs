//! A game allocates nothing, so that it is copied as one piece of memory. This is a separate
//! program because its allocator counts.

use std::hint::black_box;

use allocation_counter::{AllocationInfo, measure};
use riichi::game::{Hidden, RiichiGame};
use riichi::rng::Rng;
use riichi::{Action, Rules, Table};

const RULES: [Rules; 4] = [
    Rules::TENHOU_HALF,
    Rules::MAHJONG_SOUL_HALF,
    Rules::TENHOU_HALF.with_players(3),
    Rules::MAHJONG_SOUL_HALF.with_players(3),
];

/// Plays to the end with any legal action, wins and calls as likely as discards; how many answers
/// it took.
fn play(game: &mut RiichiGame, rng: &mut Rng) -> u64 {
    let mut answers = 0;
    while !game.is_over() && !game.awaits_wall() {
        for seat in game.asked() {
            let legal = game.legal_actions(seat);
            let action = *rng.pick(&legal).expect("an asked seat has an action");
            game.answer(seat, action).expect("it is legal");
            answers += 1;
        }
        black_box(game.events());
    }
    answers
}

fn assert_nothing(what: &str, info: AllocationInfo) {
    assert_eq!(info.count_total, 0, "{what}: {info:?}");
}

#[test]
fn the_counter_counts() {
    let info = measure(|| drop(black_box(Box::new(1))));
    assert_eq!(info.count_total, 1);
}

#[test]
fn whole_games_are_played_without_an_allocation() {
    for rules in RULES {
        let mut answers = 0;
        assert_nothing(
            "dealt and played",
            measure(|| {
                for seed in 0..20 {
                    answers += play(&mut RiichiGame::new(rules, seed), &mut Rng::keyed(&[seed]));
                }
            }),
        );
        assert!(answers > 2000, "{answers} answers");
    }
}

#[test]
fn a_simulation_in_mid_round_does_not_allocate() {
    for rules in RULES {
        let mut game = RiichiGame::new(rules, 3);
        for _ in 0..30 {
            for seat in game.asked() {
                let legal = game.legal_actions(seat);
                let quiet =
                    |action: &&Action| matches!(action, Action::None | Action::Dahai { .. });
                game.answer(seat, *legal.iter().find(quiet).unwrap_or(&legal[0]))
                    .expect("it is legal");
            }
        }
        let mut rng = Rng::keyed(&[4]);
        let seat = game.asked()[0];
        let info = measure(|| {
            play(&mut black_box(&game).clone(), &mut rng);
            let table: Table = game.table(seat);
            let hidden = Hidden::shuffled(&table, &mut rng);
            let mut sample = RiichiGame::from_table(&table, &hidden).expect("the tiles fit");
            play(&mut sample, &mut rng);
        });
        assert_nothing("copied, set up and played", info);
    }
}

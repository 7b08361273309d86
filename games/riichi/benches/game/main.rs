//! Whole games, and clones of a game, next to `riichienv-core` in the same run, and next to the
//! cost of a game of four tables instead of one state with four views.
//!
//! `cargo bench -p bot-runner-riichi --bench game`; of whole games the items are hanchan of four
//! players.

use std::collections::HashMap;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use riichi::game::{Hidden, RiichiGame};
use riichi::rng::Rng;
use riichi::{Action, Event, PerSeat, Rules, Table, safe_answer};
use riichienv_core::action::{Action as TheirAction, ActionType, Phase};
use riichienv_core::rule::GameRule;
use riichienv_core::state::GameState;

fn main() {
    eprintln!(
        "a game has {} bytes, four tables {}",
        size_of::<RiichiGame>(),
        4 * size_of::<Table>()
    );
    divan::main();
}

const GAMES: u64 = 8;

/// Discards the drawn tile, and never claims one.
fn tsumogiri(legal: &[Action]) -> Action {
    let quiet = |action: &&Action| {
        matches!(
            action,
            Action::None
                | Action::Dahai {
                    tsumogiri: true,
                    ..
                }
        )
    };
    *legal.iter().find(quiet).unwrap_or(&legal[0])
}

/// Wins if possible, else discards the drawn tile.
fn safe(legal: &[Action]) -> Action {
    safe_answer(legal).unwrap_or(legal[0])
}

fn play(mut game: RiichiGame, choose: fn(&[Action]) -> Action) -> RiichiGame {
    while !game.is_over() {
        for seat in game.asked() {
            let legal = game.legal_actions(seat);
            game.answer(seat, choose(&legal)).expect("it is legal");
        }
    }
    game
}

fn bench_games(bencher: Bencher<'_, '_>, choose: fn(&[Action]) -> Action) {
    bencher.counter(ItemsCount::new(GAMES)).bench(|| {
        for seed in 0..GAMES {
            black_box(play(
                RiichiGame::new(Rules::TENHOU_HALF, black_box(seed)),
                choose,
            ));
        }
    });
}

/// A game after 40 discards.
fn mid_round() -> RiichiGame {
    let mut game = RiichiGame::new(Rules::TENHOU_HALF, 1);
    let mut discards = 0;
    while discards < 40 {
        for seat in game.asked() {
            let legal = game.legal_actions(seat);
            game.answer(seat, tsumogiri(&legal)).expect("it is legal");
        }
        discards += game
            .events()
            .iter()
            .filter(|event| matches!(event, Event::Dahai { .. }))
            .count();
    }
    game
}

mod hanchan {
    use super::*;

    #[divan::bench]
    fn tsumogiri(bencher: Bencher<'_, '_>) {
        bench_games(bencher, super::tsumogiri);
    }

    #[divan::bench]
    fn safe_answers(bencher: Bencher<'_, '_>) {
        bench_games(bencher, super::safe);
    }

    /// Each seat follows the game on its own table, as it would if the game consisted of tables.
    #[divan::bench]
    fn tsumogiri_on_four_tables(bencher: Bencher<'_, '_>) {
        bencher.counter(ItemsCount::new(GAMES)).bench(|| {
            for seed in 0..GAMES {
                let mut game = RiichiGame::new(Rules::TENHOU_HALF, black_box(seed));
                let mut tables = PerSeat::from_fn(4, |seat| Table::new(Rules::TENHOU_HALF, seat));
                while !game.is_over() {
                    for (seat, table) in tables.iter_mut() {
                        game.events().iter().for_each(|event| {
                            table.apply(&event.masked_for(seat)).expect("it follows")
                        });
                    }
                    for seat in game.asked() {
                        let legal = tables[seat].legal_actions();
                        game.answer(seat, super::tsumogiri(&legal))
                            .expect("it is legal");
                    }
                }
                black_box(game);
            }
        });
    }

    #[divan::bench(sample_count = 10)]
    fn tsumogiri_riichienv(bencher: Bencher<'_, '_>) {
        bench_theirs(bencher, true);
    }

    #[divan::bench(sample_count = 10)]
    fn tsumogiri_riichienv_with_events(bencher: Bencher<'_, '_>) {
        bench_theirs(bencher, false);
    }

    /// Each seat is given its observation, with its legal actions, as the engine's own environment
    /// does it.
    fn bench_theirs(bencher: Bencher<'_, '_>, silent: bool) {
        const HANCHAN: u8 = 2;
        bencher.counter(ItemsCount::new(GAMES)).bench(|| {
            for seed in 0..GAMES {
                let mut game = GameState::new(
                    HANCHAN,
                    silent,
                    Some(black_box(seed)),
                    0,
                    GameRule::default_tenhou(),
                );
                while !game.is_done {
                    let asked = match game.phase {
                        Phase::WaitAct => vec![game.current_player],
                        Phase::WaitResponse => game.active_players.clone(),
                    };
                    let answers: HashMap<u8, TheirAction> = asked
                        .into_iter()
                        .map(|seat| {
                            let legal = game.get_observation(seat).legal_actions_method();
                            let quiet = |action: &&TheirAction| {
                                action.action_type == ActionType::Pass
                                    || action.action_type == ActionType::Discard
                                        && action.tile == game.drawn_tile
                            };
                            (seat, legal.iter().find(quiet).unwrap_or(&legal[0]).clone())
                        })
                        .collect();
                    game.step(&answers);
                }
                black_box(&game);
            }
        });
    }
}

mod in_mid_round {
    use super::*;

    #[divan::bench]
    fn clone(bencher: Bencher<'_, '_>) {
        let game = mid_round();
        bencher.bench(|| black_box(&game).clone());
    }

    #[divan::bench]
    fn clone_of_four_tables(bencher: Bencher<'_, '_>) {
        let game = mid_round();
        let tables = PerSeat::from_fn(4, |seat| game.table(seat));
        bencher.bench(|| PerSeat::from_fn(4, |seat| black_box(&tables)[seat].clone()));
    }

    #[divan::bench]
    fn clone_riichienv(bencher: Bencher<'_, '_>) {
        let mut game = GameState::new(2, true, Some(1), 0, GameRule::default_tenhou());
        while game.players[0].discards.len() < 10 {
            let seat = if game.phase == Phase::WaitAct {
                game.current_player
            } else {
                game.active_players[0]
            };
            let legal = game.get_observation(seat).legal_actions_method();
            let action = legal
                .iter()
                .find(|action| action.action_type == ActionType::Pass)
                .unwrap_or(&legal[0])
                .clone();
            game.step(&HashMap::from([(seat, action)]));
        }
        bencher.bench(|| black_box(&game).clone());
    }

    #[divan::bench]
    fn table_of_a_seat(bencher: Bencher<'_, '_>) {
        let game = mid_round();
        let seat = game.asked()[0];
        bencher.bench(|| -> Table { black_box(&game).table(seat) });
    }

    /// The unseen tiles dealt at random, and a game made of them.
    #[divan::bench]
    fn set_up_at_random(bencher: Bencher<'_, '_>) {
        let game = mid_round();
        let table = game.table(game.asked()[0]);
        let mut rng = Rng::keyed(&[1]);
        bencher.bench_local(|| {
            RiichiGame::from_table(&table, &Hidden::shuffled(&table, &mut rng))
                .expect("the tiles fit")
        });
    }

    /// From there to the end of the round.
    #[divan::bench]
    fn roll_out(bencher: Bencher<'_, '_>) {
        let game = mid_round();
        bencher.bench(|| {
            let mut game = black_box(&game).clone();
            loop {
                for seat in game.asked() {
                    let legal = game.legal_actions(seat);
                    game.answer(seat, safe(&legal)).expect("it is legal");
                }
                if game
                    .events()
                    .iter()
                    .any(|event| matches!(event, Event::EndKyoku))
                {
                    break game;
                }
            }
        });
    }
}

#[divan::bench]
fn deal(bencher: Bencher<'_, '_>) {
    bencher.bench(|| RiichiGame::new(Rules::TENHOU_HALF, black_box(7)));
}

//! Belief and worlds drawn from it: `cargo bench -p riichi-estimates --bench belief`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use riichi::game::{Hidden, RiichiGame};
use riichi::rng::Rng;
use riichi::{Action, Rules, Table};
use riichi_estimates::belief::Belief;

fn main() {
    divan::main();
}

/// The tables of the asked seats, from the tenth turn on; riichi is declared whenever possible, and
/// about every second call is made.
fn tables() -> Vec<Table> {
    let mut rng = Rng::keyed(&[1]);
    let mut tables = Vec::new();
    for seed in 0..20 {
        let mut game = RiichiGame::new(Rules::TENHOU_HALF, seed);
        while !game.is_over() {
            for seat in game.asked() {
                if game
                    .players()
                    .iter()
                    .all(|(_, player)| player.river.len() >= 9)
                {
                    tables.push(game.table(seat));
                }
                let legal = game.legal_actions(seat);
                let win = legal
                    .iter()
                    .find(|action| matches!(action, Action::Hora { .. } | Action::Reach { .. }));
                let any = if rng.below(2) == 0 {
                    rng.pick(&legal)
                } else {
                    None
                };
                let quiet = legal.iter().find(|action| {
                    matches!(
                        action,
                        Action::None
                            | Action::Dahai {
                                tsumogiri: true,
                                ..
                            }
                    )
                });
                game.answer(seat, *win.or(any).or(quiet).unwrap_or(&legal[0]))
                    .expect("it is legal");
            }
        }
    }
    rng.shuffle(&mut tables);
    tables.truncate(200);
    tables
}

#[divan::bench]
fn of(bencher: Bencher<'_, '_>) {
    let tables = tables();
    bencher.counter(ItemsCount::new(tables.len())).bench(|| {
        for table in &tables {
            black_box(Belief::of(black_box(table)));
        }
    });
}

#[divan::bench]
fn sample(bencher: Bencher<'_, '_>) {
    let beliefs: Vec<Belief> = tables().iter().map(Belief::of).collect();
    let mut rng = Rng::keyed(&[2]);
    bencher
        .counter(ItemsCount::new(beliefs.len()))
        .bench_local(|| {
            for belief in &beliefs {
                black_box(belief.sample(&mut rng));
            }
        });
}

/// Tiles dealt without a thought, to compare with.
#[divan::bench]
fn shuffled(bencher: Bencher<'_, '_>) {
    let tables = tables();
    let mut rng = Rng::keyed(&[3]);
    bencher
        .counter(ItemsCount::new(tables.len()))
        .bench_local(|| {
            for table in &tables {
                black_box(Hidden::shuffled(table, &mut rng));
            }
        });
}

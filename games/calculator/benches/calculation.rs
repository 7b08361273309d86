//! How fast a round is simulated: `cargo bench -p calculator`. An iteration is 100 simulations.

use calculator::Calculation;
use divan::Bencher;
use riichi::game::RiichiGame;
use riichi::{Action, Rules, Table, safe_answer};
use riichi_estimates::belief::Belief;

fn main() {
    divan::main();
}

/// A table of the first seat that decides after this many own turns, in which all seats discarded
/// the drawn tile.
fn table(turn: u8) -> Table {
    let mut game = RiichiGame::new(Rules::TENHOU_HALF, 8);
    let drawable = game.tiles_left();
    loop {
        for seat in game.asked() {
            let legal = game.legal_actions(seat);
            if drawable - game.tiles_left() >= 4 * (turn - 1)
                && matches!(legal[0], Action::Dahai { .. })
            {
                return game.table(seat);
            }
            game.answer(seat, safe_answer(&legal).unwrap_or(legal[0]))
                .expect("it is listed");
        }
    }
}

/// Round-ends from worlds of the belief, by the own turn.
#[divan::bench(args = [1, 5, 10, 14])]
fn hundred_simulations(bencher: Bencher<'_, '_>, turn: u8) {
    let table = table(turn);
    let belief = Belief::of(&table);
    let candidates: Vec<Action> = table
        .legal_actions()
        .into_iter()
        .filter(|action| matches!(action, Action::Dahai { .. }))
        .take(4)
        .collect();
    bencher.bench_local(|| {
        let mut calculation = Calculation::new(&table, &candidates, 1).expect("a decision");
        let deal = |rng: &mut riichi::rng::Rng| RiichiGame::from_table(&table, &belief.sample(rng));
        calculation
            .run(deal, |so_far| so_far.simulations() as f64 / 100.0)
            .expect("worlds");
        calculation.simulations()
    });
}

//! Calculations in situations with known answers.

use calculator::{ActionEstimate, Calculation};
use riichi::game::RiichiGame;
use riichi::{Action, Rules, Seat, Table};
use riichi_estimates::belief::Belief;

/// The dealer's table at the first decision of a game with this many tiles left.
fn table(rules: Rules, seed: u64, tiles_left: u8) -> Table {
    let mut game = RiichiGame::new(rules, seed);
    loop {
        for seat in game.asked() {
            let legal = game.legal_actions(seat);
            if game.tiles_left() <= tiles_left && matches!(legal[0], Action::Dahai { .. }) {
                return game.table(seat);
            }
            let pass =
                riichi::safe_answer(&legal).filter(|action| !matches!(action, Action::Hora { .. }));
            let discard = legal
                .iter()
                .copied()
                .find(|action| matches!(action, Action::Dahai { .. } | Action::None));
            game.answer(seat, pass.or(discard).unwrap_or(legal[0]))
                .expect("it is listed");
        }
    }
}

fn discards(table: &Table) -> Vec<Action> {
    table
        .legal_actions()
        .into_iter()
        .filter(|action| matches!(action, Action::Dahai { .. }))
        .collect()
}

fn calculated<'a>(
    table: &'a Table,
    candidates: &[Action],
    number: u64,
    seed: u64,
) -> Calculation<'a> {
    let belief = Belief::of(table);
    let mut calculation = Calculation::new(table, candidates, seed).expect("a decision");
    calculation
        .run(
            |rng| RiichiGame::from_table(table, &belief.sample(rng)),
            |so_far| so_far.simulations() as f64 / number as f64,
        )
        .expect("worlds");
    calculation
}

#[test]
fn the_same_seed_gives_the_same_figures_and_another_gives_others() {
    let table = table(Rules::TENHOU_HALF, 3, 40);
    let candidates = discards(&table);
    let written = |seed| {
        format!(
            "{:?}",
            calculated(&table, &candidates, 400, seed).estimates()
        )
    };
    assert_eq!(written(1), written(1));
    assert_ne!(written(1), written(2));
}

#[test]
fn a_win_at_hand_wins_always_and_is_taken_before_a_discard() {
    // Seed by seed until a seat draws what it waits for.
    let (table, win) = (0..)
        .find_map(|seed| {
            let mut game = RiichiGame::new(Rules::TENHOU_HALF, seed);
            while !game.is_over() {
                for seat in game.asked() {
                    let legal = game.legal_actions(seat);
                    let is_tsumo = |action: &&Action| matches!(action, Action::Hora { target, .. } if *target == seat);
                    if let Some(win) = legal.iter().find(is_tsumo) {
                        return Some((game.table(seat), *win));
                    }
                    let reach = legal.iter().copied().find(|action| matches!(action, Action::Reach { .. }));
                    game.answer(seat, reach.or(riichi::safe_answer(&legal)).unwrap_or(legal[0])).expect("listed");
                }
            }
            None
        })
        .expect("a seat wins by self-draw at some time");
    let calculation = calculated(&table, &table.legal_actions(), 300, 1);
    let place = |estimate: &ActionEstimate| estimate.figures.place.value;
    let estimates = calculation.estimates();
    let best = estimates
        .iter()
        .min_by(|one, other| place(one).total_cmp(&place(other)))
        .expect("candidates");
    assert_eq!(best.action, win);
    let figures = &best.figures;
    assert_eq!(
        (
            figures.win.value,
            figures.tsumo.value,
            figures.deal_in.value
        ),
        (1.0, 1.0, 0.0)
    );
    let score = table
        .score_of(table.seat(), table.drawn().expect("drawn"))
        .expect("a win");
    let least = f64::from(score.gain() + 1_000 * i32::from(table.kyotaku()));
    // Ura dora may come on top.
    assert!(
        figures.points.value >= least,
        "{} < {least}",
        figures.points.value
    );
}

#[test]
fn chances_add_up_and_points_of_a_round_stay_in_it() {
    for players in [4, 3] {
        let table = table(Rules::TENHOU_HALF.with_players(players), 5, 30);
        let calculation = calculated(&table, &discards(&table), 2_000, 1);
        for estimate in calculation.estimates() {
            let figures = estimate.figures;
            let places: f64 = figures.places.iter().map(|place| place.value).sum();
            assert!((places - 1.0).abs() < 1e-9, "{places}");
            let to: f64 = figures.deal_in_to.iter().map(|(_, to)| to.value).sum();
            assert!((to - figures.deal_in.value).abs() < 1e-9);
            assert_eq!(
                figures.deal_in_to[table.seat()].value,
                0.0,
                "no seat deals in to itself"
            );
            assert!(figures.win.value + figures.deal_in.value + figures.draw.value <= 1.0 + 1e-9);
            assert!(figures.tenpai.value <= figures.draw.value + 1e-9);
        }
    }
}

#[test]
fn most_simulations_go_to_those_that_are_close() {
    let table = table(Rules::TENHOU_HALF, 3, 40);
    let candidates = discards(&table);
    let calculation = calculated(&table, &candidates, 3_000, 1);
    let mut numbers: Vec<u64> = calculation
        .estimates()
        .iter()
        .map(|estimate| estimate.figures.simulations)
        .collect();
    numbers.sort_unstable();
    assert!(numbers[numbers.len() - 1] >= 3 * numbers[0], "{numbers:?}");
    assert!((3_000..3_000 + candidates.len() as u64).contains(&calculation.simulations()));
}

#[test]
fn an_action_that_is_not_legal_is_refused() {
    let table = table(Rules::TENHOU_HALF, 3, 40);
    let error = Calculation::new(&table, &[Action::Kita], 1).expect_err("no North is set aside");
    assert!(error.to_string().contains("not legal"), "{error}");
    assert!(Calculation::new(&table, &[], 1).is_err());
}

#[test]
fn in_the_last_round_a_place_counts_more_than_points() {
    use calculator::places::place_chances;
    use riichi::game::RoundId;
    use riichi::rng::Rng;
    use riichi::{PerSeat, Wind};
    let rules = Rules::TENHOU_HALF;
    let chances = |scores: [i32; 4], bakaze, oya: u8| {
        let scores = PerSeat::from_fn(4, |seat| scores[seat.index()]);
        let round = RoundId {
            bakaze,
            oya: Seat::new(oya).expect("a seat"),
            honba: 0,
        };
        place_chances(&rules, &scores, 0, round, 4_000, &mut Rng::keyed(&[1]))
    };
    let first = |chances: PerSeat<[f64; 4]>| chances[Seat::FIRST][0];
    let early = first(chances([33_000, 25_000, 22_000, 20_000], Wind::East, 0));
    let late = first(chances([33_000, 25_000, 22_000, 20_000], Wind::South, 3));
    assert!(
        late > early && late > 0.6,
        "a lead is worth more the less is left: {early} {late}"
    );
    let level = chances([25_000; 4], Wind::East, 0);
    let sum: f64 = level.iter().map(|(_, places)| places[0]).sum();
    assert!((sum - 1.0).abs() < 1e-9, "some seat is first");
}

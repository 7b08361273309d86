//! Any number of threads gives the same results to the byte.

use std::sync::atomic::{AtomicBool, Ordering};

use lab::game::Entrant;
use lab::tournament::{
    Ended, EntrantFigures, EntrantResult, Plan, TournamentProgress, TournamentResult, UntilClear,
    Walls, run,
};

use super::seated::{Sums, entrant, greedy, plan, played, result};
use crate::common::policies::Last;

fn json(result: &TournamentResult) -> String {
    serde_json::to_string(result).expect("it has a JSON form")
}

fn results(entrants: &[Entrant], change: impl Fn(Plan) -> Plan) -> [String; 2] {
    [1, 3].map(|jobs| json(&result(entrants, &change(plan(entrants, 5, jobs)))))
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let [one, three] = results(&[entrant::<Sums>(), greedy("yaku")], |plan| plan);
    assert_eq!(one, three);
    let four = [
        entrant::<Sums>(),
        greedy("yaku"),
        greedy("never"),
        entrant::<Last>(),
    ];
    let [one, three] = results(&four, |plan| plan);
    assert_eq!(one, three);
}

#[test]
fn another_seed_gives_other_results() {
    let entrants = [entrant::<Sums>(), greedy("yaku")];
    let once = plan(&entrants, 2, 1);
    let other = Plan {
        seed: once.seed + 1,
        ..once.clone()
    };
    assert_ne!(
        json(&result(&entrants, &once)),
        json(&result(&entrants, &other)).replace("\"seed\":4", "\"seed\":3")
    );
}

#[test]
fn until_clear_it_ends_after_the_same_wall_on_any_number_of_threads() {
    let entrants = [entrant::<Last>(), greedy("never")];
    let until_clear = |plan: Plan| Plan {
        until_clear: Some(UntilClear {
            by: None,
            adjusted: false,
        }),
        walls: 60,
        ..plan
    };
    let [one, three] = results(&entrants, until_clear);
    assert_eq!(one, three);
    let result = result(&entrants, &until_clear(plan(&entrants, 60, 2)));
    assert_eq!((result.ended, result.walls < 60), (Ended::Clear, true));
    let best = result.until_clear.and_then(|test| test.best);
    assert_eq!(
        best.as_deref(),
        Some("bot 1"),
        "greedy-tenpai beats one that throws what it draws"
    );
}

#[test]
fn stopped_early_the_walls_before_the_first_incomplete_one_count() {
    let entrants = [entrant::<Sums>(), greedy("never")];
    let stop = AtomicBool::new(false);
    let mut walls = 0;
    let stopped = run(
        &entrants,
        &plan(&entrants, 20, 2),
        Walls::new(),
        &stop,
        |progress| {
            walls += u32::from(matches!(progress, TournamentProgress::Wall(..)));
            stop.store(walls >= 2, Ordering::Relaxed);
        },
    )
    .expect("it can be played");
    let walls = stopped.walls.len();
    assert!(walls < 20, "{walls} walls");
    assert_eq!(
        stopped.walls,
        played(&entrants, &plan(&entrants, walls as u64, 1)).walls
    );
}

#[test]
fn counts_add_up() {
    let entrants = [entrant::<Sums>(), greedy("yaku")];
    let result = result(&entrants, &plan(&entrants, 4, 2));
    assert_eq!(
        (result.walls, result.games, result.ended),
        (4, 24, Ended::Complete)
    );
    let figures = |entrant: &EntrantResult| {
        assert_eq!(
            (entrant.seats, entrant.illegal),
            (48, 0),
            "two seats in each game"
        );
        match &entrant.figures {
            EntrantFigures::Places(figures) => figures.clone(),
            EntrantFigures::Points(figures) => panic!("{figures:?}"),
        }
    };
    let [sums, greedy] = &result.entrants[..] else {
        panic!("two compete")
    };
    let [sums, greedy] = [sums, greedy].map(figures);
    for figures in [&sums, &greedy] {
        assert!((figures.places.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(figures.rounds >= 4 * 48, "{figures:?}");
    }
    assert!(
        (sums.place.mean + greedy.place.mean - 5.0).abs() < 1e-9,
        "two seats each share the places"
    );
    assert!(
        (sums.points + greedy.points - 50_000.0).abs() < 1e-6,
        "no point is lost"
    );
    assert!(
        greedy.win_rate > sums.win_rate && sums.call_rate > 0.0 && greedy.riichi_rate > 0.0,
        "{result:?}"
    );
}

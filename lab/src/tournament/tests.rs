//! Tournaments of each game through the boundary, as policies of the SDK play them.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cs_eight_step::CsEightStep;
use doudizhu_split::DouDizhuSplit;
use greedy_tenpai::GreedyTenpai;
use policy_host::{ChosenPolicy, GameKind, Launch, StartOptions};
use protocol::game_record::RecordStart;
use riichi::Rules;
use riichi::rules::Length;

use super::*;
use crate::game::{Entrant, GameRules, SeatValues};
use crate::part::Shard;
use lab_stats::SeatCounts;

/// A wall on which the seats of a config placed as this says, and nothing else was counted.
pub(super) fn wall(
    schedule: &Schedule,
    mut placing: impl FnMut(&[usize]) -> Vec<i32>,
) -> WallResult {
    let mut counts = vec![SeatCounts::default(); schedule.configs()];
    let mut games = Vec::new();
    for seating in schedule.seatings() {
        let places: SeatValues = placing(seating).into_iter().collect();
        for (&config, &place) in seating.iter().zip(&places) {
            counts[config].places[place as usize - 1] += 1;
        }
        games.push(places);
    }
    WallResult {
        games,
        luck: Vec::new(),
        counts,
        first_fault: None,
    }
}

/// A policy of each game, and how many walls are played with it.
fn games() -> [(GameRules, GameKind, ChosenPolicy, u64); 3] {
    let riichi = Rules::TENHOU_HALF.with_length(Length::East);
    let usual = |game: GameKind| GameRules::usual(game, game.players()[0]);
    [
        (
            GameRules::Riichi(riichi),
            GameKind::Riichi,
            ChosenPolicy::of::<GreedyTenpai>(),
            3,
        ),
        (
            usual(GameKind::Mcr),
            GameKind::Mcr,
            ChosenPolicy::of::<CsEightStep>(),
            3,
        ),
        (
            usual(GameKind::DouDizhu),
            GameKind::DouDizhu,
            ChosenPolicy::of::<DouDizhuSplit>(),
            6,
        ),
    ]
}

fn entrant(game: GameKind, policy: &ChosenPolicy) -> Entrant {
    let options = StartOptions {
        bot: "test".to_owned(),
        game,
        players: game.players()[0],
        config_folder: PathBuf::new(),
        launch: Launch::own(Vec::new()),
    };
    Entrant {
        policy: policy.clone(),
        options,
        budget: Duration::from_secs(3),
        limit: None,
    }
}

fn plan(rules: GameRules, game: GameKind, walls: u64) -> Plan {
    let players = game.players()[0];
    let format = Format::of(game, 2, players);
    Plan {
        seed: 7,
        schedule: Schedule::new(game, format, 2, players).expect("two can sit"),
        walls,
        shard: Shard::WHOLE,
        rules,
        jobs: NonZeroUsize::MIN,
        until_clear: None,
        sprt: None,
        taken_down: TakenDown::default(),
    }
}

fn played(entrants: &[Entrant], plan: &Plan) -> Walls {
    run(
        entrants,
        plan,
        Walls::new(),
        &AtomicBool::new(false),
        |_| {},
    )
    .expect("the games can be played")
    .walls
}

#[test]
fn a_policy_against_itself_gains_nothing_by_its_seats_and_makes_no_fault() {
    for (rules, game, policy, walls) in games() {
        let entrants = [entrant(game, &policy), entrant(game, &policy)];
        for wall in played(&entrants, &plan(rules, game, walls)).values() {
            assert_eq!(wall.first_fault, None, "{game}");
            let [one, other] = &wall.counts[..] else {
                panic!("two compete")
            };
            assert!(
                one.decisions > 0 && one.decisions == other.decisions,
                "{game}: {wall:?}"
            );
            let measured =
                |counts: &SeatCounts| (counts.sum(game.measure()), counts.seats(game.measure()));
            assert_eq!(measured(one), measured(other), "{game}");
            assert_eq!((one.wins, one.points), (other.wins, other.points), "{game}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_walls_on_any_number_of_threads() {
    for (rules, game, policy, walls) in games() {
        let entrants = [entrant(game, &policy), entrant(game, &policy)];
        let one = plan(rules, game, walls);
        let three = Plan {
            jobs: NonZeroUsize::new(3).expect("it is not zero"),
            ..one.clone()
        };
        assert_eq!(played(&entrants, &one), played(&entrants, &three), "{game}");
    }
}

#[test]
fn a_policy_of_another_game_is_refused_with_both_names() {
    let policy = ChosenPolicy::of::<DouDizhuSplit>();
    let options = entrant(GameKind::Mcr, &policy).options;
    let refused = ChosenPolicy::choose(policy.library.clone(), &policy.section, &options)
        .expect_err("it is another game's");
    let [problem] = refused.try_into().expect("one thing is wrong");
    assert_eq!(problem.key, "policy.id");
    assert!(
        problem.message.starts_with(
            "the policy doudizhu-split plays doudizhu, and this bot plays chinese-standard"
        ),
        "{}",
        problem.message
    );
}

#[test]
fn a_tournament_does_not_list_the_walls_that_it_may_play() {
    let [.., (rules, game, policy, _)] = games();
    let entrants = [entrant(game, &policy), entrant(game, &policy)];
    let stop = AtomicBool::new(false);
    let stop_after_a_wall = |progress: TournamentProgress<'_>| {
        if matches!(progress, TournamentProgress::Wall(..)) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let endless = plan(rules, game, 1_000_000_000_000);
    let played =
        run(&entrants, &endless, Walls::new(), &stop, stop_after_a_wall).expect("it is stopped");
    assert_eq!(
        played.walls.first_key_value().map(|(wall, _)| *wall),
        Some(1)
    );
}

#[test]
fn games_on_a_wall_are_kept_alike_up_to_the_first_decision_that_differs() {
    for (rules, game, policy, _) in games() {
        let entrants = [entrant(game, &policy), entrant(game, &policy)];
        let plan = Plan {
            taken_down: TakenDown {
                records: true,
                ..TakenDown::default()
            },
            ..plan(rules, game, 1)
        };
        let mut kept = Vec::new();
        run(
            &entrants,
            &plan,
            Walls::new(),
            &AtomicBool::new(false),
            |progress| {
                if let TournamentProgress::Game(_, played) = progress {
                    let game = played.transcript.as_ref().expect("it is taken down");
                    let start = RecordStart::default();
                    let lines: Vec<String> = game.record(&start).map(String::from).collect();
                    kept.push((lines, game.decisions.clone()));
                }
            },
        )
        .expect("the games can be played");
        let [(lines, decisions), rest @ ..] = &kept[..] else {
            panic!("{game}: several games")
        };
        assert!(lines.len() > 20 && decisions.len() > 10, "{game}");
        // The same policy on all seats plays the same game, if it does not draw lots.
        if game != GameKind::DouDizhu {
            assert!(
                rest.iter()
                    .all(|other| (&other.0, &other.1) == (lines, decisions)),
                "{game}"
            );
        }
        let mut other = decisions.clone();
        assert_eq!(first_difference(decisions, &other), None);
        other[7].action.push('x');
        other[9].action.push('x');
        assert_eq!(first_difference(decisions, &other), Some(7));
    }
}

//! How often a conclusion names a better one where there is none: small matches of configs that
//! play alike, nearly alike or exactly alike, in each game, format and command.
//!
//! The matches are drawn from real games, which two policies play once. On each drawn wall a coin
//! exchanges their roles, so that both configs follow either policy equally often: they play alike,
//! and yet their walls differ. On other walls the games count for both, as if one policy played
//! them.
//!
//! `FALSE_VERDICTS=1000 cargo test -p bot-runner --lib false_verdicts` draws so many matches of
//! each sort that costs more, too.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cs_fan::CsFan;
use doudizhu_split::DouDizhuSplit;
use fastrand::Rng;
use greedy_tenpai::GreedyTenpai;
use lab::game::{Entrant, SeatValues};
use lab::part::Shard;
use lab::tournament::{
    Arguments, Competitor, Format, Plan, ResultsFile, Schedule, Seating, TournamentLength,
    TournamentResult, UntilClear, WallResult, Walls, run,
};
use lab_stats::SeatCounts;
use policy_host::{
    ChosenPolicy, GameKind, Launch, Library, LibraryChoice, Measure, PolicyConfig, StartOptions,
};
use policy_sdk::Policy;
use results::{ResultKind, ResultRow};
use weighted_shape::WeightedShape;

use super::stats::concluded;
use super::tournament::report::conclusion;
use super::tune;
use crate::cli::StatsBy;

/// Matches of each sort, and how many of them may name a better one: 5 %.
const MATCHES: usize = 1_000;
const ALLOWED: f64 = 0.05;

/// Matches of each sort that costs more.
fn few_matches() -> usize {
    std::env::var("FALSE_VERDICTS").map_or(250, |matches| {
        matches.parse().expect("FALSE_VERDICTS is a number")
    })
}

/// The games of two policies on some walls, in all seatings of two.
struct Pool {
    game: GameKind,
    walls: Vec<Vec<SeatValues>>,
}

/// How alike the configs play.
#[derive(Debug, Clone, Copy)]
enum Likeness {
    /// As different as two policies that are equally strong.
    Alike,
    /// The same on nine of ten walls.
    NearlyAlike,
    /// The same on each wall.
    ExactlyAlike,
}

const LIKENESSES: [Likeness; 3] = [
    Likeness::Alike,
    Likeness::NearlyAlike,
    Likeness::ExactlyAlike,
];

fn entrant<P: Policy>(game: GameKind, params: &str) -> Entrant {
    let options = StartOptions {
        bot: "test".to_owned(),
        game,
        players: game.players()[0],
        config_folder: PathBuf::new(),
        launch: Launch::own(Vec::new()),
    };
    let section = PolicyConfig {
        params: params.parse().expect("parameters"),
        ..PolicyConfig::of(LibraryChoice::Builtin, Some(P::DESCRIPTOR.id.to_owned()))
    };
    let policy = ChosenPolicy::choose(Library::of::<P>(), &section, &options).expect("a policy");
    Entrant {
        policy,
        options,
        budget: Duration::from_secs(3),
        limit: None,
    }
}

fn competitor(name: usize) -> Competitor {
    Competitor {
        name: format!("c{name}"),
        config: format!("{name}.toml"),
        policy: "p".to_owned(),
        version: name.to_string(),
        sha256: None,
        params: serde_json::Value::Null,
        files: None,
        config_think_ms: None,
    }
}

pub(super) fn arguments(game: GameKind, format: Format, configs: usize, walls: u64) -> Arguments {
    let players = game.players()[0];
    let schedule = Schedule::new(game, format, configs, players).expect("they can be seated");
    Arguments {
        program: String::new(),
        game,
        seed: 1,
        format,
        players,
        rules: None,
        length: (game == GameKind::Riichi).then_some(TournamentLength::East),
        games: walls * schedule.seatings().len() as u64,
        uma: None,
        until_clear: None,
        sprt: None,
        luck: None,
        think_ms: None,
        configs: (0..configs).map(competitor).collect(),
    }
}

fn pool(game: GameKind, entrants: &[Entrant; 2], walls: u64) -> Pool {
    let format = Format::of(game, 2, game.players()[0]);
    let jobs = NonZeroUsize::new(2).expect("it is not 0");
    let plan = arguments(game, format, 2, walls)
        .plan(Shard::WHOLE, jobs)
        .expect("they can be seated");
    let played = run(
        entrants,
        &plan,
        Walls::new(),
        &AtomicBool::new(false),
        |_| {},
    )
    .expect("they can be played");
    Pool {
        game,
        walls: played.walls.into_values().map(|wall| wall.games).collect(),
    }
}

static POOLS: LazyLock<[Pool; 3]> = LazyLock::new(|| {
    let fast = "candidates = 2\nplayouts = 16";
    [
        pool(
            GameKind::Riichi,
            &[
                entrant::<GreedyTenpai>(GameKind::Riichi, ""),
                entrant::<WeightedShape>(GameKind::Riichi, ""),
            ],
            120,
        ),
        pool(
            GameKind::Mcr,
            &[
                entrant::<CsFan>(GameKind::Mcr, "beyond = 0"),
                entrant::<CsFan>(GameKind::Mcr, "beyond = 0\neagerness = 1.5"),
            ],
            80,
        ),
        pool(
            GameKind::DouDizhu,
            &[
                entrant::<DouDizhuSplit>(GameKind::DouDizhu, fast),
                entrant::<DouDizhuSplit>(GameKind::DouDizhu, "candidates = 3\nplayouts = 16"),
            ],
            120,
        ),
    ]
});

impl Pool {
    fn players(&self) -> u8 {
        self.game.players()[0]
    }

    fn pair(&self) -> Schedule {
        let format = Format::of(self.game, 2, self.players());
        Schedule::new(self.game, format, 2, self.players()).expect("two can sit")
    }

    /// The games of a wall as they are, in the seatings of [`pair`](Self::pair).
    fn wall(&self, random: &mut Rng) -> &Vec<SeatValues> {
        &self.walls[random.usize(..self.walls.len())]
    }

    /// The games of a wall on which both configs play alike.
    fn even_wall(&self, likeness: Likeness, random: &mut Rng) -> Vec<SeatValues> {
        let games = self.wall(random);
        let schedule = self.pair();
        let same = match likeness {
            Likeness::Alike => false,
            Likeness::NearlyAlike => random.f64() < 0.9,
            Likeness::ExactlyAlike => true,
        };
        let exchanged = !same && random.bool();
        let seatings = schedule.seatings();
        let game = |(place, seating): (usize, &Seating)| {
            let other = seatings
                .iter()
                .position(|other| other.iter().zip(seating).all(|(one, other)| one != other));
            let other = other.expect("the roles can be exchanged");
            let counts = if exchanged || (same && other < place) {
                other
            } else {
                place
            };
            games[counts].clone()
        };
        seatings.iter().enumerate().map(game).collect()
    }

    /// A wall in this format, on which all configs play alike.
    fn even(&self, schedule: &Schedule, likeness: Likeness, random: &mut Rng) -> Vec<SeatValues> {
        let sit = |seating: &Seating| seating.iter().copied().collect::<BTreeSet<usize>>();
        if schedule
            .seatings()
            .iter()
            .all(|seating| sit(seating).len() == 2)
        {
            return self.even_pairs(schedule, likeness, random);
        }
        // Each config sits once at each table. The games of a wall in any order, with the configs
        // in any order.
        let mut order: Vec<usize> = (0..schedule.configs()).collect();
        random.shuffle(&mut order);
        let mut games: Vec<SeatValues> = Vec::new();
        while games.len() < schedule.seatings().len() {
            let mut more = self.even_wall(likeness, random);
            random.shuffle(&mut more);
            games.extend(more);
        }
        let reordered = |(seating, values): (&Seating, SeatValues)| -> SeatValues {
            // The seat of each config gets what the seat of another one got.
            let seat = |config: usize| {
                seating
                    .iter()
                    .position(|&seated| seated == config)
                    .expect("it sits there")
            };
            seating
                .iter()
                .map(|&config| values[seat(order[config])])
                .collect()
        };
        schedule
            .seatings()
            .iter()
            .zip(games)
            .map(reordered)
            .collect()
    }

    /// The same where two configs sit at each table: each pair plays a wall of its own.
    fn even_pairs(
        &self,
        schedule: &Schedule,
        likeness: Likeness,
        random: &mut Rng,
    ) -> Vec<SeatValues> {
        let pair = self.pair();
        let mut walls: BTreeMap<(usize, usize), Vec<SeatValues>> = BTreeMap::new();
        let game = |seating: &Seating| {
            let (first, second) = (seating.iter().min(), seating.iter().max());
            let (Some(&first), Some(&second)) = (first, second) else {
                panic!("two sit at a table")
            };
            let games = walls
                .entry((first, second))
                .or_insert_with(|| self.even_wall(likeness, random));
            let roles: Seating = seating
                .iter()
                .map(|&config| usize::from(config == second))
                .collect();
            let place = pair.seatings().iter().position(|seating| *seating == roles);
            games[place.expect("two sit in the same ways")].clone()
        };
        schedule.seatings().iter().map(game).collect()
    }
}

/// A wall with only these results.
fn wall_of(schedule: &Schedule, games: Vec<SeatValues>) -> WallResult {
    let mut counts = vec![SeatCounts::default(); schedule.configs()];
    for (seating, values) in schedule.seatings().iter().zip(&games) {
        for (&config, &value) in seating.iter().zip(values) {
            match schedule.measure() {
                Measure::Places => counts[config].places[value as usize - 1] += 1,
                Measure::Points { .. } => counts[config].points += i64::from(value),
            }
            counts[config].rounds += 1;
        }
    }
    WallResult {
        games,
        luck: Vec::new(),
        counts,
        first_fault: None,
    }
}

/// The result of a match with these walls.
pub(super) fn result(arguments: Arguments, walls: Vec<Vec<SeatValues>>) -> TournamentResult {
    let plan: Plan = arguments
        .plan(Shard::WHOLE, NonZeroUsize::MIN)
        .expect("they can be seated");
    let mut file = ResultsFile::unwritten(arguments, Shard::WHOLE);
    file.walls = (1..)
        .zip(
            walls
                .into_iter()
                .map(|games| wall_of(&plan.schedule, games)),
        )
        .collect();
    file.finish().expect("they can be seated");
    file.result()
        .expect("they can be seated")
        .expect("there are walls")
}

/// Whether a conclusion says that one is better than another.
fn names_a_better_one(said: &str) -> bool {
    let said = said.strip_prefix("Conclusion: ").unwrap_or(said);
    said.split(';').map(str::trim).any(|clause| {
        let claims = ["better ", "worse ", "stronger ", "weaker "];
        let denials = ["not shown", "not stronger", "not weaker", "not decided"];
        let has = |words: &[&str]| words.iter().any(|words| clause.contains(words));
        has(&claims) && !has(&denials)
    })
}

#[track_caller]
fn assert_few(what: &str, matches: usize, mut is_wrong: impl FnMut(&mut Rng) -> Option<String>) {
    let mut random = Rng::with_seed(7);
    let wrong: Vec<String> = (0..matches).filter_map(|_| is_wrong(&mut random)).collect();
    let share = wrong.len() as f64 / matches as f64;
    eprintln!("{what}: {} of {matches}", wrong.len());
    assert!(
        share <= ALLOWED,
        "{what}: {} of {matches}, for instance {}",
        wrong.len(),
        wrong[0]
    );
}

/// A number of walls from 2 to 50.
fn small(random: &mut Rng) -> u64 {
    random.u64(2..=50)
}

/// A match in this format, as its command concludes.
fn concluded_match(
    pool: &Pool,
    (format, configs): (Format, usize),
    likeness: Likeness,
    random: &mut Rng,
    change: impl Fn(Arguments) -> Arguments,
) -> TournamentResult {
    let walls = small(random);
    let arguments = change(arguments(pool.game, format, configs, walls));
    let schedule = arguments
        .plan(Shard::WHOLE, NonZeroUsize::MIN)
        .expect("they can be seated")
        .schedule;
    result(
        arguments,
        (0..walls)
            .map(|_| pool.even(&schedule, likeness, random))
            .collect(),
    )
}

fn claim(said: String) -> Option<String> {
    names_a_better_one(&said).then_some(said)
}

fn formats(game: GameKind) -> Vec<(Format, usize)> {
    let seats = usize::from(game.players()[0]);
    vec![
        (Format::of(game, 2, seats as u8), 2),
        (Format::Gauntlet, 4),
        (Format::RoundRobin, 3),
        (Format::RoundRobin, 5),
        (Format::Rotations, seats),
        (Format::AllOrders, seats),
    ]
}

#[test]
fn of_configs_that_play_alike_no_format_of_a_tournament_names_a_better_one_in_more_than_5_percent()
{
    for pool in &*POOLS {
        for format in formats(pool.game) {
            let matches = if format.1 > 2 { few_matches() } else { MATCHES };
            for likeness in LIKENESSES {
                assert_few(
                    &format!("{}, {format:?}, {likeness:?}", pool.game),
                    matches,
                    |random| {
                        let result =
                            concluded_match(pool, format, likeness, random, |arguments| arguments);
                        claim(conclusion(&result))
                    },
                );
            }
        }
    }
}

#[test]
fn of_configs_that_play_alike_no_sequential_test_names_a_better_one_in_more_than_5_percent() {
    for pool in &*POOLS {
        let two = (Format::of(pool.game, 2, pool.players()), 2);
        let until_clear = |by| {
            move |of: Arguments| Arguments {
                until_clear: Some(UntilClear {
                    by,
                    adjusted: false,
                }),
                ..of
            }
        };
        let sprt = |elo| {
            move |of: Arguments| Arguments {
                sprt: Some(elo),
                ..of
            }
        };
        for likeness in LIKENESSES {
            let what = format!("{}, {likeness:?}", pool.game);
            assert_few(&format!("{what}, until clear"), few_matches(), |random| {
                claim(conclusion(&concluded_match(
                    pool,
                    two,
                    likeness,
                    random,
                    until_clear(Some(0.1)),
                )))
            });
            assert_few(
                &format!("{what}, gauntlet until clear"),
                few_matches(),
                |random| {
                    claim(conclusion(&concluded_match(
                        pool,
                        (Format::Gauntlet, 3),
                        likeness,
                        random,
                        until_clear(None),
                    )))
                },
            );
            for elo in [[0.0, 10.0], [0.0, 100.0], [-50.0, 0.0]] {
                assert_few(&format!("{what}, SPRT {elo:?}"), few_matches(), |random| {
                    claim(conclusion(&concluded_match(
                        pool,
                        two,
                        likeness,
                        random,
                        sprt(elo),
                    )))
                });
            }
        }
    }
}

#[test]
fn of_values_that_play_alike_a_search_names_better_ones_in_at_most_5_percent() {
    for pool in &*POOLS {
        for likeness in LIKENESSES {
            assert_few(&format!("{}, {likeness:?}", pool.game), MATCHES, |random| {
                let walls = small(random);
                let mut arguments = arguments(pool.game, Format::Gauntlet, 3, walls);
                arguments.configs[1].name = format!("c{}", tune::BEFORE);
                let plan = arguments
                    .plan(Shard::WHOLE, NonZeroUsize::MIN)
                    .expect("they can be seated");
                let walls = (0..walls)
                    .map(|_| pool.even(&plan.schedule, likeness, random))
                    .collect();
                let said = tune::verdict(&result(arguments, walls));
                said.starts_with("the values found are ").then_some(said)
            });
        }
    }
}

/// A result of a bot in a game with these values of the seats.
fn row(pool: &Pool, game: &SeatValues, seat: usize, shared: String) -> ResultRow {
    let is_better = |other: i32| pool.game.measure().is_better(other, game[seat]);
    let place = match pool.game.measure() {
        Measure::Places => game[seat] as u8,
        Measure::Points { .. } => 1 + game.iter().filter(|&&other| is_better(other)).count() as u8,
    };
    let units = pool.game.score_units();
    ResultRow {
        key: String::new(),
        kind: ResultKind::Ladder,
        arena: "arena".to_owned(),
        shared,
        shard: None,
        game: pool.game.name().to_owned(),
        ended_ms: 0,
        bot: "bot".to_owned(),
        policy: "mine".to_owned(),
        version: "1".to_owned(),
        content: None,
        mixed: false,
        players: pool.players(),
        seat: seat as u8,
        place,
        scores: game.iter().map(|value| value * units).collect(),
        rounds: 1,
        wins: 0,
        deal_ins: 0,
        riichi: 0,
        called: 0,
        won: 0,
        lost: 0,
        opponents: vec!["tora".to_owned()],
        trouble: None,
        luck: None,
    }
}

/// The results of a tournament, as the database has them.
fn rows_of(pool: &Pool, schedule: &Schedule, walls: &[Vec<SeatValues>]) -> Vec<ResultRow> {
    let mut rows = Vec::new();
    for (number, games) in walls.iter().enumerate() {
        for (seating, values) in schedule.seatings().iter().zip(games) {
            for (seat, config) in seating.iter().enumerate() {
                let others = seating
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != seat);
                rows.push(ResultRow {
                    kind: ResultKind::Tournament,
                    arena: "tournament".to_owned(),
                    bot: format!("c{config}"),
                    version: config.to_string(),
                    opponents: others.map(|(_, other)| format!("c{other}")).collect(),
                    ..row(pool, values, seat, number.to_string())
                });
            }
        }
    }
    rows
}

#[test]
fn of_configs_that_play_alike_the_statistics_of_a_tournament_name_a_better_one_in_at_most_5_percent()
 {
    for pool in &*POOLS {
        for (format, configs) in [
            (Format::of(pool.game, 2, pool.players()), 2),
            (Format::Gauntlet, 3),
        ] {
            for likeness in [Likeness::Alike, Likeness::NearlyAlike] {
                let schedule = Schedule::new(pool.game, format, configs, pool.players())
                    .expect("they can be seated");
                for by in [StatsBy::Bot, StatsBy::Version] {
                    let what = format!("{}, {format:?}, {likeness:?}, by {by:?}", pool.game);
                    assert_few(&what, few_matches() / 2, |random| {
                        let walls: Vec<_> = (0..small(random))
                            .map(|_| pool.even(&schedule, likeness, random))
                            .collect();
                        claim(concluded(by, &rows_of(pool, &schedule, &walls))?)
                    });
                }
            }
        }
    }
}

#[test]
fn of_ranked_games_that_are_alike_no_rows_are_said_to_differ_in_more_than_5_percent() {
    for pool in &*POOLS {
        for (by, groups) in [
            (StatsBy::Version, 2),
            (StatsBy::Version, 4),
            (StatsBy::Bot, 2),
            (StatsBy::Bot, 4),
            (StatsBy::Opponent, 3),
            (StatsBy::Week, 3),
            (StatsBy::Bot, 1),
        ] {
            assert_few(
                &format!("{}, {groups} by {by:?}", pool.game),
                MATCHES,
                |random| {
                    let mut rows = Vec::new();
                    for group in 0..groups {
                        for _ in 0..small(random) {
                            let wall = pool.even_wall(Likeness::Alike, random);
                            let game = &wall[random.usize(..wall.len())];
                            let seat = random.usize(..game.len());
                            let one = row(pool, game, seat, format!("table {}", rows.len()));
                            rows.push(match by {
                                StatsBy::Version => ResultRow {
                                    version: group.to_string(),
                                    ended_ms: group,
                                    ..one
                                },
                                StatsBy::Bot => ResultRow {
                                    bot: group.to_string(),
                                    ..one
                                },
                                StatsBy::Opponent => ResultRow {
                                    opponents: vec![group.to_string()],
                                    ..one
                                },
                                StatsBy::Week => ResultRow {
                                    ended_ms: group * 7 * 86_400_000,
                                    ..one
                                },
                            });
                        }
                    }
                    claim(concluded(by, &rows)?)
                },
            );
        }
    }
}

#[test]
fn configs_that_differ_are_never_called_alike() {
    let mut random = Rng::with_seed(3);
    for pool in &*POOLS {
        let two = Format::of(pool.game, 2, pool.players());
        for _ in 0..200 {
            let walls = small(&mut random);
            let drawn: Vec<Vec<SeatValues>> =
                (0..walls).map(|_| pool.wall(&mut random).clone()).collect();
            let schedule = pool.pair();
            let mut said = vec![
                concluded(StatsBy::Bot, &rows_of(pool, &schedule, &drawn)).unwrap_or_default(),
            ];
            for change in [None, Some([0.0, 10.0])] {
                let arguments = Arguments {
                    sprt: change,
                    ..arguments(pool.game, two, 2, walls)
                };
                said.push(conclusion(&result(arguments, drawn.clone())));
            }
            for said in said {
                assert!(
                    !said.contains("alike") && !said.contains("take either"),
                    "{said}"
                );
            }
        }
    }
}

//! Policies that compete in tests.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use lab::game::{Entrant, GameId, GameNews, SeatPlayer, play};
use lab::part::Shard;
use lab::tournament::{
    Arguments, Competitor, Format, Plan, PlayedWalls, ResultsFile, Ruleset, TournamentLength,
    TournamentResult, Walls, run,
};
use policy_host::{
    Admitted, ChosenPolicy, DirectThread, GameKind, Launch, Libraries, StartOptions,
};
use policy_host::{LibraryChoice, PolicyConfig};
use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View};
use riichi::game::RiichiGame;
use riichi::{Action, Event, Rules};

/// Wins if it can, and otherwise chooses by the sum of its whole input: any other input or
/// randomness soon leads to another game.
pub(crate) struct Sums;

impl Policy for Sums {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "sums",
        name: "Sums",
        version: "1",
        summary: "For tests.",
        games: Games::FourPlayers,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, view: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        if let Some(win) = view
            .legal()
            .iter()
            .position(|action| matches!(action, Action::Hora { .. }))
        {
            return Ok(win);
        }
        let mut sum = DefaultHasher::new();
        for event in view.events() {
            format!("{event:?}").hash(&mut sum);
        }
        let shown = (
            view.decision(),
            view.game(),
            view.rng().next_u64(),
            view.legal(),
            view.scores(),
            view.seen(),
        );
        format!("{shown:?}").hash(&mut sum);
        Ok((sum.finish() % view.legal().len() as u64) as usize)
    }
}

/// A policy written in Rust.
pub(crate) fn entrant<P: Policy>() -> Entrant {
    entrant_of(ChosenPolicy::of::<P>(), Launch::own(Vec::new()))
}

pub(crate) fn greedy(calls: &str) -> Entrant {
    let section = PolicyConfig {
        params: toml::Table::from_iter([("calls".to_owned(), calls.into())]),
        ..PolicyConfig::of(LibraryChoice::Builtin, Some("greedy-tenpai".to_owned()))
    };
    let libraries = Libraries::new(Launch::own(Vec::new()), builtin::libraries());
    let options = options(libraries.launch.clone());
    let admitted = libraries.admit(&section, &options, None, Instant::now());
    let Ok(Admitted::Ready(policy)) = admitted else {
        panic!("{admitted:?}")
    };
    entrant_of(policy, libraries.launch.clone())
}

pub(crate) fn events_of(seats: &[&Entrant], rules: Rules, id: GameId) -> Vec<Event> {
    let mut events = Vec::new();
    let played = DirectThread::run("test", |thread| {
        let players = seats.iter().map(|entrant| SeatPlayer::Bot(thread, entrant));
        let told = |news: GameNews<'_, RiichiGame>| {
            if let GameNews::Happened(event, _) = news {
                events.push(*event);
            }
        };
        play::<RiichiGame>(rules, id, players, told).map(drop)
    });
    played
        .expect("there is a thread")
        .expect("it can be played");
    events
}

fn options(launch: Launch) -> StartOptions {
    StartOptions {
        bot: "test".to_owned(),
        game: GameKind::Riichi,
        players: 4,
        config_folder: PathBuf::new(),
        launch,
    }
}

fn entrant_of(policy: ChosenPolicy, launch: Launch) -> Entrant {
    let options = options(launch);
    Entrant {
        policy,
        options,
        budget: Duration::from_secs(3),
        limit: None,
    }
}

/// The arguments of a tournament of East-only games.
pub(crate) fn arguments(entrants: &[Entrant], walls: u64) -> Arguments {
    let competitor = |index| Competitor {
        name: format!("bot {index}"),
        config: String::new(),
        policy: String::new(),
        version: String::new(),
        sha256: None,
        params: serde_json::Value::Null,
        files: None,
        config_think_ms: None,
    };
    let mut arguments = Arguments {
        program: String::new(),
        seed: 3,
        game: GameKind::Riichi,
        format: Format::of(GameKind::Riichi, entrants.len(), 4),
        players: 4,
        rules: Some(Ruleset::Tenhou),
        length: Some(TournamentLength::East),
        games: 0,
        uma: None,
        until_clear: None,
        sprt: None,
        luck: None,
        think_ms: None,
        configs: (0..entrants.len()).map(competitor).collect(),
    };
    let plan = arguments
        .plan(Shard::WHOLE, NonZeroUsize::MIN)
        .expect("they can be seated");
    arguments.games = walls * plan.schedule.seatings().len() as u64;
    arguments
}

/// A tournament of these, to be played on this many threads.
pub(crate) fn plan(entrants: &[Entrant], walls: u64, jobs: usize) -> Plan {
    let jobs = NonZeroUsize::new(jobs).expect("at least one");
    arguments(entrants, walls)
        .plan(Shard::WHOLE, jobs)
        .expect("they can be seated")
}

pub(crate) fn played(entrants: &[Entrant], plan: &Plan) -> PlayedWalls {
    run(
        entrants,
        plan,
        Walls::new(),
        &AtomicBool::new(false),
        |_| {},
    )
    .expect("it can be played")
}

pub(crate) fn file(entrants: &[Entrant], plan: &Plan) -> ResultsFile {
    let changed = Arguments {
        seed: plan.seed,
        until_clear: plan.until_clear,
        ..arguments(entrants, plan.walls)
    };
    let mut file = ResultsFile::unwritten(changed, plan.shard);
    file.walls = played(entrants, plan).walls;
    file
}

pub(crate) fn result(entrants: &[Entrant], plan: &Plan) -> TournamentResult {
    file(entrants, plan)
        .result()
        .expect("they can be seated")
        .expect("something was played")
}

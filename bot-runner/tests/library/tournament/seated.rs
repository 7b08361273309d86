//! Policies that compete in tests.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use lab::tournament::{
    Competitor, DecisionTimes, Entrant, Format, GameId, Plan, PlayedWalls, TournamentResult, play, run,
};
use mahjong::rules::Length;
use mahjong::{Action, Event, PerSeat, Rules};
use policy_host::{Admitted, ChosenPolicy, DirectThread, Launch, Libraries, StartOptions};
use policy_host::{LibraryChoice, PolicyConfig};
use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View};

/// Wins where it can, and else does what everything it is shown adds up to: whoever is shown anything else, or has any
/// other randomness, soon plays another game.
pub(crate) struct Sums;

impl Policy for Sums {
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
        if let Some(win) = view.legal().iter().position(|action| matches!(action, Action::Hora { .. })) {
            return Ok(win);
        }
        let mut sum = DefaultHasher::new();
        for event in view.events() {
            format!("{event:?}").hash(&mut sum);
        }
        let shown = (view.decision(), view.game(), view.rng().next_u64(), view.legal(), view.scores(), view.seen());
        format!("{shown:?}").hash(&mut sum);
        Ok((sum.finish() % view.legal().len() as u64) as usize)
    }
}

/// A policy written in Rust.
pub(crate) fn entrant<P: Policy>() -> Entrant {
    entrant_of(ChosenPolicy::of::<P>(), Launch::own(Vec::new()))
}

/// greedy-tenpai with this parameter.
pub(crate) fn greedy(calls: &str) -> Entrant {
    let section = PolicyConfig {
        params: toml::Table::from_iter([("calls".to_owned(), calls.into())]),
        ..PolicyConfig::of(LibraryChoice::Builtin, Some("greedy-tenpai".to_owned()))
    };
    let libraries = Libraries::new(Launch::own(Vec::new()), bot_runner::builtin::libraries());
    let options = options(libraries.launch.clone());
    let admitted = libraries.admit(&section, &options, None, Instant::now());
    let Ok(Admitted::Ready(policy)) = admitted else { panic!("{admitted:?}") };
    entrant_of(policy, libraries.launch.clone())
}

/// Every event of a game.
pub(crate) fn events_of(seats: PerSeat<(usize, &Entrant)>, rules: Rules, id: GameId) -> Vec<Event> {
    let mut events = Vec::new();
    let played = DirectThread::run("test", |thread| {
        play(thread, seats, rules, id, &mut [DecisionTimes::default()], |event| events.push(*event)).map(drop)
    });
    played.expect("there is a thread").expect("it can be played");
    events
}

fn options(launch: Launch) -> StartOptions {
    StartOptions { bot: "test".to_owned(), players: 4, config_folder: PathBuf::new(), launch }
}

fn entrant_of(policy: ChosenPolicy, launch: Launch) -> Entrant {
    let options = options(launch);
    Entrant { policy, options, budget: Duration::from_secs(3) }
}

/// A tournament of East-only games.
pub(crate) fn plan(entrants: &[Entrant], walls: u64, jobs: usize) -> Plan {
    Plan {
        seed: 3,
        format: Format::of(entrants.len()).expect("two or four"),
        walls,
        rules: Rules::TENHOU_HALF.with_length(Length::East),
        jobs: NonZeroUsize::new(jobs).expect("at least one"),
        until_clear: false,
    }
}

pub(crate) fn played(entrants: &[Entrant], plan: &Plan) -> PlayedWalls {
    run(entrants, plan, &AtomicBool::new(false), |_| {}).expect("it can be played")
}

pub(crate) fn result(entrants: &[Entrant], plan: &Plan) -> TournamentResult {
    let competitors = (0..entrants.len()).map(|index| Competitor {
        name: format!("bot {index}"),
        config: String::new(),
        policy: String::new(),
        version: String::new(),
    });
    TournamentResult::of(plan, &played(entrants, plan), competitors.collect()).expect("something was played")
}

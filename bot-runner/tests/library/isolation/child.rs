//! How these tests start policies in processes.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mahjong::event::StartKyoku;
use mahjong::{Action, Event, PerSeat, Rules, Seat, Table, Tile, Wind};
use policy_host::child::{ChildPolicy, ChildSpec, describe};
use policy_host::{Asked, Decided, Fault, RoundLog, StartOptions, ViewBuffer, check_params};
use policy_host::{ChildError, ChildLibrary, Launch};
use policy_host::{LibraryChoice, PolicyConfig};
use rustix::process::{Pid, test_kill_process};

use crate::common::libraries::{Compiled, MISBEHAVE, PROGRAM, misbehave_raw};

/// Longer than anything here takes that is meant to end.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Processes of the built program.
pub(crate) fn launch() -> Launch {
    Launch { program: PathBuf::from(PROGRAM), token_variables: Default::default() }
}

pub(crate) fn file(path: &Path) -> ChildLibrary {
    ChildLibrary::File { copy: path.to_owned(), file: path.to_owned() }
}

/// The only policy of a library, with these parameters in TOML.
pub(crate) fn spec(library: ChildLibrary, params: &str) -> ChildSpec {
    let policy = &match &library {
        ChildLibrary::Builtin(_) => bot_runner::builtin::libraries()[0].description.policies[0].clone(),
        file => describe(&launch(), file, PATIENCE).expect("it is described").policies.remove(0),
    };
    let config =
        PolicyConfig { params: params.parse().expect("TOML"), ..PolicyConfig::of(LibraryChoice::Builtin, None) };
    ChildSpec {
        library,
        policy: policy.id.clone(),
        confinement: None,
        params: check_params(&config, policy, Path::new("")).expect("the policy takes them"),
        options: StartOptions { bot: "kuma".to_owned(), players: 4, config_folder: PathBuf::new(), launch: launch() },
    }
}

/// The policy that goes wrong like this in each decision; see `policies/misbehave/src/lib.rs`.
pub(crate) fn misbehaving(fault: &str) -> ChildSpec {
    spec(file(&MISBEHAVE), &format!("fault = {fault:?}"))
}

/// A library in C and its policy, which goes wrong like this; see `policies/misbehave/misbehave.c`.
pub(crate) struct Raw {
    pub(crate) spec: ChildSpec,
    _library: Compiled,
}

pub(crate) fn raw(params: &str) -> Raw {
    let library = misbehave_raw(&[]);
    Raw { spec: spec(file(&library.file), params), _library: library }
}

impl Raw {
    pub(crate) fn of(fault: &str) -> Self {
        raw(&format!("fault = {fault:?}"))
    }
}

pub(crate) fn start(spec: &ChildSpec) -> ChildPolicy {
    ChildPolicy::start(spec, PATIENCE).expect("it starts")
}

/// Why a policy does not start.
#[track_caller]
pub(crate) fn refusal(spec: &ChildSpec) -> ChildError {
    ChildPolicy::start(spec, PATIENCE).expect_err("it does not start")
}

/// What a policy decides, once started.
pub(crate) fn decide(spec: &ChildSpec) -> Result<Decided, Fault> {
    start(spec).decide(&question(), PATIENCE)
}

fn tile(name: &str) -> Tile {
    name.parse().expect("a tile")
}

/// The own turn, with a hand that only the drawn 9m does not fit, and two seconds for it.
pub(crate) fn question() -> ViewBuffer {
    asked(None, 0, 2_000)
}

/// The same with other actions, more events, and so much time.
pub(crate) fn asked(actions: Option<&[Action]>, more_events: usize, budget_ms: u32) -> ViewBuffer {
    let own = Seat::FIRST;
    let hand = ["1p", "1p", "3p", "4p", "5p", "6p", "7p", "8p", "2s", "3s", "4s", "E", "E"].map(tile);
    let events = [
        Event::StartKyoku(StartKyoku {
            bakaze: Wind::East,
            kyoku: 1,
            honba: 0,
            kyotaku: 0,
            oya: own,
            dora_marker: tile("W"),
            scores: None,
            tehais: PerSeat::from_fn(4, |seat| (seat == own).then_some(hand)),
        }),
        Event::Tsumo { actor: own, tile: Some(tile("9m")) },
    ];
    let (mut table, mut log) = (Table::new(Rules::TENHOU_HALF, own), RoundLog::default());
    for event in &events {
        table.apply(event).expect("it can be played");
        log.push(event, &table);
    }
    for index in 0..more_events {
        log.push(&Event::Dora { marker: Tile::new((index % 37) as u8).expect("there are 37") }, &table);
    }
    let legal = table.legal_actions();
    let mut view = ViewBuffer::default();
    view.fill(&table, &log, actions.unwrap_or(&legal), &Asked { budget_ms, ..Asked::default() });
    view
}

/// Waits until there is no process of this number.
#[track_caller]
pub(crate) fn gone(id: u32) {
    let pid = Pid::from_raw(id.try_into().expect("a process id")).expect("it is not 0");
    let until = Instant::now() + PATIENCE;
    while test_kill_process(pid).is_ok() {
        assert!(Instant::now() < until, "process {id} lives on");
        std::thread::sleep(Duration::from_millis(1));
    }
}

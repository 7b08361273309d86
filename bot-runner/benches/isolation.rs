//! The cost of running a policy in its own process: a decision of a policy that answers at once,
//! its start and its end.
//!
//! `cargo bench -p bot-runner --bench isolation`. The view is one of a game's middle, with 60
//! events. Decisions are asked in a row, while both sides are awake, and after a pause, when both
//! are asleep; the best of three runs counts. `PROGRAM=<file>` takes the processes of another build
//! for comparison.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../tests/common/libraries.rs"]
#[allow(dead_code, reason = "it is shared with the tests")]
mod libraries;

use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use policy_host::ChildLibrary;
use policy_host::child::{ChildPolicy, ChildSpec};
use policy_host::{
    Asked, GameKind, Launch, ParamValues, RoundLog, StartOptions, ViewBuffer, confinement_to_load,
};
use riichi::{Action, Event, Rules, Seat, Table, Tile};

const RUNS: usize = 3;
const DECISIONS: u32 = 20_000;
const PAUSED_DECISIONS: u32 = 500;
const PAUSE: Duration = Duration::from_millis(3);
const STARTS: u32 = 50;
const PATIENCE: Duration = Duration::from_secs(60);

fn main() {
    let library = libraries::misbehave_raw(&[]);
    let program = std::env::var_os("PROGRAM")
        .map_or_else(|| PathBuf::from(libraries::PROGRAM), PathBuf::from);
    let launch = Launch {
        program,
        token_variables: Default::default(),
    };
    let file = ChildLibrary::File {
        copy: library.file.clone(),
        file: library.file.clone(),
    };
    let spec = ChildSpec {
        confinement: Some(confinement_to_load(&file)),
        library: file,
        policy: "misbehave-raw".to_owned(),
        params: ParamValues::default(),
        options: StartOptions {
            bot: "bench".to_owned(),
            game: GameKind::Riichi,
            players: 4,
            config_folder: PathBuf::new(),
            launch,
        },
        together: false,
    };
    let view = view();
    best_of("decision", DECISIONS, &mut || {
        let mut policy = ChildPolicy::start(&spec, PATIENCE).expect("it starts");
        timed(DECISIONS, || {
            policy.decide(&view, PATIENCE).expect("it decides");
        })
    });
    best_of("decision after a pause", PAUSED_DECISIONS, &mut || {
        let mut policy = ChildPolicy::start(&spec, PATIENCE).expect("it starts");
        let mut took = histogram();
        for _ in 0..PAUSED_DECISIONS {
            sleep(PAUSE);
            let start = Instant::now();
            policy.decide(&view, PATIENCE).expect("it decides");
            took.saturating_record(start.elapsed().as_nanos() as u64);
        }
        took
    });
    best_of("start and end", STARTS, &mut || {
        timed(STARTS, || {
            ChildPolicy::start(&spec, PATIENCE).expect("it starts");
        })
    });
}

fn histogram() -> Histogram<u64> {
    let longest = PATIENCE.as_nanos() as u64;
    Histogram::new_with_bounds(1, longest, 3).expect("three digits can be kept")
}

fn timed(times: u32, mut run: impl FnMut()) -> Histogram<u64> {
    let mut took = histogram();
    for _ in 0..times {
        let start = Instant::now();
        run();
        took.saturating_record(start.elapsed().as_nanos() as u64);
    }
    took
}

fn best_of(what: &str, times: u32, run: &mut dyn FnMut() -> Histogram<u64>) {
    let mut best: Option<[Duration; 3]> = None;
    for _ in 0..RUNS {
        let took = run();
        let figures =
            [0.5, 0.99, 1.0].map(|quantile| Duration::from_nanos(took.value_at_quantile(quantile)));
        best = Some(best.map_or(figures, |best| {
            std::array::from_fn(|index| best[index].min(figures[index]))
        }));
    }
    if let Some([p50, p99, max]) = best {
        println!("{what}, {times} times: p50 {p50:?}, p99 {p99:?}, max {max:?}");
    }
}

/// A view with 14 actions and 60 events.
fn view() -> ViewBuffer {
    let tile = |index: u8| Tile::new(index % 34).expect("there are 34");
    let table = Table::new(Rules::TENHOU_HALF, Seat::FIRST);
    let mut log = RoundLog::default();
    for index in 0..60 {
        log.push(
            &Event::Dora {
                marker: tile(index),
            },
            &table,
        );
    }
    let legal: Vec<_> = (0..14)
        .map(|index| Action::Dahai {
            tile: tile(index),
            tsumogiri: false,
        })
        .collect();
    let mut view = ViewBuffer::default();
    view.fill(
        &table,
        &log,
        &legal,
        &Asked {
            budget: Duration::from_secs(3),
            ..Asked::default()
        },
    );
    view
}

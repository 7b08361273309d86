//! A swap: from a changed library file, through its trial in its own process, to the first decision
//! of the new policy.
//!
//! `cargo build --release --workspace && cargo bench -p bot-runner --bench swap`. Every round is
//! another build: the library of greedy-tenpai with another number after its end, which the loader
//! does not read.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use policy_host::{
    Admitted, Asked, GameKind, Launch, Libraries, LibraryChoice, Pace, PolicyConfig, RoundLog,
    SeatEvent, SeatedPolicy, StartOptions, ViewBuffer,
};
use riichi::event::StartKyoku;
use riichi::{Event, PerSeat, Rules, Seat, Table, Tile, Wind};

const ROUNDS: usize = 300;

#[tokio::main]
async fn main() {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_bot-runner"));
    let library = format!("libgreedy_tenpai{}", std::env::consts::DLL_SUFFIX);
    let library = program
        .parent()
        .expect("it lies in the target folder")
        .join(library);
    let bytes =
        fs::read(&library).expect("the library is built: cargo build --release --workspace");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("libswapped.so");
    let launch = Launch {
        program,
        token_variables: Default::default(),
    };
    let libraries = Arc::new(Libraries::new(launch.clone(), Vec::new()));
    let section = PolicyConfig::of(LibraryChoice::Path(file.clone()), None);
    let options = StartOptions {
        bot: "bench".to_owned(),
        game: GameKind::Riichi,
        players: 4,
        config_folder: PathBuf::new(),
        launch,
    };
    let (table, log) = own_turn();
    let legal = table.legal_actions();
    let (mut took, mut old) = (Vec::new(), None);
    for round in 0..ROUNDS {
        let mut build = bytes.clone();
        build.extend_from_slice(&round.to_le_bytes());
        fs::write(&file, &build).expect("it can be written");
        let start = Instant::now();
        let Ok(Admitted::Ready(policy)) = libraries.admit(&section, &options, None, start) else {
            panic!("it passes")
        };
        let pace = Pace::from(&section);
        let started =
            SeatedPolicy::start(policy, pace, options.clone(), Arc::clone(&libraries)).await;
        let (mut seat, _replacements) = started.expect("it starts");
        let fill = |view: &mut ViewBuffer| view.fill(&table, &log, &legal, &Asked::default());
        seat.ask(start + Duration::from_secs(60), fill)
            .expect("it is free");
        let event = seat.next(true).await;
        assert!(matches!(event, SeatEvent::Decided { .. }), "{event:?}");
        took.push(start.elapsed());
        // The old one ends after the new one has taken over, as at a seat.
        if let Some(old) = old.replace(seat) {
            SeatedPolicy::end(old).await;
        }
    }
    took.sort_unstable();
    let at = |share: f64| took[((ROUNDS - 1) as f64 * share) as usize];
    println!(
        "{} kB, change to first decision: p50 {:?}, p99 {:?}",
        bytes.len() >> 10,
        at(0.5),
        at(0.99)
    );
}

/// The own turn at the beginning of a round.
fn own_turn() -> (Table, RoundLog) {
    let tile = |name: &str| -> Tile { name.parse().expect("a tile") };
    let own = Seat::FIRST;
    let hand = [
        "1p", "1p", "3p", "4p", "5p", "6p", "7p", "8p", "2s", "3s", "4s", "E", "E",
    ]
    .map(tile);
    let start = Event::StartKyoku(StartKyoku {
        bakaze: Wind::East,
        kyoku: 1,
        honba: 0,
        kyotaku: 0,
        oya: own,
        dora_marker: tile("W"),
        scores: None,
        tehais: PerSeat::from_fn(4, |seat| (seat == own).then_some(hand)),
    });
    let (mut table, mut log) = (Table::new(Rules::TENHOU_HALF, own), RoundLog::default());
    for event in [
        start,
        Event::Tsumo {
            actor: own,
            tile: Some(tile("9m")),
        },
    ] {
        table.apply(&event).expect("it can be played");
        log.push(&event, &table);
    }
    (table, log)
}

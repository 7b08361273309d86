//! A swap without its try-out in a process: from a library's file that has changed to the first decision of its policy.
//!
//! `cargo build --release --workspace && cargo bench -p bot-runner --bench swap`. Every round is another build: the library of
//! greedy-tenpai with another number behind its end, where the loader does not look.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bot_runner::config::{LibraryChoice, PolicyConfig};
use bot_runner::plugin::{Asked, Job, Launch, Libraries, PolicyThread, RoundLog, StartOptions, ViewBuffer};
use mahjong::event::StartKyoku;
use mahjong::{Event, PerSeat, Rules, Seat, Table, Tile, Wind};

const ROUNDS: usize = 300;

#[tokio::main]
async fn main() {
    let bench = std::env::current_exe().expect("it has a file");
    let release = bench.parent().and_then(Path::parent).expect("it lies in the target folder");
    let library = release.join(format!("libgreedy_tenpai{}", std::env::consts::DLL_SUFFIX));
    let bytes = fs::read(&library).expect("the library is built: cargo build --release --workspace");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("libswapped.so");
    let launch = Launch::own(Vec::new());
    let libraries = Libraries::new(launch.clone());
    let config = PolicyConfig::of(LibraryChoice::Path(file.clone()), None);
    let options = StartOptions { bot: "bench".to_owned(), players: 4, config_folder: PathBuf::new(), launch };
    let (mut took, mut old) = (Vec::new(), None);
    for round in 0..ROUNDS {
        let mut build = bytes.clone();
        build.extend_from_slice(&round.to_le_bytes());
        fs::write(&file, &build).expect("it can be written");
        let start = Instant::now();
        let policy = libraries.find(Path::new("bench.toml"), &config, 4).expect("it is found");
        let mut policy = PolicyThread::start(policy, options.clone()).await.expect("it starts");
        assert!(policy.submit(Job { generation: 1, view: question(), until: start + Duration::from_secs(60) }));
        policy.answer().await.expect("it lives").result.expect("it is wanted").expect("it decides");
        took.push(start.elapsed());
        // The old one ends after the new one has taken over, as at a seat.
        if let Some(old) = old.replace(policy) {
            PolicyThread::end(old).await;
        }
    }
    took.sort_unstable();
    let at = |share: f64| took[((ROUNDS - 1) as f64 * share) as usize];
    println!("{} kB, copy to first decision: p50 {:?}, p99 {:?}", bytes.len() >> 10, at(0.5), at(0.99));
}

/// The own turn at the beginning of a round.
fn question() -> Box<ViewBuffer> {
    let tile = |name: &str| -> Tile { name.parse().expect("a tile") };
    let own = Seat::FIRST;
    let hand = ["1p", "1p", "3p", "4p", "5p", "6p", "7p", "8p", "2s", "3s", "4s", "E", "E"].map(tile);
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
    for event in [start, Event::Tsumo { actor: own, tile: Some(tile("9m")) }] {
        table.apply(&event).expect("it can be played");
        log.push(&event, &table);
    }
    let mut view = Box::<ViewBuffer>::default();
    view.fill(&table, &log, &table.legal_actions(), &Asked::default());
    view
}

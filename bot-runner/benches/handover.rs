//! The hand-over of a decision: fill a view, pass it to a policy on its own thread, and take the
//! answer back. This is the cost of a decision besides the wire and the policy's thinking.
//!
//! `cargo bench -p bot-runner --bench handover`. The policy answers at once; the view is the own
//! turn in a game's middle; the best of three runs of 20,000 counts.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod at_once;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use policy_host::{
    Asked, ChosenPolicy, GameKind, Launch, Libraries, Pace, ReloadMode, RoundLog, SeatEvent,
    SeatedPolicy, StartOptions, ViewBuffer,
};
use riichi::event::StartKyoku;
use riichi::{Event, PerSeat, Rules, Seat, Table, Tile, Wind};

use at_once::AtOnce;

const DECISIONS: u64 = 20_000;
const RUNS: usize = 3;

/// The own turn after six rounds of the table in which all seats discarded the drawn tile.
fn sixth_turn() -> (Table, RoundLog) {
    let tile = |name: &str| -> Tile { name.parse().expect("a tile") };
    let hand = [
        "1m", "4m", "7m", "2p", "5p", "8p", "3s", "6s", "9s", "E", "S", "W", "N",
    ]
    .map(tile);
    let mut events = vec![Event::StartKyoku(StartKyoku {
        bakaze: Wind::East,
        kyoku: 1,
        honba: 0,
        kyotaku: 0,
        oya: Seat::FIRST,
        dora_marker: tile("C"),
        scores: None,
        tehais: PerSeat::from_fn(4, |seat| (seat == Seat::FIRST).then_some(hand)),
    })];
    for thrown in ["9m", "9p", "1s", "1p", "P", "F"].map(tile) {
        for seat in Seat::all(4) {
            events.push(Event::Tsumo {
                actor: seat,
                tile: (seat == Seat::FIRST).then_some(thrown),
            });
            events.push(Event::Dahai {
                actor: seat,
                tile: thrown,
                tsumogiri: true,
            });
        }
    }
    events.push(Event::Tsumo {
        actor: Seat::FIRST,
        tile: Some(tile("2s")),
    });
    let (mut table, mut log) = (
        Table::new(Rules::TENHOU_HALF, Seat::FIRST),
        RoundLog::default(),
    );
    for event in &events {
        table.apply(event).expect("it can be played");
        log.push(event, &table);
    }
    (table, log)
}

async fn run(table: &Table, log: &RoundLog) -> Histogram<u64> {
    let launch = Launch::own(Vec::new());
    let libraries = Arc::new(Libraries::new(launch.clone(), Vec::new()));
    let options = StartOptions {
        bot: "bench".to_owned(),
        game: GameKind::Riichi,
        players: 4,
        config_folder: PathBuf::new(),
        launch,
    };
    let pace = Pace {
        think: None,
        margin: Duration::ZERO,
        reload: ReloadMode::Off,
    };
    let started = SeatedPolicy::start(ChosenPolicy::of::<AtOnce>(), pace, options, libraries).await;
    let (mut seat, _replacements) = started.expect("it starts");
    let legal = table.legal_actions();
    let mut took =
        Histogram::new_with_bounds(1, 60_000_000_000, 3).expect("these bounds are in order");
    for _ in 0..DECISIONS {
        let start = Instant::now();
        let asked = Asked {
            budget: Duration::from_secs(1),
            ..Asked::default()
        };
        let fill = |view: &mut ViewBuffer| view.fill(table, log, &legal, &asked);
        seat.ask(start + Duration::from_secs(60), fill)
            .expect("it is free");
        let event = match seat.soon().await {
            Some(event) => event,
            None => seat.next(true).await,
        };
        took.saturating_record(start.elapsed().as_nanos() as u64);
        assert!(matches!(event, SeatEvent::Decided { .. }), "{event:?}");
    }
    seat.end().await;
    took
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime starts");
    let (table, log) = sixth_turn();
    let mut best: Option<(Duration, Duration)> = None;
    for number in 1..=RUNS {
        let took = runtime.block_on(async { run(&table, &log).await });
        let at = |share| Duration::from_nanos(took.value_at_quantile(share));
        println!(
            "run {number}: p50 {:?}, p99 {:?}, max {:?}",
            at(0.5),
            at(0.99),
            at(1.0)
        );
        let (p50, p99) = (at(0.5), at(0.99));
        best = Some(best.map_or((p50, p99), |(best50, best99)| {
            (best50.min(p50), best99.min(p99))
        }));
    }
    if let Some((p50, p99)) = best {
        println!("best: p50 {p50:?}, p99 {p99:?}");
    }
}

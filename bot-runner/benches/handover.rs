//! A view filled, handed to a policy on its own thread, and the answer taken back: what a decision costs besides the wire
//! and the policy's thoughts.
//!
//! `cargo bench -p bot-runner --bench handover`. The policy answers at once; the view is the own turn in a game's middle; the
//! best of three runs of 20,000 counts.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bot_runner::plugin::{Asked, ChosenPolicy, Job, Launch, PolicyThread, RoundLog, StartOptions, ViewBuffer};
use hdrhistogram::Histogram;
use mahjong::event::StartKyoku;
use mahjong::{Event, PerSeat, Rules, Seat, Table, Tile, Wind};
use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View};

const DECISIONS: u64 = 20_000;
const RUNS: usize = 3;

struct AtOnce;

impl Policy for AtOnce {
    const DESCRIPTOR: Descriptor = Descriptor {
        id: "at-once",
        name: "At once",
        version: "1",
        summary: "Takes the first action.",
        games: Games::FourPlayers,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        Ok(0)
    }
}

/// The own turn after six rounds of the table in which everybody threw what they drew.
fn sixth_turn() -> (Table, RoundLog) {
    let tile = |name: &str| -> Tile { name.parse().expect("a tile") };
    let hand = ["1m", "4m", "7m", "2p", "5p", "8p", "3s", "6s", "9s", "E", "S", "W", "N"].map(tile);
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
            events.push(Event::Tsumo { actor: seat, tile: (seat == Seat::FIRST).then_some(thrown) });
            events.push(Event::Dahai { actor: seat, tile: thrown, tsumogiri: true });
        }
    }
    events.push(Event::Tsumo { actor: Seat::FIRST, tile: Some(tile("2s")) });
    let (mut table, mut log) = (Table::new(Rules::TENHOU_HALF, Seat::FIRST), RoundLog::default());
    for event in &events {
        table.apply(event).expect("it can be played");
        log.push(event, &table);
    }
    (table, log)
}

async fn run(table: &Table, log: &RoundLog) -> Histogram<u64> {
    let launch = Launch::own(Vec::new());
    let options = StartOptions { bot: "bench".to_owned(), players: 4, config_folder: PathBuf::new(), launch };
    let mut policy = PolicyThread::start(ChosenPolicy::of::<AtOnce>(), options).await.expect("it starts");
    let legal = table.legal_actions();
    let mut spare = Some(Box::<ViewBuffer>::default());
    let mut took = Histogram::new_with_bounds(1, 60_000_000_000, 3).expect("these bounds are in order");
    for generation in 1..=DECISIONS {
        let start = Instant::now();
        let mut view = spare.take().unwrap_or_default();
        view.fill(table, log, &legal, &Asked { budget_ms: 1_000, ..Asked::default() });
        assert!(policy.submit(Job { generation, view, until: start + Duration::from_secs(60) }));
        let answer = match policy.answer_at_once().await {
            Some(answer) => answer,
            None => policy.answer().await.expect("it lives"),
        };
        took.saturating_record(start.elapsed().as_nanos() as u64);
        assert!(matches!(answer.result, Some(Ok(_))), "{:?}", answer.result);
        spare = Some(answer.view);
    }
    policy.end().await;
    took
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime starts");
    let (table, log) = sixth_turn();
    let mut best: Option<(Duration, Duration)> = None;
    for number in 1..=RUNS {
        let took = runtime.block_on(async { run(&table, &log).await });
        let at = |share| Duration::from_nanos(took.value_at_quantile(share));
        println!("run {number}: p50 {:?}, p99 {:?}, max {:?}", at(0.5), at(0.99), at(1.0));
        let (p50, p99) = (at(0.5), at(0.99));
        best = Some(best.map_or((p50, p99), |(best50, best99)| (best50.min(p50), best99.min(p99))));
    }
    if let Some((p50, p99)) = best {
        println!("best: p50 {p50:?}, p99 {p99:?}");
    }
}

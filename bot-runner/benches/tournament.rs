//! What a tournament takes beside what the rules engine alone takes for the same games: greedy-tenpai four times on one
//! thread, and then the recorded steps replayed on the engine. Both silent, in thread CPU time, game by game in turn.
//!
//! `cargo bench -p bot-runner --bench tournament`. The median of the runs counts.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::PathBuf;
use std::time::Duration;

use arena::DirectGame;
use greedy_tenpai::GreedyTenpai;
use lab::tournament::{Entrant, GameId, Times, play, play_out, thread_time};
use mahjong::{PerSeat, Rules};
use policy_host::{ChosenPolicy, DirectThread, Launch, StartOptions};

const GAMES: u64 = 40;
const RUNS: usize = 5;
const RULES: Rules = Rules::TENHOU_HALF;

fn greedy_tenpai() -> Entrant {
    let launch = Launch::own(Vec::new());
    let policy = ChosenPolicy::of::<GreedyTenpai>();
    let options = StartOptions { bot: "bench".to_owned(), players: 4, config_folder: PathBuf::new(), launch };
    Entrant { policy, options, budget: Duration::from_secs(3) }
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = thread_time();
    let result = work();
    (thread_time() - start, result)
}

fn main() {
    DirectThread::run("bench", bench).expect("there is a thread");
}

fn bench(thread: &DirectThread) {
    let entrant = greedy_tenpai();
    let seats = PerSeat::from_fn(4, |_| (0, &entrant));
    let id = |wall| GameId { seed: 1, wall, seating: 0 };
    let logs: Vec<_> = (1..=GAMES)
        .map(|wall| {
            let mut game = DirectGame::logged(1, wall, RULES).expect("the engine deals");
            play_out(thread, &mut game, seats, RULES, id(wall), &mut [Times::default()], |_| {})
                .expect("it is played out");
            let scores = game.scores();
            let log = game.into_log().expect("it was to be kept");
            assert_eq!(log.replay(), scores, "the engine plays the same game");
            log
        })
        .collect();
    let mut shares = Vec::new();
    for run in 1..=RUNS {
        let (mut whole, mut engine) = (Duration::ZERO, Duration::ZERO);
        let mut times = [Times::default()];
        for (wall, log) in (1..).zip(&logs) {
            whole += timed(|| play(thread, seats, RULES, id(wall), &mut times, |_| {}).expect("it is played out")).0;
            engine += timed(|| log.replay()).0;
        }
        let share = engine.as_secs_f64() / whole.as_secs_f64();
        let each = |sum: Duration| sum.as_secs_f64() * 1e3 / GAMES as f64;
        println!(
            "run {run}: {:.2} ms a hanchan, the engine alone {:.2} ms: {:.1} % of its speed; decisions p50 {:?}, p99 {:?}",
            each(whole),
            each(engine),
            share * 100.0,
            times[0].quantile(0.5),
            times[0].quantile(0.99),
        );
        shares.push(share);
    }
    shares.sort_by(f64::total_cmp);
    println!("median: {:.1} % of the speed of the engine alone", shares[RUNS / 2] * 100.0);
}

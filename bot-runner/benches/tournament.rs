//! The cost of a hanchan in a tournament: greedy-tenpai four times on one thread, in thread CPU
//! time.
//!
//! `cargo bench -p bot-runner --bench tournament`. The median of the runs counts.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::PathBuf;
use std::time::Duration;

use greedy_tenpai::GreedyTenpai;
use lab::game::{Entrant, GameId};
use lab::tournament::{DecisionTimes, TakenDown, play_counted, thread_time};
use policy_host::{ChosenPolicy, DirectThread, GameKind, Launch, StartOptions};
use riichi::Rules;
use riichi::game::RiichiGame;

const GAMES: u64 = 100;
const RUNS: usize = 5;
const RULES: Rules = Rules::TENHOU_HALF;

fn greedy_tenpai() -> Entrant {
    let launch = Launch::own(Vec::new());
    let policy = ChosenPolicy::of::<GreedyTenpai>();
    let options = StartOptions {
        bot: "bench".to_owned(),
        game: GameKind::Riichi,
        players: 4,
        config_folder: PathBuf::new(),
        launch,
    };
    Entrant {
        policy,
        options,
        budget: Duration::from_secs(3),
        limit: None,
    }
}

fn main() {
    DirectThread::run("bench", bench).expect("there is a thread");
}

fn bench(thread: &DirectThread) {
    let entrant = greedy_tenpai();
    let seats = [(0, &entrant); 4];
    let mut all = Vec::new();
    for run in 1..=RUNS {
        let mut times = [DecisionTimes::default()];
        let start = thread_time();
        for wall in 1..=GAMES {
            let id = GameId {
                seed: 1,
                wall,
                seating: 0,
            };
            play_counted::<RiichiGame>(thread, RULES, TakenDown::default(), id, &seats, &mut times)
                .expect("it is played out");
        }
        let each = (thread_time() - start) / GAMES as u32;
        println!(
            "run {run}: {each:.2?} a hanchan; decisions p50 {:?}, p99 {:?}",
            times[0].quantile(0.5),
            times[0].quantile(0.99)
        );
        all.push(each);
    }
    all.sort_unstable();
    let median = all[RUNS / 2];
    println!(
        "median: {median:.2?} a hanchan, {:.0} hanchan a second and core",
        1.0 / median.as_secs_f64()
    );
}

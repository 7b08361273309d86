//! Games against its own opponents, each deal from both sides, without bidding.
//!
//!     cargo run --release -p doudizhu-split --example against-opponents -- 300 1000
//!
//! The arguments are the number of deals and the first seed. doudizhu-split plays each deal as the
//! landlord and as both peasants. Fails when it does not win more than 55 % of its games against
//! each opponent with a confidence of 95 %.
#![allow(clippy::print_stdout, reason = "its output is its result")]

mod deals;
mod opponents;
mod share;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use deals::{deal_of, landlord_wins};
use doudizhu_split::SplitEffort;
use opponents::OPPONENTS;
use share::ShareOfDeals;

/// The minimum share of games to win.
const WANTED: f64 = 0.55;

fn main() -> ExitCode {
    let arguments: Vec<u64> = std::env::args()
        .skip(1)
        .map(|text| text.parse().expect("a number"))
        .collect();
    let [deals, first] = arguments[..] else {
        panic!("arguments: DEALS FIRST_SEED")
    };
    let mut times: Vec<Duration> = Vec::new();
    let mut is_better = true;
    println!("{deals} deals from both sides; doudizhu-split wins");
    for (name, opponent) in OPPONENTS {
        let mut won = |seed: u64, as_landlord: bool| {
            let landlord_wins = landlord_wins(deal_of(seed), |table, legal| {
                let is_landlord = table.seat() == table.round().landlord();
                if is_landlord != as_landlord {
                    return opponent(table, legal);
                }
                let start = Instant::now();
                let decided = doudizhu_split::decide(table, legal, &SplitEffort::DEFAULT)
                    .expect("something is legal");
                times.push(start.elapsed());
                legal[decided.index]
            });
            f64::from(landlord_wins == as_landlord)
        };
        let games: Vec<[f64; 2]> = (first..first + deals)
            .map(|seed| [won(seed, true), won(seed, false)])
            .collect();
        let share =
            |of: fn(&[f64; 2]) -> f64| ShareOfDeals::of(&games.iter().map(of).collect::<Vec<_>>());
        let both = share(|[landlord, peasants]| (landlord + peasants) / 2.0);
        let (landlord, peasants) = (
            share(|game| game[0]).in_words(),
            share(|game| game[1]).in_words(),
        );
        println!(
            "  {} of all games against `{name}`: as landlord {landlord}, as peasants {peasants}",
            both.in_words()
        );
        is_better &= both.low() > WANTED;
    }
    times.sort_unstable();
    let at = |hundredth: usize| times[(times.len() - 1) * hundredth / 100];
    println!(
        "{} decisions: half within {:.1?}, 99 % within {:.1?}, all within {:.1?}",
        times.len(),
        at(50),
        at(99),
        at(100)
    );
    if is_better {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

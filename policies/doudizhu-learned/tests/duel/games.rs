//! Games of doudizhu-learned against another agent, each deal from both sides, without bidding.
//!
//!     cargo run --release -p doudizhu-learned --example duel -- split 1000 1 [WEIGHTS]
//!
//! The arguments are the opponent, the number of deals, the first seed, and a file of weights in
//! place of the built-in ones. The opponent is `split`, which is doudizhu-split, or a Python that
//! has the package rlcard (see `doudizhu-split`'s `tests/rlcard`), whose rule agent it is.
//! doudizhu-learned plays each deal as the landlord and as both peasants; two agents that play
//! alike win half of these games.
#![allow(clippy::print_stdout, reason = "its output is its result")]

#[path = "../../../doudizhu-split/tests/rlcard/agent.rs"]
mod agent;
#[path = "../../../doudizhu-split/tests/duel/deals.rs"]
mod deals;
#[path = "../../../doudizhu-split/tests/duel/share.rs"]
mod share;

use std::path::Path;
use std::time::{Duration, Instant};

use agent::RuleAgent;
use correction::{Described, read_weights};
use deals::{deal_of, landlord_wins};
use doudizhu::{DouDizhuAction, DouDizhuSeatState, safe_action};
use doudizhu_learned::DouDizhuWeights;
use doudizhu_learned::features::DouDizhuDescription;
use doudizhu_split::SplitEffort;
use share::ShareOfDeals;

const PLAYERS: u8 = 3;

struct LearnedSide {
    weights: DouDizhuWeights,
    decision: DouDizhuDescription,
}

impl LearnedSide {
    fn choose(
        &mut self,
        table: &DouDizhuSeatState,
        legal: &[DouDizhuAction],
    ) -> Option<DouDizhuAction> {
        let Self { weights, decision } = self;
        decision.describe(table, legal, &SplitEffort::DEFAULT);
        let situation = decision.situation();
        let best = decision.best(|choice| weights.correction(situation, &choice.features));
        best.map(|(choice, _)| legal[choice.index])
    }
}

enum Opponent {
    Split,
    Rlcard(RuleAgent),
}

impl Opponent {
    fn choose(
        &mut self,
        table: &DouDizhuSeatState,
        legal: &[DouDizhuAction],
    ) -> Option<DouDizhuAction> {
        match self {
            Self::Split => doudizhu_split::decide(table, legal, &SplitEffort::DEFAULT)
                .map(|decided| legal[decided.index]),
            Self::Rlcard(agent) => agent.answer(table, legal).or_else(|| safe_action(legal)),
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (opponent, deals, first, weights) = match arguments.as_slice() {
        [opponent, deals, first] => (opponent, deals, first, doudizhu_learned::built_in()),
        [opponent, deals, first, weights] => {
            let weights = read_weights(Path::new(weights), PLAYERS);
            (opponent, deals, first, weights)
        }
        _ => panic!("arguments: OPPONENT DEALS FIRST_SEED [WEIGHTS]"),
    };
    let mut opponent = match opponent.as_str() {
        "split" => Opponent::Split,
        python => Opponent::Rlcard(RuleAgent::start(python)),
    };
    let [deals, first] = [deals, first].map(|text| text.parse::<u64>().expect("a number"));
    let mut learned = LearnedSide {
        weights: weights.expect("weights"),
        decision: DouDizhuDescription::default(),
    };
    let mut times: [Vec<Duration>; 2] = Default::default();
    let mut won = |seed: u64, as_landlord: bool| {
        if let Opponent::Rlcard(agent) = &mut opponent {
            agent.seed(seed);
        }
        let landlord_wins = landlord_wins(deal_of(seed), |table, legal| {
            let is_landlord = table.seat() == table.round().landlord();
            let start = Instant::now();
            let (side, chosen) = match is_landlord == as_landlord {
                true => (0, learned.choose(table, legal)),
                false => (1, opponent.choose(table, legal)),
            };
            times[side].push(start.elapsed());
            chosen.expect("something is legal")
        });
        f64::from(landlord_wins == as_landlord)
    };
    let games: Vec<[f64; 2]> = (first..first + deals)
        .map(|seed| [won(seed, true), won(seed, false)])
        .collect();
    let share = |of: fn(&[f64; 2]) -> f64| {
        ShareOfDeals::of(&games.iter().map(of).collect::<Vec<_>>()).in_words()
    };
    println!("{deals} deals from both sides, from seed {first}; doudizhu-learned wins");
    println!(
        "both        {}",
        share(|[landlord, peasants]| (landlord + peasants) / 2.0)
    );
    println!("as landlord {}", share(|game| game[0]));
    println!("as peasants {}", share(|game| game[1]));
    for (name, mut times) in ["doudizhu-learned", "the opponent"].into_iter().zip(times) {
        times.sort_unstable();
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        println!(
            "{name}: a decision takes {:.1?}, 99 % within {:.1?}",
            at(50),
            at(99)
        );
    }
}

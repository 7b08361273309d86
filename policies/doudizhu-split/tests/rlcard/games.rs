//! Games against the rule agent of the Python package rlcard, each deal in every seating of the
//! two.
//!
//!     python3 -m venv VENV && VENV/bin/pip install -r
//!     policies/doudizhu-split/tests/rlcard/requirements.txt cargo run --release -p doudizhu-split
//!     --example against-rlcard -- VENV/bin/python 1000
//!
//! The argument is the number of deals; each is played eight times, with either agent in each seat.
//! Fails when doudizhu-split does not win more than 75 % of its games, half of them in both roles,
//! or does not do better than rlcard in the same seat, with a confidence of 95 %.
//!
//! The agent runs in its own process (`agent.py`), which receives the input of rlcard's own game.
//! The judge of `doudizhu`, without bidding, decides the winner. If the agent does not know a play,
//! or names an illegal one, it passes, or leads its lowest card.
#![allow(clippy::print_stdout, reason = "its output is its result")]

mod agent;
#[path = "../duel/deals.rs"]
mod deals;
#[path = "../duel/share.rs"]
mod share;

use std::process::ExitCode;

use agent::RuleAgent;
use deals::{deal_of, landlord_wins};
use doudizhu::safe_action;
use doudizhu_split::SplitEffort;
use share::ShareOfDeals;

/// The seating: bit 0 for seat 0, the landlord; set for doudizhu-split.
type Seating = usize;
const SEATINGS: Seating = 8;
const LANDLORD: Seating = 0b001;
const PEASANTS: Seating = 0b110;

/// The minimum share of games to win, both alone against the other two and with both peasants.
const WANTED: f64 = 0.75;

/// Whether the landlord won, by seating.
type Won = [bool; SEATINGS];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [python, deals] = &arguments[..] else {
        panic!("arguments: PYTHON DEALS")
    };
    let deals: u64 = deals.parse().expect("a number of deals");
    let mut agent = RuleAgent::start(python);
    let won: Vec<Won> = (0..deals)
        .map(|seed| std::array::from_fn(|seating| landlord_wins_seated(&mut agent, seed, seating)))
        .collect();
    let share =
        |value: &dyn Fn(&Won) -> f64| ShareOfDeals::of(&won.iter().map(value).collect::<Vec<_>>());
    let landlord = |seating: Seating| share(&|won| f64::from(won[seating]));
    println!(
        "{deals} deals in 8 seatings; of the games it plays alone against the other two, or with both peasants,"
    );
    let as_landlord = say(
        "doudizhu-split wins as landlord against rlcard",
        landlord(LANDLORD),
    );
    let as_peasants = say(
        "doudizhu-split wins as both peasants against rlcard",
        share(&|won| f64::from(!won[PEASANTS])),
    );
    let both = share(&|won| (f64::from(won[LANDLORD]) + f64::from(!won[PEASANTS])) / 2.0);
    let both = say("doudizhu-split wins of both against rlcard", both);
    say("rlcard wins as landlord against itself", landlord(0));
    say(
        "doudizhu-split wins as landlord against itself",
        landlord(LANDLORD | PEASANTS),
    );
    println!(
        "in the same seat of the same deals with the same others, instead of rlcard, it wins more often by"
    );
    let gained: Vec<ShareOfDeals> = [
        "as landlord",
        "as peasant after the landlord",
        "as peasant before the landlord",
    ]
    .iter()
    .enumerate()
    .map(|(seat, what)| say(what, share(&|won| gain(won, seat))))
    .collect();
    println!(
        "rlcard's answers: {}, unusable: {}",
        agent.answers, agent.unusable
    );
    let better = both.low() > WANTED
        && as_landlord.low() > 0.5
        && as_peasants.low() > 0.5
        && gained.iter().all(|gain| gain.low() > 0.0);
    if better {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// How much more often the side of a seat wins with doudizhu-split in it, over all seatings of the
/// others.
fn gain(won: &Won, seat: usize) -> f64 {
    let side_wins = |seating: Seating| f64::from(won[seating] == (seat == 0));
    let without: Vec<Seating> = (0..SEATINGS)
        .filter(|seating| seating & (1 << seat) == 0)
        .collect();
    let gains = without
        .iter()
        .map(|&seating| side_wins(seating | 1 << seat) - side_wins(seating));
    gains.sum::<f64>() / without.len() as f64
}

fn landlord_wins_seated(agent: &mut RuleAgent, seed: u64, seating: Seating) -> bool {
    agent.seed(seed);
    landlord_wins(deal_of(seed), |table, legal| {
        let seat = table.seat().expect("cards were dealt");
        let action = if seating >> seat.index() & 1 == 1 {
            doudizhu_split::decide(table, legal, &SplitEffort::DEFAULT)
                .map(|decision| legal[decision.index])
        } else {
            agent.answer(table, legal).or_else(|| safe_action(legal))
        };
        action.expect("something is legal")
    })
}

fn say(what: &str, share: ShareOfDeals) -> ShareOfDeals {
    println!("  {what:<52} {}", share.in_words());
    share
}

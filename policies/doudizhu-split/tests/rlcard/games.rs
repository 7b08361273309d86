//! Games against the rule agent of the Python package rlcard, each deal in every seating of the two.
//!
//!     python3 -m venv VENV && VENV/bin/pip install -r policies/doudizhu-split/tests/rlcard/requirements.txt
//!     cargo run --release -p doudizhu-split --example against-rlcard -- VENV/bin/python 1000
//!
//! The number is that of deals; each is played eight times, with either in each seat. Fails when doudizhu-split does not win more than
//! half of its games in both roles, or does not do better than rlcard in the same seat, with a confidence of 95 %.
//!
//! The agent runs in a process of its own (`agent.py`), which is told what rlcard's own game would tell it. Who has won is said by the
//! judge of `doudizhu`, without bidding. Where the agent does not know what was played, or names what may not be played, it passes,
//! or leads its lowest card.
#![allow(clippy::print_stdout, reason = "its output is its result")]

mod agent;

use std::process::ExitCode;

use agent::RuleAgent;
use doudizhu::{Card, CardDeal, CardGame, CardRules, CardSeat, CardTable, safe_action};
use doudizhu_split::SplitWeights;

/// Who sits where: bit 0 for seat 0, the landlord; set for doudizhu-split.
type Seating = usize;
const SEATINGS: Seating = 8;
const LANDLORD: Seating = 0b001;
const PEASANTS: Seating = 0b110;

/// Whether the landlord won, by seating.
type Won = [bool; SEATINGS];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [python, deals] = &arguments[..] else { panic!("arguments: PYTHON DEALS") };
    let deals: u64 = deals.parse().expect("a number of deals");
    let mut agent = RuleAgent::start(python);
    let won: Vec<Won> =
        (0..deals).map(|seed| std::array::from_fn(|seating| landlord_wins(&mut agent, seed, seating))).collect();
    let landlord = |seating: Seating| Measured::of(won.iter().map(|won| f64::from(won[seating])).collect());
    let peasants = |seating: Seating| Measured::of(won.iter().map(|won| f64::from(!won[seating])).collect());
    println!("{deals} deals in 8 seatings; of the games it plays alone against the other two, or with both peasants,");
    let as_landlord = landlord(LANDLORD).say("doudizhu-split wins as landlord against rlcard");
    let as_peasants = peasants(PEASANTS).say("doudizhu-split wins as both peasants against rlcard");
    landlord(0).say("rlcard wins as landlord against itself");
    landlord(LANDLORD | PEASANTS).say("doudizhu-split wins as landlord against itself");
    println!("in the same seat of the same deals with the same others, instead of rlcard, it wins more often by");
    let gained: Vec<Measured> = ["as landlord", "as peasant after the landlord", "as peasant before the landlord"]
        .iter()
        .enumerate()
        .map(|(seat, what)| Measured::of(won.iter().map(|won| gain(won, seat)).collect()).say(what))
        .collect();
    println!("rlcard's answers: {}, of which not usable: {}", agent.answers, agent.unusable);
    let better = as_landlord.low() > 0.5 && as_peasants.low() > 0.5 && gained.iter().all(|gain| gain.low() > 0.0);
    if better { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How much more often the side of a seat wins with doudizhu-split in it, over all seatings of the others.
fn gain(won: &Won, seat: usize) -> f64 {
    let side_wins = |seating: Seating| f64::from(won[seating] == (seat == 0));
    let without: Vec<Seating> = (0..SEATINGS).filter(|seating| seating & (1 << seat) == 0).collect();
    let gains = without.iter().map(|&seating| side_wins(seating | 1 << seat) - side_wins(seating));
    gains.sum::<f64>() / without.len() as f64
}

fn landlord_wins(agent: &mut RuleAgent, seed: u64, seating: Seating) -> bool {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut order: [Card; Card::COUNT] = std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
    rng.shuffle(&mut order);
    let mut game = CardGame::new(CardDeal::of_order(&order), CardRules::FIXED);
    agent.seed(seed);
    while let Some(seat) = game.asked() {
        let table = table_of(&game, seat);
        let legal = table.legal_actions();
        let action = if seating >> seat.index() & 1 == 1 {
            doudizhu_split::decide(&table, &legal, &SplitWeights::DEFAULT).map(|decision| legal[decision.index])
        } else {
            agent.answer(&table, &legal).or_else(|| safe_action(&legal))
        };
        game.act(action.expect("something is legal")).expect("it is legal");
    }
    game.round().winner() == game.round().landlord()
}

fn table_of(game: &CardGame, seat: CardSeat) -> CardTable {
    let mut table = CardTable::new(game.round().rules());
    for event in std::iter::once(&game.deal_event(seat)).chain(game.events()) {
        table.apply(event).expect("it has happened");
    }
    table
}

/// A mean over the deals with half of its interval of 95 %.
struct Measured {
    mean: f64,
    half: f64,
}

impl Measured {
    fn of(values: Vec<f64>) -> Self {
        let deals = values.len() as f64;
        let mean = values.iter().sum::<f64>() / deals;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (deals - 1.0);
        Self { mean, half: 1.96 * (variance / deals).sqrt() }
    }

    fn low(&self) -> f64 {
        self.mean - self.half
    }

    fn say(self, what: &str) -> Self {
        let [mean, low, high] = [self.mean, self.low(), self.mean + self.half].map(|share| 100.0 * share);
        println!("  {what:<52} {mean:5.1} % ({low:.1} to {high:.1})");
        self
    }
}

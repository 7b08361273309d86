//! The luck of games, as sums whose expectation is 0 whatever the players do: control variates,
//! which make results less random without a bias.
//!
//! A term is one of two sorts. What a draw is worth to each seat, as a function of the game before
//! it and of the piece that came, less the mean of that function over all pieces that no event has
//! shown: each is equally likely to come. Or what a deal is worth to each seat, as a function of its
//! hand and of what all hands have in common, less the mean over the seats: each order of the hands
//! is equally likely. Such a function must not know which seat the hand is at.
//!
//! The functions and their weights were fixed before the games that they adjust: each file of
//! weights is a part of the program, its hash is a part of its [`version`], and results name the
//! version.

pub mod doudizhu;
pub mod mcr;
pub mod riichi;

use ::doudizhu::DouDizhuGame;
use ::mcr::McrGame;
use ::riichi::game::RiichiGame;
use ::riichi::{EventOf, MAX_PLAYERS};
use policy_host::{PolicyTable, Sha256, ShownTable};
use riichi_estimates::figures::FiguresReader;

use super::{GameRules, LabGame, SeatValues};

/// Parts of a place or point that luck is counted in.
pub const PARTS: i32 = 1_000;

/// The section of the weights in their file.
pub const WEIGHTS: &str = "weights";

/// A value for each seat, by index.
pub type BySeat = [f64; MAX_PLAYERS];

/// Adds up the luck of a game by class of term, before the classes are weighted.
pub trait LuckTerms<G: LabGame<Table: ShownTable>>: Send {
    /// Takes in the deal of each seat, in a game in which it is no event.
    fn dealt(&mut self, _deals: &[Option<EventOf<G>>]) {}

    /// Takes in an event with nothing hidden, which the tables of all seats have applied.
    fn heard(&mut self, event: &EventOf<G>, tables: &[Option<PolicyTable<G::Table>>]);

    fn sums(&self) -> &LuckSums;
}

/// What luck has added to the measure of each seat, by class of term.
#[derive(Debug, Clone, PartialEq)]
pub struct LuckSums(Vec<BySeat>);

impl LuckSums {
    fn new(classes: usize) -> Self {
        Self(vec![[0.0; MAX_PLAYERS]; classes])
    }

    /// The sums of each class.
    pub fn classes(&self) -> &[BySeat] {
        &self.0
    }

    fn add(&mut self, class: usize, times: f64, changes: &BySeat) {
        for (sum, change) in self.0[class].iter_mut().zip(changes) {
            *sum += times * change;
        }
    }

    /// Adds the terms of a deal from the features of each hand, with what one more of a feature
    /// changes for all seats.
    fn add_deal<const N: usize>(&mut self, from: usize, hands: &[[f64; N]], changes: &[BySeat]) {
        for feature in 0..N {
            let all = hands.iter().map(|of| of[feature]);
            let mean = all.sum::<f64>() / hands.len() as f64;
            for (hand, changes) in hands.iter().zip(changes) {
                self.add(from + feature, hand[feature] - mean, changes);
            }
        }
    }
}

/// The weights of the classes, which were fitted once.
#[derive(Debug)]
pub struct LuckWeights {
    version: String,
    weights: Vec<f64>,
}

impl LuckWeights {
    /// Reads a file of weights of this program. `terms` is the version of the terms and classes.
    ///
    /// # Panics
    ///
    /// If it has not a number for each class, and nothing else.
    fn read(name: &str, terms: u32, classes: usize, text: &str) -> Self {
        let mut file = FiguresReader::new(text);
        file.section(WEIGHTS);
        let weights: Vec<f64> = (0..classes).map(|_| file.number()).collect();
        file.end();
        let odd = weights.iter().find(|weight| !weight.is_finite());
        assert_eq!(odd, None, "a weight of {name}");
        let hash = Sha256::of(text.as_bytes()).to_string();
        Self {
            version: format!("{name} {terms} sha256 {}", &hash[..16]),
            weights,
        }
    }
}

/// The luck of a game by the weights that were fitted.
pub struct WeightedLuck<G: LabGame> {
    terms: Box<dyn LuckTerms<G>>,
    weights: &'static LuckWeights,
    players: usize,
}

impl<G: LabGame> WeightedLuck<G> {
    /// Before the deal; `None` if no weights are fitted to games by these rules.
    pub fn new(rules: &G::Rules) -> Option<Self> {
        Some(Self {
            terms: G::luck(rules)?,
            weights: G::luck_weights(rules)?,
            players: G::seat_count(rules),
        })
    }

    /// Takes in the deal of each seat, in a game in which it is no event.
    pub fn dealt(&mut self, deals: &[Option<EventOf<G>>]) {
        self.terms.dealt(deals);
    }

    /// Takes in an event with nothing hidden, which the tables of all seats have applied.
    pub fn heard(&mut self, event: &EventOf<G>, tables: &[Option<PolicyTable<G::Table>>]) {
        self.terms.heard(event, tables);
    }

    /// The version of the terms and their weights.
    pub fn version(&self) -> &'static str {
        &self.weights.version
    }

    /// What luck has added to the measure of each seat, in [parts](PARTS); the sum over seats is
    /// as near to 0 as whole numbers allow.
    pub fn of_seats(&self) -> SeatValues {
        let of = |seat: usize| {
            let sums = self.terms.sums().classes().iter();
            let weighted = sums.zip(&self.weights.weights);
            let luck: f64 = weighted.map(|(sum, weight)| weight * sum[seat]).sum();
            (luck * f64::from(PARTS)).round() as i32
        };
        (0..self.players).map(of).collect()
    }
}

/// The version of the luck that is known of games by these rules; `None` if none is.
pub fn version(rules: &GameRules) -> Option<String> {
    let weights = match rules {
        GameRules::Riichi(rules) => RiichiGame::luck_weights(rules),
        GameRules::Mcr(rules) => McrGame::luck_weights(rules),
        GameRules::DouDizhu(rules) => DouDizhuGame::luck_weights(rules),
    };
    weights.map(|weights| weights.version.clone())
}

#[cfg(test)]
mod tests;

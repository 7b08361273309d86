//! The games that can be learned.

mod doudizhu;
mod mcr;
mod riichi;

use std::fmt::Debug;

use ::riichi::{EventOf, MAX_PLAYERS, WholeGame};
use correction::{FeatureSet, choice_features};
use lab::game::{GameEnd, GameRules, NamedGame};
use policy_sdk::{CreateError, Policy};

use crate::explorer::ExplorerMind;

pub(crate) use doudizhu::DouDizhuTraining;
pub(crate) use mcr::McrTraining;
pub(crate) use riichi::RiichiTraining;

/// The rules of a game.
pub(crate) type RulesOf<G> = <<G as TrainedGame>::Game as WholeGame>::Rules;

/// What each seat gained.
pub(crate) type Gains = [f32; MAX_PLAYERS];

/// A game with a policy whose values are corrected by weights.
pub(crate) trait TrainedGame: Debug + Sized + 'static {
    type Game: NamedGame;
    type Features: FeatureSet;
    /// The policy that plays by the weights.
    type Learned: Policy;
    /// The policy that plays the same without weights, generation 0.
    type Teacher: Policy;
    type Explorer: Policy;
    type Rewards: Rewards<Self>;

    /// The critic's inputs for another seat: features of the choices in its latest decision, which
    /// only that seat can see.
    const HIDDEN: &'static [&'static str];
    /// Games for the first attempt at a generation.
    const GAMES: u64;
    /// Maximum number of games in a match.
    const MATCH_GAMES: u64;
    /// Whether matches are adjusted for luck: where that shortens their intervals, which are over
    /// walls in all seatings.
    const IS_ADJUSTED: bool;
    /// The temperature, in the unit of the values.
    const TEMPERATURE: f32;

    fn rules(players: u8) -> RulesOf<Self>;

    fn game_rules(rules: RulesOf<Self>) -> GameRules;
}

/// The rewards of a game, which may have several rounds.
pub(crate) trait Rewards<G: TrainedGame> {
    /// The rewards of the game on this wall.
    fn new(rules: RulesOf<G>, seed: u64, wall: u64) -> Self;

    /// Takes in an event; returns what each seat gained in the round that it ends.
    fn hear(&mut self, event: &EventOf<G::Game>) -> Option<Gains>;

    /// What each seat gained in the last round.
    fn end(&mut self, end: &GameEnd) -> Gains;
}

/// The sizes of the sums of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) situations: usize,
    pub(crate) choice_features: usize,
    /// The inputs of the critic: the table, the mean features of the choices, the hidden features
    /// of three other seats, and a constant.
    pub(crate) critic_inputs: usize,
}

impl Sizes {
    pub(crate) const fn of<G: TrainedGame>() -> Self {
        let (table, plain) = (G::Features::TABLE.len(), G::Features::CHOICE.len());
        Self {
            situations: G::Features::SITUATIONS,
            choice_features: choice_features::<G::Features>(),
            critic_inputs: table + plain + G::HIDDEN.len() * (MAX_PLAYERS - 1) + 1,
        }
    }
}

/// The mind of an explorer of this game.
fn mind<G: TrainedGame>() -> Result<ExplorerMind, CreateError> {
    let hidden = G::HIDDEN
        .iter()
        .map(|name| correction::place(G::Features::CHOICE, name));
    ExplorerMind::new(hidden.collect(), G::Features::CHOICE.len())
}

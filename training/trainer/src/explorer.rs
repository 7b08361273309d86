//! The policies that play for the trainer: the learned one of each game, which draws its choices at
//! random by a softmax. They record each decision with the probabilities of its choices, for the
//! thread that plays. In some seats they play as the teacher, the policy without corrections, so
//! that corrections are learned against other opponents too.

use std::cell::RefCell;
use std::sync::Arc;

use correction::{Described, corrected_by};
use policy_sdk::{CreateError, Rng};
use riichi::MAX_PLAYERS;

/// A decision is used for learning if the probability of its likeliest choice is at most this.
const MAX_CERTAINTY: f32 = 0.97;

/// The settings of the explorers of a thread.
#[derive(Debug, Clone)]
pub(crate) struct Exploration {
    /// The weights of each situation.
    pub(crate) linear: Arc<Vec<Vec<f32>>>,
    /// The temperature: a choice that is worse by this is taken `e` times less often.
    pub(crate) temperature: f32,
}

/// The seats, by index, that learn; the others play as the teacher.
pub(crate) type Learners = [bool; MAX_PLAYERS];

#[derive(Debug, Clone)]
pub(crate) struct ExploredDecision {
    pub(crate) seat: usize,
    pub(crate) situation: usize,
    /// The inputs of the critic.
    pub(crate) before: Vec<f32>,
    /// The choice; `None` if it was all but certain.
    pub(crate) chosen: Option<ExploredChoice>,
}

/// The difference between a choice and the mean of all choices.
#[derive(Debug, Clone)]
pub(crate) struct ExploredChoice {
    /// The features, less their mean over all choices, weighted by probability.
    pub(crate) features: Vec<f32>,
    /// The estimated value, less its mean.
    pub(crate) reckoned: f32,
}

thread_local! {
    /// The settings of the explorers that are created on this thread.
    static EXPLORATION: RefCell<Option<(Exploration, Learners)>> = const { RefCell::new(None) };
    /// The decisions of the round on this thread.
    static ROUND: RefCell<ExploredRound> = const { RefCell::new(ExploredRound::NONE) };
}

/// The decisions of a round, in order.
#[derive(Debug)]
struct ExploredRound {
    decisions: Vec<ExploredDecision>,
    /// The hidden features of each seat, from its latest decision; none before it.
    hidden: [Vec<f32>; MAX_PLAYERS],
}

impl ExploredRound {
    const NONE: Self = Self {
        decisions: Vec::new(),
        hidden: [const { Vec::new() }; MAX_PLAYERS],
    };
}

/// Sets the settings of the explorers that are created on this thread.
pub(crate) fn explore(exploration: Exploration, learners: Learners) {
    EXPLORATION.with_borrow_mut(|current| *current = Some((exploration, learners)));
}

/// Takes the decisions of the round that has ended on this thread.
pub(crate) fn take_decisions() -> Vec<ExploredDecision> {
    ROUND.replace(ExploredRound::NONE).decisions
}

/// What the explorers of all games have in common.
#[derive(Debug)]
pub(crate) struct ExplorerMind {
    exploration: Exploration,
    learners: Learners,
    /// The places of the hidden features among those of a choice.
    hidden: Vec<usize>,
    /// Number of features of a choice in itself.
    plain: usize,
    chances: Vec<f32>,
}

impl ExplorerMind {
    /// The mind of an explorer that is created on this thread.
    ///
    /// # Errors
    ///
    /// If no exploration is set.
    pub(crate) fn new(hidden: Vec<usize>, plain: usize) -> Result<Self, CreateError> {
        let (exploration, learners) = EXPLORATION
            .with_borrow(Clone::clone)
            .ok_or_else(|| CreateError::Failed("no exploration is set".to_owned()))?;
        Ok(Self {
            exploration,
            learners,
            hidden,
            plain,
            chances: Vec::new(),
        })
    }

    /// Whether this seat learns.
    pub(crate) const fn learns(&self, seat: usize) -> bool {
        self.learners[seat]
    }

    /// Draws a choice by its probability, and records the decision; returns its index in the legal
    /// list, or `None` if the decision has no choices. The teacher takes the choice of the best
    /// estimated value.
    pub(crate) fn choose(
        &mut self,
        decision: &impl Described,
        seat: usize,
        players: usize,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (linear, temperature) = if self.learns(seat) {
            (
                self.exploration.linear.as_slice(),
                self.exploration.temperature,
            )
        } else {
            (&[][..], f32::MIN_POSITIVE)
        };
        let values = decision
            .rows()
            .map(|row| row.value + corrected_by(linear, decision.situation(), row.features));
        softmax(values, temperature, &mut self.chances);
        let place = drawn(&self.chances, rng)?;
        ROUND.with_borrow_mut(|round| self.record(round, decision, (seat, players), place));
        decision.rows().nth(place).map(|row| row.index)
    }

    fn record(
        &self,
        round: &mut ExploredRound,
        decision: &impl Described,
        (seat, players): (usize, usize),
        place: usize,
    ) {
        let width = decision.rows().next().map_or(0, |row| row.features.len());
        let (mut mean, mut reckoned) = (vec![0.0; width], 0.0);
        for (row, chance) in decision.rows().zip(&self.chances) {
            mean.iter_mut()
                .zip(row.features)
                .for_each(|(sum, value)| *sum += chance * value);
            reckoned += chance * row.value;
        }
        let mut before = decision.table().to_vec();
        before.extend_from_slice(&mean[..self.plain]);
        for step in 1..MAX_PLAYERS {
            // With three players the third one is the own seat, whose features the mean of its
            // choices already holds.
            let end = before.len() + self.hidden.len();
            before.extend_from_slice(&round.hidden[(seat + step) % players]);
            before.resize(end, 0.0);
        }
        before.push(1.0);
        round.hidden[seat] = self.hidden.iter().map(|&place| mean[place]).collect();
        let is_open = self.chances.iter().all(|&chance| chance <= MAX_CERTAINTY);
        let chosen = is_open
            .then(|| decision.rows().nth(place))
            .flatten()
            .map(|row| ExploredChoice {
                features: row
                    .features
                    .iter()
                    .zip(&mean)
                    .map(|(value, mean)| value - mean)
                    .collect(),
                reckoned: row.value - reckoned,
            });
        round.decisions.push(ExploredDecision {
            seat,
            situation: decision.situation(),
            before,
            chosen,
        });
    }
}

/// The probabilities of choices with these values: the softmax over the temperature.
fn softmax(values: impl Iterator<Item = f32>, temperature: f32, chances: &mut Vec<f32>) {
    chances.clear();
    chances.extend(values);
    let best = chances.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    chances
        .iter_mut()
        .for_each(|value| *value = ((*value - best) / temperature).exp());
    let sum: f32 = chances.iter().sum();
    chances.iter_mut().for_each(|chance| *chance /= sum);
}

/// A random index with these probabilities; `None` if there are none.
fn drawn(chances: &[f32], rng: &mut Rng) -> Option<usize> {
    let mut left = rng.unit() as f32;
    let fits = chances.iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    fits.or_else(|| chances.len().checked_sub(1))
}

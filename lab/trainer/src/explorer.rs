//! The policy that plays for the trainer: `learned` with a little chance in its choices. It keeps each decision with the chances of
//! its choices for the thread that plays.

use std::cell::RefCell;
use std::sync::Arc;

use judge::JudgeOptions;
use judge::features::{CHOICE_FEATURES, DescribedDecision, SITUATIONS};
use learned::weights::Weights;
use policy_common::{Calls, Habits, Kans, Strategy};
use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, Rng, View};
use riichi::Seat;

/// A decision is used for learning while its likeliest choice has at most this chance.
const MAX_CERTAINTY: f32 = 0.97;

/// What the explorers of a thread play by.
#[derive(Debug, Clone)]
pub(crate) struct Exploration {
    pub(crate) weights: Arc<Weights>,
    /// Places by which a choice must be worse to be taken `e` times less often.
    pub(crate) temperature: f32,
}

/// What is learned from a decision: what its choice differs in from what was to be expected.
#[derive(Debug, Clone)]
pub(crate) struct ExploredDecision {
    pub(crate) seat: Seat,
    pub(crate) situation: usize,
    /// The features of what was chosen, less their mean over all choices by their chances.
    pub(crate) features: [f32; CHOICE_FEATURES],
    /// The reckoned value of what was chosen, less its mean likewise, in places.
    pub(crate) reckoned: f32,
    /// The features of the table.
    pub(crate) table: [f32; judge::features::TABLE_FEATURES],
}

thread_local! {
    /// The exploration of the explorers that are made on this thread.
    static EXPLORATION: RefCell<Option<Exploration>> = const { RefCell::new(None) };
    /// The decisions of this thread that were not taken yet, in their order.
    static DECISIONS: RefCell<Vec<ExploredDecision>> = const { RefCell::new(Vec::new()) };
}

/// Sets what the explorers made on this thread play by.
pub(crate) fn explore(exploration: Exploration) {
    EXPLORATION.with_borrow_mut(|current| *current = Some(exploration));
}

/// Takes the decisions of this thread since the last call.
pub(crate) fn take_decisions() -> Vec<ExploredDecision> {
    DECISIONS.with_borrow_mut(std::mem::take)
}

/// The policy.
#[derive(Debug)]
pub(crate) struct Explorer {
    exploration: Exploration,
    options: JudgeOptions,
    decision: DescribedDecision,
    corrections: Vec<f32>,
    chances: Vec<f32>,
}

impl Policy for Explorer {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "explorer",
        name: "Explorer",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Plays for the trainer.",
        games: Games::Both,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        let exploration = EXPLORATION.with_borrow(Clone::clone);
        let exploration = exploration.ok_or_else(|| CreateError::Failed("no exploration is set".to_owned()))?;
        Ok(Self {
            exploration,
            options: JudgeOptions {
                habits: Habits { calls: Calls::Yaku, kans: Kans::Safe, kyushu: true },
                always_riichi: false,
            },
            decision: DescribedDecision::default(),
            corrections: Vec::new(),
            chances: Vec::new(),
        })
    }

    fn decide(&mut self, view: &View<'_>, _: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
        policy_common::decide(self, view, answer)
    }
}

impl Strategy for Explorer {
    fn habits(&self) -> &Habits {
        &self.options.habits
    }

    fn claim(&mut self, view: &View<'_>, pass: usize, _: &mut Answer) -> usize {
        self.choose(view).unwrap_or(pass)
    }

    fn own_turn(&mut self, view: &View<'_>, _: &mut Answer) -> Result<usize, DecideError> {
        self.choose(view).ok_or_else(|| DecideError::Failed("no discard is listed".to_owned()))
    }
}

impl Explorer {
    /// Draws a choice by its chance, and keeps the decision.
    fn choose(&mut self, view: &View<'_>) -> Option<usize> {
        let Self { exploration, options, decision, corrections, chances } = self;
        decision.describe(view, &options.judge(view), *options, true);
        exploration.weights.corrections(decision, corrections);
        softmax(decision, corrections, exploration.temperature, chances);
        let place = drawn(chances, &mut view.rng())?;
        if chances.iter().all(|&chance| chance <= MAX_CERTAINTY) {
            let explored = explored(view.seat(), decision, chances, place);
            DECISIONS.with_borrow_mut(|decisions| decisions.push(explored));
        }
        Some(decision.choices[place].judged.index)
    }
}

/// The chances of the choices: proportional to the exponential of their values over the temperature.
fn softmax(decision: &DescribedDecision, corrections: &[f32], temperature: f32, chances: &mut Vec<f32>) {
    chances.clear();
    chances.extend(decision.choices.iter().zip(corrections).map(|(choice, learned)| choice.judged.value + learned));
    let best = chances.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    chances.iter_mut().for_each(|value| *value = ((*value - best) / temperature).exp());
    let sum: f32 = chances.iter().sum();
    chances.iter_mut().for_each(|chance| *chance /= sum);
}

/// A place drawn by these chances; `None` where there is none.
fn drawn(chances: &[f32], rng: &mut Rng) -> Option<usize> {
    let mut left = rng.unit() as f32;
    let fits = chances.iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    fits.or_else(|| chances.len().checked_sub(1))
}

fn explored(seat: Seat, decision: &DescribedDecision, chances: &[f32], place: usize) -> ExploredDecision {
    debug_assert!(decision.situation < SITUATIONS);
    let chosen = &decision.choices[place];
    let mut features = chosen.features;
    let mut reckoned = chosen.judged.value;
    for (choice, chance) in decision.choices.iter().zip(chances) {
        for (sum, value) in features.iter_mut().zip(&choice.features) {
            *sum -= chance * value;
        }
        reckoned -= chance * choice.judged.value;
    }
    ExploredDecision { seat, situation: decision.situation, features, reckoned, table: decision.table }
}

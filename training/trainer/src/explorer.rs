//! The policy that plays for the trainer: `learned`, which draws its choices at random by a
//! softmax. It records each decision with the probabilities of its choices, for the thread that
//! plays. In some seats it plays as the teacher, `defensive-fold`, so that corrections are learned
//! against other opponents too.

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

use judge::JudgeOptions;
use judge::features::{
    CHOICE, CHOICE_FEATURES, DescribedDecision, PLAIN_FEATURES, SITUATIONS, TABLE_FEATURES, places,
};
use learned::weights::Weights;
use policy_common::{Calls, Habits, Kans, Strategy};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, Rng, View,
};
use riichi::{MAX_PLAYERS, Seat};

/// A decision is used for learning if the probability of its likeliest choice is at most this.
const MAX_CERTAINTY: f32 = 0.97;

/// The settings of the explorers of a thread.
#[derive(Debug, Clone)]
pub(crate) struct Exploration {
    pub(crate) weights: Arc<Weights>,
    /// The temperature: a choice that is worse by this, in places, is taken `e` times less often.
    pub(crate) temperature: f32,
}

/// The seats, by index, that learn; the others play as the teacher.
pub(crate) type Learners = [bool; MAX_PLAYERS];

/// The critic's inputs for another seat: features of the choices in its latest decision, which only
/// that seat can see.
const HIDDEN: [&str; 9] = [
    "tenpai",
    "one-away",
    "two-away",
    "tiles-one",
    "waits",
    "wins",
    "win",
    "dora",
    "open",
];
/// The inputs of the critic: the table, the mean features of the choices, the hidden features of
/// three other seats, and a constant.
pub(crate) const CRITIC_INPUTS: usize =
    TABLE_FEATURES + PLAIN_FEATURES + HIDDEN.len() * (MAX_PLAYERS - 1) + 1;

#[derive(Debug, Clone)]
pub(crate) struct ExploredDecision {
    pub(crate) seat: Seat,
    pub(crate) situation: usize,
    /// The inputs of the critic.
    pub(crate) before: [f32; CRITIC_INPUTS],
    /// The choice; `None` if it was all but certain.
    pub(crate) chosen: Option<ExploredChoice>,
}

/// The difference between a choice and the mean of all choices.
#[derive(Debug, Clone)]
pub(crate) struct ExploredChoice {
    /// The features, less their mean over all choices, weighted by probability.
    pub(crate) features: [f32; CHOICE_FEATURES],
    /// The estimated value, less its mean, in places.
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
    /// The hidden features of each seat, from its latest decision.
    hidden: [[f32; HIDDEN.len()]; MAX_PLAYERS],
}

impl ExploredRound {
    const NONE: Self = Self {
        decisions: Vec::new(),
        hidden: [[0.0; HIDDEN.len()]; MAX_PLAYERS],
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

#[derive(Debug)]
pub(crate) struct Explorer {
    exploration: Exploration,
    learners: Learners,
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
        let (exploration, learners) =
            exploration.ok_or_else(|| CreateError::Failed("no exploration is set".to_owned()))?;
        Ok(Self {
            exploration,
            learners,
            options: JudgeOptions {
                habits: Habits {
                    calls: Calls::Yaku,
                    kans: Kans::Safe,
                    kyushu: true,
                },
                always_riichi: false,
            },
            decision: DescribedDecision::default(),
            corrections: Vec::new(),
            chances: Vec::new(),
        })
    }

    fn decide(
        &mut self,
        view: &View<'_>,
        _: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
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
        self.choose(view)
            .ok_or_else(|| DecideError::Failed("no discard is listed".to_owned()))
    }
}

impl Explorer {
    /// Draws a choice by its probability, and records the decision. The teacher takes the choice of
    /// the best estimated value.
    fn choose(&mut self, view: &View<'_>) -> Option<usize> {
        let Self {
            exploration,
            learners,
            options,
            decision,
            corrections,
            chances,
        } = self;
        let learns = learners[view.seat().index()];
        decision.describe(view, &options.judge(view), *options, learns);
        let temperature = if learns {
            exploration.weights.corrections(decision, corrections);
            exploration.temperature
        } else {
            corrections.clear();
            corrections.resize(decision.choices.len(), 0.0);
            f32::MIN_POSITIVE
        };
        softmax(decision, corrections, temperature, chances);
        let place = drawn(chances, &mut view.rng())?;
        ROUND.with_borrow_mut(|round| round.add(view, decision, chances, place));
        Some(decision.choices[place].judged.index)
    }
}

/// The probabilities of the choices: the softmax of their values over the temperature.
fn softmax(
    decision: &DescribedDecision,
    corrections: &[f32],
    temperature: f32,
    chances: &mut Vec<f32>,
) {
    chances.clear();
    chances.extend(
        decision
            .choices
            .iter()
            .zip(corrections)
            .map(|(choice, learned)| choice.judged.value + learned),
    );
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

impl ExploredRound {
    fn add(
        &mut self,
        view: &View<'_>,
        decision: &DescribedDecision,
        chances: &[f32],
        place: usize,
    ) {
        debug_assert!(decision.situation < SITUATIONS);
        let (mut mean, mut reckoned) = ([0.0; CHOICE_FEATURES], 0.0);
        for (choice, chance) in decision.choices.iter().zip(chances) {
            mean.iter_mut()
                .zip(&choice.features)
                .for_each(|(sum, value)| *sum += chance * value);
            reckoned += chance * choice.judged.value;
        }
        let mut before = [1.0; CRITIC_INPUTS];
        before[..TABLE_FEATURES].copy_from_slice(&decision.table);
        before[TABLE_FEATURES..][..PLAIN_FEATURES].copy_from_slice(&mean[..PLAIN_FEATURES]);
        let of_others = before[TABLE_FEATURES + PLAIN_FEATURES..].chunks_exact_mut(HIDDEN.len());
        let seat = view.seat();
        for (step, inputs) in of_others.enumerate() {
            // With three players the third one is the own seat, whose features the mean of its
            // choices already holds.
            inputs.copy_from_slice(
                &self.hidden[(seat.index() + 1 + step) % usize::from(view.players())],
            );
        }
        for (value, place) in self.hidden[seat.index()].iter_mut().zip(&*HIDDEN_PLACES) {
            *value = mean[*place];
        }
        let is_open = chances.iter().all(|&chance| chance <= MAX_CERTAINTY);
        let chosen = is_open.then(|| {
            let chosen = &decision.choices[place];
            let features = std::array::from_fn(|place| chosen.features[place] - mean[place]);
            ExploredChoice {
                features,
                reckoned: chosen.judged.value - reckoned,
            }
        });
        self.decisions.push(ExploredDecision {
            seat,
            situation: decision.situation,
            before,
            chosen,
        });
    }
}

/// The places of [`HIDDEN`] in the list of features.
static HIDDEN_PLACES: LazyLock<[usize; HIDDEN.len()]> = LazyLock::new(|| places(CHOICE, HIDDEN));

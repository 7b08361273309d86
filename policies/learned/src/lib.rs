//! learned: a policy whose values are corrected by weights learned in self-play.
//!
//! It judges like defensive-fold, by the same [`judge`]: the choices of a decision, each with its
//! estimated gain in places. To each of them it adds a learned correction, a weighted sum of the
//! [features](judge::features) of the choice with weights for each situation, and takes the best.
//! Without [weights](RiichiWeights) it plays as defensive-fold, game for game.
//!
//! The weights are the result of the trainer (docs/training.md): games of the policy against itself
//! with a little chance in its choices, and a regression of the places that each choice gained or
//! lost.
//!
//! Parameters: `weights`, a file of weights in place of the built-in ones, and the parameters of
//! defensive-fold. The value of an action is the expected gain in places over the current state of
//! the game.
#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;

use correction::{Described, NoWeights, Weights, read_weights};
use judge::features::{DescribedDecision, RiichiFeatures};
use judge::{Best, JudgeOptions};
use policy_common::{Habits, Strategy};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View, abi,
};

/// Weights for the features of riichi.
pub type RiichiWeights = Weights<RiichiFeatures>;

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry = policy_sdk::entry(
    concat!("learned ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<Learned>()],
);

const BUILT_IN: [&str; 2] = [
    include_str!("../weights/four-players.txt"),
    include_str!("../weights/three-players.txt"),
];

const PARAMS: [Param; 7] = {
    let [riichi, calls, kan, kyushu, payoff, per_thousand] = judge::PARAMS;
    let weights = Param::path(
        "weights",
        "A file of weights to play by, in place of the built-in ones; `watch` it to swap to a new one.",
    );
    [weights, riichi, calls, kan, kyushu, payoff, per_thousand]
};

/// The policy with learned corrections.
#[derive(Debug)]
pub struct Learned {
    options: JudgeOptions,
    weights: RiichiWeights,
    decision: DescribedDecision,
}

impl Policy for Learned {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "learned",
        name: "Learned",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Judges like defensive-fold, and corrects that by what it learned from games against itself.",
        games: Games::Both,
        params: &PARAMS,
    };

    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        let players = env.players();
        let weights = match params.path("weights")? {
            Some(path) => read_weights(path, players),
            None => built_in(players),
        };
        Ok(Self {
            options: JudgeOptions::read(params, env)?,
            weights: weights.map_err(|why| CreateError::Failed(why.to_string()))?,
            decision: DescribedDecision::default(),
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

impl Strategy for Learned {
    fn habits(&self) -> &Habits {
        &self.options.habits
    }

    fn claim(&mut self, view: &View<'_>, pass: usize, answer: &mut Answer) -> usize {
        self.best(view, answer).choose(answer).unwrap_or(pass)
    }

    fn own_turn(&mut self, view: &View<'_>, answer: &mut Answer) -> Result<usize, DecideError> {
        let best = self.best(view, answer).choose(answer);
        best.ok_or_else(|| DecideError::Failed(format!("no discard among {:?}", view.legal())))
    }
}

impl Learned {
    /// The choice of the highest value; leaves all values in the answer.
    fn best(&mut self, view: &View<'_>, answer: &mut Answer) -> Best {
        let Self {
            options,
            weights,
            decision,
        } = self;
        decision.describe(view, &options.judge(view), *options, !weights.is_none());
        let mut best = Best::default();
        let situation = decision.situation();
        for choice in &decision.choices {
            let learned = weights.correction(situation, &choice.features);
            let judged = choice.judged.corrected(learned);
            answer.value(judged.index, judged.value);
            best.add(judged);
        }
        best
    }
}

/// The built-in weights for tables with this many players.
///
/// # Errors
///
/// If they do not fit this program's features, which is a fault of the build.
pub fn built_in(players: u8) -> Result<RiichiWeights, NoWeights> {
    let text = BUILT_IN[usize::from(players == 3)];
    text.parse().map_err(|error| NoWeights::BuiltIn {
        game: format!("{players} players"),
        error,
    })
}

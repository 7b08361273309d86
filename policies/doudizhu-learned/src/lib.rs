//! doudizhu-learned: a policy for Dou Dizhu whose values are corrected by weights learned in
//! self-play.
//!
//! It tries the actions of a decision like `doudizhu-split`. To the value of each it adds a learned
//! correction, a weighted sum of the [features] of the choice with weights for each situation, and
//! takes the best. Without weights it plays as `doudizhu-split`, game for game.
//!
//! The weights are the result of the trainer (docs/training.md).
#![forbid(unsafe_code)]

pub mod features;

use correction::{Described, NoWeights, Weights, read_weights};
use doudizhu_split::{SPLIT_PARAMS, SplitEffort};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, DouDizhu, DouDizhuView, Env, Games, Param,
    Params, Policy, abi,
};

use features::{DouDizhuDescription, DouDizhuFeatures, POINTS};

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry = policy_sdk::entry(
    concat!("doudizhu-learned ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<DouDizhuLearned>()],
);

/// Weights for the features of Dou Dizhu.
pub type DouDizhuWeights = Weights<DouDizhuFeatures>;

const BUILT_IN: &str = include_str!("../weights/weights.txt");

const PARAMS: [Param; 3] = {
    let [candidates, playouts] = SPLIT_PARAMS;
    let weights = Param::path(
        "weights",
        "A file of weights to play by, in place of the built-in ones; `watch` it to swap to a new one.",
    );
    [weights, candidates, playouts]
};

/// The policy with learned corrections.
#[derive(Debug)]
pub struct DouDizhuLearned {
    effort: SplitEffort,
    weights: DouDizhuWeights,
    decision: DouDizhuDescription,
}

impl Policy for DouDizhuLearned {
    type Game = DouDizhu;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "doudizhu-learned",
        name: "Learned (Dou Dizhu)",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Tries actions like doudizhu-split, and corrects their values by what it learned from games against itself.",
        games: Games::ThreePlayers,
        params: &PARAMS,
    };

    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        let weights = match params.path("weights")? {
            Some(path) => read_weights(path, env.players()),
            None => built_in(),
        };
        Ok(Self {
            effort: SplitEffort::read(params)?,
            weights: weights.map_err(|why| CreateError::Failed(why.to_string()))?,
            decision: DouDizhuDescription::default(),
        })
    }

    fn decide(
        &mut self,
        view: &DouDizhuView<'_>,
        _: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        let Self {
            effort,
            weights,
            decision,
        } = self;
        decision.describe(view.table(), view.legal(), effort);
        let situation = decision.situation();
        let best = decision.best(|choice| {
            let learned = weights.correction(situation, &choice.features);
            answer.value(choice.index, POINTS * (choice.value + learned));
            learned
        });
        let (choice, learned) =
            best.ok_or_else(|| DecideError::Failed("there is nothing to choose from".to_owned()))?;
        answer.reason(format_args!(
            "worth {:+.2} points, learned {:+.2}",
            POINTS * (choice.value + learned),
            POINTS * learned
        ));
        Ok(choice.index)
    }
}

/// The built-in weights.
///
/// # Errors
///
/// If they do not fit this program's features, which is a fault of the build.
pub fn built_in() -> Result<DouDizhuWeights, NoWeights> {
    BUILT_IN.parse().map_err(|error| NoWeights::BuiltIn {
        game: "Dou Dizhu".to_owned(),
        error,
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_built_in_weights_are_those_of_this_programs_features() {
        assert_eq!(super::built_in().unwrap().players, 3);
    }
}

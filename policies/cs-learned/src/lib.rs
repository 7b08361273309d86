//! cs-learned: a policy for Chinese Standard mahjong whose values are corrected by weights learned
//! in self-play.
//!
//! It values the actions of a decision like `cs-fan`. The ratio of an action's value to that of the
//! best, as points, is its value here. To each of them it adds a learned correction, a weighted sum
//! of the [features] of the choice with weights for each situation, and takes the best. `cs-fan`
//! does not look at what a discard gives to others; the corrections do. Without weights it plays as
//! `cs-fan`, game for game. It takes every win.
//!
//! The weights are the result of the trainer (docs/training.md).
#![forbid(unsafe_code)]

pub mod features;

use correction::{Described, NoWeights, Weights, read_weights};
use cs_fan::{FAN_PARAMS, FanParams};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Mcr, McrView, Param, Params, Policy,
    abi,
};

use features::{McrDescription, McrFeatures};

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry = policy_sdk::entry(
    concat!("cs-learned ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<CsLearned>()],
);

/// Weights for the features of Chinese Standard mahjong.
pub type McrWeights = Weights<McrFeatures>;

const BUILT_IN: &str = include_str!("../weights/weights.txt");

const PARAMS: [Param; 5] = {
    let [beyond, claimed, eagerness, horizon] = FAN_PARAMS;
    let weights = Param::path(
        "weights",
        "A file of weights to play by, in place of the built-in ones; `watch` it to swap to a new one.",
    );
    [weights, beyond, claimed, eagerness, horizon]
};

/// The policy with learned corrections.
#[derive(Debug)]
pub struct CsLearned {
    params: FanParams,
    weights: McrWeights,
    decision: McrDescription,
}

impl Policy for CsLearned {
    type Game = Mcr;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "cs-learned",
        name: "Learned (Chinese Standard)",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Values actions like cs-fan, and corrects that by what it learned from games against itself.",
        games: Games::FourPlayers,
        params: &PARAMS,
    };

    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        let weights = match params.path("weights")? {
            Some(path) => read_weights(path, env.players()),
            None => built_in(),
        };
        Ok(Self {
            params: FanParams::read(params)?,
            weights: weights.map_err(|why| CreateError::Failed(why.to_string()))?,
            decision: McrDescription::default(),
        })
    }

    fn decide(
        &mut self,
        view: &McrView<'_>,
        _: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        let (seat, legal) = (view.table(), view.legal());
        let Self {
            params,
            weights,
            decision,
        } = self;
        decision.describe(seat, legal, view.events(), params);
        let situation = decision.situation();
        let best = decision.best(|choice| {
            let learned = weights.correction(situation, &choice.features);
            answer.value(choice.index, choice.value + learned);
            learned
        });
        if let Some(best) = best {
            answer.reason(format_args!(
                "{} is worth {:+.2} points, learned {:+.2}",
                legal[best.choice.index],
                best.value(),
                best.learned
            ));
            return Ok(best.choice.index);
        }
        // A win, or the only action.
        let certain = cs_fan::decide(seat, legal, params)
            .ok_or_else(|| DecideError::Failed("there is nothing to choose from".to_owned()))?;
        for (index, &value) in certain.values.iter().enumerate() {
            answer.value(index, value);
        }
        answer.reason(format_args!("{}", certain.reason));
        Ok(certain.index)
    }
}

/// The built-in weights.
///
/// # Errors
///
/// If they do not fit this program's features, which is a fault of the build.
pub fn built_in() -> Result<McrWeights, NoWeights> {
    BUILT_IN.parse().map_err(|error| NoWeights::BuiltIn {
        game: "Chinese Standard mahjong".to_owned(),
        error,
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_built_in_weights_are_those_of_this_programs_features() {
        assert_eq!(super::built_in().unwrap().players, 4);
    }
}

//! The strategy as a policy.

use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, DouDizhu, DouDizhuView, Env, Games, Param,
    Params, Policy,
};

use crate::{SplitEffort, decide};

/// The parameters of [`SplitEffort`].
pub const SPLIT_PARAMS: [Param; 2] = [
    Param::integer(
        "candidates",
        32,
        2,
        256,
        "So many actions at most are tried out.",
    )
    .tunable(),
    Param::integer(
        "playouts",
        512,
        16,
        65_536,
        "So many games are played out for each choice among them.",
    ),
];

/// The policy that plays its plan out in hands that the others may have.
#[derive(Debug)]
pub struct DouDizhuSplit(SplitEffort);

impl Policy for DouDizhuSplit {
    type Game = DouDizhu;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "doudizhu-split",
        name: "Splits (Dou Dizhu)",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Plays what wins most games that it plays out in its head, with hands that the others may have, and bids by them.",
        games: Games::ThreePlayers,
        params: &SPLIT_PARAMS,
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self(SplitEffort::read(params)?))
    }

    fn decide(
        &mut self,
        view: &DouDizhuView<'_>,
        _: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        let decided = decide(view.table(), view.legal(), &self.0);
        let decided = decided
            .ok_or_else(|| DecideError::Failed("there is nothing to choose from".to_owned()))?;
        for (index, value) in decided.values.iter().enumerate() {
            if let Some(value) = value {
                answer.value(index, *value);
            }
        }
        answer.reason(format_args!("{}", decided.reason));
        Ok(decided.index)
    }
}

impl SplitEffort {
    /// The values of [`SPLIT_PARAMS`].
    ///
    /// # Errors
    ///
    /// If one is missing.
    pub fn read(params: &Params) -> Result<Self, CreateError> {
        Ok(Self {
            candidates: params.integer("candidates")? as usize,
            playouts: params.integer("playouts")? as usize,
        })
    }
}

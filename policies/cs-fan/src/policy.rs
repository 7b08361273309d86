//! The strategy as a policy.

use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Mcr, McrView, Param, Params, Policy,
};

use crate::{FanParams, decide};

/// The parameters of [`FanParams`].
pub const FAN_PARAMS: [Param; 4] = [
    Param::integer(
        "beyond",
        1,
        0,
        3,
        "The search covers targets that lack up to this many tiles more than the nearest.",
    ),
    Param::number(
        "claimed",
        0.5,
        0.0,
        2.0,
        "Tiles that a discard of another gives for each drawn by oneself.",
    )
    .tunable(),
    Param::number(
        "eagerness",
        1.0,
        0.0,
        4.0,
        "A claim counts this many times its value.",
    )
    .tunable(),
    Param::number(
        "horizon",
        0.2,
        0.01,
        1.0,
        "Which part of the turns that are left is counted on.",
    )
    .tunable(),
];

/// The policy that goes for hands of eight fan by expected score.
#[derive(Debug)]
pub struct CsFan(FanParams);

impl Policy for CsFan {
    type Game = Mcr;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "cs-fan",
        name: "Eight fan (Chinese Standard)",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Goes for the hands of eight fan or more that are worth most by their chances.",
        games: Games::FourPlayers,
        params: &FAN_PARAMS,
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self(FanParams::read(params)?))
    }

    fn decide(
        &mut self,
        view: &McrView<'_>,
        _: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        let decided = decide(view.table(), view.legal(), &self.0);
        let decided = decided
            .ok_or_else(|| DecideError::Failed("there is nothing to choose from".to_owned()))?;
        decided
            .values
            .iter()
            .enumerate()
            .for_each(|(index, &value)| answer.value(index, value));
        answer.reason(format_args!("{}", decided.reason));
        Ok(decided.index)
    }
}

impl FanParams {
    /// The values of [`FAN_PARAMS`].
    ///
    /// # Errors
    ///
    /// If one is missing.
    pub fn read(params: &Params) -> Result<Self, CreateError> {
        let number = |name: &str| params.number(name).map(|number| number as f32);
        Ok(Self {
            beyond: params.integer("beyond")? as u8,
            claimed: number("claimed")?,
            eagerness: number("eagerness")?,
            horizon: number("horizon")?,
        })
    }
}

//! The parameters of the strategies that choose by the judge.

use policy_common::{Calls, Habits, Kans};
use policy_sdk::{Choice, CreateError, Env, Param, Params, View};

use crate::payoff::{self, Payoff};
use crate::prospect::Judge;

/// The parameters: `riichi`, `calls`, `kan`, `kyushu`, `payoff`, `payoff_per_thousand`.
pub const PARAMS: [Param; 6] = [
    Param::choice(
        "riichi",
        "worth",
        &[Choice::new("worth"), Choice::new("always")],
        "Whether a closed tenpai hand declares riichi: where that is worth more than damaten, or always.",
    ),
    Calls::param(Calls::Yaku),
    Kans::param(Kans::Safe),
    Habits::KYUSHU,
    payoff::PARAMS[0],
    payoff::PARAMS[1],
];

/// The actions that a strategy lets the judge consider.
#[derive(Debug, Clone, Copy)]
pub struct JudgeOptions {
    /// Calls and kans.
    pub habits: Habits,
    /// Whether a closed tenpai hand that is played on always declares riichi, whatever its value.
    pub always_riichi: bool,
    /// What the places pay, unless every place is worth the same.
    pub payoff: Option<Payoff>,
}

impl JudgeOptions {
    /// Reads the [parameters](PARAMS).
    ///
    /// # Errors
    ///
    /// If the payoff does not fit the number of players, or the strategy has not described one of
    /// the parameters.
    pub fn read(params: &Params, env: &Env) -> Result<Self, CreateError> {
        Ok(Self {
            habits: Habits::read(params)?,
            always_riichi: params.choice("riichi")? == "always",
            payoff: Payoff::read(params, env.players())?,
        })
    }

    pub fn judge<'v>(&self, view: &'v View<'v>) -> Judge<'v> {
        Judge::new(view, self.habits.calls == Calls::Yaku, self.payoff)
    }
}

//! The parameters of the strategies that choose by the judge.

use policy_common::{Calls, Habits, Kans};
use policy_sdk::{BadParameter, Choice, Param, Params, View};

use crate::prospect::Judge;

/// The parameters: `riichi`, `calls`, `kan`, `kyushu`.
pub const PARAMS: [Param; 4] = [
    Param::choice(
        "riichi",
        "worth",
        &[Choice::new("worth"), Choice::new("always")],
        "Whether a closed tenpai hand declares riichi: where that is worth more than damaten, or always.",
    ),
    Calls::param(Calls::Yaku),
    Kans::param(Kans::Safe),
    Habits::KYUSHU,
];

/// The actions that a strategy lets the judge consider.
#[derive(Debug, Clone, Copy)]
pub struct JudgeOptions {
    /// Calls and kans.
    pub habits: Habits,
    /// Whether a closed tenpai hand that is played on always declares riichi, whatever its value.
    pub always_riichi: bool,
}

impl JudgeOptions {
    /// Reads the [parameters](PARAMS).
    ///
    /// # Errors
    ///
    /// If the strategy has not described one of them.
    pub fn read(params: &Params) -> Result<Self, BadParameter> {
        Ok(Self {
            habits: Habits::read(params)?,
            always_riichi: params.choice("riichi")? == "always",
        })
    }

    #[must_use]
    pub fn judge<'v>(&self, view: &'v View<'v>) -> Judge<'v> {
        Judge::new(view, self.habits.calls == Calls::Yaku)
    }
}

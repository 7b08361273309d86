//! defensive-fold: the policy that knows when to fold.
//!
//! It wins whenever it can. Among all other actions it takes the one with the highest value from
//! the [`judge`]: the **places** at the end of the game that the action gains.
//!
//! With three players it sets its Norths aside whenever it can spare them; the figures for threats
//! and their weight are measured in games of three, all others are those for four.
//!
//! Its parameters are [`PARAMS`].
#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;

pub use judge::PARAMS;
use judge::{Best, JudgeOptions, Judged, choices};
use policy_common::{Habits, Strategy};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View, abi,
};

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry = policy_sdk::entry(
    concat!("defensive-fold ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<DefensiveFold>()],
);

/// The policy that knows when to fold.
#[derive(Debug)]
pub struct DefensiveFold {
    options: JudgeOptions,
}

impl Policy for DefensiveFold {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "defensive-fold",
        name: "Defensive fold",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Attacks while that pays, and folds when it does not and another seat threatens.",
        games: Games::Both,
        params: &PARAMS,
    };

    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        Ok(Self {
            options: JudgeOptions::read(params, env)?,
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

impl Strategy for DefensiveFold {
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

impl DefensiveFold {
    /// The choice of the highest value; leaves all values in the answer.
    fn best(&self, view: &View<'_>, answer: &mut Answer) -> Best {
        let mut best = Best::default();
        choices(
            view,
            &self.options.judge(view),
            self.options,
            false,
            |choice| {
                answer.value(choice.index, choice.value);
                best.add(Judged::of(choice, choice.value));
            },
        );
        best
    }
}

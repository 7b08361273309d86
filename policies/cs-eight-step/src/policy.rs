//! The ladder as a policy.

use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Mcr, McrView, Param, Params, Policy,
};

use crate::{LadderLevel, decide};

/// The policy that goes down a ladder of eight steps.
#[derive(Debug)]
pub struct CsEightStep(LadderLevel);

impl Policy for CsEightStep {
    type Game = Mcr;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "cs-eight-step",
        name: "Eight steps (Chinese Standard)",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Follows eight steps in order; considers fan only when tenpai.",
        games: Games::FourPlayers,
        params: &[Param::integer(
            "level",
            2,
            1,
            3,
            "1: its own tiles; 2: those on the table too; 3: what others collect and have discarded too.",
        )],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self(match params.integer("level")? {
            1 => LadderLevel::Hand,
            3 => LadderLevel::Players,
            _ => LadderLevel::Table,
        }))
    }

    fn decide(
        &mut self,
        view: &McrView<'_>,
        _: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        let decided = decide(view.table(), view.legal(), self.0);
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

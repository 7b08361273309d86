//! The strategy as a policy.

use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, DouDizhu, DouDizhuView, Env, Games, Param, Params, Policy,
};

use crate::{SplitWeights, decide};

/// The policy that plays by what is left to play afterwards.
#[derive(Debug)]
pub struct DouDizhuSplit(SplitWeights);

impl Policy for DouDizhuSplit {
    type Game = DouDizhu;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "doudizhu-split",
        name: "Splits (Dou Dizhu)",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Plays and bids by the turns that its hand takes afterwards, and by who may beat them.",
        games: Games::ThreePlayers,
        params: &[
            Param::integer("splits", 6, 1, 32, "So many of the best splits of a hand are looked at."),
            Param::number("hold", 1.6, 0.0, 4.0, "What a play is worth that nobody beats, in turns.").tunable(),
            Param::number("lead", 1.0, 0.0, 4.0, "What the lead is worth, in turns.").tunable(),
            Param::number("opponent_out", 8.0, 0.0, 32.0, "What it costs to let an opponent go out, in turns.")
                .tunable(),
            Param::number("partner_out", 6.0, 0.0, 32.0, "What it is worth to let a partner go out, in turns.")
                .tunable(),
        ],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self(SplitWeights {
            splits: params.integer("splits")? as usize,
            hold: params.number("hold")?,
            lead: params.number("lead")?,
            opponent_out: params.number("opponent_out")?,
            partner_out: params.number("partner_out")?,
            ..SplitWeights::DEFAULT
        }))
    }

    fn decide(&mut self, view: &DouDizhuView<'_>, _: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
        let decided = decide(view.table(), view.legal(), &self.0);
        let decided = decided.ok_or_else(|| DecideError::Failed("there is nothing to choose from".to_owned()))?;
        decided.values.iter().enumerate().for_each(|(index, &value)| answer.value(index, value));
        answer.reason(format_args!("{}", decided.reason));
        Ok(decided.index)
    }
}

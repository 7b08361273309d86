//! The policy of the benchmarks.

use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View};

/// A policy of the SDK that takes the first action.
pub(crate) struct AtOnce;

impl Policy for AtOnce {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "at-once",
        name: "At once",
        version: "1",
        summary: "Takes the first action.",
        games: Games::FourPlayers,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        Ok(0)
    }
}

//! A policy: it goes for tenpai, and gives up against a riichi while it is far from it.
//!
//! This file holds the descriptor and the choice of wins and calls; `discard.rs` chooses the
//! discard.

mod discard;
#[cfg(test)]
mod tests;

use policy_sdk::mahjong::Action;
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View, abi,
};

/// The entry of the library. There may be several policies in it.
static ENTRY: abi::Entry = policy_sdk::entry(
    // The build id, which logs show: raise the version in Cargo.toml when the policy changes.
    concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<Strategy>()],
);

policy_sdk::export!(ENTRY);

/// One seat's instance. The view says all there is to know, so nothing of the game is kept here.
struct Strategy {
    fold_from: i64,
}

impl Policy for Strategy {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: env!("CARGO_PKG_NAME"),
        name: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        summary: "Goes for tenpai, and gives up against a riichi while it is far from it.",
        games: Games::Both,
        params: &[Param::integer(
            "fold_from",
            2,
            0,
            9,
            "Gives up against a riichi when it is at least this many steps from tenpai.",
        )],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self {
            fold_from: params.integer("fold_from")?,
        })
    }

    fn decide(
        &mut self,
        view: &View<'_>,
        _: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        let first = |wanted: fn(&Action) -> bool| view.legal().iter().position(wanted);
        // It wins whenever it can, declares the draw by nine terminals, and never calls.
        let simple = first(|action| matches!(action, Action::Hora { .. }))
            .or_else(|| first(|action| matches!(action, Action::Ryukyoku)))
            .or_else(|| first(|action| matches!(action, Action::None)));
        simple
            .or_else(|| discard::choose(view, self.fold_from, answer))
            .ok_or_else(|| DecideError::Failed(format!("nothing to do in {:?}", view.legal())))
    }
}

//! greedy-tenpai: the policy that only attacks.
//!
//! - It wins whenever it can.
//! - On its own turn, among the discards with the lowest reachable shanten number, it takes the one
//!   with the highest first-step acceptance: unseen copies of the tiles that lower shanten. The
//!   seen tiles are the own hand, all melds, all rivers and the dora indicators. Ties are discarded
//!   in this order: guest wind (neither seat nor round wind), value honour, 1 and 9, 2 and 8, 3 and
//!   7, 4 and 6, 5, dora; a red five counts as dora.
//! - Tenpai and closed, it declares riichi at once.
//! - An open hand discards only tiles that leave a yaku certain
//!   ([`yaku_is_certain`](riichi::yaku::yaku_is_certain)), if possible.
//! - It does not look at yaku otherwise, and others' riichi changes nothing.
//! - With three players it sets a North aside ([`kita`](policy_common::kita)) as soon as it can
//!   spare it.
//!
//! Parameters, beyond the bot it follows:
//!
//! - `calls`: `never`, or `yaku`: it calls a run or triplet that lowers shanten when a yaku stays
//!   certain.
//! - `kan`: `never`, or `safe`: it shows a closed kan or adds to a pon when shanten and waits stay
//!   as they would be after its discard, riichi or not. It never calls an open kan, which brings a
//!   hand no nearer.
//! - `kyushu`: whether it declares the draw by nine terminals.
//!
//! The value of a discard, and of passing or of a call with the best discard after it, is the
//! acceptance in tiles that it leaves, less 1,000 for each step that is left to tenpai. A riichi
//! has the value of its discard, and so has a kan that is shown instead.
#![forbid(unsafe_code)]

mod discard;
#[cfg(test)]
mod tests;

use policy_common::{Calls, Habits, Kans, Strategy, call, candidate, kan};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View, abi,
};

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry = policy_sdk::entry(
    concat!("greedy-tenpai ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<GreedyTenpai>()],
);

/// The policy that only attacks.
#[derive(Debug)]
pub struct GreedyTenpai {
    habits: Habits,
}

impl Policy for GreedyTenpai {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "greedy-tenpai",
        name: "Greedy tenpai",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Only attacks: discards for the most acceptance, and declares riichi at once.",
        games: Games::Both,
        params: &[
            Calls::param(Calls::Never),
            Kans::param(Kans::Never),
            Habits::KYUSHU,
        ],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self {
            habits: Habits::read(params)?,
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

impl Strategy for GreedyTenpai {
    fn habits(&self) -> &Habits {
        &self.habits
    }

    fn claim(&mut self, view: &View<'_>, pass: usize, answer: &mut Answer) -> usize {
        call::nearest(view, pass, answer)
    }

    fn own_turn(&mut self, view: &View<'_>, answer: &mut Answer) -> Result<usize, DecideError> {
        let candidates = candidate::candidates(view);
        for candidate in &candidates {
            answer.value(candidate.index, candidate.progress.value());
        }
        let best = discard::best(view, &candidates)
            .ok_or_else(|| DecideError::Failed(format!("no discard among {:?}", view.legal())))?;
        answer.reason(format_args!("{}", best.progress));
        Ok(kan::or_discard(
            view,
            self.habits.kans,
            &best,
            best.progress.value(),
            answer,
        ))
    }
}

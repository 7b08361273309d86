//! greedy-tenpai: the policy that only attacks.
//!
//! - It wins whenever it can.
//! - On its own turn, among the discards after which the shanten number is the lowest reachable, it takes the one with the
//!   most first-step acceptance: copies, not yet seen, of the tiles that lower shanten. Seen are the own hand, all melds,
//!   all rivers and the dora indicators. Ties are thrown first to last: guest wind
//!   (neither seat nor round wind), value honour, 1 and 9, 2 and 8, 3 and 7, 4 and 6, 5, dora; a red five counts as dora.
//! - Tenpai and closed, it declares riichi at once.
//! - It does not look at yaku, and others' riichi changes nothing.
//! - With three players it sets a North aside ([`kita`](policy_common::kita)) as soon as it can spare it.
//!
//! Parameters, beyond the bot it follows:
//!
//! - `calls`: `never`, or `yaku`: it calls a run or triplet that lowers shanten when a yaku stays certain
//!   ([`yaku_is_certain`](mahjong::yaku::yaku_is_certain)), and then throws only what leaves it certain, where it can.
//! - `kan`: `never`, or `safe`: it shows a closed kan or adds to a pon when shanten and waits stay as they would be after
//!   its discard, riichi or not. It never calls an open kan, which brings a hand no nearer.
//! - `kyushu`: whether it declares the draw by nine terminals.
//!
//! The value of a discard is its acceptance in tiles, less 1,000 for each step that is left to tenpai; a riichi has the
//! value of its discard. Other actions have none.

mod discard;
#[cfg(test)]
mod tests;
mod throw;

use mahjong::Action;
use policy_common::{Calls, Habits, Kans, call, candidate, kan, opening};
use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View, abi};

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry =
    policy_sdk::entry(concat!("greedy-tenpai ", env!("CARGO_PKG_VERSION")), &[policy_sdk::policy::<GreedyTenpai>()]);

/// The policy that only attacks.
#[derive(Debug)]
pub struct GreedyTenpai {
    habits: Habits,
}

impl Policy for GreedyTenpai {
    const DESCRIPTOR: Descriptor = Descriptor {
        id: "greedy-tenpai",
        name: "Greedy tenpai",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Only attacks: throws for the most acceptance, and declares riichi at once.",
        games: Games::Both,
        params: &[Calls::param(Calls::Never), Kans::param(Kans::Never), Habits::KYUSHU],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self { habits: Habits::read(params)? })
    }

    fn decide(&mut self, view: &View<'_>, _: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
        if let Some(index) = opening::opening(view, self.habits.kyushu, answer) {
            return Ok(index);
        }
        match view.legal().iter().position(|action| matches!(action, Action::None)) {
            Some(pass) => Ok(self.call(view, answer).unwrap_or(pass)),
            None => self.discard(view, answer),
        }
    }
}

impl GreedyTenpai {
    fn call(&self, view: &View<'_>, answer: &mut Answer) -> Option<usize> {
        if self.habits.calls == Calls::Never {
            return None;
        }
        let (index, progress) = call::nearest(view)?;
        answer.reason(format_args!("called: {progress}"));
        Some(index)
    }

    fn discard(&self, view: &View<'_>, answer: &mut Answer) -> Result<usize, DecideError> {
        let candidates = candidate::candidates(view);
        for candidate in &candidates {
            answer.value(candidate.index, candidate.progress.value());
        }
        let best = discard::best(view, &candidates, self.habits.calls)
            .ok_or_else(|| DecideError::Failed(format!("no discard among {:?}", view.legal())))?;
        let kan = if self.habits.kans == Kans::Safe { kan::safe(view, &best.progress) } else { None };
        answer.reason(format_args!("{}", best.progress));
        Ok(kan.unwrap_or(best.index))
    }
}

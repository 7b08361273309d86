//! greedy-tenpai: the policy that only attacks.
//!
//! - It wins whenever it can.
//! - On its own turn, among the discards after which the shanten number is the lowest reachable, it takes the one with the
//!   most first-step acceptance: copies, not yet seen, of the tiles that lower shanten. Seen are the own hand, all melds,
//!   all rivers and the dora indicators. Ties are thrown first to last: guest wind
//!   (neither seat nor round wind), value honour, 1 and 9, 2 and 8, 3 and 7, 4 and 6, 5, dora; a red five counts as dora.
//! - Tenpai and closed, it declares riichi at once.
//! - It does not look at yaku, and others' riichi changes nothing.
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

mod call;
mod discard;
mod kan;
mod progress;
#[cfg(test)]
mod tests;
mod throw;

use mahjong::Action;
use policy_sdk::{Answer, Choice, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View, abi};

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry =
    policy_sdk::entry(concat!("greedy-tenpai ", env!("CARGO_PKG_VERSION")), &[policy_sdk::policy::<GreedyTenpai>()]);

/// The policy that only attacks.
#[derive(Debug)]
pub struct GreedyTenpai {
    /// Whether it calls where a yaku stays certain.
    calls: bool,
    /// Whether it makes kans that change nothing.
    kan: bool,
    /// Whether it declares the draw by nine terminals.
    kyushu: bool,
}

impl Policy for GreedyTenpai {
    const DESCRIPTOR: Descriptor = Descriptor {
        id: "greedy-tenpai",
        name: "Greedy tenpai",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Only attacks: throws for the most acceptance, and declares riichi at once.",
        games: Games::FourPlayers,
        params: &[
            Param::choice(
                "calls",
                "never",
                &[Choice::new("never"), Choice::new("yaku")],
                "Whether to call: never, or where it lowers shanten and a yaku stays certain.",
            ),
            Param::choice(
                "kan",
                "never",
                &[Choice::new("never"), Choice::new("safe")],
                "Whether to make closed and added kans: never, or where waits and shanten stay unchanged.",
            ),
            Param::boolean("kyushu", true, "Whether to declare the draw by nine terminals."),
        ],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self {
            calls: params.choice("calls")? == "yaku",
            kan: params.choice("kan")? == "safe",
            kyushu: params.boolean("kyushu")?,
        })
    }

    fn decide(&mut self, view: &View<'_>, _: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
        let find = |wanted: fn(&Action) -> bool| view.legal().iter().position(wanted);
        if let Some(win) = find(|action| matches!(action, Action::Hora { .. })) {
            answer.reason(format_args!("a win"));
            return Ok(win);
        }
        if let Some(draw) = find(|action| matches!(action, Action::Ryukyoku)).filter(|_| self.kyushu) {
            answer.reason(format_args!("nine terminals"));
            return Ok(draw);
        }
        match find(|action| matches!(action, Action::None)) {
            Some(pass) => Ok(self.call(view, answer).unwrap_or(pass)),
            None => self.discard(view, answer),
        }
    }
}

impl GreedyTenpai {
    fn call(&self, view: &View<'_>, answer: &mut Answer) -> Option<usize> {
        if !self.calls {
            return None;
        }
        let (index, progress) = call::best(view)?;
        answer.reason(format_args!("called: {progress}"));
        Some(index)
    }

    fn discard(&self, view: &View<'_>, answer: &mut Answer) -> Result<usize, DecideError> {
        let candidates = discard::candidates(view);
        for candidate in &candidates {
            answer.value(candidate.index, candidate.progress.value());
        }
        let best = discard::best(view, &candidates, self.calls)
            .ok_or_else(|| DecideError::Failed(format!("no discard among {:?}", view.legal())))?;
        let kan = if self.kan { kan::safe(view, &best.progress) } else { None };
        answer.reason(format_args!("{}", best.progress));
        Ok(kan.unwrap_or(best.index))
    }
}

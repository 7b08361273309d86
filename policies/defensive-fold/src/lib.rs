//! defensive-fold: the policy that knows when to fold.
//!
//! It wins whenever it can. For everything else it asks what each choice comes to in **places** at the end of the game, and
//! takes the best:
//!
//! - **Attack.** While nobody threatens it goes for the lowest shanten number and the widest acceptance like
//!   greedy-tenpai, and weighs beside them how wide the hand will be a step later and what it will be worth: dora, reds,
//!   value honours, simples, one suit. It calls, declares riichi or stays silent, whichever is worth more.
//! - **Threat.** Each opponent's tenpai and what a tile costs against it come from [`mahjong::danger`]: riichi, and open
//!   melds that say so. Several are added up.
//! - **Push or fold.** A hand that is played on is a [race](race): each go-round it may come a step nearer, win, lose to
//!   another's win, or pay for a tile that it has to throw. Own shanten, the danger of the tile that pushing would throw,
//!   the worth of the hand and the turn decide how that ends; the [standing](standing) says what it is worth in places.
//!   Whenever giving up is worth more, the race ends there, so that folding needs no rule of its own.
//! - **Fold.** Certainly safe tiles cost nothing, others what their class, their traits and the opponent's hand cost on
//!   average. And one turn further: a tile after which another safe one is left is better than one after which none is.
//! - **Going back.** When somebody threatens, a hand may go back a step with a safer tile and still be played on.
//!
//! With three players it sets its Norths aside wherever it can spare them; the figures are those of four.
//!
//! Parameters: `calls` (`yaku` unless set to `never`), `kan` (`safe` unless set to `never`) and `kyushu`, as all
//! strategies have them. The value of an action is the places gained by it in expectation, against the game as it stands; a
//! call's is told in its reason.
//!
//! The figures of tiles are measured (`mahjong/src/danger/figures/measured.rs`). Those of the race (how many tiles hands accept
//! on average, how much calls help, how soon others are tenpai, how often a tenpai hand wins within a go-round) are estimates
//! that stand beside their use; what they are worth is shown by `bot-runner tournament`.

mod claim;
mod own_turn;
mod prospect;
mod race;
mod standing;
#[cfg(test)]
mod tests;
mod threats;
mod throw;
mod worth;

use mahjong::Action;
use policy_common::{Calls, Habits, Kans, candidate, kan, opening};
use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View, abi};

use own_turn::Judged;
use prospect::Judge;

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry =
    policy_sdk::entry(concat!("defensive-fold ", env!("CARGO_PKG_VERSION")), &[policy_sdk::policy::<DefensiveFold>()]);

/// The policy that knows when to fold.
#[derive(Debug)]
pub struct DefensiveFold {
    habits: Habits,
}

impl Policy for DefensiveFold {
    const DESCRIPTOR: Descriptor = Descriptor {
        id: "defensive-fold",
        name: "Defensive fold",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Attacks while that pays, and folds when somebody threatens and it does not.",
        games: Games::Both,
        params: &[Calls::param(Calls::Yaku), Kans::param(Kans::Safe), Habits::KYUSHU],
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

impl DefensiveFold {
    fn call(&self, view: &View<'_>, answer: &mut Answer) -> Option<usize> {
        if self.habits.calls == Calls::Never {
            return None;
        }
        let call = claim::best(view, &Judge::new(view, true))?;
        answer.reason(format_args!("called: {:+.3} places, passing {:+.3}", call.value, call.pass));
        Some(call.index)
    }

    fn discard(&self, view: &View<'_>, answer: &mut Answer) -> Result<usize, DecideError> {
        let judge = Judge::new(view, self.habits.calls == Calls::Yaku);
        let candidates = candidate::candidates(view);
        let lowest = candidates.iter().map(|candidate| candidate.progress.shanten).min().unwrap_or(0);
        let mut best: Option<Judged> = None;
        for judged in candidates.iter().filter_map(|candidate| own_turn::judge(view, &judge, *candidate, lowest)) {
            answer.value(judged.candidate.index, judged.value);
            if best.is_none_or(|best| judged.is_better_than(&best)) {
                best = Some(judged);
            }
        }
        let best = best.ok_or_else(|| DecideError::Failed(format!("no discard among {:?}", view.legal())))?;
        answer.reason(format_args!("{best}"));
        let kans = self.habits.kans == Kans::Safe && best.pushes;
        let kan = if kans { kan::safe(view, &best.candidate.progress) } else { None };
        Ok(kan.unwrap_or(best.candidate.index))
    }
}

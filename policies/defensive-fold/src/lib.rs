//! defensive-fold: the policy that knows when to fold.
//!
//! It wins whenever it can. For everything else it asks what each choice comes to in **places** at the end of the game, and
//! takes the best:
//!
//! - **Attack.** While nobody threatens it goes for the lowest shanten number and the widest acceptance like
//!   greedy-tenpai, and weighs beside them how wide the hand will be a step later and what it will be worth. A step from
//!   tenpai that is scored exactly, win by win, with all yaku there are; before, it goes by dora, reds, value honours, simples
//!   and one suit. It calls where that is worth more than passing, also for a yaku alone, and closed and tenpai it declares
//!   riichi where that is worth more than silence.
//! - **Threat.** Each opponent's tenpai and what a tile costs against it come from [`riichi::danger`]: riichi, and open
//!   melds that say so. Several are added up. While nobody threatens no hand is given up.
//! - **Push or fold.** A hand that is played on is a [race](race): each go-round it may come a step nearer, win, lose to
//!   another's win, or pay for a tile that it has to throw. Own shanten, the danger of the tile that pushing would throw,
//!   the worth of the hand and the turn decide how that ends; the [standing](standing) says what it is worth in places.
//!   Whenever giving up is worth more, the race ends there, so that folding needs no rule of its own.
//! - **Fold.** Certainly safe tiles cost nothing, others what their class, their traits and the opponent's hand cost on
//!   average. And one turn further: a tile after which another safe one is left, or a second copy of itself, is better than
//!   one after which none is.
//! - **Kans.** One that changes neither shanten nor waits is made where it is worth more than the best discard, or than passing:
//!   it draws once more, and turns an indicator that may raise everybody's wins, most of all those in riichi.
//! - **Going back.** When somebody threatens, a hand may go back a step with a safer tile and still be played on. From tenpai
//!   it goes back at any time where that is worth more: the wait may be dead, furiten or without a yaku.
//!
//! With three players it sets its Norths aside wherever it can spare them; what the others threaten, and what that counts for, are
//! measured in games of three, all other figures are those of four.
//!
//! Parameters: `riichi` (`worth`, or `always`: a closed and tenpai hand that is played on declares riichi), and as all
//! strategies have them `calls` (`yaku` unless set to `never`), `kan` (`safe` unless set to `never`)
//! and `kyushu`. The value of an action is the places gained by it in expectation, against the game as it stands.
//!
//! Where its figures come from:
//!
//! | figures | origin |
//! |---|---|
//! | how likely a tile deals in and what that costs, how likely melds are tenpai | measured: [`riichi::danger::figures`] |
//! | points by han (`worth::POINTS`) | the rules: the mean of 30 and 40 fu, rounded |
//! | all others | [`tuning`], one by one |
#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;

use judge::{Best, Judge, JudgeOptions, Judged, choices};
use policy_common::{Calls, Habits, Kans, Strategy};
use policy_sdk::{Answer, Choice, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View, abi};

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry =
    policy_sdk::entry(concat!("defensive-fold ", env!("CARGO_PKG_VERSION")), &[policy_sdk::policy::<DefensiveFold>()]);

/// What it takes: `riichi`, `calls`, `kan`, `kyushu`.
pub const PARAMS: [Param; 4] = [
    Param::choice(
        "riichi",
        "worth",
        &[Choice::new("worth"), Choice::new("always")],
        "Whether a closed and tenpai hand declares riichi: where it is worth more than silence, or always.",
    ),
    Calls::param(Calls::Yaku),
    Kans::param(Kans::Safe),
    Habits::KYUSHU,
];

/// The policy that knows when to fold.
#[derive(Debug)]
pub struct DefensiveFold {
    habits: Habits,
    /// Whether a closed and tenpai hand that is played on declares riichi whatever that is worth.
    always_riichi: bool,
}

impl Policy for DefensiveFold {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "defensive-fold",
        name: "Defensive fold",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Attacks while that pays, and folds when somebody threatens and it does not.",
        games: Games::Both,
        params: &PARAMS,
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self { habits: Habits::read(params)?, always_riichi: params.choice("riichi")? == "always" })
    }

    fn decide(&mut self, view: &View<'_>, _: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
        policy_common::decide(self, view, answer)
    }
}

impl Strategy for DefensiveFold {
    fn habits(&self) -> &Habits {
        &self.habits
    }

    fn claim(&mut self, view: &View<'_>, pass: usize, answer: &mut Answer) -> usize {
        self.best(view, &Judge::new(view, true), answer).choose(answer).unwrap_or(pass)
    }

    fn own_turn(&mut self, view: &View<'_>, answer: &mut Answer) -> Result<usize, DecideError> {
        let judge = Judge::new(view, self.habits.calls == Calls::Yaku);
        let best = self.best(view, &judge, answer).choose(answer);
        best.ok_or_else(|| DecideError::Failed(format!("no discard among {:?}", view.legal())))
    }
}

impl DefensiveFold {
    /// The choice of the highest value; leaves all values in the answer.
    fn best(&self, view: &View<'_>, judge: &Judge<'_>, answer: &mut Answer) -> Best {
        let options = JudgeOptions { habits: &self.habits, always_riichi: self.always_riichi, rough: false };
        let mut best = Best::default();
        choices(view, judge, options, |choice| {
            answer.value(choice.index, choice.value);
            best.add(Judged::of(choice, choice.value));
        });
        best
    }
}

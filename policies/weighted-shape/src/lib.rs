//! weighted-shape: the policy that prices unfinished parts.
//!
//! - It wins whenever it can.
//! - It splits its hand into runs, triplets, pairs, neighbours, gaps and isolated tiles: of all
//!   ways to do so it takes those with the lowest shanten number, and of these the one with the
//!   lowest `Q = 0.5 * isolated + 0.3 * gaps + 0.2
//!   * neighbours` ([`best_split`](riichi_estimates::splits::best_split)).
//! - Before that it checks whether a discard makes the hand tenpai, and then takes the one with the
//!   most kinds of waits, not counting a wait equal to the discarded tile; among equal ones the one
//!   with more unseen tiles, then the one with the highest index. Closed, it declares riichi.
//! - Else it discards an isolated tile, else from a gap, else from neighbours, else from a pair;
//!   within a class the highest index first, so honours before suits.
//! - For each offered call it removes the tiles, splits again, and compares Q with that of its last
//!   full hand: the hand it last discarded from. The lowest Q wins, and a tie accepts the call. As
//!   for every strategy, a call has to leave a yaku certain; it need not bring the hand nearer to
//!   completion.
//! - Once tenpai it calls no run or triplet, only a kan.
//!
//! Parameters:
//!
//! - `isolated`, `gap`, `neighbour`: the weights in Q.
//! - `unseen`: whether a part costs less the more of the tiles it wants are unseen: its weight
//!   times `1 - 0.5 * unseen / possible`, where `possible` is the most that a part of its shape can
//!   want. So 23 costs less than 12, and a single 5 less than a single 1. Within a class it then
//!   discards the tile that leaves the most unseen tiles that bring the hand nearer to completion,
//!   then the tile of the most expensive part, and only then the highest index.
//! - `calls`: `yaku`, so that it calls only if a yaku stays certain
//!   ([`yaku_is_certain`](riichi::yaku::yaku_is_certain)), or `never`. An open hand discards only
//!   tiles that leave a yaku certain, if possible.
//! - `kan`: `never`, or `safe`: it makes a kan when shanten and waits stay unchanged; an open one
//!   is a call as well.
//! - `kyushu`: whether it declares the draw by nine terminals.
//!
//! The value of a discard is, in tenpai, 100 plus the kinds of waits; otherwise the price of its
//! part in Q, plus 10, 20 or 30 for neighbours, a gap, or a single tile, and minus 10 for a set. A
//! riichi has the value of its discard, and so does a kan that is shown instead. The value of
//! passing, and of a call, is Q, negative.
#![forbid(unsafe_code)]

mod claim;
mod discard;
mod price;
#[cfg(test)]
mod tests;

use policy_common::{Calls, Habits, Kans, Strategy, candidate, kan};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View, abi,
};

use crate::claim::Claim;
use crate::discard::FullHand;
use crate::price::{Prices, in_units};

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry = policy_sdk::entry(
    concat!("weighted-shape ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<WeightedShape>()],
);

/// The policy that prices unfinished parts.
#[derive(Debug)]
pub struct WeightedShape {
    habits: Habits,
    prices: Prices,
}

impl Policy for WeightedShape {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "weighted-shape",
        name: "Weighted shape",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Splits its hand into parts, and pays for isolated tiles, gaps and neighbours.",
        games: Games::Both,
        params: &[
            Param::number("isolated", 0.5, 0.0, 1.0, "What an isolated tile costs.").tunable(),
            Param::number(
                "gap",
                0.3,
                0.0,
                1.0,
                "What two tiles with one missing between them cost.",
            )
            .tunable(),
            Param::number("neighbour", 0.2, 0.0, 1.0, "What two tiles in a row cost.").tunable(),
            Param::boolean(
                "unseen",
                true,
                "Whether a part costs less the more of the tiles it wants are unseen.",
            ),
            Calls::param(Calls::Yaku),
            Kans::param(Kans::Never),
            Habits::KYUSHU,
        ],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self {
            habits: Habits::read(params)?,
            prices: Prices::read(params)?,
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

impl Strategy for WeightedShape {
    fn habits(&self) -> &Habits {
        &self.habits
    }

    fn claim(&mut self, view: &View<'_>, pass: usize, answer: &mut Answer) -> usize {
        let last = claim::last_cost(view, &self.prices);
        let last_q = in_units(last);
        answer.value(pass, -last_q as f32);
        let mut best: Option<Claim> = None;
        for claim in claim::possible(view, &self.prices, self.habits.kans) {
            answer.value(claim.index, -in_units(claim.cost) as f32);
            if best.is_none_or(|best| claim.cost < best.cost) {
                best = Some(claim);
            }
        }
        let Some(Claim { index, cost }) = best else {
            answer.reason(format_args!("passed: Q {last_q:.2}, nothing to call"));
            return pass;
        };
        let now = in_units(cost);
        if cost > last {
            answer.reason(format_args!(
                "passed: Q would be {now:.2} after {last_q:.2}"
            ));
            return pass;
        }
        answer.reason(format_args!("called: Q {now:.2} after {last_q:.2}"));
        index
    }

    fn own_turn(&mut self, view: &View<'_>, answer: &mut Answer) -> Result<usize, DecideError> {
        let candidates = candidate::candidates(view);
        let hand = FullHand::new(view, &self.prices);
        for candidate in &candidates {
            answer.value(candidate.index, hand.rank(candidate).value());
        }
        let (rank, best) = candidate::eligible(view, &candidates)
            .into_iter()
            .map(|candidate| (hand.rank(&candidate), candidate))
            .min_by_key(|&(rank, _)| rank)
            .ok_or_else(|| DecideError::Failed(format!("no discard among {:?}", view.legal())))?;
        answer.reason(format_args!("{rank}; Q {:.2}", in_units(hand.cost())));
        Ok(kan::or_discard(
            view,
            self.habits.kans,
            &best,
            rank.value(),
            answer,
        ))
    }
}

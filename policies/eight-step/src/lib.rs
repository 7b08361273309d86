//! eight-step: the policy that goes down a ladder.
//!
//! It wins whenever it can. On its own turn it discards by the first rung that applies:
//!
//! - **A** Tenpai: the discard that keeps the widest wait. Closed, it declares riichi.
//! - **B** A tile with two vacant places on both sides: the next other tile of its suit is three
//!   away or more; single honours count too. From the ends inward: honours, 1 and 9, 2 and 8, …
//! - **C** A tile with one vacant place: the next other tile of its suit is two away. From the ends
//!   inward.
//! - **D** In a block of 4, 7, 10 or 13 tiles that lie side by side, the one whose removal leaves
//!   complete parts: of 2344 4.
//! - **E** In a block of 3, 6, 9 or 12, if the hand has a pair elsewhere, the one that leaves a
//!   wait, the widest first: of 233 3. If it has none, the one that leaves the block with a pair:
//!   of 233 2.
//! - **F** In a block of 2, 5, 8 or 11, the one that leaves a wait, the widest first: of 23445 5.
//! - **G** Any tile, pairs before parts.
//!
//! Blocks that are complete, nothing but sets or sets and a pair, are left to rung G. Ties are
//! discarded from the ends of the block and then of the suit inward.
//!
//! With five pairs in a closed hand that cannot be tenpai it turns to seven pairs: tiles outside
//! pairs go first, a third of a kind before all.
//!
//! Parameters:
//!
//! - `level`: 1 sees its hand only. 2 also counts what lies on the table: waits are as wide as
//!   tiles of them are unseen, and within a rung the tile goes first that leaves the most unseen
//!   tiles that bring the hand nearer to completion, then the tile that fewer unseen ones go with.
//!   3 also reads how others discard: against a riichi it keeps to tiles that cannot be won on,
//!   unless it is tenpai, and within a rung it keeps a suit that a player collects
//!   ([`Opponent::collects`](riichi_estimates::danger::Opponent::collects)).
//! - `handicap`: how often it plays a random legal discard instead, the same ones for the same
//!   seed.
//! - `seven_pairs_from`: with how many pairs it turns to seven pairs, 5 or 4.
//! - `calls`: `never`, or `yaku`: it calls a run or triplet that lowers shanten when a yaku stays
//!   certain ([`yaku_is_certain`](riichi::yaku::yaku_is_certain)), and with an open hand it
//!   discards only tiles that leave a yaku certain, if possible.
//! - `kan`: `never`, or `safe`: it makes closed and added kans when shanten and waits stay
//!   unchanged.
//! - `kyushu`: whether it declares the draw by nine terminals.
//!
//! The value of a discard goes down by 1 with each rung, the turn to seven pairs and the kinds of
//! tile on G counted as rungs, and by 100 for each riichi that it is not safe against. A riichi has
//! the value of its discard, and so has a kan that is shown instead. The value of passing, and of a
//! call with the best discard after it, is the acceptance in tiles that it leaves, less 1,000 for
//! each step that is left to tenpai.
#![forbid(unsafe_code)]

mod block;
mod caution;
mod ladder;
mod sight;
#[cfg(test)]
mod tests;

use policy_common::candidate::Candidates;
use policy_common::{Calls, Habits, Kans, Strategy, call, candidate, kan};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View, abi,
};

use crate::caution::Caution;
use crate::ladder::Ladder;
use crate::sight::{SightLevel, TilesLeft};

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry = policy_sdk::entry(
    concat!("eight-step ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<EightStep>()],
);

/// The policy that goes down a ladder.
#[derive(Debug)]
pub struct EightStep {
    habits: Habits,
    level: SightLevel,
    /// How often it makes a random discard instead of its own choice.
    handicap: f64,
    /// With this many pairs it goes for seven.
    seven_pairs_from: usize,
}

impl Policy for EightStep {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "eight-step",
        name: "Eight steps",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Throws by a ladder of eight steps, at three levels, as silly as wished.",
        games: Games::Both,
        params: &[
            Param::integer(
                "level",
                1,
                1,
                3,
                "Knowledge that it uses: 1 its hand, 2 the table too, 3 the others' discards too.",
            ),
            Param::number(
                "handicap",
                0.0,
                0.0,
                1.0,
                "How often it plays a random discard instead of its own.",
            ),
            Param::integer(
                "seven_pairs_from",
                5,
                4,
                5,
                "With how many pairs it turns to seven pairs.",
            )
            .tunable(),
            Calls::param(Calls::Never),
            Kans::param(Kans::Never),
            Habits::KYUSHU,
        ],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        let level = params.integer("level")?;
        Ok(Self {
            habits: Habits::read(params)?,
            level: SightLevel::new(level)
                .ok_or_else(|| CreateError::Failed(format!("there is no level {level}")))?,
            handicap: params.number("handicap")?,
            seven_pairs_from: params.integer("seven_pairs_from")? as usize,
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

impl Strategy for EightStep {
    fn habits(&self) -> &Habits {
        &self.habits
    }

    fn claim(&mut self, view: &View<'_>, pass: usize, answer: &mut Answer) -> usize {
        call::nearest(view, pass, answer)
    }

    fn own_turn(&mut self, view: &View<'_>, answer: &mut Answer) -> Result<usize, DecideError> {
        let candidates = candidate::candidates(view);
        let ladder = self.ladder(view);
        for candidate in &candidates {
            answer.value(candidate.index, ladder.rank(candidate).value());
        }
        if let Some(index) = self.silly(view, &candidates) {
            answer.reason(format_args!("a random discard"));
            return Ok(index);
        }
        let (rank, best) = candidate::eligible(view, &candidates)
            .into_iter()
            .map(|candidate| (ladder.rank(&candidate), candidate))
            .min_by_key(|&(rank, _)| rank)
            .ok_or_else(|| DecideError::Failed(format!("no discard among {:?}", view.legal())))?;
        answer.reason(format_args!("{rank}"));
        Ok(kan::or_discard(
            view,
            self.habits.kans,
            &best,
            rank.value(),
            answer,
        ))
    }
}

impl EightStep {
    fn ladder<'v>(&self, view: &'v View<'_>) -> Ladder<'v> {
        let pairs = view.closed().0.iter().filter(|&&count| count >= 2).count();
        let to_seven_pairs = view.melds().is_empty() && pairs >= self.seven_pairs_from;
        let caution = if self.level >= SightLevel::Others {
            Caution::new(view)
        } else {
            Caution::default()
        };
        Ladder::new(
            view.concealed(),
            to_seven_pairs,
            TilesLeft::new(view, self.level),
            caution,
        )
    }

    /// A random discard, when the handicap strikes.
    fn silly(&self, view: &View<'_>, candidates: &Candidates) -> Option<usize> {
        let mut rng = view.rng();
        if rng.unit() >= self.handicap {
            return None;
        }
        let plain: Vec<usize> = candidates
            .iter()
            .filter(|candidate| !candidate.riichi)
            .map(|candidate| candidate.index)
            .collect();
        rng.pick(&plain).copied()
    }
}

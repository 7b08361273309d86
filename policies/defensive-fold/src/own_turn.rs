//! The discards of the own turn: push or fold.

use std::fmt;

use mahjong::Kind;
use policy_common::{Candidate, Throw};
use policy_sdk::View;

use crate::prospect::{Judge, Prospect};
use crate::tuning::TUNING;

/// A discard, judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judged {
    pub(crate) candidate: Candidate,
    /// Places gained in expectation; higher is better.
    pub(crate) value: f32,
    /// Whether the hand is played on after it, or given up.
    pub(crate) pushes: bool,
    /// How likely it is to deal in.
    deal_in: f32,
    throw: Throw,
}

/// Judges a discard. `lowest` is the lowest shanten number that can be reached; without `may_push` the hand can only be
/// given up with it. While nobody threatens no hand is given up, and of the discards that go back those by one from tenpai
/// alone are weighed: the wait may be dead, furiten or without a yaku. `None` says of others that they are not.
pub(crate) fn judge(
    view: &View<'_>,
    judge: &Judge<'_>,
    candidate: Candidate,
    lowest: i8,
    may_push: bool,
) -> Option<Judged> {
    let thrown = candidate.tile.kind();
    let hand = view.hand().without(&[candidate.tile]).ok()?;
    let prospect = Prospect {
        hand,
        concealed: view.concealed().without(thrown)?,
        melds: view.melds(),
        shanten: candidate.progress.shanten,
        acceptance: candidate.progress.acceptance,
        thrown: Some(thrown),
        riichi: candidate.riichi || view.player(view.seat()).riichi().is_some(),
    };
    let (goes_back, threatened) = (prospect.shanten > lowest, judge.threats.somebody_threatens());
    let push = match goes_back {
        _ if !may_push => None,
        false => judge.push(&prospect),
        true if !threatened && (lowest, prospect.shanten) != (0, 1) => return None,
        true if !threatened => Some(judge.push(&prospect)?),
        true if judge.threats.blind_risk < TUNING.step_back_from => None,
        true => judge.push(&prospect).map(|push| push - TUNING.step_back_cost),
    };
    // One turn further: with a second safe tile the next one costs nothing either, and what has passed once is safe.
    let risk = |kind| if kind == thrown { 0.0 } else { judge.threats.risk(kind) };
    let risks = Kind::all().filter(|&kind| hand.counts()[kind] > 0).map(risk);
    let fold = judge.course.fold() - TUNING.next_turn * risks.reduce(f32::min).unwrap_or(0.0);
    let pushes = push.is_some_and(|push| prospect.riichi || !threatened || push > fold);
    let after = push.filter(|_| pushes).unwrap_or(fold);
    let deal_in = judge.threats.deal_in(thrown);
    Some(Judged {
        candidate,
        value: (1.0 - deal_in) * after - judge.threats.risk(thrown),
        pushes,
        deal_in,
        throw: Throw::new(view, candidate.tile, candidate.tsumogiri),
    })
}

impl Judged {
    /// Whether it is to be thrown rather than the other.
    pub(crate) fn is_better_than(&self, other: &Self) -> bool {
        self.value > other.value || self.value == other.value && self.throw < other.throw
    }
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stance = if self.pushes { "push" } else { "fold" };
        write!(f, "{stance}: {}, deals in at {:.1} %", self.candidate.progress, 100.0 * self.deal_in)
    }
}

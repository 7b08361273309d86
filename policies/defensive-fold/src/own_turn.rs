//! The discards of the own turn: push or fold.

use std::fmt;

use mahjong::Kind;
use policy_common::Candidate;
use policy_sdk::View;

use crate::prospect::{Judge, Prospect};
use crate::throw::Throw;

/// Places that throwing an unseen tile at random must cost for a hand to go back a step with a safer tile and still be
/// played on.
const GOES_BACK: f32 = 0.02;
/// Places by which going back a step is worth less than it seems.
const GOING_BACK: f32 = 0.02;

/// What the risk of the next turn counts for when folding: until then the round may be over, and other tiles safe.
const NEXT_TURN: f32 = 0.5;

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

/// Judges a discard. `lowest` is the lowest shanten number that can be reached.
pub(crate) fn judge(view: &View<'_>, judge: &Judge<'_>, candidate: Candidate, lowest: i8) -> Option<Judged> {
    let thrown = candidate.tile.kind();
    let hand = view.hand().without(&[candidate.tile]).ok()?;
    let prospect = Prospect {
        hand,
        melds: view.melds(),
        shanten: candidate.progress.shanten,
        acceptance: candidate.progress.acceptance,
        thrown: Some(thrown),
        riichi: candidate.riichi,
    };
    let goes_back = prospect.shanten > lowest;
    let push = match goes_back {
        false => judge.push(&prospect),
        true if judge.threats.blind_risk < GOES_BACK => None,
        true => judge.push(&prospect).map(|push| push - GOING_BACK),
    };
    // One turn further: with a second safe tile the next one costs nothing either.
    let risks = Kind::all().filter(|&kind| hand.counts()[kind] > 0).map(|kind| judge.threats.risk(kind));
    let fold = judge.course.fold() - NEXT_TURN * risks.reduce(f32::min).unwrap_or(0.0);
    let pushes = candidate.riichi || push.is_some_and(|push| push > fold);
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

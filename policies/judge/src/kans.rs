//! Kans: one more draw, and one more indicator for all players, compared with the best action
//! without a kan.

use policy_common::call::Offered;
use policy_common::{Candidate, kan};
use policy_sdk::View;
use riichi::acceptance::acceptance;
use riichi::shanten::shanten;
use riichi::{Action, Kind};

use crate::prospect::{Judge, Prospect};

/// A kan that changes neither shanten nor, in tenpai, the waits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfferedKan {
    /// Its index in the legal list.
    pub(crate) index: usize,
    /// Expected gain in places.
    pub(crate) value: f32,
    /// The probability that it is robbed.
    pub(crate) robbed: f32,
}

/// Visits the kans of the own turn; `best` is the discard that is best.
pub(crate) fn of_own_turn(
    view: &View<'_>,
    judge: &Judge<'_>,
    best: &Candidate,
    mut visit: impl FnMut(OfferedKan, &Prospect<'_>),
) {
    for offered in kan::of_own_turn(view, best) {
        let kept = offered.hand.counts()[best.tile.kind()] > 0;
        // A tile that is added to a pon may be won on.
        let added = match view.legal()[offered.index] {
            Action::Kakan { tile, .. } => Some(tile.kind()),
            _ => None,
        };
        let (robbed, cost) = added.map_or((0.0, 0.0), |kind| {
            (judge.threats.deal_in(kind), judge.threats.risk(kind))
        });
        let prospect = prospect(view, &offered);
        if let Some(value) = value(judge, &prospect, kept.then_some(best.tile.kind())) {
            visit(
                OfferedKan {
                    index: offered.index,
                    value: (1.0 - robbed) * value - cost,
                    robbed,
                },
                &prospect,
            );
        }
    }
}

/// Visits the open kans that may be called.
pub(crate) fn open(
    view: &View<'_>,
    judge: &Judge<'_>,
    mut visit: impl FnMut(OfferedKan, &Prospect<'_>),
) {
    for offered in kan::open(view) {
        let prospect = prospect(view, &offered);
        if let Some(value) = value(judge, &prospect, None) {
            visit(
                OfferedKan {
                    index: offered.index,
                    value,
                    robbed: 0.0,
                },
                &prospect,
            );
        }
    }
}

/// The hand after a kan, before its draw.
fn prospect<'o>(view: &View<'_>, offered: &'o Offered) -> Prospect<'o> {
    Prospect {
        hand: offered.hand,
        concealed: offered.concealed,
        melds: &offered.melds,
        shanten: shanten(&offered.concealed),
        acceptance: acceptance(&offered.concealed),
        thrown: None,
        riichi: view.player(view.seat()).riichi().is_some(),
    }
}

/// The gain in places by playing the hand on after its kan; `None` if it cannot be played on. A
/// drawn tile that brings it no nearer is discarded, or this `spare` tile if that costs less.
fn value(judge: &Judge<'_>, silent: &Prospect<'_>, spare: Option<Kind>) -> Option<f32> {
    let after = judge.after_kan(silent.hand.counts(), silent.melds);
    let throw = spare
        .map_or(f32::INFINITY, |kind| after.threats.risk(kind))
        .min(after.threats.blind_risk);
    let declared = after.may_declare(silent).then_some(Prospect {
        riichi: true,
        ..*silent
    });
    let value = |prospect: &Prospect<'_>| after.push_with_a_draw(prospect, throw);
    let values = [value(silent), declared.as_ref().and_then(value)];
    values.into_iter().flatten().reduce(f32::max)
}

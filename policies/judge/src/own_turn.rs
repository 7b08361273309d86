//! The discards of the own turn: push or fold.

use policy_common::{Candidate, Throw};
use policy_sdk::View;
use riichi::Kind;

use crate::choice::{Deed, ValuedAction};
use crate::prospect::{Judge, Prospect};
use crate::tuning::TUNING;

/// Judges a discard. `lowest` is the lowest shanten number that can be reached; without `may_push`
/// the discard can only give the hand up. Without a threat no hand is given up, and of the discards
/// that go back only those by one step from tenpai are weighed: the wait may be dead, furiten or
/// without a yaku. The others are visited only if `rough` asks for them.
pub(crate) fn judge(
    view: &View<'_>,
    judge: &Judge<'_>,
    candidate: Candidate,
    lowest: i8,
    may_push: bool,
    rough: bool,
    visit: impl FnOnce(&ValuedAction<'_>),
) {
    let thrown = candidate.tile.kind();
    let (Ok(hand), Some(concealed)) = (
        view.hand().without(&[candidate.tile]),
        view.concealed().without(thrown),
    ) else {
        return;
    };
    let prospect = Prospect {
        hand,
        concealed,
        melds: view.melds(),
        shanten: candidate.progress.shanten,
        acceptance: candidate.progress.acceptance,
        thrown: Some(thrown),
        riichi: candidate.riichi || view.player(view.seat()).riichi().is_some(),
    };
    let (steps_back, threatened) = (
        prospect.shanten - lowest,
        judge.threats.a_player_threatens(),
    );
    let mut is_rough = false;
    let push = match steps_back > 0 {
        _ if !may_push => None,
        false => judge.push(&prospect),
        true if !threatened && (lowest, prospect.shanten) != (0, 1) => {
            if !rough || steps_back > 1 {
                return;
            }
            is_rough = true;
            match judge.push(&prospect) {
                Some(push) => Some(push.less(TUNING.step_back_cost)),
                None => return,
            }
        }
        true if !threatened => match judge.push(&prospect) {
            Some(push) => Some(push),
            None => return,
        },
        true if judge.threats.blind_risk < TUNING.step_back_from => None,
        true => judge
            .push(&prospect)
            .map(|push| push.less(TUNING.step_back_cost)),
    };
    // One turn further: with a second safe tile the next discard costs nothing either, and a tile
    // that has passed once is safe.
    let risk = |kind| {
        if kind == thrown {
            0.0
        } else {
            judge.threats.risk(kind)
        }
    };
    let risks = Kind::all()
        .filter(|&kind| hand.counts()[kind] > 0)
        .map(risk);
    let fold = judge.course.fold() - TUNING.next_turn * risks.reduce(f32::min).unwrap_or(0.0);
    let pushes = push.is_some_and(|push| prospect.riichi || !threatened || push.value > fold);
    let after = push.filter(|_| pushes).map_or(fold, |push| push.value);
    let deal_in = judge.threats.deal_in(thrown);
    let value = (1.0 - deal_in) * after - judge.threats.risk(thrown);
    let throw = Throw::new(view, candidate.tile, candidate.tsumogiri);
    visit(&ValuedAction {
        index: candidate.index,
        deed: Deed::Discard,
        value,
        prospect: &prospect,
        progress: candidate.progress,
        push,
        fold,
        pushes,
        deal_in,
        throw: Some(throw),
        is_rough,
    });
}

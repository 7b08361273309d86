//! The actions of a decision, in turn.

use policy_common::{Kans, Progress, Throw, candidate};
use policy_sdk::View;
use riichi::Action;

use crate::choice::{Deed, ValuedAction};
use crate::options::JudgeOptions;
use crate::prospect::{Judge, Prospect};
use crate::{claim, kans, own_turn};

/// Visits the choices of a decision that has more than one: on a claim the pass first, on the own
/// turn the discards first. The judge is the one of this view. Discards that go back a step without
/// a threat have only rough values; they are visited only if `rough` asks for them.
pub fn choices(
    view: &View<'_>,
    judge: &Judge<'_>,
    options: JudgeOptions,
    rough: bool,
    mut visit: impl FnMut(&ValuedAction<'_>),
) {
    match view
        .legal()
        .iter()
        .position(|action| matches!(action, Action::None))
    {
        Some(pass) => claims(view, judge, options, pass, &mut visit),
        None => own_turn(view, judge, options, rough, &mut visit),
    }
}

fn claims(
    view: &View<'_>,
    judge: &Judge<'_>,
    options: JudgeOptions,
    pass: usize,
    visit: &mut impl FnMut(&ValuedAction<'_>),
) {
    let stay = claim::passing(view);
    let (fold, push) = (judge.course.fold(), judge.push(&stay));
    visit(&ValuedAction {
        index: pass,
        deed: Deed::Pass,
        value: push.map_or(fold, |push| push.value.max(fold)),
        prospect: &stay,
        progress: Progress::new(view, stay.shanten, stay.acceptance),
        push,
        fold,
        pushes: push.is_some_and(|push| push.value >= fold),
        deal_in: 0.0,
        throw: None,
        is_rough: false,
    });
    claim::possible(view, judge, |call, prospect| {
        visit(&ValuedAction {
            index: call.index,
            deed: Deed::Call,
            value: call.value,
            prospect,
            progress: Progress::new(view, prospect.shanten, prospect.acceptance),
            push: call.push,
            fold,
            pushes: call.push.is_some_and(|push| push.value >= fold),
            deal_in: call.deal_in,
            throw: None,
            is_rough: false,
        });
    });
    if options.habits.kans == Kans::Safe {
        kans::open(view, judge, |kan, prospect| {
            visit(&of_kan(view, judge, Deed::OpenKan, kan, prospect))
        });
    }
}

fn own_turn(
    view: &View<'_>,
    judge: &Judge<'_>,
    options: JudgeOptions,
    rough: bool,
    visit: &mut impl FnMut(&ValuedAction<'_>),
) {
    let candidates = candidate::candidates(view);
    let lowest = candidates
        .iter()
        .map(|candidate| candidate.progress.shanten)
        .min()
        .unwrap_or(0);
    let mut best: Option<(f32, Throw, candidate::Candidate)> = None;
    for candidate in &candidates {
        let with_riichi = || {
            candidates
                .iter()
                .any(|other| other.riichi && other.tile == candidate.tile)
        };
        let may_push = candidate.riichi || !(options.always_riichi && with_riichi());
        own_turn::judge(view, judge, *candidate, lowest, may_push, rough, |choice| {
            if let Some(throw) = choice.throw
                && !choice.is_rough
                && best.is_none_or(|(value, first, _)| {
                    choice.value > value || choice.value == value && throw < first
                })
            {
                best = Some((choice.value, throw, *candidate));
            }
            visit(choice);
        });
    }
    if options.habits.kans == Kans::Safe
        && let Some((_, _, best)) = best
    {
        kans::of_own_turn(view, judge, &best, |kan, prospect| {
            visit(&of_kan(view, judge, Deed::OwnKan, kan, prospect))
        });
    }
}

fn of_kan<'c>(
    view: &View<'_>,
    judge: &Judge<'_>,
    deed: Deed,
    kan: kans::OfferedKan,
    prospect: &'c Prospect<'c>,
) -> ValuedAction<'c> {
    ValuedAction {
        index: kan.index,
        deed,
        value: kan.value,
        prospect,
        progress: Progress::new(view, prospect.shanten, prospect.acceptance),
        push: None,
        fold: judge.course.fold(),
        pushes: true,
        deal_in: kan.robbed,
        throw: None,
        is_rough: false,
    }
}

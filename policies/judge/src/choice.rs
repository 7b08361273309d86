//! The actions of a decision, one after the other, each with what it is reckoned to be worth.

use std::fmt;

use mahjong::Action;
use policy_common::{Habits, Kans, Progress, Throw, candidate};
use policy_sdk::{Answer, View};

use crate::prospect::{Judge, Prospect, Push};
use crate::{claim, kans, own_turn};

/// What a choice does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// A discard, with riichi or without.
    Discard,
    /// A chi or a pon, and the best discard after it.
    Call,
    /// A kan of the own turn.
    OwnKan,
    /// A kan with an offered tile.
    OpenKan,
    /// Nothing: an offered tile is not called.
    Pass,
}

/// An action and what it is reckoned to be worth.
#[derive(Debug)]
pub struct Choice<'c> {
    /// Its place in the legal list.
    pub index: usize,
    /// What it does.
    pub deed: Deed,
    /// Places gained by it in expectation; higher is better.
    pub value: f32,
    /// The hand of 13 tiles that it leaves.
    pub prospect: &'c Prospect<'c>,
    /// How near that hand is to completion.
    pub progress: Progress,
    /// That hand played on; `None` where it can only be given up, and for kans.
    pub(crate) push: Option<Push>,
    /// Places gained by giving it up.
    pub fold: f32,
    /// Whether the hand is played on after it, or given up.
    pub pushes: bool,
    /// How likely its discard deals in, from 0 to 1; 0 where it throws nothing.
    pub deal_in: f32,
    /// Which of two discards of equal value goes first, the lowest; `None` where nothing is thrown by choice.
    pub throw: Option<Throw>,
    /// Whether it is one of the choices that are reckoned too roughly to be taken for their value alone.
    pub is_rough: bool,
}

/// What is kept of a choice to pick one and to say why.
#[derive(Debug, Clone, Copy)]
pub struct Judged {
    /// Its place in the legal list.
    pub index: usize,
    /// Places gained by it in expectation, as the strategy values it.
    pub value: f32,
    /// How much of that was learned; 0 of a value that is reckoned alone.
    pub learned: f32,
    deed: Deed,
    throw: Option<Throw>,
    progress: Progress,
    pushes: bool,
    deal_in: f32,
}

impl Judged {
    /// A choice with the value that the strategy gives it.
    #[must_use]
    pub const fn of(choice: &Choice<'_>, value: f32) -> Self {
        let Choice { index, deed, throw, progress, pushes, deal_in, .. } = *choice;
        Self { index, value, learned: 0.0, deed, throw, progress, pushes, deal_in }
    }

    /// The same, worth so much more by what was learned.
    #[must_use]
    pub fn corrected(self, learned: f32) -> Self {
        Self { value: self.value + learned, learned, ..self }
    }
}

/// The best of the choices that were put in, and what it is measured against.
#[derive(Debug, Default)]
pub struct Best {
    best: Option<Judged>,
    /// The value of the pass, or of the best discard.
    without: f32,
}

impl Best {
    /// Takes in a choice, in the order of [`choices`]. Of two discards of equal value the one goes that is thrown first, and
    /// of other choices the earlier one.
    pub fn add(&mut self, judged: Judged) {
        let is_better = |best: Judged| {
            let goes_first = || judged.throw.zip(best.throw).is_some_and(|(throw, best)| throw < best);
            judged.value > best.value || judged.value == best.value && goes_first()
        };
        if self.best.is_none_or(is_better) {
            self.best = Some(judged);
            if matches!(judged.deed, Deed::Discard | Deed::Pass) {
                self.without = judged.value;
            }
        }
    }

    /// The place of the best in the legal list, with the reason; `None` where nothing was put in.
    pub fn choose(&self, answer: &mut Answer) -> Option<usize> {
        let (best, without) = (self.best?, self.without);
        answer.reason(format_args!("{}{}", Words { best: &best, without }, LearnedPart(best.learned)));
        Some(best.index)
    }
}

/// Why a choice was taken.
struct Words<'b> {
    best: &'b Judged,
    without: f32,
}

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { best: Judged { value, progress, deal_in, pushes, deed, .. }, without } = self;
        match deed {
            Deed::Discard => {
                let stance = if *pushes { "push" } else { "fold" };
                write!(f, "{stance}: {progress}, deals in at {:.1} %", 100.0 * deal_in)
            }
            Deed::Pass => write!(f, "passed: {value:+.3} places"),
            Deed::Call | Deed::OpenKan => write!(f, "called: {value:+.3} places, passing {without:+.3}"),
            Deed::OwnKan => write!(f, "kan: {value:+.3} places, without {without:+.3}"),
        }
    }
}

/// How much of a value was learned, where any was.
struct LearnedPart(f32);

impl fmt::Display for LearnedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0.0 { Ok(()) } else { write!(f, "; learned {:+.3}", self.0) }
    }
}

/// What a strategy lets the judge look at.
#[derive(Debug, Clone, Copy)]
pub struct JudgeOptions<'h> {
    /// Calls and kans.
    pub habits: &'h Habits,
    /// Whether a closed and tenpai hand that is played on declares riichi whatever that is worth.
    pub always_riichi: bool,
    /// Whether choices that are reckoned roughly are visited too: discards that go back a step without a threat.
    pub rough: bool,
}

/// Visits the choices of a decision that has more than one: on a claim the pass first, on the own turn the discards first.
/// The judge is the one of this view.
pub fn choices(view: &View<'_>, judge: &Judge<'_>, options: JudgeOptions<'_>, mut visit: impl FnMut(&Choice<'_>)) {
    match view.legal().iter().position(|action| matches!(action, Action::None)) {
        Some(pass) => claims(view, judge, options, pass, &mut visit),
        None => own_turn(view, judge, options, &mut visit),
    }
}

fn claims(
    view: &View<'_>,
    judge: &Judge<'_>,
    options: JudgeOptions<'_>,
    pass: usize,
    visit: &mut impl FnMut(&Choice<'_>),
) {
    let stay = claim::passing(view);
    let (fold, push) = (judge.course.fold(), judge.push(&stay));
    visit(&Choice {
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
        visit(&Choice {
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
        kans::open(view, judge, |kan, prospect| visit(&of_kan(view, judge, Deed::OpenKan, kan, prospect)));
    }
}

fn own_turn(view: &View<'_>, judge: &Judge<'_>, options: JudgeOptions<'_>, visit: &mut impl FnMut(&Choice<'_>)) {
    let candidates = candidate::candidates(view);
    let lowest = candidates.iter().map(|candidate| candidate.progress.shanten).min().unwrap_or(0);
    let mut best: Option<(f32, Throw, candidate::Candidate)> = None;
    for candidate in &candidates {
        let with_riichi = || candidates.iter().any(|other| other.riichi && other.tile == candidate.tile);
        let may_push = candidate.riichi || !(options.always_riichi && with_riichi());
        own_turn::judge(view, judge, *candidate, lowest, may_push, options.rough, |choice| {
            if let Some(throw) = choice.throw
                && !choice.is_rough
                && best.is_none_or(|(value, first, _)| choice.value > value || choice.value == value && throw < first)
            {
                best = Some((choice.value, throw, *candidate));
            }
            visit(choice);
        });
    }
    if options.habits.kans == Kans::Safe
        && let Some((_, _, best)) = best
    {
        kans::of_own_turn(view, judge, &best, |kan, prospect| visit(&of_kan(view, judge, Deed::OwnKan, kan, prospect)));
    }
}

impl<'c> Choice<'c> {
    /// A discard.
    pub(crate) fn of_discard(
        candidate: &candidate::Candidate,
        prospect: &'c Prospect<'c>,
        judged: own_turn::DiscardValue,
        throw: Throw,
        is_rough: bool,
    ) -> Self {
        Self {
            index: candidate.index,
            deed: Deed::Discard,
            value: judged.value,
            prospect,
            progress: candidate.progress,
            push: judged.push,
            fold: judged.fold,
            pushes: judged.pushes,
            deal_in: judged.deal_in,
            throw: Some(throw),
            is_rough,
        }
    }
}

fn of_kan<'c>(
    view: &View<'_>,
    judge: &Judge<'_>,
    deed: Deed,
    kan: kans::OfferedKan,
    prospect: &'c Prospect<'c>,
) -> Choice<'c> {
    Choice {
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

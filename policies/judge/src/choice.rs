//! An action of a decision with what it is reckoned to be worth, and the best of several.

use std::fmt;

use policy_common::{Progress, Throw};
use policy_sdk::Answer;

use crate::prospect::{Prospect, Push};

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
pub struct ValuedAction<'c> {
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
    pub const fn of(choice: &ValuedAction<'_>, value: f32) -> Self {
        let ValuedAction { index, deed, throw, progress, pushes, deal_in, .. } = *choice;
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
    /// Takes in a choice, in the order of [`choices`](crate::choices). Of two discards of equal value the one goes that
    /// is thrown first, and of other choices the earlier one.
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
        answer.reason(format_args!("{}{}", ReasonWords { best: &best, without }, LearnedPart(best.learned)));
        Some(best.index)
    }
}

/// Why a choice was taken.
struct ReasonWords<'b> {
    best: &'b Judged,
    without: f32,
}

impl fmt::Display for ReasonWords<'_> {
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

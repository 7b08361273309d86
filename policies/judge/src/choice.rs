//! An action of a decision with its estimated value, and the best of several.

use std::fmt;

use policy_common::{Progress, Throw};
use policy_sdk::Answer;

use crate::prospect::{Prospect, Push};

/// The kind of a choice.
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
    /// A pass: an offered tile is not called.
    Pass,
}

#[derive(Debug)]
pub struct ValuedAction<'c> {
    /// Its index in the legal list.
    pub index: usize,
    pub deed: Deed,
    /// Expected gain in places; higher is better.
    pub value: f32,
    /// The hand of 13 tiles that it leaves.
    pub prospect: &'c Prospect<'c>,
    /// The distance of that hand from completion.
    pub progress: Progress,
    /// The value of playing that hand on; `None` if it can only be given up, and for kans.
    pub(crate) push: Option<Push>,
    /// Places gained by giving it up.
    pub fold: f32,
    /// Whether the hand is played on afterwards or given up.
    pub pushes: bool,
    /// The probability that its discard deals in; 0 without a discard.
    pub deal_in: f32,
    /// The rank among discards of equal value, the lowest first; `None` without a chosen discard.
    pub throw: Option<Throw>,
    /// Whether its value is only a rough estimate, too rough to choose it by the value alone.
    pub is_rough: bool,
}

/// The part of a choice that is needed to pick one and to give a reason.
#[derive(Debug, Clone, Copy)]
pub struct Judged {
    /// Its index in the legal list.
    pub index: usize,
    /// Expected gain in places, as the strategy values it.
    pub value: f32,
    /// The learned part of the value; 0 without a correction.
    pub learned: f32,
    deed: Deed,
    throw: Option<Throw>,
    progress: Progress,
    pushes: bool,
    deal_in: f32,
}

impl Judged {
    /// A choice with the value that the strategy gives it.
    pub const fn of(choice: &ValuedAction<'_>, value: f32) -> Self {
        let ValuedAction {
            index,
            deed,
            throw,
            progress,
            pushes,
            deal_in,
            ..
        } = *choice;
        Self {
            index,
            value,
            learned: 0.0,
            deed,
            throw,
            progress,
            pushes,
            deal_in,
        }
    }

    #[must_use]
    pub fn corrected(self, learned: f32) -> Self {
        Self {
            value: self.value + learned,
            learned,
            ..self
        }
    }
}

/// The best of the choices offered, and the value that it is compared with.
#[derive(Debug, Default)]
pub struct Best {
    best: Option<Judged>,
    /// The value of the pass, or of the best discard.
    without: f32,
}

impl Best {
    /// Adds a choice, in the order of [`choices`](crate::choices). Of discards with equal value the
    /// lowest rank wins, of other choices the earlier one.
    pub fn add(&mut self, judged: Judged) {
        let is_better = |best: Judged| {
            let goes_first = || {
                judged
                    .throw
                    .zip(best.throw)
                    .is_some_and(|(throw, best)| throw < best)
            };
            judged.value > best.value || judged.value == best.value && goes_first()
        };
        if self.best.is_none_or(is_better) {
            self.best = Some(judged);
            if matches!(judged.deed, Deed::Discard | Deed::Pass) {
                self.without = judged.value;
            }
        }
    }

    /// The index of the best in the legal list, with the reason; `None` without choices.
    pub fn choose(&self, answer: &mut Answer) -> Option<usize> {
        let (best, without) = (self.best?, self.without);
        answer.reason(format_args!(
            "{}{}",
            ReasonWords {
                best: &best,
                without
            },
            LearnedPart(best.learned)
        ));
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
        let Self {
            best:
                Judged {
                    value,
                    progress,
                    deal_in,
                    pushes,
                    deed,
                    ..
                },
            without,
        } = self;
        match deed {
            Deed::Discard => {
                let stance = if *pushes { "push" } else { "fold" };
                write!(
                    f,
                    "{stance}: {progress}, deals in at {:.1} %",
                    100.0 * deal_in
                )
            }
            Deed::Pass => write!(f, "passed: {value:+.3} places"),
            Deed::Call | Deed::OpenKan => {
                write!(f, "called: {value:+.3} places, passing {without:+.3}")
            }
            Deed::OwnKan => write!(f, "kan: {value:+.3} places, without {without:+.3}"),
        }
    }
}

/// The learned part of a value, if there is one.
struct LearnedPart(f32);

impl fmt::Display for LearnedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0.0 {
            Ok(())
        } else {
            write!(f, "; learned {:+.3}", self.0)
        }
    }
}

//! Compares the choices of a policy with the actions in a record.

use std::time::{Duration, Instant};

use policy_host::{Decided, Fault};
use riichi::{ActionOf, ActionWords};

use crate::advisor::{Advisor, NoAdvice};
use crate::course::RecordedCourse;
use crate::decisions::{Walked, each_decision};
use crate::game::LabGame;
use crate::replayed::{RecordDecision, ReplayedGame};

/// A decision of the watched seat.
pub struct ComparedDecision<'a, G: LabGame> {
    pub decision: &'a RecordDecision<'a, G>,
    /// The recorded action; `None` if it is unknown: another seat's claim took precedence, or the
    /// record ends.
    pub done: Option<ActionOf<G>>,
    /// The policy's choice, or the reason why it did not decide.
    pub advised: Result<Decided, Fault>,
    /// How long that took.
    pub took: Duration,
}

/// The agreement over the compared decisions of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Decisions with a known action.
    pub made: u64,
    /// Decisions in which the policy chose the same action.
    pub agreed: u64,
}

#[derive(Debug, Default)]
pub struct Compared {
    /// Agreement for each of [`ActionWords::SORTS`].
    pub sorts: Vec<Agreement>,
    /// Decisions with an unknown action.
    pub unknown: u64,
    /// Rounds begun.
    pub rounds: u64,
}

impl Compared {
    pub fn total(&self) -> Agreement {
        self.sorts
            .iter()
            .fold(Agreement::default(), |sum, sort| Agreement {
                made: sum.made + sort.made,
                agreed: sum.agreed + sort.agreed,
            })
    }
}

impl<G: ReplayedGame> ComparedDecision<'_, G> {
    pub fn advice(&self) -> Option<&ActionOf<G>> {
        self.advised
            .as_ref()
            .ok()
            .and_then(|decided| self.decision.legal.get(decided.index))
    }

    /// Whether the policy chose the recorded action. `None` if that is unknown.
    pub fn agrees(&self) -> Option<bool> {
        agrees::<G>(self.done.as_ref(), self.advice())
    }
}

/// Whether a choice is the action that the events of a record show. `None` if they show none; a
/// policy without a choice does not agree.
pub fn agrees<G: ReplayedGame>(
    done: Option<&ActionOf<G>>,
    advice: Option<&ActionOf<G>>,
) -> Option<bool> {
    let done = done?;
    Some(advice.is_some_and(|advice| G::is_same(done, advice)))
}

/// The sorts of a game's actions.
pub fn sorts_of<G: ReplayedGame>() -> &'static [&'static str] {
    <ActionOf<G> as ActionWords>::SORTS
}

/// Goes through the games of a record from one seat and asks the policy at each decision with a
/// choice; `told` receives each one.
///
/// # Errors
///
/// If the seat cannot be watched, or the policy does not start again after a fault.
pub fn compare<G: ReplayedGame>(
    courses: &[RecordedCourse<G>],
    seat: usize,
    advisor: &mut Advisor<'_>,
    mut told: impl FnMut(&ComparedDecision<'_, G>),
) -> Result<Compared, NoAdvice> {
    let mut compared = Compared {
        sorts: vec![Agreement::default(); sorts_of::<G>().len()],
        ..Compared::default()
    };
    let walked = compare_each::<G>(courses, seat, advisor, |known| {
        match &known.done {
            Some(action) => {
                let sort = &mut compared.sorts[action.sort()];
                sort.made += 1;
                sort.agreed += u64::from(known.agrees() == Some(true));
            }
            None => compared.unknown += 1,
        }
        told(known);
    })?;
    compared.rounds = walked.rounds;
    Ok(compared)
}

/// Goes through the games of a record from one seat as [`compare`] does, without counts.
///
/// # Errors
///
/// As of [`compare`].
pub fn compare_each<G: ReplayedGame>(
    courses: &[RecordedCourse<G>],
    seat: usize,
    advisor: &mut Advisor<'_>,
    mut told: impl FnMut(&ComparedDecision<'_, G>),
) -> Result<Walked, NoAdvice> {
    each_decision::<G, NoAdvice>(courses, seat, |decision| {
        let (advised, took) = advice_on(&decision, advisor)?;
        told(&ComparedDecision {
            done: G::done(&decision),
            decision: &decision,
            advised,
            took,
        });
        Ok(())
    })
}

/// The policy's choice, or the reason why it did not decide, and how long that took.
///
/// # Errors
///
/// If the policy does not start again after a fault.
pub fn advice_on<G: ReplayedGame>(
    decision: &RecordDecision<'_, G>,
    advisor: &mut Advisor<'_>,
) -> Result<(Result<Decided, Fault>, Duration), NoAdvice> {
    let begun = Instant::now();
    let advised = advisor.ask(|view, asked| decision.table.fill(view, &decision.legal, asked));
    let advised = match advised {
        Ok(decided) => Ok(decided),
        Err(NoAdvice::Fault(fault)) => Err(fault),
        Err(error) => return Err(error),
    };
    Ok((advised, begun.elapsed()))
}

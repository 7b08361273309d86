//! What a new version of a policy decides otherwise than the old one, in recorded games.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lab_stats::{Estimate, GroupMean};
use policy_host::{Decided, Fault};
use riichi::ActionOf;
use serde::Serialize;

use crate::advisor::{Advisor, NoAdvice};
use crate::comparison::advice_on;
use crate::course::RecordedCourse;
use crate::decisions::each_decision;
use crate::replayed::ReplayedGame;
use crate::review::{COSTLIEST, place_of};
use crate::tournament::DecisionTimes;

/// A decision in which the two choose differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangedDecision {
    /// The log, as it is shown.
    pub log: String,
    /// Number of the game in its log, from 1.
    pub game: usize,
    /// Number of the round in the game, from 1.
    pub round: u64,
    /// Number of the decision in the round, from 1.
    pub decision: u64,
    pub seat: usize,
    pub kind: Cow<'static, str>,
    pub moment: String,
    pub old: String,
    pub new: String,
    /// By how much each values its own choice above that of the other, if it gives values.
    pub gain_by_new: Option<f32>,
    pub gain_by_old: Option<f32>,
    pub reason: String,
}

/// Decisions, and those that the new version changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChangedCount {
    pub made: u64,
    pub changed: u64,
}

/// The decisions of two versions.
#[derive(Debug, Clone, Default)]
pub struct ChangeReview {
    pub games: u64,
    /// Decisions that both decided, by their kind.
    pub kinds: BTreeMap<&'static str, ChangedCount>,
    /// The share of changed decisions, by games.
    share: GroupMean,
    /// By how much each version values its own choices above those of the other, in a game.
    by_new: GroupMean,
    by_old: GroupMean,
    /// Decisions that the old version did not decide.
    pub old_faults: u64,
    /// Why the new version did not decide, with how often.
    pub faults: BTreeMap<&'static str, u64>,
    /// Decisions of the new version that took longer than its time.
    pub late: u64,
    /// The times of both.
    pub old_times: DecisionTimes,
    pub new_times: DecisionTimes,
    /// The changes that the new version values most.
    pub greatest: Vec<ChangedDecision>,
}

impl ChangeReview {
    /// Decisions that both decided.
    pub fn total(&self) -> ChangedCount {
        let add = |sum: ChangedCount, kind: &ChangedCount| ChangedCount {
            made: sum.made + kind.made,
            changed: sum.changed + kind.changed,
        };
        self.kinds.values().fold(ChangedCount::default(), add)
    }

    /// Faults of the new version.
    pub fn new_faults(&self) -> u64 {
        self.faults.values().sum()
    }

    /// The share of changed decisions, over games as independent units.
    pub fn share(&self) -> Option<Estimate> {
        let share = self.share.estimate()?.over_games(self.games);
        Some(share.within(0.0, 1.0))
    }

    /// By how much the new version values its own choices above the old ones, in a game.
    pub fn gain_by_new(&self) -> Option<Estimate> {
        Some(self.by_new.estimate()?.over_games(self.games))
    }

    /// By how much the old version values its own choices above the new ones, in a game.
    pub fn gain_by_old(&self) -> Option<Estimate> {
        Some(self.by_old.estimate()?.over_games(self.games))
    }

    /// Adds other games.
    pub fn add(&mut self, other: Self) {
        self.games += other.games;
        for (kind, more) in other.kinds {
            let own = self.kinds.entry(kind).or_default();
            own.made += more.made;
            own.changed += more.changed;
        }
        self.share.merge(&other.share);
        self.by_new.merge(&other.by_new);
        self.by_old.merge(&other.by_old);
        self.old_faults += other.old_faults;
        for (fault, count) in other.faults {
            *self.faults.entry(fault).or_default() += count;
        }
        self.late += other.late;
        self.old_times.add(&other.old_times);
        self.new_times.add(&other.new_times);
        self.greatest.extend(other.greatest);
        let gain = |change: &ChangedDecision| change.gain_by_new.unwrap_or(0.0);
        self.greatest
            .sort_by(|one, other| gain(other).total_cmp(&gain(one)));
        self.greatest.truncate(COSTLIEST);
    }
}

/// The sort of a fault in a word.
const fn fault_word(fault: &Fault) -> &'static str {
    match fault {
        Fault::OutOfRange { .. } | Fault::OtherQuestion { .. } | Fault::BadFrame(_) => "illegal",
        Fault::Panicked(_) | Fault::Died(_) => "crashed",
        Fault::Hung | Fault::Kept(_) => "hung",
        Fault::Failed(_) | Fault::Unavailable(_) => "undecided",
    }
}

/// Asks both versions at the decisions of these seats in one game.
///
/// # Errors
///
/// If a seat cannot be watched, or a version does not start again after a fault.
pub fn change_in_game<G: ReplayedGame>(
    (log, number): (&str, usize),
    course: &RecordedCourse<G>,
    seats: &[usize],
    [old, new]: [&mut Advisor<'_>; 2],
) -> Result<ChangeReview, NoAdvice> {
    let mut review = ChangeReview {
        games: 1,
        ..ChangeReview::default()
    };
    let (mut valued, mut by_new, mut by_old) = (false, 0.0, 0.0);
    let budget = new.budget();
    for &seat in seats {
        each_decision::<G, NoAdvice>(std::slice::from_ref(course), seat, |decision| {
            let (before, old_took) = advice_on(&decision, old)?;
            let (after, took) = advice_on(&decision, new)?;
            review.old_times.record(old_took);
            review.new_times.record(took);
            review.late += u64::from(took > budget);
            review.old_faults += u64::from(before.is_err());
            if let Err(fault) = &after {
                *review.faults.entry(fault_word(fault)).or_default() += 1;
            }
            let (Ok(before), Ok(after)) = (before, after) else {
                return Ok(());
            };
            let choice = |decided: &Decided| decision.legal.get(decided.index).cloned();
            let Some((was, is)) = choice(&before).zip(choice(&after)) else {
                return Ok(());
            };
            let kind = G::kind_of(&decision);
            let count = review.kinds.entry(kind).or_default();
            count.made += 1;
            valued |= !after.values.is_empty() || !before.values.is_empty();
            if G::is_same(&was, &is) {
                return Ok(());
            }
            count.changed += 1;
            let gain_by_new = gain::<G>(&decision.legal, &after, &is, &was);
            let gain_by_old = gain::<G>(&decision.legal, &before, &was, &is);
            by_new += gain_by_new.map_or(0.0, f64::from);
            by_old += gain_by_old.map_or(0.0, f64::from);
            review.greatest.push(ChangedDecision {
                log: log.to_owned(),
                game: number,
                round: decision.round,
                decision: decision.number,
                seat,
                kind: Cow::Borrowed(kind),
                moment: G::moment(decision.table),
                old: was.to_string(),
                new: is.to_string(),
                gain_by_new,
                gain_by_old,
                reason: after.reason,
            });
            Ok(())
        })?;
    }
    let ChangedCount { made, changed } = review.total();
    review.share.add(made, changed as f64);
    if valued {
        review.by_new.add(1, by_new);
        review.by_old.add(1, by_old);
    }
    Ok(review)
}

/// By how much the values put one action above another.
fn gain<G: ReplayedGame>(
    legal: &[ActionOf<G>],
    decided: &Decided,
    one: &ActionOf<G>,
    other: &ActionOf<G>,
) -> Option<f32> {
    let value = |action| {
        let value = decided.values.get(place_of::<G>(legal, action)?).copied()?;
        value.is_finite().then_some(value)
    };
    Some(value(one)? - value(other)?)
}

//! The trial of a policy in its own process: it answers a scripted round.

use std::time::{Duration, Instant};

use super::policy::ChildPolicy;
use super::process::Lost;
use super::reply::ChildReply;
use crate::fault::Fault;
use crate::fault::child_error::ChildError;
use crate::fault::own_time::OwnTimeLimit;
use crate::fault::process_end::ProcessEnd;
use crate::games::GameKind;
use crate::view::Asked;

/// The part of the time left that its questions share; the rest is for a policy that uses all of
/// its time.
const SHARE_FOR_DECISIONS: f64 = 0.9;

/// The budget of a policy that has less in its games: its first decisions may take longer.
const MIN_BUDGET: Duration = Duration::from_secs(1);

/// The reason why a policy does not pass.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// It cannot be created.
    #[error(transparent)]
    Start(#[from] ChildError),
    /// It is created, but does not decide.
    #[error("asked for decision {} of {of} in a scripted round: {fault}", .number + 1)]
    Decide {
        /// Index of the decision.
        number: usize,
        /// Number of questions.
        of: usize,
        fault: Fault,
    },
    /// It decides, but leaves traces in its process.
    #[error(
        "it {0}, which on a thread of the runner would affect every bot; set isolation = \"process\" in [policy], where \
         it affects only its own"
    )]
    Leaves(String),
    /// It decides, but its process dies when it is destroyed.
    #[error("while ending, its process {0}; on a thread of the runner this would end every bot")]
    End(ProcessEnd),
}

/// Asks a policy every question of its game's scripted round. Its budget for each is an equal share
/// of the time left. If its config sets `think`, the budget is at most that, or [`MIN_BUDGET`] if
/// that is more. An answer after the budget counts too, until the trial is over. Returns the time
/// of the slowest decision.
pub(super) fn answer_scripted_round(
    policy: &mut ChildPolicy,
    game: GameKind,
    players: u8,
    think: Option<Duration>,
    limit: &mut OwnTimeLimit,
) -> Result<Duration, TrialError> {
    let mut slowest = Duration::ZERO;
    let budget = think
        .map_or(Duration::MAX, |think| think.max(MIN_BUDGET))
        .min(policy.left(limit));
    let mut questions = (game.definition().admission_views)(
        players,
        Asked {
            budget,
            ..Asked::default()
        },
    );
    let of = questions.len();
    for (number, view) in questions.iter_mut().enumerate() {
        let share = policy.left(limit).mul_f64(SHARE_FOR_DECISIONS) / (of - number) as u32;
        view.limit_budget(share);
        let asked = Instant::now();
        policy
            .decide_within(view, limit)
            .map_err(|fault| TrialError::Decide { number, of, fault })?;
        slowest = slowest.max(asked.elapsed());
    }
    Ok(slowest)
}

/// Ends a policy that has decided, and reports traces that would harm a thread of the runner.
pub(super) fn leave_nothing(policy: ChildPolicy) -> Result<(), TrialError> {
    match policy.end_with_a_word() {
        Ok(ChildReply::Refused(change)) => Err(TrialError::Leaves(change)),
        Err(Lost::Died(end)) if end != ProcessEnd::Exit(0) => Err(TrialError::End(end)),
        // A process that hangs here is also left behind after games.
        _ => Ok(()),
    }
}

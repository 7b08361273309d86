//! The decision of a policy, the ways in which it can fail, and what follows from faults.

pub(crate) mod child_error;
pub(crate) mod counts;
pub(crate) mod own_time;
pub(crate) mod process_end;
pub(crate) mod set_aside;

use crate::fault::process_end::ProcessEnd;
use crate::limits::MAX_OVERDUE;

/// The other side sent data that is not a frame, or a frame that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadFrame(pub(crate) String);

/// What keeps a policy from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeptBy {
    /// Others use the processors.
    #[error("waited for a processor")]
    Load,
    /// It, or a process that it has started, is stopped or waits for a disk.
    #[error("was stopped, or waited for a disk,")]
    Stop,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{NOT_STARTED}{0}")]
pub struct PolicyStartError(pub String);

pub(crate) const NOT_STARTED: &str = "the policy could not be started: ";

/// The reason why a policy did not decide.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It panicked; the instance is unusable.
    #[error("it panicked: {0}")]
    Panicked(String),
    /// It reported that it could not.
    #[error("it failed: {0}")]
    Failed(String),
    /// It reported that a resource is unavailable, which is not its fault.
    #[error("it cannot decide now, through no fault of its own: {0}")]
    Unavailable(String),
    #[error("it answered question {answered} and was asked question {asked}")]
    OtherQuestion {
        /// The number it answered with.
        answered: u64,
        /// The number of the question.
        asked: u64,
    },
    /// It chose an illegal action.
    #[error("it chose the legal action {index} of {of}, counted from 0")]
    OutOfRange {
        index: u32,
        /// Number of actions.
        of: u32,
    },
    #[error("its process {0}")]
    Died(ProcessEnd),
    /// Its process was killed because it did not return for a long time after its limit.
    #[error("it had not returned long after its time was over, so its process was killed")]
    Hung,
    /// Its process was killed because something kept it from running for a long time after its
    /// limit.
    #[error("its process {0} for {after} s after its time was over, so it was killed", after = MAX_OVERDUE.as_secs())]
    Kept(KeptBy),
    /// Its process was killed because it sent an invalid frame.
    #[error("its process was killed, since it sent {0}")]
    BadFrame(BadFrame),
}

impl Fault {
    /// Whether the instance is unusable.
    pub const fn ends_instance(&self) -> bool {
        matches!(
            self,
            Self::Panicked(_) | Self::Died(_) | Self::Hung | Self::Kept(_) | Self::BadFrame(_)
        )
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Decided {
    /// Which legal action.
    pub index: usize,
    /// A value for each legal action, if it gave them.
    pub values: Vec<f32>,
    /// Why, if it said.
    pub reason: String,
}

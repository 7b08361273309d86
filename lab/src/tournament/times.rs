//! Decision times: the thread's own CPU time, so that other work on the machine does not count.

use std::time::Duration;

use hdrhistogram::Histogram;
use rustix::time::{ClockId, clock_gettime};

/// One in this many decisions is timed, because reading the thread's time costs a fifth of a fast
/// decision.
const TIMED_ONE_IN: u32 = 8;
/// Maximum measured time, nanoseconds.
const MAX_NS: u64 = 600_000_000_000;

/// CPU time of this thread.
pub fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}

#[derive(Debug, Clone, Copy)]
pub(super) struct TimedDecision(Duration);

impl TimedDecision {
    /// Starts the clock for the decision of this number in its game, if it is one of the timed
    /// ones.
    pub(super) fn begin(decision: u32) -> Option<Self> {
        decision
            .is_multiple_of(TIMED_ONE_IN)
            .then(|| Self(thread_time()))
    }

    /// The time since the start.
    pub(super) fn took(self) -> Duration {
        thread_time().saturating_sub(self.0)
    }
}

/// Times of decisions, to about 1 %.
#[derive(Debug, Clone)]
pub struct DecisionTimes(Histogram<u64>);

impl Default for DecisionTimes {
    fn default() -> Self {
        Self(Histogram::new_with_bounds(1, MAX_NS, 2).expect("these bounds are in order"))
    }
}

impl DecisionTimes {
    pub fn record(&mut self, took: Duration) {
        self.0
            .saturating_record(u64::try_from(took.as_nanos()).unwrap_or(MAX_NS));
    }

    /// Adds the times of another thread.
    pub fn add(&mut self, other: &Self) {
        // Both have the same bounds.
        let _ = self.0.add(&other.0);
    }

    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The time that a share of the timed decisions (0 to 1) did not exceed.
    pub fn quantile(&self, share: f64) -> Duration {
        Duration::from_nanos(self.0.value_at_quantile(share))
    }
}

//! Time limits for waiting on a program.

use std::time::{Duration, Instant};

use policy_sdk::Env;

/// How long to wait before checking again whether the decision is still wanted.
const TURN: Duration = Duration::from_millis(20);

/// Until when a program is waited for.
#[derive(Debug)]
pub struct DecisionTime<'e> {
    until: Instant,
    /// The host, who may lose interest earlier.
    host: Option<&'e Env>,
}

impl<'e> DecisionTime<'e> {
    /// This long from now.
    pub fn of(time: Duration) -> Self {
        Self {
            until: Instant::now() + time,
            host: None,
        }
    }

    /// As long as this decision has time and is wanted.
    pub(crate) fn for_decision(budget: Duration, host: &'e Env) -> Self {
        Self {
            host: Some(host),
            ..Self::of(budget)
        }
    }

    /// The same, but not beyond this moment.
    pub(crate) fn until(&self, until: Instant) -> DecisionTime<'e> {
        DecisionTime {
            until: self.until.min(until),
            host: self.host,
        }
    }

    /// Whether there is no point in waiting on.
    pub fn is_over(&self) -> bool {
        self.has_run_out() || self.host.is_some_and(|host| !host.still_wanted())
    }

    pub(crate) fn has_run_out(&self) -> bool {
        Instant::now() >= self.until
    }

    /// How long to wait before checking again.
    pub(crate) fn turn(&self) -> Duration {
        self.until
            .saturating_duration_since(Instant::now())
            .min(TURN)
    }
}

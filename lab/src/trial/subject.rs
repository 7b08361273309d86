//! The tested policy: asked and measured, with checks of every answer.

use std::time::{Duration, Instant};

use super::memory::Memory;
use crate::tournament::DecisionTimes;
use policy_host::ChildError;
use policy_host::child::{ChildPolicy, ChildSpec};
use policy_host::{HUNG_AFTER, MAX_FAULTS_PER_GAME, START_TIMEOUT, ViewBuffer};

/// A policy in its own process; use and drop it on the thread that started it.
pub struct Subject {
    policy: ChildPolicy,
    budget: Duration,
    times: DecisionTimes,
    faults: Vec<String>,
    over: bool,
}

/// The answer of a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialAnswer<A> {
    pub action: A,
    /// The reason, if it gave one.
    pub reason: String,
}

impl Subject {
    /// Starts a policy with this time for each decision.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn start(spec: &ChildSpec, budget: Duration) -> Result<Self, ChildError> {
        let policy = ChildPolicy::start(spec, START_TIMEOUT)?;
        Ok(Self { policy, budget, times: DecisionTimes::default(), faults: Vec::new(), over: false })
    }

    /// Asks for a decision; `None` if there is no valid one, which is noted with `place`.
    pub fn ask<A: Clone>(&mut self, view: &ViewBuffer, legal: &[A], place: &str) -> Option<TrialAnswer<A>> {
        let start = Instant::now();
        let decided = self.policy.decide(view, self.budget + HUNG_AFTER);
        let took = start.elapsed();
        let fault = match decided {
            Ok(decided) => {
                self.times.record(took);
                if took <= self.budget {
                    return Some(TrialAnswer { action: legal[decided.index].clone(), reason: decided.reason });
                }
                format!("it took {} ms of {} ms", took.as_millis(), self.budget.as_millis())
            }
            Err(fault) => {
                self.over |= fault.ends_instance();
                fault.to_string()
            }
        };
        self.faults.push(format!("{place}: {fault}"));
        self.over |= self.faults.len() >= MAX_FAULTS_PER_GAME as usize;
        None
    }

    /// Whether more questions are pointless.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// Its faults, and where they occurred.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Its decision times, including the communication with its process.
    #[must_use]
    pub const fn times(&self) -> &DecisionTimes {
        &self.times
    }

    /// The memory of its process now; `None` if the system does not report it.
    #[must_use]
    pub fn memory(&self) -> Option<Memory> {
        Memory::of(self.policy.id()?)
    }
}

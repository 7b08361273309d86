//! The tested policy: asked and measured, with checks of every answer.

use std::time::{Duration, Instant};

use super::memory::Memory;
use crate::tournament::DecisionTimes;
use policy_host::ChildError;
use policy_host::child::{ChildPolicy, ChildSpec};
use policy_host::{MAX_FAULTS_PER_GAME, START_TIMEOUT, ViewBuffer};

/// A policy in its own process; use and drop it on the thread that started it.
pub struct Subject {
    policy: ChildPolicy,
    budget: Duration,
    times: DecisionTimes,
    /// Each with its place.
    faults: Vec<(String, String)>,
    over: bool,
}

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
        Ok(Self {
            policy,
            budget,
            times: DecisionTimes::default(),
            faults: Vec::new(),
            over: false,
        })
    }

    /// Asks for a decision; `None` if there is no valid one. That is noted with `place` as a fault,
    /// and so is an error that the policy logs.
    pub fn ask<A: Clone>(
        &mut self,
        view: &ViewBuffer,
        legal: &[A],
        place: &str,
    ) -> Option<TrialAnswer<A>> {
        let start = Instant::now();
        let decided = self.policy.decide(view, self.budget);
        let (took, logged) = (start.elapsed(), self.policy.take_logged_error());
        // Late ones and failures too.
        self.times.record(took);
        let (answer, fault) = match decided {
            Ok(_) if took > self.budget => (
                None,
                Some(format!(
                    "it took {} ms of {} ms",
                    took.as_millis(),
                    self.budget.as_millis()
                )),
            ),
            Ok(decided) => {
                let answer = TrialAnswer {
                    action: legal[decided.index].clone(),
                    reason: decided.reason,
                };
                (
                    Some(answer),
                    logged.map(|error| format!("it logged an error: {error}")),
                )
            }
            Err(fault) => {
                self.over |= fault.ends_instance();
                (None, Some(fault.to_string()))
            }
        };
        if let Some(fault) = fault {
            self.faults.push((place.to_owned(), fault));
            self.over |= self.faults.len() >= MAX_FAULTS_PER_GAME as usize;
        }
        answer
    }

    /// Whether more questions are pointless.
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// Its faults, each once, and where they occurred.
    pub fn faults(&self) -> Vec<String> {
        let mut distinct: Vec<(&str, &str, usize)> = Vec::new();
        for (place, fault) in &self.faults {
            match distinct.iter_mut().find(|(_, known, _)| known == fault) {
                Some((_, _, more)) => *more += 1,
                None => distinct.push((place, fault, 0)),
            }
        }
        let words = |(place, fault, more)| match more {
            0 => format!("{place}: {fault}"),
            more => format!("{place}, and {more} more like it: {fault}"),
        };
        distinct.into_iter().map(words).collect()
    }

    /// Its decision times, including the communication with its process.
    pub const fn times(&self) -> &DecisionTimes {
        &self.times
    }

    /// The memory of its process now; `None` if the system does not report it.
    pub fn memory(&self) -> Option<Memory> {
        Memory::of(self.policy.id()?)
    }
}

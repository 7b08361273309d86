//! Policies whose decisions have a time that is kept, for games in which nothing else waits for
//! them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout_at;

use crate::admit::chosen::ChosenPolicy;
use crate::child::options::StartOptions;
use crate::fault::{Decided, Fault, PolicyStartError};
use crate::policy_config::Isolation;
use crate::run::thread::{PolicyThread, StartError, ThreadEvent};
use crate::view::ViewBuffer;

/// The time that a policy's decisions have, in all its games.
#[derive(Debug, Clone)]
pub struct TimeLimit {
    /// From the question to the answer.
    pub budget: Duration,
    /// Whether some instance has hung. A thread that hangs cannot be ended and takes a core for
    /// good, so instances are made in processes from then on, which can be killed.
    hung: Arc<AtomicBool>,
}

impl TimeLimit {
    pub fn new(budget: Duration) -> Self {
        Self {
            budget,
            hung: Arc::default(),
        }
    }
}

/// A policy on its own thread; the caller waits only for the time of a decision.
pub struct TimedPolicy {
    /// `None` when it hangs, and no other could be started.
    thread: Option<PolicyThread>,
    policy: ChosenPolicy,
    options: StartOptions,
    limit: TimeLimit,
    runtime: Runtime,
}

impl TimedPolicy {
    /// Makes an instance. Making may take longer than deciding.
    ///
    /// # Errors
    ///
    /// If the policy refuses, or is not ready in time.
    pub fn create(
        policy: &ChosenPolicy,
        options: &StartOptions,
        limit: &TimeLimit,
    ) -> Result<Self, PolicyStartError> {
        let runtime = Builder::new_current_thread().enable_time().build();
        let runtime = runtime
            .map_err(|error| PolicyStartError(format!("no runtime to wait for it: {error}")))?;
        let (policy, options, limit) = (policy.clone(), options.clone(), limit.clone());
        let mut timed = Self {
            thread: None,
            policy,
            options,
            limit,
            runtime,
        };
        timed.start()?;
        Ok(timed)
    }

    fn start(&mut self) -> Result<(), PolicyStartError> {
        if self.limit.hung.load(Ordering::Relaxed) {
            self.policy.isolation = Isolation::Process;
        }
        let starting = PolicyThread::start(self.policy.clone(), self.options.clone());
        let started = self
            .runtime
            .block_on(starting)
            .map_err(|error| match error {
                StartError::Create(error) => error,
                error => PolicyStartError(error.to_string()),
            });
        self.thread = Some(started?);
        Ok(())
    }

    /// Asks for a decision and waits for the policy's time; `None` when it is late. A late policy
    /// gets another second of its own time, since it cannot be asked anything meanwhile; if it has
    /// not returned then, its thread is left behind, or its process is killed. An unusable instance
    /// is replaced by a fresh one.
    ///
    /// # Errors
    ///
    /// If no fresh instance could be made, and the policy is of no more use.
    pub fn decide(
        &mut self,
        view: &mut ViewBuffer,
    ) -> Result<Option<Result<Decided, Fault>>, PolicyStartError> {
        if self.thread.is_none() {
            self.start()?;
        }
        let Some(thread) = &mut self.thread else {
            unreachable!("it was there, or has been started")
        };
        let until = Instant::now() + self.limit.budget;
        let asked = thread.ask(until, |asked| std::mem::swap(asked, view));
        debug_assert!(asked.is_ok(), "each question is waited for");
        let (event, in_time) = self.runtime.block_on(wait_for_event(thread, until));
        let answer = match event {
            ThreadEvent::Answer(answer) => answer,
            ThreadEvent::Ended => return Err(PolicyStartError("its thread has ended".to_owned())),
            ThreadEvent::Overdue(_) => {
                self.limit.hung.store(true, Ordering::Relaxed);
                // Its thread is left behind.
                self.thread = None;
                self.start()?;
                return Ok(None);
            }
        };
        // Its time was over before its thread could begin.
        let Some(decided) = answer.result else {
            return Ok(None);
        };
        if decided.as_ref().is_err_and(Fault::ends_instance) {
            // The making of the next one takes nothing of the next decision's time.
            self.runtime.block_on(thread.ready())?;
        }
        Ok(in_time.then_some(decided))
    }
}

/// What comes of the pending question, and whether it comes in time.
async fn wait_for_event(thread: &mut PolicyThread, until: Instant) -> (ThreadEvent, bool) {
    if let Some(answer) = thread.answer_soon().await {
        return (ThreadEvent::Answer(answer), Instant::now() <= until);
    }
    if let Ok(event) = timeout_at(until.into(), thread.next()).await {
        return (event, true);
    }
    thread.withdraw();
    (thread.next().await, false)
}

impl Drop for TimedPolicy {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.runtime.block_on(thread.end());
        }
    }
}

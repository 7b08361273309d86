//! A policy called on the caller's own thread, for games in which no clock runs.

use std::sync::Arc;
use std::time::Duration;

use super::find::ChosenPolicy;
use super::host::Context;
use super::instance::{CreateError, Decided, Fault};
use super::thread::StartOptions;
use super::view::ViewBuffer;
use super::worker::Worker;

/// How long a policy in a process of its own may take before it counts as hung.
const WITHIN: Duration = Duration::from_secs(24 * 3600);

/// A policy at work on this thread, which it never leaves.
///
/// The thread has to end before the last clone of its [`ChosenPolicy`] is dropped elsewhere: what the library left on
/// the thread ends with the thread, and only then may the code be closed.
pub struct DirectPolicy {
    /// `None` when it is of no more use, and no other could be made.
    worker: Option<Worker>,
    policy: ChosenPolicy,
    options: StartOptions,
    /// Outlives the worker, which is dropped first.
    context: Arc<Context>,
}

impl DirectPolicy {
    /// Makes an instance on this thread.
    ///
    /// # Errors
    ///
    /// When the policy refuses.
    pub fn create(policy: &ChosenPolicy, options: &StartOptions) -> Result<Self, CreateError> {
        let context = Context::new(&options.bot);
        let worker = Some(Worker::create(policy, options, &context)?);
        Ok(Self { worker, policy: policy.clone(), options: options.clone(), context })
    }

    /// Asks for a decision. An instance that is of no more use is replaced by a fresh one.
    ///
    /// # Errors
    ///
    /// When there is none; the outer one when no fresh instance is to be had, and the policy is of no more use.
    pub fn decide(&mut self, view: &mut ViewBuffer) -> Result<Result<Decided, Fault>, CreateError> {
        let create = || Worker::create(&self.policy, &self.options, &self.context);
        let worker = match &mut self.worker {
            Some(worker) => worker,
            none => none.insert(create()?),
        };
        let decided = worker.decide(view, WITHIN);
        if decided.as_ref().is_err_and(Fault::ends_instance) {
            // The old one goes first: it may hold what the new one needs.
            self.worker = None;
            self.worker = Some(create()?);
        }
        Ok(decided)
    }
}

//! A policy at work on its thread: its code in this process, or in a child that the thread waits for.

use std::sync::Arc;
use std::time::Duration;

use super::child::{ChildError, ChildPolicy};
use super::find::ChosenPolicy;
use super::host::{Context, host};
use super::instance::{CreateError, Decided, Fault, Instance};
use super::thread::{START_WITHIN, StartOptions};
use super::view::ViewBuffer;
use crate::config::Isolation;

/// A policy at work. Not to be sent to another thread.
pub(super) enum Worker {
    Here(Instance),
    Apart(ChildPolicy),
}

impl Worker {
    /// Makes a policy on this thread, which must hold the context for longer.
    pub(super) fn create(
        policy: &ChosenPolicy,
        options: &StartOptions,
        context: &Arc<Context>,
    ) -> Result<Self, CreateError> {
        match policy.isolation {
            Isolation::Thread => {
                Instance::create(policy, host(context), options.players, &options.config_folder).map(Self::Here)
            }
            Isolation::Process => ChildPolicy::start(&policy.for_child(options), START_WITHIN)
                .map(Self::Apart)
                .map_err(|error| CreateError(error.to_string())),
        }
    }

    /// Makes another in the place of one that is of no more use.
    pub(super) fn create_again(
        policy: &ChosenPolicy,
        options: &StartOptions,
        context: &Arc<Context>,
    ) -> Result<Self, Fault> {
        let again = |error: String| Fault::Failed(format!("it does not start again: {error}"));
        match policy.isolation {
            Isolation::Thread => Self::create(policy, options, context).map_err(|error| again(error.to_string())),
            Isolation::Process => match ChildPolicy::start(&policy.for_child(options), START_WITHIN) {
                Ok(child) => Ok(Self::Apart(child)),
                Err(ChildError::Died { ended, .. }) => Err(Fault::Died(ended)),
                Err(error) => Err(again(error.to_string())),
            },
        }
    }

    /// Asks for a decision. A child that takes longer than `within` is killed.
    pub(super) fn decide(&mut self, view: &mut ViewBuffer, within: Duration) -> Result<Decided, Fault> {
        match self {
            Self::Here(instance) => view.with_view(|view| instance.decide(view)),
            Self::Apart(child) => child.decide(view, within),
        }
    }
}

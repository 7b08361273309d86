//! A policy at work on its thread: its code in this process, or in a child that the thread waits
//! for.

use std::sync::Arc;
use std::time::Duration;

use crate::admit::chosen::ChosenPolicy;
use crate::call::host::{Context, host};
use crate::call::instance::PolicyInstance;
use crate::child::ChildPolicy;
use crate::child::options::StartOptions;
use crate::fault::child_error::ChildError;
use crate::fault::{Decided, Fault, PolicyStartError};
use crate::limits::START_TIMEOUT;
use crate::policy_config::Isolation;
use crate::view::ViewBuffer;

/// A policy at work. Not to be sent to another thread.
pub(crate) enum Worker {
    /// With the number of the last question.
    InThread(PolicyInstance, u64),
    InProcess(Box<ChildPolicy>),
}

impl Worker {
    /// Makes a policy on this thread, which must hold the context for longer.
    pub(crate) fn create(
        policy: &ChosenPolicy,
        options: &StartOptions,
        context: &Arc<Context>,
    ) -> Result<Self, PolicyStartError> {
        match policy.isolation {
            Isolation::Thread => {
                let ChosenPolicy {
                    library,
                    index,
                    params,
                    ..
                } = policy;
                let instance = PolicyInstance::create(
                    library,
                    *index,
                    params,
                    host(context),
                    options.players,
                    &options.config_folder,
                )?;
                policy.announced.get_or_init(|| instance.announced());
                Ok(Self::InThread(instance, 0))
            }
            Isolation::Process => {
                let spec = policy.for_child(options, context.together);
                let child = ChildPolicy::start(&spec, START_TIMEOUT)?;
                policy.announced.get_or_init(|| child.announced().clone());
                Ok(Self::InProcess(Box::new(child)))
            }
        }
    }

    /// Makes another in the place of one that is of no more use.
    pub(crate) fn create_again(
        policy: &ChosenPolicy,
        options: &StartOptions,
        context: &Arc<Context>,
    ) -> Result<Self, Fault> {
        let again = |error: String| Fault::Failed(format!("it does not start again: {error}"));
        match policy.isolation {
            Isolation::Thread => {
                Self::create(policy, options, context).map_err(|error| again(error.to_string()))
            }
            Isolation::Process => {
                match ChildPolicy::start(
                    &policy.for_child(options, context.together),
                    START_TIMEOUT,
                ) {
                    Ok(child) => Ok(Self::InProcess(Box::new(child))),
                    Err(ChildError::Died { end, .. }) => Err(Fault::Died(end)),
                    Err(error) => Err(again(error.to_string())),
                }
            }
        }
    }

    /// Asks for a decision. A child that hangs after this time is killed.
    pub(crate) fn decide(
        &mut self,
        view: &mut ViewBuffer,
        context: &Context,
        budget: Duration,
    ) -> Result<Decided, Fault> {
        match self {
            Self::InThread(instance, asked) => {
                context.lines.begin();
                *asked += 1;
                view.set_question(*asked);
                view.with_view(|view| instance.decide(view))
            }
            Self::InProcess(child) => child.decide(view, budget),
        }
    }
}

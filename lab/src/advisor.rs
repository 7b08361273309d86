//! A policy that is asked outside a game, without a clock.

use std::time::Duration;

use crate::course::CannotWatch;
use crate::game::Entrant;
use policy_host::{
    Asked, Decided, DirectPolicy, DirectThread, Fault, PolicyStartError, ViewBuffer,
};

/// A policy that can be asked for advice.
pub struct Advisor<'t> {
    policy: DirectPolicy<'t>,
    view: ViewBuffer,
    budget: Duration,
    asked: u32,
    is_wanted: Option<&'t dyn Fn() -> bool>,
}

#[derive(Debug, thiserror::Error)]
pub enum NoAdvice {
    #[error(transparent)]
    Create(#[from] PolicyStartError),
    /// It did not decide.
    #[error("the policy gives no decision")]
    Fault(#[from] Fault),
    #[error(transparent)]
    Seat(#[from] CannotWatch),
    #[error("no more advice is wanted")]
    Unwanted,
    /// The thread cannot be started.
    #[error("no thread for the policy")]
    Thread(#[from] std::io::Error),
}

impl<'t> Advisor<'t> {
    /// Starts a policy on a thread for policies.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn start(thread: &'t DirectThread, entrant: &Entrant) -> Result<Self, NoAdvice> {
        Ok(Self {
            policy: DirectPolicy::create(thread, &entrant.policy, &entrant.options)?,
            view: ViewBuffer::default(),
            budget: entrant.budget,
            asked: 0,
            is_wanted: None,
        })
    }

    /// The same, which is asked only as long as this is so.
    #[must_use]
    pub fn while_wanted(self, is_wanted: &'t dyn Fn() -> bool) -> Self {
        Self {
            is_wanted: Some(is_wanted),
            ..self
        }
    }

    /// The time for a decision that its views name.
    pub const fn budget(&self) -> Duration {
        self.budget
    }
}

impl Advisor<'_> {
    /// Starts a policy on its own thread and runs `work`, which may ask it; the thread has ended
    /// when this returns.
    ///
    /// # Errors
    ///
    /// If the policy cannot be started, or if `work` fails.
    pub fn with<T: Send, E: Send + From<NoAdvice>>(
        entrant: &Entrant,
        work: impl FnOnce(&mut Advisor<'_>) -> Result<T, E> + Send,
    ) -> Result<T, E> {
        let advise = |thread: &DirectThread| work(&mut Advisor::start(thread, entrant)?);
        DirectThread::run("advisor", advise).map_err(NoAdvice::from)?
    }

    /// The policy's choice for the view that `fill` produces.
    ///
    /// # Errors
    ///
    /// If it does not decide, or no more advice is wanted.
    pub fn ask(&mut self, fill: impl FnOnce(&mut ViewBuffer, &Asked)) -> Result<Decided, NoAdvice> {
        if self.is_wanted.is_some_and(|is_wanted| !is_wanted()) {
            return Err(NoAdvice::Unwanted);
        }
        let asked = Asked {
            decision: self.asked,
            budget: self.budget,
            ..Asked::default()
        };
        self.asked += 1;
        fill(&mut self.view, &asked);
        Ok(self.policy.decide(&mut self.view)??)
    }
}

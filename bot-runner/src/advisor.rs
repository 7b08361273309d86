//! A policy asked what it would do, outside of any game: no clock runs, and nothing follows from its word.

use std::thread;

use mahjong::{Action, Table};

use crate::plugin::{Asked, CreateError, Decided, DirectPolicy, Fault, RoundLog, ViewBuffer};
use crate::tournament::Entrant;

/// A policy that can be asked.
pub struct Advisor {
    policy: DirectPolicy,
    view: ViewBuffer,
    budget_ms: u32,
    asked: u32,
}

/// Why there is no advice.
#[derive(Debug, thiserror::Error)]
pub enum NoAdvice {
    /// The policy does not start.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// It did not decide.
    #[error("the policy gives no decision: {0}")]
    Fault(#[from] Fault),
    /// No thread could be had for it.
    #[error("no thread for the policy: {0}")]
    Thread(#[from] std::io::Error),
}

impl Advisor {
    /// Starts a policy on a thread of its own, on which `work` may ask it; the thread has ended when this returns.
    ///
    /// # Errors
    ///
    /// When the policy does not start, and those of `work`.
    pub fn with<T: Send, E: Send + From<NoAdvice>>(
        entrant: &Entrant,
        work: impl FnOnce(&mut Self) -> Result<T, E> + Send,
    ) -> Result<T, E> {
        let Entrant { policy, options, budget } = entrant;
        thread::scope(|scope| {
            let there = move || {
                let mut advisor = Self {
                    policy: DirectPolicy::create(policy, options).map_err(NoAdvice::from)?,
                    view: ViewBuffer::default(),
                    budget_ms: u32::try_from(budget.as_millis()).unwrap_or(u32::MAX),
                    asked: 0,
                };
                work(&mut advisor)
            };
            let thread = thread::Builder::new().name("advisor".to_owned()).spawn_scoped(scope, there);
            let ended = thread.map_err(NoAdvice::from)?.join();
            ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// What the policy would do here.
    ///
    /// # Errors
    ///
    /// When it does not decide.
    pub fn ask(&mut self, table: &Table, log: &RoundLog, legal: &[Action]) -> Result<Decided, NoAdvice> {
        let asked = Asked { decision: self.asked, budget_ms: self.budget_ms, ..Asked::default() };
        self.asked += 1;
        self.view.fill(table, log, legal, &asked);
        Ok(self.policy.decide(&mut self.view)??)
    }
}

//! One decision in a match without polls.

use std::time::{Duration, Instant};

use policy_host::{Asked, Decided, SeatEvent, ViewBuffer};

use crate::bot::brain::BotPolicy;
use crate::session::botzone::MatchDialect;

/// What was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SingleDecision {
    /// The index of the action; none where the safe answer is due.
    pub choice: Option<usize>,
    /// The policy's reason, or why it has decided nothing.
    pub why: String,
}

impl BotPolicy {
    /// Has the open request of a match decided, within the policy's own time or, where its config says nothing, within `think`.
    pub async fn decide<M: MatchDialect>(&mut self, dialect: &M, decision: u32, think: Duration) -> SingleDecision {
        let until = Instant::now() + self.policy.pace().think.unwrap_or(think);
        loop {
            let budget = until.saturating_duration_since(Instant::now());
            let asked = Asked { decision, game: self.games, seed: self.seed, budget, ..Asked::default() };
            if let Err(why) = self.policy.ask(until, |view: &mut ViewBuffer| dialect.fill(view, &asked)) {
                return SingleDecision { choice: None, why: why.to_string() };
            }
            let event = match self.policy.soon().await {
                Some(event) => event,
                None => self.policy.next(true).await,
            };
            match event {
                SeatEvent::Decided { decided: Decided { index, reason, .. }, .. } => {
                    return SingleDecision { choice: Some(index), why: reason };
                }
                SeatEvent::Undecided(why) => return SingleDecision { choice: None, why },
                SeatEvent::AskAgain => {}
            }
        }
    }
}

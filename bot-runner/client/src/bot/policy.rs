//! A bot's policy, together with the state needed to ask it.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use foreign_text::ForeignText;

use super::deciders::DeciderCounts;
use crate::decision_note::DecisionNote;
use crate::session::botzone::{Match, MatchDialect};
use policy_host::{
    Asked, Decided, FaultCounts, NoDecision, PolicyIdentity, SeatEvent, SeatedPolicy, SetAside,
    ViewBuffer,
};

/// A policy, together with the state needed to ask it.
#[derive(Debug)]
pub struct BotPolicy {
    pub(super) seated: SeatedPolicy,
    pub(super) seed: u64,
    pub(super) games: u64,
    /// The decisions since the notes were last taken, if notes are enabled.
    pub(super) notes: Option<Vec<Arc<DecisionNote>>>,
    /// The builds that decided in the current or last game, with their numbers of decisions.
    pub(super) deciders: DeciderCounts,
}

impl BotPolicy {
    pub fn new(seated: SeatedPolicy, seed: u64) -> Self {
        Self {
            seated,
            seed,
            games: 0,
            notes: None,
            deciders: DeciderCounts::default(),
        }
    }

    pub fn keep_notes(&mut self) {
        self.notes = Some(Vec::new());
    }

    pub fn take_notes(&mut self) -> Vec<Arc<DecisionNote>> {
        self.notes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Whether nothing decides any more until the policy is tried again, or another build takes
    /// over.
    pub const fn is_set_aside(&self) -> bool {
        self.seated.is_set_aside()
    }

    /// Why it is set aside, if it is.
    pub fn set_aside(&self) -> Option<SetAside> {
        self.seated.set_aside()
    }

    /// Lets a policy that is ready take over while there is no connection; ready when one has.
    ///
    /// Dropping the future loses nothing.
    pub async fn replaced(&mut self) {
        self.seated.replaced().await;
    }

    /// Waits for something while another build of the policy may take over.
    pub(super) async fn while_waiting_for<T>(&mut self, something: impl Future<Output = T>) -> T {
        let mut something = pin!(something);
        loop {
            tokio::select! {
                done = &mut something => return done,
                () = self.replaced() => {}
            }
        }
    }

    /// Whether a guest, such as a person, plays in place of the bot's policy.
    pub const fn has_guest(&self) -> bool {
        self.seated.has_guest()
    }

    pub const fn identity(&self) -> &Arc<PolicyIdentity> {
        self.seated.identity()
    }

    /// Counts a request that the policy at the seat was there for.
    pub(super) fn count_decider(&mut self) {
        self.deciders.count(self.seated.identity());
    }

    /// Faults of all policies of the bot so far.
    pub fn faults(&self) -> FaultCounts {
        self.seated.faults()
    }

    /// Has the policy decide the open request of a match, within its own time or, if its config
    /// sets none, within `think`. Returns the index of the action, none if the safe answer is due;
    /// and the policy's reason, or why it has decided nothing.
    pub async fn decide<D: MatchDialect>(
        &mut self,
        played: &Match<D>,
        decision: u32,
        think: Duration,
    ) -> (Option<usize>, String) {
        let until = Instant::now() + self.seated.pace().think.unwrap_or(think);
        let (game, seed) = (self.games, self.seed);
        let fill = |view: &mut ViewBuffer, _| {
            let budget = until.saturating_duration_since(Instant::now());
            played.fill(
                view,
                &Asked {
                    decision,
                    game,
                    seed,
                    budget,
                    ..Asked::default()
                },
            );
        };
        match self.decide_until(|_| until, fill).await {
            Ok(Decided { index, reason, .. }) => (Some(index), reason),
            Err(why) => (None, why.to_string()),
        }
    }

    /// Has a question decided by a moment; `fill` fills the view. Both are asked again if another
    /// policy takes the question over, and whether it is a guest's.
    ///
    /// # Errors
    ///
    /// Why nothing was decided: the safe answer is due.
    pub async fn decide_until(
        &mut self,
        until: impl Fn(bool) -> Instant,
        fill: impl Fn(&mut ViewBuffer, bool),
    ) -> Result<Decided, NoDecision> {
        loop {
            let of_guest = self.has_guest();
            self.seated
                .ask(until(of_guest), |view| fill(view, of_guest))?;
            match self.next(true).await {
                SeatEvent::Decided { decided, took } => {
                    let (values, by) = (&decided.values, self.seated.identity());
                    let reason = ForeignText::new(&decided.reason, None);
                    tracing::debug!(?took, ?values, %by, "{reason}");
                    return Ok(decided);
                }
                SeatEvent::Undecided(why) => return Err(why),
                SeatEvent::AskAgain => {}
            }
        }
    }

    /// Lets a build that is ready take over where its config allows it, and waits for none.
    pub async fn swap_if_ready(&mut self, in_game: bool) {
        tokio::select! {
            biased;
            _ = self.seated.next(in_game) => {}
            () = std::future::ready(()) => {}
        }
    }

    /// Begins the next game: what the policy has done wrong in the one before no longer counts
    /// against it.
    pub async fn begin_game(&mut self) {
        self.swap_if_ready(false).await;
        self.seated.game_begins();
    }

    /// The outcome of the last question.
    pub(super) async fn next(&mut self, in_game: bool) -> SeatEvent {
        match self.seated.soon().await {
            Some(event) => event,
            None => self.seated.next(in_game).await,
        }
    }

    /// Ends the policy and waits for its end, unless it hangs. Returns the faults of all policies
    /// of the bot.
    pub async fn end(self) -> FaultCounts {
        self.seated.end().await
    }
}

//! The policy at a bot's seat: its thread, its replacement, and the handling of its failures.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep_until;

use crate::chosen::{ChosenPolicy, PolicyIdentity};
use crate::fault::{Decided, Fault};
use crate::faults::{FaultCounts, FaultKind};
use crate::libraries::Libraries;
use crate::limits::{CHILD_KILL_MARGIN, HUNG_AFTER};
use crate::options::StartOptions;
use crate::pace::Pace;
use crate::quarantine::QuarantineKey;
use crate::replacement::{self, Replacement, ReplacementReceiver, ReplacementSender};
use crate::section::{Isolation, ReloadMode};
use crate::thread::{PolicyAnswer, PolicyBusy, PolicyThread, StartError};
use crate::view::ViewBuffer;

/// Faults of one game after which a policy is set aside. Each costs one action's quality, so a few are no reason.
pub const MAX_FAULTS_PER_GAME: u32 = 10;
/// Kills from outside in one game after which it is set aside: a user does not kill this often by hand, while a process
/// that takes all memory gets killed again and again.
const MAX_KILLS: u32 = 100;
/// Hangs after which a policy is set aside. Each costs a whole second more than a late answer, and on a thread a core.
const MAX_HANGS: u32 = 2;

/// The outcome of the pending question.
#[derive(Debug)]
pub enum SeatEvent {
    Decided {
        decided: Decided,
        took: Duration,
    },
    /// It gets no answer, for this reason: the safe answer is due.
    Undecided(String),
    /// The policy hung and was replaced by another instance, which should be asked instead.
    AskAgain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CannotAsk {
    /// It failed again and again.
    #[error("the policy is set aside")]
    SetAside,
    /// It would not answer in time.
    #[error("it has not returned from earlier questions")]
    Busy,
}

#[derive(Debug)]
pub struct SeatedPolicy {
    /// `None` once it is set aside.
    thread: Option<PolicyThread>,
    identity: Arc<PolicyIdentity>,
    quarantine_key: Option<QuarantineKey>,
    pace: Pace,
    options: StartOptions,
    libraries: Arc<Libraries>,
    replacements: ReplacementReceiver,
    /// Its faults since it was seated.
    faults: FaultCounts,
    /// The faults of its predecessors.
    earlier_faults: FaultCounts,
    faults_in_game: u32,
    kills_in_game: u32,
}

impl SeatedPolicy {
    /// Starts a bot's policy. A policy sent through the returned sender takes over from it.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub async fn start(
        policy: ChosenPolicy,
        pace: Pace,
        options: StartOptions,
        libraries: Arc<Libraries>,
    ) -> Result<(Self, ReplacementSender), StartError> {
        let thread = PolicyThread::start(policy, options.clone()).await?;
        let chosen = thread.policy();
        let (identity, quarantine_key) = (Arc::new(chosen.identity()), chosen.quarantine_key(&options.bot));
        let (sender, replacements) = replacement::channel();
        let none = FaultCounts::default();
        let seated = Self {
            thread: Some(thread),
            identity,
            quarantine_key,
            pace,
            options,
            libraries,
            replacements,
            faults: none,
            earlier_faults: none,
            faults_in_game: 0,
            kills_in_game: 0,
        };
        Ok((seated, sender))
    }

    #[must_use]
    pub const fn identity(&self) -> &Arc<PolicyIdentity> {
        &self.identity
    }

    #[must_use]
    pub const fn pace(&self) -> Pace {
        self.pace
    }

    /// Whether nothing decides any more until another build takes over.
    #[must_use]
    pub const fn is_set_aside(&self) -> bool {
        self.thread.is_none()
    }

    /// Whether another build is ready and takes over as soon as no game is on.
    #[must_use]
    pub fn awaits_game_end(&self) -> bool {
        self.replacements.has(|waiting| waiting.pace.reload == ReloadMode::Game)
    }

    /// Asks a question, which is pending from then on and replaces one that was. `fill` fills the view.
    /// [`soon`](Self::soon) and [`next`](Self::next) return the outcome.
    ///
    /// # Errors
    ///
    /// If the policy cannot be asked; nothing is pending then.
    pub fn ask(&mut self, until: Instant, fill: impl FnOnce(&mut ViewBuffer)) -> Result<(), CannotAsk> {
        let thread = self.thread.as_mut().ok_or(CannotAsk::SetAside)?;
        thread.ask(until, fill).map_err(|PolicyBusy| CannotAsk::Busy)
    }

    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.pending_until().is_some()
    }

    /// Says that the answer to the pending question is no longer wanted.
    pub fn withdraw(&mut self) {
        if let Some(thread) = &mut self.thread {
            thread.withdraw();
        }
    }

    fn pending_until(&self) -> Option<Instant> {
        self.thread.as_ref().and_then(PolicyThread::pending_until)
    }

    /// The outcome of the pending question, if it arrives within 100 us. Most decisions take less time than preparing
    /// for a longer wait.
    pub async fn soon(&mut self) -> Option<SeatEvent> {
        if !self.is_asked() {
            return None;
        }
        let answer = self.thread.as_mut()?.answer_soon().await?;
        self.answered(Some(answer))
    }

    /// Waits for the outcome of the pending question. While none is pending, a policy that is ready takes over if its
    /// config allows it; `in_game` says whether a game is on.
    ///
    /// Dropping the future loses nothing.
    pub async fn next(&mut self, in_game: bool) -> SeatEvent {
        loop {
            let asked = self.is_asked();
            if !asked {
                let set_aside = self.is_set_aside();
                let suits = |waiting: &Replacement| set_aside || may_take_over(waiting.pace.reload, in_game);
                if let Some(replacement) = self.replacements.take_if(suits) {
                    self.take_over(replacement);
                }
            }
            let (time_over, hung_at) = (self.pending_until(), self.hung_at());
            tokio::select! {
                biased;
                answer = answer_of(&mut self.thread) => {
                    if let Some(event) = self.answered(answer) {
                        return event;
                    }
                }
                () = reached(time_over) => {
                    self.withdraw();
                    self.was_late();
                    return SeatEvent::Undecided("its time was over".to_owned());
                }
                () = reached(hung_at) => {
                    self.hung();
                    if asked {
                        return match self.thread {
                            Some(_) => SeatEvent::AskAgain,
                            None => SeatEvent::Undecided(CannotAsk::SetAside.to_string()),
                        };
                    }
                }
                () = self.replacements.changed(), if !asked => {}
            }
        }
    }

    /// Takes an answer, or that none will come any more; what it means for the pending question, if anything.
    fn answered(&mut self, answer: Option<PolicyAnswer>) -> Option<SeatEvent> {
        let asked = self.is_asked();
        let Some(PolicyAnswer { result, took, wanted }) = answer else {
            self.set_aside("its thread has ended");
            return asked.then(|| SeatEvent::Undecided(CannotAsk::SetAside.to_string()));
        };
        match result? {
            // Too late, as has been said.
            Ok(_) if !wanted => None,
            Ok(decided) => Some(SeatEvent::Decided { decided, took }),
            Err(fault) => {
                self.failed(&fault);
                // Set aside for an earlier question, it leaves the pending one too.
                (wanted || (asked && self.is_set_aside())).then(|| SeatEvent::Undecided(fault.to_string()))
            }
        }
    }

    /// Lets policies that are ready take over while the bot has no connection; ends when one has.
    ///
    /// Dropping the future loses nothing.
    pub async fn replaced(&mut self) {
        loop {
            if let Some(replacement) = self.replacements.take_if(|_| true) {
                return self.take_over(replacement);
            }
            self.replacements.changed().await;
        }
    }

    /// When the policy's thread counts as hung. The thread that waits for a child reports its hanging before that.
    fn hung_at(&self) -> Option<Instant> {
        let thread = self.thread.as_ref()?;
        let margin = match thread.policy().isolation {
            Isolation::Thread => Duration::ZERO,
            Isolation::Process => CHILD_KILL_MARGIN,
        };
        thread.hung_at().map(|at| at + margin)
    }

    fn take_over(&mut self, Replacement { policy, pace, taken }: Replacement) {
        let chosen = policy.policy();
        let (identity, quarantine_key) = (Arc::new(chosen.identity()), chosen.quarantine_key(&self.options.bot));
        tracing::info!(faults = %self.faults, "{identity} takes over from {}", self.identity);
        // The old one ends on its own thread, once its running call has returned.
        self.thread = Some(policy);
        self.identity = identity;
        self.quarantine_key = quarantine_key;
        self.pace = pace;
        self.earlier_faults.merge(&std::mem::take(&mut self.faults));
        (self.faults_in_game, self.kills_in_game) = (0, 0);
        // The receiver may have stopped waiting.
        let _ = taken.send(());
    }

    pub fn game_begins(&mut self) {
        (self.faults_in_game, self.kills_in_game) = (0, 0);
    }

    /// An answer was not there when its time was over.
    fn was_late(&mut self) {
        if self.faults.add(FaultKind::Late) {
            tracing::warn!("{} did not answer in time (logged once)", self.identity);
        }
    }

    fn failed(&mut self, fault: &Fault) {
        let kind = FaultKind::of(fault);
        if self.faults.add(kind) {
            tracing::error!("{}: {fault} (logged once)", self.identity);
        }
        // By its own word it is not to blame, and it may be well again at the next decision.
        if kind == FaultKind::Unavailable {
            return;
        }
        if kind == FaultKind::Killed {
            self.kills_in_game += 1;
            if self.kills_in_game >= MAX_KILLS {
                self.set_aside(&format!("it was killed {MAX_KILLS} times in one game"));
            }
            return;
        }
        self.faults_in_game += 1;
        if kind == FaultKind::Hung && self.faults.of(FaultKind::Hung) >= MAX_HANGS {
            self.set_aside("it hung again");
        } else if self.faults_in_game >= MAX_FAULTS_PER_GAME {
            self.set_aside(&format!("it failed {MAX_FAULTS_PER_GAME} times in one game"));
        }
    }

    /// A thread did not return. It cannot be killed, so it is left behind, and the policy continues in a child, which
    /// can.
    fn hung(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        let policy = ChosenPolicy { isolation: Isolation::Process, ..thread.policy().clone() };
        let on_thread = thread.policy().isolation == Isolation::Thread;
        self.libraries.forget(&policy.library);
        drop(thread);
        if self.faults.add(FaultKind::Hung) {
            tracing::error!(
                "{} has not returned {} s after its time was over{}",
                self.identity,
                HUNG_AFTER.as_secs(),
                if on_thread { "; its thread is abandoned, and it continues in its own process" } else { "" }
            );
        }
        if self.faults.of(FaultKind::Hung) >= MAX_HANGS {
            self.set_aside("it hung again");
            return;
        }
        match PolicyThread::begin(policy, self.options.clone()) {
            Ok((thread, _)) => self.thread = Some(thread),
            Err(error) => self.set_aside(&format!("no thread could be started for it ({error})")),
        }
    }

    fn set_aside(&mut self, why: &str) {
        self.thread = None;
        if let Some(key) = &self.quarantine_key {
            self.libraries.quarantine.add(key.clone());
        }
        tracing::error!(
            faults = %self.faults,
            "{} is set aside: {why}; the safe answer is given until another build takes over, or this one after \
             `bot-runner reload {}`",
            self.identity,
            self.options.bot
        );
    }

    /// The faults of all policies that sat here.
    #[must_use]
    pub fn faults(&self) -> FaultCounts {
        let mut all = self.earlier_faults;
        all.merge(&self.faults);
        all
    }

    /// Ends the policy and waits for it, unless it hangs; returns the faults of all policies that sat here.
    pub async fn end(mut self) -> FaultCounts {
        if let Some(thread) = self.thread.take() {
            thread.end().await;
        }
        self.faults()
    }
}

/// Whether a policy may take over now, according to its config.
const fn may_take_over(reload: ReloadMode, in_game: bool) -> bool {
    match reload {
        ReloadMode::Decision => true,
        ReloadMode::Game => !in_game,
        ReloadMode::Off => false,
    }
}

async fn answer_of(thread: &mut Option<PolicyThread>) -> Option<PolicyAnswer> {
    match thread {
        Some(thread) => thread.answer().await,
        None => std::future::pending().await,
    }
}

async fn reached(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment.into()).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests;

//! The policy at a bot's seat: which thread it runs on, what takes over from it, and what becomes of it when it fails.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep_until;

use super::faults::{FaultCounts, FaultKind};
use super::find::{ChosenPolicy, Libraries, PolicyIdentity};
use super::instance::Fault;
use super::replacement::{self, Replacement, ReplacementReceiver, ReplacementSender};
use super::thread::{Answer, HUNG_AFTER, Job, PolicyThread, StartError, StartOptions};
use crate::config::{Isolation, PolicyConfig, ReloadMode};

/// Faults of one game after which a policy is set aside. Each costs one action's quality, so a few are no reason.
const FAULTS_ENOUGH: u32 = 10;
/// Kills from outside in one game after which it is set aside: nobody kills so often by hand, while a process that takes all
/// memory gets killed again and again.
const KILLS_ENOUGH: u32 = 100;
/// Hangs after which a policy is set aside. Each costs a whole second more than a late answer, and on a thread a core.
const HANGS_ENOUGH: u32 = 2;
/// A child that hangs is killed by the one who waits for it, who then says so; this is the margin for saying it.
const CHILDS_MARGIN: Duration = Duration::from_secs(1);

/// How a bot's policy is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Most time for a decision; `None`: the free time of a request less the margin.
    pub think: Option<Duration>,
    /// Time kept back from a request's deadline.
    pub margin: Duration,
    /// When another policy takes over.
    pub reload: ReloadMode,
}

impl From<&PolicyConfig> for Pace {
    fn from(config: &PolicyConfig) -> Self {
        Self { think: config.think, margin: config.margin, reload: config.reload }
    }
}

/// What happened at the seat.
#[derive(Debug)]
pub enum SeatEvent {
    /// An answer came.
    Answer(Answer),
    /// No answer will come to what was handed over: the policy is no more.
    Gone,
    /// The policy hung, and another instance of it, which has not been asked anything, is in its place.
    Replaced,
}

/// The policy at a bot's seat.
#[derive(Debug)]
pub struct SeatedPolicy {
    /// `None` once it is set aside.
    thread: Option<PolicyThread>,
    identity: Arc<PolicyIdentity>,
    pace: Pace,
    options: StartOptions,
    libraries: Arc<Libraries>,
    replacements: ReplacementReceiver,
    /// What it did wrong since it was seated.
    faults: FaultCounts,
    /// What those before it did wrong.
    earlier_faults: FaultCounts,
    faults_in_game: u32,
    kills_in_game: u32,
}

impl SeatedPolicy {
    /// Starts a bot's policy. What comes through the returned sender takes over from it.
    ///
    /// # Errors
    ///
    /// When it does not start.
    pub async fn start(
        policy: ChosenPolicy,
        pace: Pace,
        options: StartOptions,
        libraries: Arc<Libraries>,
    ) -> Result<(Self, ReplacementSender), StartError> {
        let identity = Arc::new(policy.identity());
        let thread = Some(PolicyThread::start(policy, options.clone()).await?);
        let (sender, replacements) = replacement::channel();
        let none = FaultCounts::default();
        let seated = Self {
            thread,
            identity,
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

    /// Which policy of which build decides.
    #[must_use]
    pub const fn identity(&self) -> &Arc<PolicyIdentity> {
        &self.identity
    }

    /// How it is used.
    #[must_use]
    pub const fn pace(&self) -> Pace {
        self.pace
    }

    /// Whether nothing decides any more until another build takes over.
    #[must_use]
    pub const fn is_set_aside(&self) -> bool {
        self.thread.is_none()
    }

    /// Hands a job over; `false` when nothing will come of it in time.
    pub fn submit(&mut self, job: Job) -> bool {
        self.thread.as_mut().is_some_and(|thread| thread.submit(job))
    }

    /// Says that the answer to the last job is no longer wanted.
    pub fn withdraw(&self) {
        if let Some(thread) = &self.thread {
            thread.withdraw();
        }
    }

    /// The answer to the job just submitted, if it comes at once.
    ///
    /// Dropping the future loses nothing.
    pub async fn answer_at_once(&mut self) -> Option<Answer> {
        self.thread.as_mut()?.answer_at_once().await
    }

    /// The next thing that happens at the seat. With `free`, which says that nothing is being decided now and whether a
    /// game is on, a policy that is ready takes over meanwhile.
    ///
    /// Dropping the future loses nothing.
    pub async fn next(&mut self, free: Option<Free>) -> SeatEvent {
        loop {
            if let Some(free) = free {
                let set_aside = self.is_set_aside();
                let suits = |waiting: &Replacement| set_aside || free.suits(waiting.pace.reload);
                if let Some(replacement) = self.replacements.take_if(suits) {
                    self.take_over(replacement);
                }
            }
            let hung_at = self.hung_at();
            tokio::select! {
                biased;
                answer = answer_of(&mut self.thread) => match answer {
                    Some(answer) => return SeatEvent::Answer(answer),
                    None => {
                        self.set_aside("its thread has ended");
                        return SeatEvent::Gone;
                    }
                },
                () = reached(hung_at) => {
                    self.hung();
                    return if self.thread.is_some() { SeatEvent::Replaced } else { SeatEvent::Gone };
                }
                () = self.replacements.changed(), if free.is_some() => {}
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

    /// When the policy's thread counts as hung. Whoever waits for a child tells its hanging before that.
    fn hung_at(&self) -> Option<Instant> {
        let thread = self.thread.as_ref()?;
        let margin = match thread.policy().isolation {
            Isolation::Thread => Duration::ZERO,
            Isolation::Process => CHILDS_MARGIN,
        };
        thread.hung_at().map(|at| at + margin)
    }

    fn take_over(&mut self, Replacement { policy, pace, taken }: Replacement) {
        let identity = Arc::new(policy.policy().identity());
        tracing::info!(faults = %self.faults, "{identity} takes over from {}", self.identity);
        // The old one ends on its own thread, once its running call has returned.
        self.thread = Some(policy);
        self.identity = identity;
        self.pace = pace;
        self.earlier_faults.merge(&std::mem::take(&mut self.faults));
        (self.faults_in_game, self.kills_in_game) = (0, 0);
        // Whoever wanted to know may have stopped waiting.
        let _ = taken.send(());
    }

    /// A game has begun.
    pub fn game_begins(&mut self) {
        (self.faults_in_game, self.kills_in_game) = (0, 0);
    }

    /// An answer was not there when its time was over.
    pub fn was_late(&mut self) {
        if self.faults.add(FaultKind::Late) {
            tracing::warn!("{} did not answer in time; this is told once", self.identity);
        }
    }

    /// An answer was none.
    pub fn failed(&mut self, fault: &Fault) {
        let kind = FaultKind::of(fault);
        if self.faults.add(kind) {
            tracing::error!("{}: {fault}; this is told once", self.identity);
        }
        if kind == FaultKind::Killed {
            self.kills_in_game += 1;
            if self.kills_in_game >= KILLS_ENOUGH {
                self.set_aside(&format!("it was killed {KILLS_ENOUGH} times in one game"));
            }
            return;
        }
        self.faults_in_game += 1;
        if kind == FaultKind::Hung && self.faults.of(FaultKind::Hung) >= HANGS_ENOUGH {
            self.set_aside("it hung again");
        } else if self.faults_in_game >= FAULTS_ENOUGH {
            self.set_aside(&format!("it failed {FAULTS_ENOUGH} times in one game"));
        }
    }

    /// A thread did not return. It cannot be killed, so it is left behind, and the policy goes on in a child, which can.
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
                if on_thread { "; its thread is left behind, and it goes on in a process of its own" } else { "" }
            );
        }
        if self.faults.of(FaultKind::Hung) >= HANGS_ENOUGH {
            self.set_aside("it hung again");
            return;
        }
        match PolicyThread::begin(policy, self.options.clone()) {
            Ok((thread, _)) => self.thread = Some(thread),
            Err(error) => self.set_aside(&format!("no thread is to be had for it ({error})")),
        }
    }

    fn set_aside(&mut self, why: &str) {
        self.thread = None;
        if let Some(hash) = self.identity.hash {
            self.libraries.quarantine.add(hash);
        }
        tracing::error!(
            faults = %self.faults,
            "{} is set aside: {why}; the safe answer is given until another build takes over, or this one after \
             `bot-runner reload {}`",
            self.identity,
            self.options.bot
        );
    }

    /// What was wrong with all that sat here.
    #[must_use]
    pub fn faults(&self) -> FaultCounts {
        let mut all = self.earlier_faults;
        all.merge(&self.faults);
        all
    }

    /// Ends the policy and waits for it, though not for one that hangs; what was wrong with all that sat here.
    pub async fn end(mut self) -> FaultCounts {
        if let Some(thread) = self.thread.take() {
            thread.end().await;
        }
        self.faults()
    }
}

/// That nothing is being decided.
#[derive(Debug, Clone, Copy)]
pub struct Free {
    /// Whether a game is on.
    pub in_game: bool,
}

impl Free {
    const fn suits(self, reload: ReloadMode) -> bool {
        match reload {
            ReloadMode::Decision => true,
            ReloadMode::Game => !self.in_game,
            ReloadMode::Off => false,
        }
    }
}

async fn answer_of(thread: &mut Option<PolicyThread>) -> Option<Answer> {
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

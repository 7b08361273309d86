//! The policy at a bot's seat: its thread, its replacement, and the handling of its failures.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::time::sleep_until;

use crate::admit::chosen::{ChosenPolicy, PolicyIdentity};
use crate::admit::libraries::Libraries;
use crate::child::options::StartOptions;
use crate::fault::counts::{FaultCounts, FaultKind};
use crate::fault::set_aside::{SeatCondition, SetAside};
use crate::fault::{Decided, Fault, KeptBy};
use crate::policy_config::{Isolation, ReloadMode};
use crate::run::hang_alarm::Overdue;
use crate::run::pace::Pace;
use crate::run::replacement::{
    self, Guest, GuestCall, GuestStage, Replacement, ReplacementReceiver, ReplacementSender,
};
use crate::run::thread::{PolicyAnswer, PolicyBusy, PolicyThread, StartError, ThreadEvent};
use crate::view::ViewBuffer;

/// Faults of one game after which a policy is set aside. Each costs one action's quality, so a few
/// are no reason.
pub const MAX_FAULTS_PER_GAME: u32 = 10;
/// Kills from outside in one game after which it is set aside: a user does not kill this often by
/// hand, while a process that takes all memory gets killed again and again.
const MAX_KILLS: u32 = 100;
/// Hangs of one game after which a policy is set aside. Each costs a whole second more than a late
/// answer, and on a thread a core.
const MAX_HANGS: u32 = 2;

/// Number of times that a policy, while it is stopped, does not return for a minute after its time
/// was over; with no good game between them it is set aside. A machine may be stopped for a while,
/// and a policy that waits for a processor is not to blame.
const MAX_STOPS: u32 = 3;

const HUNG_AGAIN: &str = "it hung again in the same game";

/// The outcome of the pending question.
#[derive(Debug)]
pub enum SeatEvent {
    Decided {
        decided: Decided,
        took: Duration,
    },
    /// It gets no answer, for this reason: the safe answer is due.
    Undecided(NoDecision),
    /// Another instance should be asked instead: the policy hung, or it was a guest and has left.
    AskAgain,
}

/// The reason why a question gets no decision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoDecision {
    #[error("its time was over")]
    Late,
    #[error(transparent)]
    CannotAsk(#[from] CannotAsk),
    #[error(transparent)]
    Fault(#[from] Fault),
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
    pace: Pace,
    /// The seat's own policy while a guest plays.
    own: Option<OwnPolicy>,
    options: StartOptions,
    libraries: Arc<Libraries>,
    replacements: ReplacementReceiver,
    /// Its faults since it was seated.
    faults: FaultCounts,
    /// The faults of its predecessors.
    earlier_faults: FaultCounts,
    in_game: GameFaults,
    /// Number of times that it was stopped since its last good game.
    stops: u32,
    condition: SeatCondition,
}

/// A seat's own policy, which waits for the guest to leave.
#[derive(Debug)]
struct OwnPolicy {
    /// `None` if it is set aside.
    thread: Option<PolicyThread>,
    identity: Arc<PolicyIdentity>,
    pace: Pace,
    /// Where the guest hears that it sits, and has left.
    stage: watch::Sender<GuestStage>,
}

/// The faults of one game.
#[derive(Debug, Default)]
struct GameFaults {
    faults: u32,
    kills: u32,
    hangs: u32,
    /// Whether the policy was at the seat since the game began, and has neither hung nor been
    /// stopped nor set aside.
    is_good: bool,
    /// Whether the last question that was not withdrawn was decided in time.
    decides: bool,
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
        let identity = Arc::new(chosen.identity());
        let condition = SeatCondition::new(libraries.retry_pauses);
        let (sender, replacements) = replacement::channel(condition.clone());
        let none = FaultCounts::default();
        let seated = Self {
            thread: Some(thread),
            identity,
            pace,
            own: None,
            options,
            libraries,
            replacements,
            faults: none,
            earlier_faults: none,
            in_game: GameFaults::default(),
            stops: 0,
            condition,
        };
        Ok((seated, sender))
    }

    pub const fn identity(&self) -> &Arc<PolicyIdentity> {
        &self.identity
    }

    pub const fn pace(&self) -> Pace {
        self.pace
    }

    /// Whether nothing decides any more until this policy is tried again, or another build takes
    /// over.
    pub const fn is_set_aside(&self) -> bool {
        self.thread.is_none()
    }

    /// Whether a guest plays in place of the seat's own policy.
    pub const fn has_guest(&self) -> bool {
        self.own.is_some()
    }

    /// Why it is set aside, if it is.
    pub fn set_aside(&self) -> Option<SetAside> {
        self.condition.set_aside()
    }

    /// Whether another build is ready and takes over as soon as no game is on.
    pub fn awaits_game_end(&self) -> bool {
        !self.has_guest()
            && self
                .replacements
                .has(|waiting| waiting.pace.reload == ReloadMode::Game)
    }

    /// Asks a question, which is pending from then on and replaces one that was. `fill` fills the
    /// view. [`soon`](Self::soon) and [`next`](Self::next) return the outcome.
    ///
    /// # Errors
    ///
    /// If the policy cannot be asked; nothing is pending then.
    pub fn ask(
        &mut self,
        until: Instant,
        fill: impl FnOnce(&mut ViewBuffer),
    ) -> Result<(), CannotAsk> {
        let thread = self.thread.as_mut().ok_or(CannotAsk::SetAside)?;
        thread.ask(until, fill).map_err(|PolicyBusy| {
            self.in_game.decides = false;
            CannotAsk::Busy
        })
    }

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

    /// The outcome of the pending question, if it arrives within 100 us. Most decisions take less
    /// time than preparing for a longer wait.
    pub async fn soon(&mut self) -> Option<SeatEvent> {
        if !self.is_asked() {
            return None;
        }
        let answer = self.thread.as_mut()?.answer_soon().await?;
        self.answered(answer)
    }

    /// Waits for the outcome of the pending question. While none is pending, a policy that is ready
    /// takes over if its config allows it; `in_game` says whether a game is on. A guest comes while
    /// none is pending, and leaves at once.
    ///
    /// Dropping the future loses nothing.
    pub async fn next(&mut self, in_game: bool) -> SeatEvent {
        loop {
            let asked = self.is_asked();
            if self.hear_of_guest(asked) && asked {
                return SeatEvent::AskAgain;
            }
            if !asked && !self.has_guest() {
                let set_aside = self.is_set_aside();
                let suits = |waiting: &Replacement| {
                    set_aside || may_take_over(waiting.pace.reload, in_game)
                };
                if let Some(replacement) = self.replacements.take_if(suits) {
                    self.take_over(replacement);
                }
            }
            let time_over = self.pending_until();
            let had_guest = self.has_guest();
            tokio::select! {
                biased;
                event = event_of(&mut self.thread) => {
                    let outcome = match event {
                        ThreadEvent::Answer(answer) => self.answered(answer),
                        ThreadEvent::Ended => {
                            self.put_aside("its thread has ended");
                            asked.then(|| if had_guest { SeatEvent::AskAgain } else { set_aside_now() })
                        }
                        ThreadEvent::Overdue(overdue) => {
                            self.give_up(overdue);
                            asked.then(|| if self.is_set_aside() { set_aside_now() } else { SeatEvent::AskAgain })
                        }
                    };
                    if let Some(outcome) = outcome {
                        return outcome;
                    }
                }
                () = reached(time_over) => {
                    self.withdraw();
                    self.was_late();
                    return SeatEvent::Undecided(NoDecision::Late);
                }
                () = self.replacements.changed() => {}
            }
        }
    }

    /// Takes an answer; what it means for the pending question, if anything.
    fn answered(
        &mut self,
        PolicyAnswer {
            result,
            took,
            wanted,
        }: PolicyAnswer,
    ) -> Option<SeatEvent> {
        let was_asked = self.is_asked();
        let fault = match result? {
            Ok(decided) if wanted => {
                self.in_game.decides = true;
                return Some(SeatEvent::Decided { decided, took });
            }
            // Too late, as has been said.
            Ok(_) => return None,
            Err(fault) => fault,
        };
        self.failed(&fault);
        // A fault in an earlier question can set the policy aside. Then the pending question has no
        // decision either, unless the policy was a guest.
        let leaves_pending = was_asked && !self.is_asked();
        if wanted || (leaves_pending && self.is_set_aside()) {
            Some(SeatEvent::Undecided(fault.into()))
        } else {
            leaves_pending.then_some(SeatEvent::AskAgain)
        }
    }

    /// Lets policies that are ready take over while the bot has no connection; ends when one has.
    ///
    /// Dropping the future loses nothing.
    pub async fn replaced(&mut self) {
        loop {
            if self.hear_of_guest(false) {
                return;
            }
            if !self.has_guest()
                && let Some(replacement) = self.replacements.take_if(|_| true)
            {
                return self.take_over(replacement);
            }
            self.replacements.changed().await;
        }
    }

    fn take_over(
        &mut self,
        Replacement {
            policy,
            pace,
            taken,
        }: Replacement,
    ) {
        let chosen = policy.policy();
        let identity = Arc::new(chosen.identity());
        tracing::info!(faults = %self.faults, "{identity} takes over from {}", self.identity);
        // The old one ends on its own thread, once its running call has returned.
        self.thread = Some(policy);
        self.condition.resume(identity != self.identity);
        self.identity = identity;
        self.pace = pace;
        self.count_anew();
        self.stops = 0;
        // The receiver may have stopped waiting.
        let _ = taken.send(());
    }

    /// Counts faults from now on for another policy.
    fn count_anew(&mut self) {
        self.earlier_faults.merge(&std::mem::take(&mut self.faults));
        self.in_game = GameFaults::default();
    }

    /// Lets a guest sit down or leave, if that is wanted; whether one did.
    fn hear_of_guest(&mut self, is_asked: bool) -> bool {
        match self.replacements.guest_call(is_asked) {
            Some(GuestCall::Comes(guest)) => self.seat_guest(*guest),
            Some(GuestCall::Leaves) if self.has_guest() => self.guest_leaves(),
            Some(GuestCall::Leaves) | None => return false,
        }
        true
    }

    fn seat_guest(
        &mut self,
        Guest {
            policy,
            think,
            stage,
        }: Guest,
    ) {
        // Another one may sit there.
        self.guest_leaves();
        let identity = Arc::new(policy.policy().identity());
        tracing::info!("{identity} plays in place of {}", self.identity);
        stage.send_replace(GuestStage::Sits);
        self.own = Some(OwnPolicy {
            thread: self.thread.replace(policy),
            identity: std::mem::replace(&mut self.identity, identity),
            pace: self.pace,
            stage,
        });
        self.pace.think = Some(think);
        self.count_anew();
    }

    /// Lets the seat's own policy decide again, if a guest sits.
    fn guest_leaves(&mut self) {
        let Some(OwnPolicy {
            thread,
            identity,
            pace,
            stage,
        }) = self.own.take()
        else {
            return;
        };
        tracing::info!("{identity} decides again after {}", self.identity);
        // The guest ends on its own thread.
        self.thread = thread;
        self.identity = identity;
        self.pace = pace;
        self.count_anew();
        stage.send_replace(GuestStage::Left);
    }

    pub fn game_begins(&mut self) {
        // One that does not return, in whichever game it was asked, decides nothing.
        if self.in_game.is_good && self.in_game.decides {
            self.condition.count_good_game();
            self.stops = 0;
        }
        self.in_game = GameFaults {
            is_good: !self.is_set_aside() && !self.has_guest(),
            ..GameFaults::default()
        };
    }

    /// An answer was not there when its time was over.
    fn was_late(&mut self) {
        self.in_game.decides = false;
        if self.faults.add(FaultKind::Late) {
            tracing::warn!("{} did not answer in time (logged once)", self.identity);
        }
    }

    fn failed(&mut self, fault: &Fault) {
        self.in_game.decides = false;
        let kind = FaultKind::of(fault);
        if self.faults.add(kind) {
            tracing::error!("{}: {fault} (logged once)", self.identity);
        }
        // It is not to blame, and may be well again at the next decision.
        if kind == FaultKind::Unavailable {
            return;
        }
        if let Fault::Kept(by) = fault {
            if self.is_stopped_again(*by) {
                self.put_aside(&stopped_again());
            }
            return;
        }
        if kind == FaultKind::Killed {
            self.in_game.kills += 1;
            if self.in_game.kills >= MAX_KILLS {
                self.put_aside(&format!("it was killed {MAX_KILLS} times in one game"));
            }
            return;
        }
        self.in_game.faults += 1;
        if kind == FaultKind::Hung && self.hangs_again() {
            self.put_aside(HUNG_AGAIN);
        } else if self.in_game.faults >= MAX_FAULTS_PER_GAME {
            self.put_aside(&format!(
                "it failed {MAX_FAULTS_PER_GAME} times in one game"
            ));
        }
    }

    /// A thread did not return. It cannot be killed, so it is left behind, and the policy continues
    /// in a child, which can.
    fn give_up(&mut self, overdue: Overdue) {
        if self.has_guest() {
            return self.guest_leaves();
        }
        let Some(thread) = self.thread.take() else {
            return;
        };
        let policy = ChosenPolicy {
            isolation: Isolation::Process,
            ..thread.policy().clone()
        };
        let on_thread = thread.policy().isolation == Isolation::Thread;
        self.libraries.forget(&policy.library);
        drop(thread);
        let (kind, why) = match overdue {
            Overdue::Hangs => (FaultKind::Hung, ""),
            Overdue::IsKept(KeptBy::Load) => (FaultKind::Kept, ", since it waits for a processor"),
            Overdue::IsKept(KeptBy::Stop) => (
                FaultKind::Kept,
                ", since it is stopped, or waits for a disk",
            ),
        };
        if self.faults.add(kind) {
            tracing::error!(
                "{} has not returned long after its time was over{why}{}",
                self.identity,
                if on_thread {
                    "; its thread is abandoned, and it continues in its own process"
                } else {
                    ""
                }
            );
        }
        match overdue {
            Overdue::Hangs if self.hangs_again() => return self.put_aside(HUNG_AGAIN),
            Overdue::IsKept(by) if self.is_stopped_again(by) => {
                return self.put_aside(&stopped_again());
            }
            _ => {}
        }
        match PolicyThread::begin(policy, self.options.clone()) {
            Ok((thread, _)) => self.thread = Some(thread),
            Err(error) => self.put_aside(&format!("no thread could be started for it ({error})")),
        }
    }

    /// Counts a hang of this game; whether there were enough of them.
    const fn hangs_again(&mut self) -> bool {
        self.in_game.hangs += 1;
        self.in_game.is_good = false;
        self.in_game.hangs >= MAX_HANGS
    }

    /// Counts that the policy was kept from running, if the machine is not merely busy; whether
    /// that was often enough.
    fn is_stopped_again(&mut self, by: KeptBy) -> bool {
        if by == KeptBy::Load {
            return false;
        }
        self.in_game.is_good = false;
        self.stops += 1;
        self.stops >= MAX_STOPS
    }

    fn put_aside(&mut self, why: &str) {
        if self.has_guest() {
            tracing::error!("{} leaves: {why}", self.identity);
            return self.guest_leaves();
        }
        self.thread = None;
        self.in_game.is_good = false;
        self.stops = 0;
        self.condition.pause(why.to_owned());
        let sooner = if self.pace.reload == ReloadMode::Off {
            "its config says reload = \"off\": to try it at once, set that to \"decision\" or \"game\", or start the \
             runner again"
                .to_owned()
        } else {
            format!(
                "`bot-runner reload {}` tries it at once, and another build takes over at once",
                self.options.bot
            )
        };
        tracing::error!(
            faults = %self.faults,
            "{} is set aside: {why}; the safe answer is given until it is tried again; {sooner}",
            self.identity,
        );
    }

    /// The faults of all policies that sat here.
    pub fn faults(&self) -> FaultCounts {
        let mut all = self.earlier_faults;
        all.merge(&self.faults);
        all
    }

    /// Ends the policy and waits for it, unless it hangs; returns the faults of all policies that
    /// sat here.
    pub async fn end(mut self) -> FaultCounts {
        let own = self.own.take().and_then(|own| own.thread);
        for thread in self.thread.take().into_iter().chain(own) {
            thread.end().await;
        }
        self.faults()
    }
}

fn stopped_again() -> String {
    format!("it was stopped {MAX_STOPS} times for a minute after its time was over")
}

/// Whether a policy may take over now, according to its config.
const fn may_take_over(reload: ReloadMode, in_game: bool) -> bool {
    match reload {
        ReloadMode::Decision => true,
        ReloadMode::Game => !in_game,
        ReloadMode::Off => false,
    }
}

/// The outcome of a question to a policy that is set aside now.
fn set_aside_now() -> SeatEvent {
    SeatEvent::Undecided(CannotAsk::SetAside.into())
}

async fn event_of(thread: &mut Option<PolicyThread>) -> ThreadEvent {
    match thread {
        Some(thread) => thread.next().await,
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

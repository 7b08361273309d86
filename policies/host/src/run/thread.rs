//! One thread for one policy instance: everything the library does, it does there.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc as answers, oneshot};

use crate::admit::chosen::ChosenPolicy;
use crate::call::host::{Context, Start};
use crate::child::options::StartOptions;
use crate::fault::own_time::PolicyRoot;
use crate::fault::{Decided, Fault, PolicyStartError};
use crate::limits::{POLLED_FOR, START_TIMEOUT};
use crate::run::hang_alarm::{HangAlarm, Overdue};
use crate::run::worker::Worker;
use crate::view::ViewBuffer;

/// Maximum wait for a policy to end.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// Why a policy is not running.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// It refused.
    #[error(transparent)]
    Create(#[from] PolicyStartError),
    #[error("the policy did not start within {} s of its own time", START_TIMEOUT.as_secs())]
    TimedOut,
    /// No thread could be had.
    #[error("no thread for the policy: {0}")]
    Thread(#[from] std::io::Error),
}

/// A decision to be made.
#[derive(Debug)]
struct Job {
    /// Number of the question; never 0.
    number: u64,
    view: Box<ViewBuffer>,
    /// When its time is over.
    until: Instant,
}

#[derive(Debug)]
pub(crate) struct PolicyAnswer {
    /// The decision; `None` when the question had been withdrawn before its turn came.
    pub(crate) result: Option<Result<Decided, Fault>>,
    pub(crate) took: Duration,
    /// Whether it answers the pending question.
    pub(crate) wanted: bool,
}

/// What comes from a policy's thread.
#[derive(Debug)]
pub(crate) enum ThreadEvent {
    Answer(PolicyAnswer),
    /// The thread has ended.
    Ended,
    /// It has not returned long after its time was over.
    Overdue(Overdue),
}

/// An answer on its way from the policy's thread.
#[derive(Debug)]
struct SentAnswer {
    number: u64,
    view: Box<ViewBuffer>,
    result: Option<Result<Decided, Fault>>,
    took: Duration,
}

/// The policy has not returned from earlier questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PolicyBusy;

/// A policy running on its own thread, with its pending question.
#[derive(Debug)]
pub struct PolicyThread {
    jobs: Option<mpsc::SyncSender<Job>>,
    answers: answers::UnboundedReceiver<SentAnswer>,
    context: Arc<Context>,
    /// Number of the last question.
    asked: u64,
    /// When the time of the pending question is over; the context knows its number.
    pending_until: Option<Instant>,
    /// When the time of each job that is under way is over, the oldest first. Withdrawn questions
    /// are under way too.
    under_way: VecDeque<Instant>,
    /// Watches the oldest of them.
    alarm: HangAlarm,
    /// A view that is not with the policy.
    spare: Option<Box<ViewBuffer>>,
    thread: Option<JoinHandle<()>>,
    /// Sent to the thread that waits for it, so that the code is closed there and not where this is
    /// dropped.
    policy: Option<ChosenPolicy>,
}

impl PolicyThread {
    /// Starts a policy and waits until it is ready.
    ///
    /// # Errors
    ///
    /// If it does not start. One that hangs is left behind on its thread.
    pub async fn start(policy: ChosenPolicy, options: StartOptions) -> Result<Self, StartError> {
        let (mut running, started) = Self::begin(policy, options)?;
        let started = tokio::select! {
            started = started => started,
            _ = running.alarm.rings(Instant::now()) => return Err(StartError::TimedOut),
        };
        running.alarm.reset();
        match started {
            Ok(Ok(())) => Ok(running),
            Ok(Err(error)) => Err(error.into()),
            Err(_) => Err(PolicyStartError("its thread ended".to_owned()).into()),
        }
    }

    /// Starts a policy; it may be asked at once, answers when it is ready, and reports that.
    pub(crate) fn begin(
        policy: ChosenPolicy,
        options: StartOptions,
    ) -> std::io::Result<(Self, oneshot::Receiver<Result<(), PolicyStartError>>)> {
        let context = Context::new(&options.bot, policy.when_unwanted.clone(), false);
        let alarm = HangAlarm::new(&context, policy.isolation);
        let (jobs, inbox) = mpsc::sync_channel(2);
        let (outbox, answers) = answers::unbounded_channel();
        let (ready, started) = oneshot::channel();
        let thread = thread::Builder::new()
            .name(format!("policy {}", options.bot))
            .spawn({
                let (policy, context) = (policy.clone(), Arc::clone(&context));
                move || run(&policy, &options, &context, ready, &inbox, &outbox)
            })?;
        let under_way = VecDeque::with_capacity(2);
        let running = Self {
            jobs: Some(jobs),
            answers,
            context,
            asked: 0,
            pending_until: None,
            under_way,
            alarm,
            spare: None,
            thread: Some(thread),
            policy: Some(policy),
        };
        Ok((running, started))
    }

    pub const fn policy(&self) -> &ChosenPolicy {
        self.policy
            .as_ref()
            .expect("it is there until the thread is retired, and that ends this")
    }

    /// Asks a question, which is pending from then on and replaces one that was. `fill` fills the
    /// view.
    ///
    /// # Errors
    ///
    /// If no answer could arrive in time. If the thread has ended, that is the answer, and no error
    /// here.
    pub(crate) fn ask(
        &mut self,
        until: Instant,
        fill: impl FnOnce(&mut ViewBuffer),
    ) -> Result<(), PolicyBusy> {
        // One question may wait for the policy to return; more would only pile up behind one that
        // hangs.
        if self.under_way.len() > 1 {
            self.withdraw();
            return Err(PolicyBusy);
        }
        let mut view = self.spare.take().unwrap_or_default();
        fill(&mut view);
        self.asked += 1;
        self.pending_until = Some(until);
        self.context.want_only(self.asked);
        self.under_way.push_back(until);
        if let Some(jobs) = &self.jobs {
            // Whether the thread has ended is seen where its answers are received.
            let _ = jobs.try_send(Job {
                number: self.asked,
                view,
                until,
            });
        }
        Ok(())
    }

    /// When the time of the pending question is over; `None` when none is pending.
    pub(crate) const fn pending_until(&self) -> Option<Instant> {
        self.pending_until
    }

    /// Says that the answer to the pending question is no longer wanted.
    pub(crate) fn withdraw(&mut self) {
        self.pending_until = None;
        self.context.want_only(0);
    }

    /// Waits for the instance that takes the place of one that is of no more use.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub(crate) async fn ready(&mut self) -> Result<(), PolicyStartError> {
        let context = Arc::clone(&self.context);
        let started = async {
            loop {
                match context.start() {
                    Start::Ready(_) => return Ok(()),
                    Start::Failed(_) => {
                        return Err(PolicyStartError("it does not start again".to_owned()));
                    }
                    Start::Since(_) => tokio::time::sleep(Duration::from_millis(1)).await,
                }
            }
        };
        let started = tokio::select! {
            started = started => started,
            _ = self.alarm.rings(Instant::now()) => Err(PolicyStartError(StartError::TimedOut.to_string())),
        };
        self.alarm.reset();
        started
    }

    /// The next answer if it comes within [`POLLED_FOR`]. Other tasks, and other threads of this
    /// core, are let through meanwhile.
    pub(crate) async fn answer_soon(&mut self) -> Option<PolicyAnswer> {
        let start = Instant::now();
        while !self.under_way.is_empty() && start.elapsed() < POLLED_FOR {
            if let Ok(answer) = self.answers.try_recv() {
                return Some(self.take_in(answer));
            }
            thread::yield_now();
            tokio::task::yield_now().await;
        }
        None
    }

    /// The next answer, or that none comes; never ready while no job is under way.
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> ThreadEvent {
        let Some(&until) = self.under_way.front() else {
            return std::future::pending().await;
        };
        tokio::select! {
            biased;
            answer = self.answers.recv() => match answer {
                Some(answer) => ThreadEvent::Answer(self.take_in(answer)),
                None => {
                    self.under_way.clear();
                    ThreadEvent::Ended
                }
            },
            overdue = self.alarm.rings(until) => ThreadEvent::Overdue(overdue),
        }
    }

    fn take_in(
        &mut self,
        SentAnswer {
            number,
            view,
            result,
            took,
        }: SentAnswer,
    ) -> PolicyAnswer {
        self.under_way.pop_front();
        self.alarm.reset();
        self.spare = Some(view);
        let wanted = self.pending_until.is_some() && number == self.asked;
        if wanted {
            self.withdraw();
        }
        PolicyAnswer {
            result,
            took,
            wanted,
        }
    }

    /// Ends the policy and waits for it, though not for one that hangs.
    pub async fn end(mut self) {
        if let Some(ended) = self.retire() {
            let _ = tokio::time::timeout(END_TIMEOUT, ended).await;
        }
    }

    /// Has the policy end; ready once it has.
    fn retire(&mut self) -> Option<oneshot::Receiver<()>> {
        self.withdraw();
        self.jobs = None;
        let thread = self.thread.take()?;
        // The code may be unmapped only after the thread has ended, which a hanging policy never
        // does: so another thread waits, and holds the library meanwhile.
        let policy = self.policy.take();
        let library = policy.as_ref().map(|policy| Arc::clone(&policy.library));
        let (done, ended) = oneshot::channel();
        let waiter = move || {
            let _ = thread.join();
            drop(policy);
            let _ = done.send(());
        };
        match thread::Builder::new()
            .name("policy-end".to_owned())
            .spawn(waiter)
        {
            Ok(_) => drop(library),
            Err(error) => {
                tracing::warn!(
                    bot = self.context.bot,
                    "no thread to end the policy on ({error}); it is abandoned"
                );
                // Its thread may still run the code.
                std::mem::forget(library);
            }
        }
        Some(ended)
    }
}

impl Drop for PolicyThread {
    fn drop(&mut self) {
        self.retire();
    }
}

fn run(
    policy: &ChosenPolicy,
    options: &StartOptions,
    context: &Arc<Context>,
    ready: oneshot::Sender<Result<(), PolicyStartError>>,
    inbox: &mpsc::Receiver<Job>,
    outbox: &answers::UnboundedSender<SentAnswer>,
) {
    context.thread.get_or_init(PolicyRoot::this_thread);
    let mut worker: Result<Worker, Fault> = match Worker::create(policy, options, context) {
        Ok(worker) => Ok(worker),
        Err(error) => {
            if let Err(Err(error)) = ready.send(Err(error)) {
                tracing::error!(bot = context.bot, "{error}");
            }
            return;
        }
    };
    context.set_start(Start::Ready(Instant::now()));
    // A caller that no longer waits for its start may still have jobs for it.
    let _ = ready.send(Ok(()));
    while let Some(mut job) = next_job(inbox) {
        let wanted = context.wants(job.number);
        context.deciding.store(job.number, Ordering::Release);
        let start = Instant::now();
        // It may have waited for an earlier one, or for a start.
        let budget = job.until.saturating_duration_since(start);
        job.view.limit_budget(budget);
        let result = match &mut worker {
            Ok(worker) => wanted.then(|| worker.decide(&mut job.view, context, budget)),
            Err(fault) => Some(Err(fault.clone())),
        };
        let took = start.elapsed();
        let lost = result
            .as_ref()
            .is_some_and(|result| result.as_ref().is_err_and(Fault::ends_instance));
        let starts_again = lost || worker.is_err();
        if starts_again {
            context.set_start(Start::Since(Instant::now()));
        }
        if outbox
            .send(SentAnswer {
                number: job.number,
                view: job.view,
                result,
                took,
            })
            .is_err()
        {
            return;
        }
        // A failure now makes the next decision fail, and is tried again after that.
        if starts_again {
            // The old one is dropped first: it may hold a resource that the new one needs.
            drop(std::mem::replace(
                &mut worker,
                Err(Fault::Failed("it is starting again".to_owned())),
            ));
            worker = Worker::create_again(policy, options, context);
            let now = Instant::now();
            context.set_start(if worker.is_ok() {
                Start::Ready(now)
            } else {
                Start::Failed(now)
            });
        }
    }
}

/// The next job; `None` when there will be none.
fn next_job(inbox: &mpsc::Receiver<Job>) -> Option<Job> {
    let start = Instant::now();
    while start.elapsed() < POLLED_FOR {
        if let Ok(job) = inbox.try_recv() {
            return Some(job);
        }
        thread::yield_now();
    }
    inbox.recv().ok()
}

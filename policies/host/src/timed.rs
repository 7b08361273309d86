//! Policies whose decisions have a time that is kept, for games in which nothing else waits for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::chosen::ChosenPolicy;
use crate::fault::{Decided, Fault, PolicyStartError};
use crate::host::Context;
use crate::limits::{HUNG_AFTER, START_TIMEOUT};
use crate::options::StartOptions;
use crate::section::Isolation;
use crate::view::ViewBuffer;
use crate::worker::Worker;

/// The time that a policy's decisions have, in all its games.
#[derive(Debug, Clone)]
pub struct TimeLimit {
    /// From the question to the answer.
    pub budget: Duration,
    /// Whether some instance has hung. A thread that hangs cannot be ended and takes a core for good, so instances are made
    /// in processes from then on, which can be killed.
    hung: Arc<AtomicBool>,
}

impl TimeLimit {
    /// So much for each decision.
    #[must_use]
    pub fn new(budget: Duration) -> Self {
        Self { budget, hung: Arc::default() }
    }
}

/// What came of a question.
#[derive(Debug)]
pub enum TimedAnswer {
    /// The policy decided, or said that it cannot, in time.
    InTime(Result<Decided, Fault>),
    /// It did not answer in time.
    Late,
}

/// A policy at work whose time is kept.
pub struct TimedPolicy {
    at_work: Backend,
    policy: ChosenPolicy,
    options: StartOptions,
    limit: TimeLimit,
    /// Outlives the worker in a process.
    context: Arc<Context>,
    asked: u64,
}

enum Backend {
    Thread(TimedThread),
    /// `None` when the process is of no more use, and no other could be started.
    Process(Option<Worker>),
}

impl TimedPolicy {
    /// Makes an instance. Making may take longer than deciding.
    ///
    /// # Errors
    ///
    /// When the policy refuses, or is not ready in time.
    pub fn create(policy: &ChosenPolicy, options: &StartOptions, limit: &TimeLimit) -> Result<Self, PolicyStartError> {
        let context = Context::new(&options.bot);
        let in_process = policy.isolation == Isolation::Process || limit.hung.load(Ordering::Relaxed);
        let policy = if in_process { in_a_process(policy) } else { policy.clone() };
        let at_work = if in_process {
            Backend::Process(Some(Worker::create(&policy, options, &context)?))
        } else {
            Backend::Thread(TimedThread::start(&policy, options, &context)?)
        };
        Ok(Self { at_work, policy, options: options.clone(), limit: limit.clone(), context, asked: 0 })
    }

    /// Asks for a decision and waits for it no longer than the policy has time. One that is late is waited for a second
    /// more, since it can be asked nothing meanwhile; one that has not returned then is left behind. An instance that is of
    /// no more use is replaced by a fresh one.
    ///
    /// # Errors
    ///
    /// When no fresh instance could be made, and the policy is of no more use.
    pub fn decide(&mut self, view: &mut ViewBuffer) -> Result<TimedAnswer, PolicyStartError> {
        self.asked += 1;
        let answer = match &mut self.at_work {
            Backend::Process(worker) => {
                if worker.is_none() {
                    *worker = Some(Worker::create(&self.policy, &self.options, &self.context)?);
                }
                let Some(asked) = worker else { unreachable!("it was there, or has been made") };
                let decided = asked.decide(view, &self.context, self.limit.budget);
                if decided.as_ref().is_err_and(Fault::ends_instance) {
                    *worker = None;
                    *worker = Some(Worker::create(&self.policy, &self.options, &self.context)?);
                }
                return Ok(match decided {
                    Err(Fault::Hung) => TimedAnswer::Late,
                    decided => TimedAnswer::InTime(decided),
                });
            }
            Backend::Thread(thread) => {
                self.context.deciding.store(self.asked, Ordering::Release);
                self.context.wanted.store(self.asked, Ordering::Release);
                thread.ask(view, self.limit.budget, &self.context)?
            }
        };
        if let Some(answer) = answer {
            return Ok(answer);
        }
        self.limit.hung.store(true, Ordering::Relaxed);
        self.policy = in_a_process(&self.policy);
        // It drops the thread that hangs, which is left behind.
        self.at_work = Backend::Process(None);
        self.at_work = Backend::Process(Some(Worker::create(&self.policy, &self.options, &self.context)?));
        Ok(TimedAnswer::Late)
    }
}

fn in_a_process(policy: &ChosenPolicy) -> ChosenPolicy {
    ChosenPolicy { isolation: Isolation::Process, ..policy.clone() }
}

/// What the thread says.
enum BackendMessage {
    /// An instance is ready, or there will be none.
    Ready(Result<(), PolicyStartError>),
    /// What came of the question, with its view.
    Answer(Box<ViewBuffer>, Result<Decided, Fault>),
}

/// A thread on which a policy decides.
struct TimedThread {
    questions: Option<Sender<Box<ViewBuffer>>>,
    said: Receiver<BackendMessage>,
    thread: Option<JoinHandle<()>>,
    /// Holds the library until the thread has ended.
    policy: ChosenPolicy,
    /// In the place of the view that is with the thread.
    spare: Option<Box<ViewBuffer>>,
    hangs: bool,
}

impl TimedThread {
    fn start(policy: &ChosenPolicy, options: &StartOptions, context: &Arc<Context>) -> Result<Self, PolicyStartError> {
        let (questions, inbox) = channel();
        let (outbox, said) = channel();
        let work = {
            let (policy, options, context) = (policy.clone(), options.clone(), Arc::clone(context));
            move || run(&policy, &options, &context, &inbox, &outbox)
        };
        let thread = thread::Builder::new().name(format!("policy {}", options.bot)).spawn(work);
        let thread = thread.map_err(|error| PolicyStartError(format!("there is no thread for it: {error}")))?;
        let mut started = Self {
            questions: Some(questions),
            said,
            thread: Some(thread),
            policy: policy.clone(),
            spare: None,
            hangs: false,
        };
        started.wait_until_ready()?;
        Ok(started)
    }

    fn wait_until_ready(&mut self) -> Result<(), PolicyStartError> {
        match self.said.recv_timeout(START_TIMEOUT) {
            Ok(BackendMessage::Ready(ready)) => ready,
            Ok(BackendMessage::Answer(..)) | Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
            Err(RecvTimeoutError::Timeout) => {
                self.hangs = true;
                Err(PolicyStartError(format!("it was not ready after {} s", START_TIMEOUT.as_secs())))
            }
        }
    }

    /// What came of a question; `None` when the policy hangs, and this is of no more use.
    fn ask(
        &mut self,
        view: &mut ViewBuffer,
        budget: Duration,
        context: &Context,
    ) -> Result<Option<TimedAnswer>, PolicyStartError> {
        let questions = self.questions.as_ref().ok_or_else(|| self.ended())?;
        let mut filled = self.spare.take().unwrap_or_default();
        std::mem::swap(view, &mut *filled);
        questions.send(filled).map_err(|_| self.ended())?;
        let (said, in_time) = match self.said.recv_timeout(budget) {
            Err(RecvTimeoutError::Timeout) => {
                context.wanted.store(0, Ordering::Release);
                (self.said.recv_timeout(HUNG_AFTER), false)
            }
            said => (said, true),
        };
        match said {
            Ok(BackendMessage::Answer(mut filled, decided)) => {
                std::mem::swap(view, &mut *filled);
                self.spare = Some(filled);
                if decided.as_ref().is_err_and(Fault::ends_instance) {
                    self.wait_until_ready()?;
                }
                Ok(Some(if in_time { TimedAnswer::InTime(decided) } else { TimedAnswer::Late }))
            }
            Ok(BackendMessage::Ready(_)) | Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
            Err(RecvTimeoutError::Timeout) => {
                self.hangs = true;
                Ok(None)
            }
        }
    }

    fn ended(&self) -> PolicyStartError {
        PolicyStartError("its thread has ended".to_owned())
    }
}

impl Drop for TimedThread {
    fn drop(&mut self) {
        self.questions = None;
        if let Some(thread) = self.thread.take()
            && !self.hangs
        {
            let _ = thread.join();
            return;
        }
        // The code stays loaded for the thread that never ends.
        std::mem::forget(Arc::clone(&self.policy.library));
    }
}

fn run(
    policy: &ChosenPolicy,
    options: &StartOptions,
    context: &Arc<Context>,
    questions: &Receiver<Box<ViewBuffer>>,
    said: &Sender<BackendMessage>,
) {
    // Whether anybody listens does not matter: then there will be no more questions either.
    let create = || match Worker::create(policy, options, context) {
        Ok(worker) => {
            let _ = said.send(BackendMessage::Ready(Ok(())));
            Some(worker)
        }
        Err(error) => {
            let _ = said.send(BackendMessage::Ready(Err(error)));
            None
        }
    };
    let mut worker = create();
    while let Some(at_work) = &mut worker {
        let Ok(mut view) = questions.recv() else { return };
        let decided = at_work.decide(&mut view, context, HUNG_AFTER);
        let lost = decided.as_ref().is_err_and(Fault::ends_instance);
        let _ = said.send(BackendMessage::Answer(view, decided));
        if lost {
            // The old one goes first: it may hold what the new one needs.
            drop(worker.take());
            worker = create();
        }
    }
}

//! One thread for one policy instance: everything the library does, it does there.

use std::ffi::c_void;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use policy_abi::host::{Host, LOG_DEBUG, LOG_ERROR, LOG_INFO, LOG_WARN};
use policy_abi::layout::struct_size;
use policy_abi::text::Text;
use tokio::sync::{mpsc as answers, oneshot};

use super::find::ChosenPolicy;
use super::instance::{CreateError, Decided, Fault, Instance};
use super::view::ViewBuffer;

/// Longest wait for a policy to start, its weights and tables loaded.
const START_WITHIN: Duration = Duration::from_secs(60);

/// Longest wait for a policy to end.
const END_WITHIN: Duration = Duration::from_secs(2);

/// How long both sides look for the other's word before they sleep. To be woken on an idle core costs about 20 us each
/// way, several times what most decisions take.
pub(super) const POLLED_FOR: Duration = Duration::from_micros(100);

/// Who a policy is started for.
#[derive(Debug, Clone)]
pub struct StartOptions {
    /// The bot's name, for the log.
    pub bot: String,
    /// Players at the tables it will sit at.
    pub players: u8,
    /// The folder of the bot's config, complete; empty when the config is no file.
    pub config_folder: PathBuf,
}

/// Why a policy is not running.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// It refused.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// It took too long.
    #[error("the policy did not start within {} s", START_WITHIN.as_secs())]
    TimedOut,
    /// No thread could be had.
    #[error("no thread for the policy: {0}")]
    Thread(#[from] std::io::Error),
}

/// A decision to be made.
#[derive(Debug)]
pub struct Job {
    /// Tells this job from every other of the thread; never 0.
    pub generation: u64,
    /// What the policy is shown.
    pub view: Box<ViewBuffer>,
}

/// What became of a job.
#[derive(Debug)]
pub struct Answer {
    /// Which job.
    pub generation: u64,
    /// The view, to be filled anew.
    pub view: Box<ViewBuffer>,
    /// The decision; `None` when the job was no longer wanted when its turn came.
    pub result: Option<Result<Decided, Fault>>,
    /// How long the policy took.
    pub took: Duration,
}

/// What the host's callbacks need; they may come from any thread of the library.
#[derive(Debug)]
struct Context {
    bot: String,
    /// The job whose answer is still wanted, else 0.
    wanted: AtomicU64,
    /// The job being decided.
    deciding: AtomicU64,
}

/// A policy running on its own thread.
#[derive(Debug)]
pub struct PolicyThread {
    jobs: Option<mpsc::SyncSender<Job>>,
    answers: answers::UnboundedReceiver<Answer>,
    context: Arc<Context>,
    waiting: u32,
    thread: Option<JoinHandle<()>>,
    policy: ChosenPolicy,
}

impl PolicyThread {
    /// Starts a policy and waits until it is ready.
    ///
    /// # Errors
    ///
    /// When it does not start. One that hangs is left behind on its thread.
    pub async fn start(policy: ChosenPolicy, options: StartOptions) -> Result<Self, StartError> {
        let context =
            Arc::new(Context { bot: options.bot.clone(), wanted: AtomicU64::new(0), deciding: AtomicU64::new(0) });
        // One job may wait for the policy to return; more would only pile up behind one that hangs.
        let (jobs, inbox) = mpsc::sync_channel(1);
        let (outbox, answers) = answers::unbounded_channel();
        let (ready, started) = oneshot::channel();
        let thread = thread::Builder::new().name(format!("policy {}", options.bot)).spawn({
            let (policy, context) = (policy.clone(), Arc::clone(&context));
            move || run(&policy, &options, &context, ready, &inbox, &outbox)
        })?;
        let running = Self { jobs: Some(jobs), answers, context, waiting: 0, thread: Some(thread), policy };
        match tokio::time::timeout(START_WITHIN, started).await {
            Ok(Ok(Ok(()))) => Ok(running),
            Ok(Ok(Err(error))) => Err(error.into()),
            Ok(Err(_)) => Err(CreateError("its thread ended".to_owned()).into()),
            Err(_) => Err(StartError::TimedOut),
        }
    }

    /// The policy.
    #[must_use]
    pub const fn policy(&self) -> &ChosenPolicy {
        &self.policy
    }

    /// Hands a job over; `false` when nothing will come of it in time: the thread has ended, or the policy has not
    /// returned from earlier jobs.
    pub fn submit(&mut self, job: Job) -> bool {
        self.context.wanted.store(job.generation, Ordering::Release);
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.try_send(job).is_ok());
        self.waiting += u32::from(sent);
        sent
    }

    /// Says that the answer to the last job is no longer wanted.
    pub fn withdraw(&self) {
        self.context.wanted.store(0, Ordering::Release);
    }

    /// The answer to the job just submitted, if it comes within [`POLLED_FOR`].
    ///
    /// Dropping the future loses nothing. Other tasks, and other threads of this core, are let through on the way.
    pub async fn answer_at_once(&mut self) -> Option<Answer> {
        let start = Instant::now();
        while self.waiting > 0 && start.elapsed() < POLLED_FOR {
            if let Ok(answer) = self.answers.try_recv() {
                self.waiting -= 1;
                return Some(answer);
            }
            thread::yield_now();
            tokio::task::yield_now().await;
        }
        None
    }

    /// The next answer; never ready while no job is under way, `None` when the thread has ended.
    ///
    /// Dropping the future loses nothing.
    pub async fn answer(&mut self) -> Option<Answer> {
        if self.waiting == 0 {
            return std::future::pending().await;
        }
        let answer = self.answers.recv().await;
        self.waiting = if answer.is_some() { self.waiting - 1 } else { 0 };
        answer
    }
}

impl PolicyThread {
    /// Ends the policy and waits for it, though not for one that hangs.
    pub async fn end(mut self) {
        if let Some(ended) = self.retire() {
            let _ = tokio::time::timeout(END_WITHIN, ended).await;
        }
    }

    /// Has the policy end; ready once it has.
    fn retire(&mut self) -> Option<oneshot::Receiver<()>> {
        self.withdraw();
        self.jobs = None;
        let thread = self.thread.take()?;
        // The code may be unmapped only after the thread has ended, which a policy that hangs never does: so somebody
        // else waits, and holds the library meanwhile.
        let policy = self.policy.clone();
        let (done, ended) = oneshot::channel();
        let waiter = move || {
            let _ = thread.join();
            drop(policy);
            let _ = done.send(());
        };
        if thread::Builder::new().name("policy-end".to_owned()).spawn(waiter).is_err() {
            tracing::warn!(bot = self.context.bot, "no thread to end the policy on; it is left behind");
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
    ready: oneshot::Sender<Result<(), CreateError>>,
    inbox: &mpsc::Receiver<Job>,
    outbox: &answers::UnboundedSender<Answer>,
) {
    let create = || Instance::create(policy, host(context), options.players, &options.config_folder);
    let mut instance = match create() {
        Ok(instance) => instance,
        Err(error) => {
            let _ = ready.send(Err(error));
            return;
        }
    };
    if ready.send(Ok(())).is_err() {
        return;
    }
    while let Some(mut job) = next_job(inbox) {
        let wanted = context.wanted.load(Ordering::Acquire) == job.generation;
        context.deciding.store(job.generation, Ordering::Release);
        let start = Instant::now();
        let result = wanted.then(|| job.view.with_view(|view| instance.decide(view)));
        let took = start.elapsed();
        let poisoned = matches!(result, Some(Err(Fault::Panicked(_))));
        if outbox.send(Answer { generation: job.generation, view: job.view, result, took }).is_err() {
            return;
        }
        if poisoned {
            match create() {
                Ok(fresh) => instance = fresh,
                Err(error) => {
                    tracing::error!(bot = context.bot, "after a panic: {error}");
                    return;
                }
            }
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

fn host(context: &Arc<Context>) -> Host {
    Host {
        struct_size: struct_size::<Host>(),
        reserved: 0,
        // The thread holds the context for longer than the instance lives.
        context: Arc::as_ptr(context).cast_mut().cast::<c_void>(),
        log: Some(log),
        monotonic_ns: Some(monotonic_ns),
        still_wanted: Some(still_wanted),
        get_extension: Some(get_extension),
    }
}

unsafe extern "C" fn log(context: *mut c_void, level: u32, text: Text) {
    // SAFETY: the context is ours and lives as long as the instance.
    let context = unsafe { &*context.cast::<Context>() };
    // SAFETY: the text is the caller's for the call.
    let text = unsafe { text.read() }.unwrap_or("a line that is not UTF-8");
    log_line(&context.bot, level, text);
}

/// Writes a policy's line to the log.
pub(super) fn log_line(bot: &str, level: u32, text: &str) {
    match level {
        LOG_ERROR => tracing::error!(target: "policy", bot, "{text}"),
        LOG_WARN => tracing::warn!(target: "policy", bot, "{text}"),
        LOG_INFO => tracing::info!(target: "policy", bot, "{text}"),
        LOG_DEBUG => tracing::debug!(target: "policy", bot, "{text}"),
        _ => tracing::trace!(target: "policy", bot, "{text}"),
    }
}

pub(super) unsafe extern "C" fn monotonic_ns(_context: *mut c_void) -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

unsafe extern "C" fn still_wanted(context: *mut c_void) -> u32 {
    // SAFETY: as in `log`.
    let context = unsafe { &*context.cast::<Context>() };
    let deciding = context.deciding.load(Ordering::Acquire);
    u32::from(context.wanted.load(Ordering::Acquire) == deciding)
}

pub(super) unsafe extern "C" fn get_extension(_context: *mut c_void, _name: Text) -> *const c_void {
    std::ptr::null()
}

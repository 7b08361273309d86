//! The host's functions for an instance.

use std::ffi::c_void;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use policy_abi::host::Host;
use policy_abi::layout::struct_size;
use policy_abi::text::Text;
use policy_abi::together::{TOGETHER, Together};

use crate::call::policy_log::{LinesOfDecision, PolicyLog, is_read};
use crate::fault::own_time::PolicyRoot;

/// The state behind the host's callbacks, which may come from any thread of the library.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) bot: String,
    /// The job whose answer is still wanted, else 0.
    wanted: AtomicU64,
    /// The job being decided.
    pub(crate) deciding: AtomicU64,
    /// The time from which on no decision is wanted, on the clock of [`now`].
    wanted_until: AtomicU64,
    start: Mutex<Start>,
    /// The policy's thread, once it runs.
    pub(crate) thread: OnceLock<PolicyRoot>,
    log: Mutex<PolicyLog>,
    pub(crate) lines: LinesOfDecision,
    /// Called when a job that was wanted is wanted no longer.
    when_unwanted: Option<WhenUnwanted>,
    /// Whether the instance plays together with others.
    pub(crate) together: bool,
}

/// Called from any thread when the answer that a policy of this program may still wait for is no
/// longer wanted; it returns at once.
#[derive(Clone)]
pub struct WhenUnwanted(Arc<dyn Fn() + Send + Sync>);

impl WhenUnwanted {
    pub fn new(call: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(call))
    }
}

impl fmt::Debug for WhenUnwanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WhenUnwanted").finish_non_exhaustive()
    }
}

/// The stage of creating an instance.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start {
    /// It is being made since.
    Since(Instant),
    /// It was ready then.
    Ready(Instant),
    /// It failed then.
    Failed(Instant),
}

impl Context {
    pub(crate) fn new(bot: &str, when_unwanted: Option<WhenUnwanted>, together: bool) -> Arc<Self> {
        Arc::new(Self {
            bot: bot.to_owned(),
            wanted: AtomicU64::new(0),
            deciding: AtomicU64::new(0),
            wanted_until: AtomicU64::new(u64::MAX),
            start: Mutex::new(Start::Since(Instant::now())),
            thread: OnceLock::new(),
            log: Mutex::new(PolicyLog::new(bot)),
            lines: LinesOfDecision::default(),
            when_unwanted,
            together,
        })
    }

    /// Says that of all jobs the answer to this one alone is wanted; 0 if none is.
    pub(crate) fn want_only(&self, job: u64) {
        let before = self.wanted.swap(job, Ordering::AcqRel);
        if before != 0
            && let Some(WhenUnwanted(call)) = &self.when_unwanted
        {
            call();
        }
    }

    pub(crate) fn wants(&self, job: u64) -> bool {
        self.wanted.load(Ordering::Acquire) == job
    }

    /// Marks the next decision as wanted for this long. For games without a clock: in others the
    /// waiting thread clears `wanted` when the time is over.
    pub(crate) fn want(&self, budget: Duration) {
        self.wanted_until.store(after(budget), Ordering::Relaxed);
    }

    pub(crate) fn start(&self) -> Start {
        *self.start.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_start(&self, start: Start) {
        *self.start.lock().unwrap_or_else(PoisonError::into_inner) = start;
    }
}

/// The host's functions for one instance, whose thread must hold the context for longer than the
/// instance lives.
pub(crate) fn host(context: &Arc<Context>) -> Host {
    Host {
        struct_size: struct_size::<Host>(),
        reserved: 0,
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
    if !is_read(level) {
        return;
    }
    let may_write = context.lines.one_more();
    let mut log = context.log.lock().unwrap_or_else(PoisonError::into_inner);
    if may_write {
        log.line(level, text);
    } else {
        log.leave_out(text);
    }
}

/// Nanoseconds on the clock of policies.
pub(crate) fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

/// The time on this clock when so much of it has passed.
pub(crate) fn after(time: Duration) -> u64 {
    now().saturating_add(time.as_nanos() as u64)
}

pub(crate) unsafe extern "C" fn monotonic_ns(_context: *mut c_void) -> u64 {
    now()
}

unsafe extern "C" fn still_wanted(context: *mut c_void) -> u32 {
    // SAFETY: as in `log`.
    let context = unsafe { &*context.cast::<Context>() };
    let deciding = context.deciding.load(Ordering::Acquire);
    let in_time = now() < context.wanted_until.load(Ordering::Relaxed);
    u32::from(in_time && context.wants(deciding))
}

/// The extension `together/1`.
pub(crate) static PLAYS_TOGETHER: Together = Together {
    struct_size: struct_size::<Together>(),
    reserved: 0,
};

unsafe extern "C" fn get_extension(context: *mut c_void, name: Text) -> *const c_void {
    // SAFETY: as in `log`.
    let context = unsafe { &*context.cast::<Context>() };
    // SAFETY: the name is the caller's for the call.
    match unsafe { name.read() } {
        Ok(TOGETHER) if context.together => (&raw const PLAYS_TOGETHER).cast(),
        _ => std::ptr::null(),
    }
}

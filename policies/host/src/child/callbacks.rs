//! The host's functions for an instance in its own process.

use std::ffi::c_void;
use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use policy_abi::host::{Host, LOG_ERROR, LOG_WARN};
use policy_abi::layout::struct_size;
use policy_abi::text::Text;
use policy_abi::together::TOGETHER;

use super::frame::FrameWriter;
use super::reply::ChildReply;
use crate::call::host::{PLAYS_TOGETHER, after, monotonic_ns, now};
use crate::call::log_limit::LogLimit;
use crate::call::policy_log::LinesOfDecision;

/// The state behind the callbacks, which may come from any thread of the library.
#[derive(Debug)]
pub(super) struct ChildContext {
    output: Mutex<Output>,
    lines: LinesOfDecision,
    /// The least important level that is logged.
    log_level: u32,
    /// The time from which on the current decision is no longer wanted, on the clock of [`now`].
    wanted_until: AtomicU64,
    /// Whether the instance plays together with others.
    together: AtomicBool,
    /// Whether an instance has asked for the extension `together/1`, and got it.
    shares: AtomicBool,
}

/// The pipe to the runner.
#[derive(Debug)]
struct Output {
    pipe: File,
    writer: FrameWriter,
    /// Counts the lines that are not sent.
    limit: LogLimit,
}

impl ChildContext {
    pub(super) fn new(pipe: File) -> Self {
        let output = Output {
            pipe,
            writer: FrameWriter::default(),
            limit: LogLimit::new(),
        };
        Self {
            output: Mutex::new(output),
            lines: LinesOfDecision::default(),
            log_level: 0,
            wanted_until: AtomicU64::new(0),
            together: AtomicBool::new(false),
            shares: AtomicBool::new(false),
        }
    }

    pub(super) fn set_log_level(&mut self, level: u32) {
        self.log_level = level;
    }

    /// Says whether the next instance plays together with others.
    pub(super) fn set_together(&self, together: bool) {
        self.together.store(together, Ordering::Relaxed);
    }

    /// Whether an instance knows that it plays together with others.
    pub(super) fn shares(&self) -> bool {
        self.shares.load(Ordering::Relaxed)
    }

    /// Marks the next decision as wanted for this long.
    pub(super) fn want(&self, budget: Duration) {
        self.lines.begin();
        self.wanted_until.store(after(budget), Ordering::Relaxed);
    }

    pub(super) fn send(&self, reply: &ChildReply) -> io::Result<()> {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let Output {
            pipe,
            writer,
            limit,
        } = &mut *output;
        if let Some(left_out) = limit.take_left_out() {
            pipe.write_all(ChildReply::Logged(LOG_WARN, left_out).write(writer))?;
        }
        pipe.write_all(reply.write(writer))
    }

    /// Writes a line to the runner's log, if it is read there; an error always.
    pub(super) fn tell(&self, level: u32, text: &str) -> io::Result<()> {
        if level > self.log_level.max(LOG_ERROR) {
            return Ok(());
        }
        if !self.lines.one_more() {
            self.output
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .limit
                .leave_out(text.as_bytes());
            return Ok(());
        }
        self.send(&ChildReply::Logged(level, text.to_owned()))
    }

    /// The host struct for an instance, valid as long as `self` does not move.
    pub(super) fn host(&self) -> Host {
        Host {
            struct_size: struct_size::<Host>(),
            reserved: 0,
            context: (&raw const *self).cast_mut().cast::<c_void>(),
            log: Some(log),
            monotonic_ns: Some(monotonic_ns),
            still_wanted: Some(still_wanted),
            get_extension: Some(get_extension),
        }
    }
}

unsafe extern "C" fn get_extension(context: *mut c_void, name: Text) -> *const c_void {
    // SAFETY: as in `log`.
    let context = unsafe { &*context.cast::<ChildContext>() };
    // SAFETY: the name is the caller's for the call.
    match unsafe { name.read() } {
        Ok(TOGETHER) if context.together.load(Ordering::Relaxed) => {
            context.shares.store(true, Ordering::Relaxed);
            (&raw const PLAYS_TOGETHER).cast()
        }
        _ => std::ptr::null(),
    }
}

unsafe extern "C" fn log(context: *mut c_void, level: u32, text: Text) {
    // SAFETY: the context is ours and lives as long as the instance.
    let context = unsafe { &*context.cast::<ChildContext>() };
    // SAFETY: the text is the caller's for the call.
    let text = unsafe { text.read() }.unwrap_or("a line that is not UTF-8");
    // A runner that has ended needs no log.
    let _ = context.tell(level, text);
}

unsafe extern "C" fn still_wanted(context: *mut c_void) -> u32 {
    // SAFETY: as in `log`.
    let context = unsafe { &*context.cast::<ChildContext>() };
    u32::from(now() < context.wanted_until.load(Ordering::Relaxed))
}

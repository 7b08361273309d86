//! The environment of an instance: its folders and the host's functions.
#![allow(unsafe_code, reason = "the host offers C functions")]

use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::time::Duration;

use policy_abi::create::CreateArgs;
use policy_abi::host::{self, Host};
use policy_abi::layout;
use policy_abi::text::Text;
use policy_abi::together::TOGETHER;

use crate::error::CreateError;

/// The level of a line in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// It weakens the play.
    Error,
    /// The user should act on it.
    Warn,
    /// The user may want to know.
    Info,
    /// For the policy's developer.
    Debug,
    /// Every detail.
    Trace,
}

/// The environment of an instance: its folders and the host's functions.
///
/// ```
/// use policy_sdk::{Env, Level};
///
/// /// Simulates for as long as the result is of use.
/// fn search(env: &Env, mut simulate: impl FnMut() -> f64) -> f64 {
///     let (start, mut sum, mut count) = (env.now(), 0.0, 0.0);
///     while env.still_wanted() && count < 1_000.0 {
///         sum += simulate();
///         count += 1.0;
///     }
///     env.log(Level::Debug, &format!("{count} simulations in {:?}", env.now() - start));
///     sum / f64::max(count, 1.0)
/// }
/// ```
#[derive(Debug)]
pub struct Env {
    host: Option<Host>,
    players: u32,
    library_folder: PathBuf,
    config_folder: PathBuf,
    start_budget: Option<Duration>,
}

impl Env {
    /// # Safety
    ///
    /// The pointers in `args` must keep their promises; those of the host must do so while this
    /// lives.
    pub(crate) unsafe fn read(args: &CreateArgs) -> Result<Self, CreateError> {
        // SAFETY: the caller vouches for the text.
        let folder = |name: &str, text: Text| match unsafe { text.read() } {
            Ok(path) => Ok(PathBuf::from(path)),
            Err(_) => Err(CreateError::Failed(format!("{name} is not UTF-8"))),
        };
        Ok(Self {
            // SAFETY: not null, and the caller vouches for it.
            host: (!args.host.is_null()).then(|| unsafe { layout::read_sized(args.host) }),
            players: args.players,
            library_folder: folder("library_folder", args.library_folder)?,
            config_folder: folder("config_folder", args.config_folder)?,
            start_budget: (args.budget_us > 0).then(|| Duration::from_micros(args.budget_us)),
        })
    }

    /// Number of players at the tables: 4 or 3.
    pub fn players(&self) -> u8 {
        if self.players == 3 { 3 } else { 4 }
    }

    /// The folder of the library as the user knows it, with the library's own files; empty for a
    /// built-in policy.
    pub fn library_folder(&self) -> &Path {
        &self.library_folder
    }

    /// The folder of the bot's config; empty if the config is not a file.
    pub fn config_folder(&self) -> &Path {
        &self.config_folder
    }

    /// How long [`Policy::create`](crate::Policy::create) may take, from its call on; `None` if the
    /// host sets no limit.
    pub const fn start_budget(&self) -> Option<Duration> {
        self.start_budget
    }

    /// Writes a line to the host's log, which accepts up to 100 lines for each decision.
    pub fn log(&self, level: Level, text: &str) {
        let level = match level {
            Level::Error => host::LOG_ERROR,
            Level::Warn => host::LOG_WARN,
            Level::Info => host::LOG_INFO,
            Level::Debug => host::LOG_DEBUG,
            Level::Trace => host::LOG_TRACE,
        };
        if let Some((context, log)) = self.host.and_then(|host| Some((host.context, host.log?))) {
            // SAFETY: the host's function with the host's context; the text lives for the call.
            unsafe { log(context, level, Text::new(text)) };
        }
    }

    /// Time on a monotonic clock, from an arbitrary origin; zero if the host has no clock.
    pub fn now(&self) -> Duration {
        match self
            .host
            .and_then(|host| Some((host.context, host.monotonic_ns?)))
        {
            // SAFETY: the host's function with the host's context.
            Some((context, monotonic_ns)) => Duration::from_nanos(unsafe { monotonic_ns(context) }),
            None => Duration::ZERO,
        }
    }

    /// An extension of the host beyond the boundary, by a name with a number (`"name/1"`); `None`
    /// if the host does not have it. It lives as long as the instance.
    pub fn extension(&self, name: &str) -> Option<NonNull<c_void>> {
        let (context, get_extension) = self
            .host
            .and_then(|host| Some((host.context, host.get_extension?)))?;
        // SAFETY: the host's function with the host's context, on the instance's thread; the name
        // lives for the call.
        NonNull::new(unsafe { get_extension(context, Text::new(name)) }.cast_mut())
    }

    /// Whether the instances of this policy play many games at once, on several threads and without
    /// a clock. Then they may share what is slow to start, and let it answer several of them at
    /// once. A policy in a process of its own keeps its process for later games if it asks this
    /// when it is created.
    pub fn plays_together(&self) -> bool {
        self.extension(TOGETHER).is_some()
    }

    /// Whether the current decision would still be used. If not, return as soon as possible.
    pub fn still_wanted(&self) -> bool {
        match self
            .host
            .and_then(|host| Some((host.context, host.still_wanted?)))
        {
            // SAFETY: the host's function with the host's context, on the instance's thread.
            Some((context, still_wanted)) => unsafe { still_wanted(context) != 0 },
            None => true,
        }
    }
}

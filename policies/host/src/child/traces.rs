//! Traces that a policy leaves in its process, found in its trial: on a thread of the runner they
//! would affect every bot.

use std::env;
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::ptr;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, getrlimit, umask};

/// Maximum wait for threads that are just ending.
const END_TIMEOUT: Duration = Duration::from_millis(300);

/// The limits of a process, with their usual names.
const LIMITS: [(Resource, &str); 8] = [
    (Resource::Cpu, "CPU time"),
    (Resource::Fsize, "the size of files"),
    (Resource::Data, "data"),
    (Resource::Stack, "the stack"),
    (Resource::Core, "core files"),
    (Resource::Nproc, "processes"),
    (Resource::Nofile, "open files"),
    (Resource::As, "memory"),
];

/// The compared signals: all except those that the C library reserves.
fn signals() -> impl Iterator<Item = i32> {
    1..=31
}

/// The state of the process at one moment.
#[derive(Debug)]
pub(super) struct ProcessState {
    threads: usize,
    folder: Option<PathBuf>,
    umask: Mode,
    limits: [Rlimit; LIMITS.len()],
    handlers: Vec<usize>,
    blocked: Vec<bool>,
    descriptors: Vec<OpenFile>,
}

/// A descriptor, with the device and inode behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OpenFile {
    descriptor: i32,
    file: Option<(u64, u64)>,
}

impl ProcessState {
    pub(super) fn now() -> Self {
        // The mask can only be read by setting it.
        let mask = umask(Mode::empty());
        umask(mask);
        Self {
            threads: threads(),
            folder: env::current_dir().ok(),
            umask: mask,
            limits: LIMITS.map(|(resource, _)| getrlimit(resource)),
            handlers: signals().map(handler_of).collect(),
            blocked: blocked(),
            descriptors: descriptors(),
        }
    }

    /// A permanent change since then, as the end of a sentence about the library.
    pub(super) fn change(&self) -> Option<String> {
        let until = Instant::now() + END_TIMEOUT;
        while threads() > self.threads && Instant::now() < until {
            sleep(Duration::from_millis(1));
        }
        let now = Self::now();
        let other_limit = || {
            let mut limits = LIMITS.iter().zip(self.limits.iter().zip(&now.limits));
            limits
                .find(|(_, (before, after))| before != after)
                .map(|((_, name), _)| name)
        };
        let other_handler = || {
            signals()
                .zip(self.handlers.iter().zip(&now.handlers))
                .find(|(_, (before, after))| before != after)
        };
        let taken = || {
            self.descriptors
                .iter()
                .find(|open| !now.descriptors.contains(open))
        };
        if now.threads > self.threads {
            return Some(format!(
                "leaves {} behind",
                counted(now.threads - self.threads, "thread", "threads")
            ));
        }
        if has_children() {
            return Some("leaves processes behind".to_owned());
        }
        if now.folder != self.folder {
            return Some("changes the current folder of its process".to_owned());
        }
        if now.umask != self.umask {
            return Some("changes the umask of its process".to_owned());
        }
        if let Some((signal, _)) = other_handler() {
            return Some(format!("changes what signal {signal} does"));
        }
        if now.blocked != self.blocked {
            return Some("changes which signals are blocked".to_owned());
        }
        if let Some(name) = other_limit() {
            return Some(format!("changes the limit of its process for {name}"));
        }
        if let Some(OpenFile { descriptor, .. }) = taken() {
            let what = if is_open(*descriptor) {
                "replaces"
            } else {
                "closes"
            };
            return Some(format!(
                "{what} the descriptor {descriptor}, which is not its own"
            ));
        }
        let [alarm, of_own_time, of_all_time] = interval_timers();
        if has_timers() || of_own_time || of_all_time {
            return Some("leaves timers behind".to_owned());
        }
        alarm.then(|| "leaves an alarm behind".to_owned())
    }
}

fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// Number of threads; 0 if the system does not report it.
fn threads() -> usize {
    fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

fn descriptors() -> Vec<OpenFile> {
    let entries = fs::read_dir("/dev/fd").into_iter().flatten().flatten();
    let listed: Vec<i32> = entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    let file = |descriptor| {
        let behind = fs::metadata(format!("/dev/fd/{descriptor}")).ok()?;
        Some((behind.dev(), behind.ino()))
    };
    // The folder itself is not open any more.
    let open = listed.into_iter().filter(|&descriptor| is_open(descriptor));
    open.map(|descriptor| OpenFile {
        descriptor,
        file: file(descriptor),
    })
    .collect()
}

fn is_open(descriptor: i32) -> bool {
    // SAFETY: asking for flags changes nothing, whosever it is.
    unsafe { libc::fcntl(descriptor, libc::F_GETFD) != -1 }
}

/// The address of a signal's handler, or one of the special numbers.
fn handler_of(signal: i32) -> usize {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the place is ours, zeros are such a struct, and nothing is set.
    unsafe {
        libc::sigaction(signal, ptr::null(), action.as_mut_ptr());
        action.assume_init().sa_sigaction
    }
}

/// For each signal whether this thread blocks it.
fn blocked() -> Vec<bool> {
    let mut set = MaybeUninit::zeroed();
    // SAFETY: the place is ours, zeros are such a set, and nothing is set.
    unsafe {
        libc::sigprocmask(libc::SIG_SETMASK, ptr::null(), set.as_mut_ptr());
        let set = set.assume_init();
        signals()
            .map(|signal| libc::sigismember(&raw const set, signal) == 1)
            .collect()
    }
}

/// Whether there are processes that this one has started, or that they have and left to its guard.
fn has_children() -> bool {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: the place is ours, and no child is reaped.
    let found = unsafe { libc::waitid(libc::P_ALL, 0, info.as_mut_ptr(), options) };
    let has_none = found != 0 && io::Error::last_os_error().raw_os_error() == Some(libc::ECHILD);
    !has_none || guard_has_others()
}

#[cfg(not(target_os = "linux"))]
fn guard_has_others() -> bool {
    false
}

#[cfg(target_os = "linux")]
fn guard_has_others() -> bool {
    let Some(guard) = rustix::process::getppid().map(|guard| guard.as_raw_nonzero().get()) else {
        return false;
    };
    let children =
        fs::read_to_string(format!("/proc/{guard}/task/{guard}/children")).unwrap_or_default();
    let own = std::process::id().to_string();
    children.split_ascii_whitespace().any(|child| child != own)
}

/// Whether there are timers of `timer_create`.
fn has_timers() -> bool {
    fs::read_to_string("/proc/self/timers").is_ok_and(|timers| !timers.is_empty())
}

/// For each interval timer whether it is set: the alarm, and those that count CPU time.
fn interval_timers() -> [bool; 3] {
    [libc::ITIMER_REAL, libc::ITIMER_VIRTUAL, libc::ITIMER_PROF].map(|timer| {
        let mut value = MaybeUninit::<libc::itimerval>::zeroed();
        // SAFETY: the place is ours, zeros are such a struct, and nothing is set.
        let value = unsafe {
            libc::getitimer(timer, value.as_mut_ptr());
            value.assume_init().it_value
        };
        (value.tv_sec, value.tv_usec) != (0, 0)
    })
}

//! The guard of a policy's process: its parent, with the runner for its own parent. It holds no
//! code of the policy, so damage to the policy's process does not affect it. When the policy ends,
//! when the runner wants its end, or when the runner itself has ended, the guard kills all
//! processes that the policy has started, including those that have left its process group and its
//! session. Then the guard exits with the policy's status, which is all that the runner sees of it.
//! Until then it counts what a confined policy starts (`starts.rs`), and lets nothing more start
//! once it kills.
//!
//! Only on Linux: elsewhere no process can adopt those that a policy leaves behind, so only its
//! group is killed.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::ptr;
use std::thread::sleep;
use std::time::Duration;

use libc::{
    CLD_EXITED, P_ALL, SFD_CLOEXEC, SFD_NONBLOCK, SIG_BLOCK, SIG_DFL, SIG_SETMASK, SIGCHLD,
    SIGKILL, SIGTERM, WEXITED, WNOHANG, WNOWAIT, pid_t, sigset_t,
};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{
    DumpableBehavior, Pid, Resource, Rlimit, Signal, set_child_subreaper, set_dumpable_behavior,
    set_parent_process_death_signal, setrlimit,
};

use crate::starts::{GuardChannel, LimitedStart, MAX_EPOLLS, StartAnswer, StartRequests};

/// Intervals between two kills of the remaining processes: at first, and once they hang in the
/// kernel.
const KILLED_EVERY: Duration = Duration::from_millis(1);
const HANGING_KILLED_EVERY: Duration = Duration::from_millis(100);
/// Number of kills after which a process counts as hanging.
const KILLS: usize = 1000;

/// Splits this process, which must have a single thread, in two: the guard, in which this never
/// returns, and the policy's process, in its own group and without a terminal, which gets a channel
/// to the guard. The policy's process ends with the guard.
///
/// # Errors
///
/// If the system cannot create another process.
pub fn under_guard() -> io::Result<GuardChannel> {
    let (channel, to_guard) = GuardChannel::pair()?;
    // Other processes of this user, including the policy, cannot look into it or trace it.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    set_child_subreaper(Some(Pid::INIT))?;
    let guard = rustix::process::getpid();
    let heard = set_of([SIGTERM, SIGCHLD]);
    let all = every_signal();
    let mut before = MaybeUninit::uninit();
    // SAFETY: plain system calls on memory of ours. After the fork both processes may continue
    // freely, since no other thread could have held a lock.
    let forked = unsafe {
        // An ignored signal would never arrive.
        libc::signal(SIGTERM, SIG_DFL);
        libc::signal(SIGCHLD, SIG_DFL);
        // No other signal ends the guard either: not the SIGHUP that the kernel sends to a group
        // whose runner has ended.
        libc::sigprocmask(SIG_BLOCK, &raw const all, before.as_mut_ptr());
        libc::fork()
    };
    match forked {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            if rustix::process::getppid() != Some(guard) {
                return Err(io::Error::new(
                    io::ErrorKind::BrokenPipe,
                    "its guard has ended",
                ));
            }
            rustix::process::setpgid(None, None)?;
            give_up_terminal();
            set_dumpable_behavior(DumpableBehavior::Dumpable)?;
            // SAFETY: it was filled before the fork.
            unsafe { libc::sigprocmask(SIG_SETMASK, before.as_ptr(), ptr::null_mut()) };
            Ok(to_guard)
        }
        policy => {
            drop(to_guard);
            watch_over(policy, &heard, channel)
        }
    }
}

/// Gives up the terminal that the process may have from the runner. A new session would do that
/// too, but Linux may schedule sessions separately (`sched_autogroup_enabled`), and on a busy
/// machine the slowest hundredth of the questions would then take ten times as long.
fn give_up_terminal() {
    if let Ok(terminal) = File::open("/dev/tty") {
        // SAFETY: the call reads only its numbers. A failure changes nothing.
        unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCNOTTY) };
    }
}

/// The guard's control over new processes.
enum Starts {
    /// The policy's process may still pass its limits on.
    Unlimited(GuardChannel),
    /// It asks before it starts a process; the flag says whether a refusal has been logged.
    Counted(StartRequests, bool),
    /// No requests come: the process is not confined, or the system does not support them.
    Free,
}

/// The guard's main loop.
fn watch_over(policy: pid_t, heard: &sigset_t, channel: GuardChannel) -> ! {
    // The guard must not wait for room in this pipe, which the policy can fill. It is opened again,
    // because the flags of the inherited descriptor are shared with the policy.
    let mut log = OpenOptions::new()
        .write(true)
        .custom_flags(libc::O_NONBLOCK)
        .open("/proc/self/fd/2")
        .ok();
    // These pipes are the policy's. Another holder of them would hide their end.
    // SAFETY: nothing in this process uses them from now on.
    unsafe {
        libc::close(0);
        libc::close(1);
        libc::close(2);
    }
    // SAFETY: the set is one, and the descriptor is new and has no other owner.
    let signals = unsafe { libc::signalfd(-1, heard, SFD_CLOEXEC | SFD_NONBLOCK) };
    // Without it no signal would ever arrive: then the policy's process ends with this one.
    if signals < 0 {
        exit(1);
    }
    // SAFETY: as above.
    let signals = unsafe { OwnedFd::from_raw_fd(signals) };
    let mut starts = Starts::Unlimited(channel);
    loop {
        let asked = match &starts {
            Starts::Unlimited(channel) => Some(channel.as_fd()),
            Starts::Counted(requests, _) => Some(requests.as_fd()),
            Starts::Free => None,
        };
        let mut places: Vec<PollFd<'_>> = vec![PollFd::new(&signals, PollFlags::IN)];
        places.extend(
            asked
                .as_ref()
                .map(|place| PollFd::new(place, PollFlags::IN)),
        );
        // A failure is an interruption.
        let _ = poll(&mut places, None);
        let [was_signalled, is_asked] = [0, 1].map(|index| places.get(index).map(PollFd::revents));
        if was_signalled.is_some_and(|events| !events.is_empty()) {
            let mut buffer = [0; 128];
            while let Ok(1..) = rustix::io::read(&signals, &mut buffer) {
                if i32::from_ne_bytes([buffer[0], buffer[1], buffer[2], buffer[3]]) == SIGTERM {
                    drop(starts);
                    end_all(policy);
                    exit(0);
                }
            }
            // Several ends may arrive as one signal.
            while let Some(ended) = next_ended() {
                if ended.process == policy {
                    drop(starts);
                    end_all(policy);
                    end_like(&ended);
                }
                reap(ended.process);
            }
        }
        let Some(events) = is_asked.filter(|events| !events.is_empty()) else {
            continue;
        };
        starts = match starts {
            Starts::Unlimited(channel) => StartRequests::receive(&channel)
                .map_or(Starts::Free, |requests| Starts::Counted(requests, false)),
            // No process is left that could ask.
            Starts::Counted(..) if !events.contains(PollFlags::IN) => Starts::Free,
            Starts::Counted(mut requests, was_told) => {
                let answer = requests.answer(running);
                if !was_told {
                    tell(log.as_mut(), answer);
                }
                Starts::Counted(requests, was_told || answer != StartAnswer::Starts)
            }
            Starts::Free => Starts::Free,
        };
    }
}

/// Writes the reason why a process did not start to the runner's log, if there is room.
fn tell(log: Option<&mut File>, answer: StartAnswer) {
    let StartAnswer::TooMany(of, most) = answer else {
        return;
    };
    let of_key = |what, key| {
        format!("no other {what} starts: `{key}` in [policy.limits] allows {most} at a time\n")
    };
    let line = match of {
        LimitedStart::Thread => of_key("thread", "threads"),
        LimitedStart::Process => of_key("process", "processes"),
        LimitedStart::Epoll => {
            format!("no other instance of epoll is made: a policy may have {most} at a time\n")
        }
    };
    let _ = log.map(|log| log.write_all(line.as_bytes()));
}

/// The threads and processes below this one, besides the policy's first thread, or their instances
/// of epoll.
fn running(of: LimitedStart) -> u32 {
    let found = all_below();
    if of == LimitedStart::Epoll {
        return found.into_iter().map(epolls_of).sum();
    }
    let threads = found
        .into_iter()
        .map(|process| threads_of(process).count() as u32);
    // Those without a thread have ended.
    let threads: Vec<u32> = threads.filter(|threads| *threads > 0).collect();
    let processes = threads.len() as u32;
    match of {
        LimitedStart::Process => processes.saturating_sub(1),
        _ => threads.into_iter().sum::<u32>().saturating_sub(processes),
    }
}

/// The descendants of this process. A process whose parent ends meanwhile moves to another parent,
/// which may have been searched already. So the search is repeated until it finds nothing new; it
/// ends, because only starts that were allowed before can happen meanwhile.
fn all_below() -> HashSet<pid_t> {
    let mut found = HashSet::new();
    loop {
        let known = found.len();
        each_below(own_process(), |process| {
            found.insert(process);
        });
        if found.len() == known {
            return found;
        }
    }
}

/// The instances of epoll that a process has open; the maximum if its descriptors cannot be seen.
fn epolls_of(process: pid_t) -> u32 {
    let entries = match fs::read_dir(format!("/proc/{process}/fd")) {
        Ok(entries) => entries.flatten(),
        Err(error) if matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ESRCH)) => return 0,
        Err(_) => return MAX_EPOLLS,
    };
    let is_epoll = |entry: &fs::DirEntry| {
        fs::read_link(entry.path())
            .is_ok_and(|target| target.as_os_str() == "anon_inode:[eventpoll]")
    };
    entries.filter(is_epoll).count() as u32
}

fn own_process() -> pid_t {
    rustix::process::getpid().as_raw_nonzero().get()
}

struct EndedChild {
    process: pid_t,
    /// Whether it ended itself.
    exited: bool,
    /// Its exit code, else the signal.
    status: i32,
}

/// A child that has ended and can still be reaped.
fn next_ended() -> Option<EndedChild> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: the place is ours, zeros are such a struct, and of its fields those are read that
    // come with the end of a child.
    unsafe {
        let found = libc::waitid(P_ALL, 0, info.as_mut_ptr(), WEXITED | WNOHANG | WNOWAIT);
        let info = info.assume_init();
        let process = info.si_pid();
        (found == 0 && process != 0).then(|| EndedChild {
            process,
            exited: info.si_code == CLD_EXITED,
            status: info.si_status(),
        })
    }
}

fn reap(process: pid_t) {
    // SAFETY: it is a child that has ended.
    unsafe { libc::waitpid(process, ptr::null_mut(), WNOHANG) };
}

/// Kills and reaps everything below this process, however long that takes. The process id of a
/// policy that has not been reaped cannot be reused, nor can the id of its group.
fn end_all(policy: pid_t) {
    // SAFETY: the group is the policy's; there is none unless it has lived long enough to make it.
    unsafe {
        libc::kill(policy, SIGKILL);
        libc::kill(-policy, SIGKILL);
    }
    for round in 0.. {
        while let Some(ended) = next_ended() {
            reap(ended.process);
        }
        let mut is_empty = true;
        // Each is killed as soon as it is found: a thousand busy processes leave the guard no CPU
        // time for a longer search.
        each_below(own_process(), |process| {
            is_empty = false;
            // SAFETY: a plain system call. The number of a child is its own until it is reaped
            // here. That of a child's child may be free since the search, but Linux gives numbers
            // out in turn, so it is the last to be used again.
            unsafe { libc::kill(process, SIGKILL) };
        });
        if is_empty {
            return;
        }
        sleep(if round < KILLS {
            KILLED_EVERY
        } else {
            HANGING_KILLED_EVERY
        });
    }
}

/// Finds all descendants of a process, its children first.
fn each_below(process: pid_t, mut found: impl FnMut(pid_t)) {
    let mut from = vec![process];
    while let Some(process) = from.pop() {
        for thread in threads_of(process) {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            for child in children
                .split_ascii_whitespace()
                .filter_map(|child| child.parse::<pid_t>().ok())
            {
                found(child);
                from.push(child);
            }
        }
    }
}

fn threads_of(process: pid_t) -> impl Iterator<Item = fs::DirEntry> {
    fs::read_dir(format!("/proc/{process}/task"))
        .into_iter()
        .flatten()
        .flatten()
}

fn end_like(ended: &EndedChild) -> ! {
    if ended.exited {
        exit(ended.status);
    }
    // The policy's process writes its own core dump, if there is one.
    let _ = setrlimit(
        Resource::Core,
        Rlimit {
            current: Some(0),
            maximum: Some(0),
        },
    );
    let its = set_of([ended.status]);
    // SAFETY: plain system calls on memory of ours.
    unsafe {
        libc::signal(ended.status, SIG_DFL);
        libc::sigprocmask(libc::SIG_UNBLOCK, &raw const its, ptr::null_mut());
        libc::raise(ended.status);
    }
    // The child did not end by a signal that ends no process.
    exit(128 + ended.status)
}

fn exit(code: i32) -> ! {
    // SAFETY: nothing is left to do, and this process must not run the registered exit handlers.
    unsafe { libc::_exit(code) }
}

fn every_signal() -> sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the place is ours, and filled as a whole.
    unsafe {
        libc::sigfillset(set.as_mut_ptr());
        set.assume_init()
    }
}

fn set_of(signals: impl IntoIterator<Item = i32>) -> sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the place is ours, and emptied before anything is added.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in signals {
            libc::sigaddset(set.as_mut_ptr(), signal);
        }
        set.assume_init()
    }
}

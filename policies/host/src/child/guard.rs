//! The guard of a policy's process: its parent, with the runner for its own parent. It holds no code of the policy, so that
//! nothing the policy does to its process keeps it from its one duty: when the policy ends, when the runner wants its end,
//! and when the runner itself is gone, everything that the policy has started is killed, also what has left its process
//! group and its session. Then the guard ends as the policy has, which is all that the runner sees of it.
//!
//! It is Linux's: elsewhere nobody can adopt the processes that a policy leaves behind, and there only its group is killed.

use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::ptr;
use std::thread::sleep;
use std::time::{Duration, Instant};

use libc::{
    CLD_EXITED, P_ALL, SIG_BLOCK, SIG_DFL, SIG_SETMASK, SIGCHLD, SIGKILL, SIGTERM, WEXITED, WNOHANG, WNOWAIT, pid_t,
    sigset_t,
};
use rustix::process::{
    DumpableBehavior, Pid, Resource, Rlimit, Signal, set_child_subreaper, set_dumpable_behavior,
    set_parent_process_death_signal, setrlimit,
};

/// Longest time for everything to be gone. What is left then hangs in the system, or is started faster than it is killed.
const GONE_WITHIN: Duration = Duration::from_secs(1);

/// Splits this process in two, which must have a single thread: the guard, in which this never returns, and the policy's
/// process, in a group of its own and without a terminal. When the guard is gone, so is the policy's process.
///
/// # Errors
///
/// When the system has no room for another process.
pub(super) fn split() -> io::Result<()> {
    // What other processes of this user, the policy among them, cannot look into or trace.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    set_child_subreaper(Some(Pid::INIT))?;
    let guard = rustix::process::getpid();
    let heard = set_of([SIGTERM, SIGCHLD]);
    let mut before = MaybeUninit::uninit();
    // SAFETY: plain system calls on memory of ours. After the fork both processes may go on as they like, since there is no
    // other thread that could have held a lock.
    let forked = unsafe {
        // One that is ignored would never be heard.
        libc::signal(SIGTERM, SIG_DFL);
        libc::signal(SIGCHLD, SIG_DFL);
        libc::sigprocmask(SIG_BLOCK, &raw const heard, before.as_mut_ptr());
        libc::fork()
    };
    match forked {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            if rustix::process::getppid() != Some(guard) {
                return Err(io::Error::new(io::ErrorKind::BrokenPipe, "its guard is gone"));
            }
            rustix::process::setpgid(None, None)?;
            give_up_terminal();
            set_dumpable_behavior(DumpableBehavior::Dumpable)?;
            // SAFETY: it was filled before the fork.
            unsafe { libc::sigprocmask(SIG_SETMASK, before.as_ptr(), ptr::null_mut()) };
            Ok(())
        }
        policy => watch_over(policy, &heard),
    }
}

/// Gives up the terminal that the process may have from the runner. A session of its own would do that too, but Linux may
/// schedule sessions apart from each other (`sched_autogroup_enabled`), and on a busy machine the slowest hundredth of the
/// questions would then take ten times as long.
fn give_up_terminal() {
    if let Ok(terminal) = fs::File::open("/dev/tty") {
        // SAFETY: the call reads nothing but its numbers. A failure leaves everything as it is.
        unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCNOTTY) };
    }
}

/// The guard's whole life.
fn watch_over(policy: pid_t, heard: &sigset_t) -> ! {
    // The pipes are the policy's. Whoever holds them besides keeps their end from being noticed.
    // SAFETY: nothing in this process uses them from now on.
    unsafe {
        libc::close(0);
        libc::close(1);
        libc::close(2);
    }
    loop {
        // SAFETY: the set is one, and what came with the signal is not asked for.
        match unsafe { libc::sigwaitinfo(heard, ptr::null_mut()) } {
            SIGTERM => {
                end_all(policy);
                exit(0);
            }
            SIGCHLD => {
                while let Some(ended) = next_ended() {
                    if ended.process == policy {
                        end_all(policy);
                        end_like(&ended);
                    }
                    reap(ended.process);
                }
            }
            // Interrupted.
            _ => {}
        }
    }
}

/// A child that has ended.
struct EndedChild {
    process: pid_t,
    /// Whether it ended itself.
    exited: bool,
    /// Its exit code, else the signal.
    status: i32,
}

/// A child that has ended and is still there to be reaped.
fn next_ended() -> Option<EndedChild> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: the place is ours, zeros are such a struct, and of its fields those are read that come with the end of a child.
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

/// Kills everything below this process, and reaps it. The number of a policy that has not been reaped is still its own, and
/// so is that of its group.
fn end_all(policy: pid_t) {
    let until = Instant::now() + GONE_WITHIN;
    // SAFETY: the group is the policy's; there is none unless it has lived long enough to make it.
    unsafe {
        libc::kill(policy, SIGKILL);
        libc::kill(-policy, SIGKILL);
    }
    while Instant::now() < until {
        while let Some(ended) = next_ended() {
            reap(ended.process);
        }
        let left = below(rustix::process::getpid().as_raw_nonzero().get());
        if left.is_empty() {
            return;
        }
        for process in left {
            // SAFETY: it is below this process, where numbers are not used again before they have been reaped here.
            unsafe { libc::kill(process, SIGKILL) };
        }
        sleep(Duration::from_millis(1));
    }
}

/// The processes that a process has started, and those that they have, and so on.
fn below(process: pid_t) -> Vec<pid_t> {
    let mut found = Vec::new();
    let mut from = vec![process];
    while let Some(process) = from.pop() {
        let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        for thread in threads {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            let children = children.split_ascii_whitespace().filter_map(|child| child.parse::<pid_t>().ok());
            let start = found.len();
            found.extend(children);
            from.extend_from_slice(&found[start..]);
        }
    }
    found
}

/// Ends this process as a child has ended.
fn end_like(ended: &EndedChild) -> ! {
    if ended.exited {
        exit(ended.status);
    }
    // The policy has left a core of its own where that is wanted.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let its = set_of([ended.status]);
    // SAFETY: plain system calls on memory of ours.
    unsafe {
        libc::signal(ended.status, SIG_DFL);
        libc::sigprocmask(libc::SIG_UNBLOCK, &raw const its, ptr::null_mut());
        libc::raise(ended.status);
    }
    // A signal that ends nothing by itself was not what ended the child.
    exit(128 + ended.status)
}

fn exit(code: i32) -> ! {
    // SAFETY: nothing is left to do, and what was registered to be done at the end is not this process's.
    unsafe { libc::_exit(code) }
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

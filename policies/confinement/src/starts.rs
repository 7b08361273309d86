//! The limits on threads and processes of a confined process, and on its instances of epoll, whose
//! watches all processes of a user share. The system knows no such limit that would hold for one
//! process and all that it starts: its own counts what a whole user runs, and root is not counted.
//! So each start asks the guard (seccomp's notice to another process, Linux 5.5), which counts.
//! When the guard closes the channel, nothing can start any more, and all processes can be killed,
//! however fast they fork.

use serde::{Deserialize, Serialize};

/// The most threads and processes of a policy and all that it starts, besides its first thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StartLimits {
    /// For all its processes together, besides the first of each.
    pub(crate) threads: u32,
    pub(crate) processes: u32,
}

/// Maximum number of instances of epoll of a policy and all that it starts. A program has one or a
/// few. An instance watches pairs of a file and a number, also after the number is closed: with 256
/// descriptors about 126 files by 126 numbers.
pub(crate) const MAX_EPOLLS: u32 = 4;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LimitedStart {
    Thread,
    Process,
    Epoll,
}

/// The way from a policy's process to its guard.
#[cfg(target_os = "linux")]
pub type GuardChannel = std::os::unix::net::UnixStream;
/// There is no guard here.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub struct GuardChannel;

#[cfg(not(target_os = "linux"))]
impl StartLimits {
    /// Nothing is counted here.
    pub(crate) fn enforce(
        self,
        _: GuardChannel,
    ) -> std::io::Result<crate::kernel_rules::KernelRules> {
        Ok(crate::kernel_rules::KernelRules::NotKept)
    }
}

#[cfg(target_os = "linux")]
pub(crate) use asked::{StartAnswer, StartRequests};

#[cfg(target_os = "linux")]
mod asked {
    use std::collections::HashMap;
    use std::fs;
    use std::io::{self, IoSlice, IoSliceMut};
    use std::mem::{MaybeUninit, zeroed};
    use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use libc::{
        BPF_ABS, BPF_JEQ, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, seccomp_notif,
        seccomp_notif_resp, sock_filter,
    };
    use rustix::net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
        SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
    };

    use super::{GuardChannel, LimitedStart, MAX_EPOLLS, StartLimits};
    use crate::kernel_rules::KernelRules;

    /// The first Linux that allows an intercepted call to continue.
    const GOES_ON_SINCE: (u32, u32) = (5, 5);
    /// The offsets of the call's number and the architecture in `struct seccomp_data`.
    const NUMBER: u32 = 0;
    const ARCHITECTURE: u32 = 4;
    /// `linux/audit.h`
    #[cfg(target_arch = "x86_64")]
    const OWN_ARCHITECTURE: u32 = 0xc000_003e;
    #[cfg(target_arch = "aarch64")]
    const OWN_ARCHITECTURE: u32 = 0xc000_00b7;
    /// The calls that start something; `clone3` does not exist for a confined process. The last
    /// ones make an instance of epoll.
    #[cfg(target_arch = "x86_64")]
    const STARTS: [libc::c_long; 5] = [
        libc::SYS_clone,
        libc::SYS_fork,
        libc::SYS_vfork,
        libc::SYS_epoll_create,
        libc::SYS_epoll_create1,
    ];
    #[cfg(target_arch = "aarch64")]
    const STARTS: [libc::c_long; 2] = [libc::SYS_clone, libc::SYS_epoll_create1];
    #[cfg(target_arch = "x86_64")]
    const EPOLLS: &[libc::c_long] = &[libc::SYS_epoll_create, libc::SYS_epoll_create1];
    #[cfg(target_arch = "aarch64")]
    const EPOLLS: &[libc::c_long] = &[libc::SYS_epoll_create1];

    impl StartLimits {
        /// Has the guard at the other end count what this process, which has one thread, and its
        /// descendants start from now on.
        ///
        /// # Errors
        ///
        /// If the guard cannot be reached.
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        pub(crate) fn enforce(self, guard: GuardChannel) -> io::Result<KernelRules> {
            let Some(listener) = ask_from_now_on()? else {
                return Ok(KernelRules::NotKept);
            };
            let mut limits = [0; 8];
            limits[..4].copy_from_slice(&self.threads.to_ne_bytes());
            limits[4..].copy_from_slice(&self.processes.to_ne_bytes());
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
            let mut control = SendAncillaryBuffer::new(&mut space);
            let passed = [listener.as_fd()];
            control.push(SendAncillaryMessage::ScmRights(&passed));
            sendmsg(
                &guard,
                &[IoSlice::new(&limits)],
                &mut control,
                SendFlags::empty(),
            )?;
            Ok(KernelRules::Kept)
        }

        /// The filter is known for x86-64 and AArch64 only.
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        pub(crate) fn enforce(self, _: GuardChannel) -> io::Result<KernelRules> {
            Ok(KernelRules::NotKept)
        }
    }

    /// Whether the system reports starts and allows them to continue.
    fn goes_on() -> bool {
        let release = rustix::system::uname()
            .release()
            .to_string_lossy()
            .into_owned();
        let mut numbers = release
            .split(['.', '-'])
            .map_while(|number| number.parse::<u32>().ok());
        (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= GOES_ON_SINCE
    }

    /// Has this process and its descendants ask before they start a thread or process; returns the
    /// channel of the questions. `None` if the system cannot, or already does so for another
    /// process.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn ask_from_now_on() -> io::Result<Option<OwnedFd>> {
        if !goes_on() {
            return Ok(None);
        }
        rustix::thread::set_no_new_privs(true)?;
        let mut program = filter();
        let program = libc::sock_fprog {
            len: program.len() as u16,
            filter: program.as_mut_ptr(),
        };
        let install = |flags: libc::c_ulong| {
            // SAFETY: the program is one, and is only read.
            let listener = unsafe {
                libc::syscall(
                    libc::SYS_seccomp,
                    libc::SECCOMP_SET_MODE_FILTER,
                    flags,
                    &raw const program,
                )
            };
            // SAFETY: a descriptor that is given is new, and has no other owner.
            (listener >= 0).then(|| unsafe { OwnedFd::from_raw_fd(listener as i32) })
        };
        let listener = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
        // Before Linux 5.19 a signal breaks the question off, and it is asked again.
        let undisturbed = listener | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
        Ok(install(undisturbed).or_else(|| install(listener)))
    }

    /// Calls that start something are asked about, all others pass. The other filter handles other
    /// architectures.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn filter() -> Vec<sock_filter> {
        let instruction = |code: u32, jt: usize, jf: usize, k: u32| sock_filter {
            code: code as u16,
            jt: jt as u8,
            jf: jf as u8,
            k,
        };
        let load = |from| instruction(BPF_LD | BPF_W | BPF_ABS, 0, 0, from);
        let equals = |jt, jf, k| instruction(BPF_JMP | BPF_JEQ | BPF_K, jt, jf, k);
        let mut program = vec![
            load(ARCHITECTURE),
            equals(0, STARTS.len() + 1, OWN_ARCHITECTURE),
            load(NUMBER),
        ];
        program.extend(
            (0..STARTS.len()).map(|index| equals(STARTS.len() - index, 0, STARTS[index] as u32)),
        );
        program.push(instruction(BPF_RET | BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW));
        program.push(instruction(
            BPF_RET | BPF_K,
            0,
            0,
            libc::SECCOMP_RET_USER_NOTIF,
        ));
        program
    }

    /// The answer to a question.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum StartAnswer {
        /// It starts, or the asking process has ended.
        Starts,
        /// As many as this are there, and no more are allowed.
        TooMany(LimitedStart, u32),
    }

    /// How long a question waits until earlier permissions are over, if only they take up the room.
    const PERMISSIONS_TIMEOUT: Duration = Duration::from_millis(100);
    const LOOKED_EVERY: Duration = Duration::from_millis(1);

    /// The last start that was allowed to a thread. It may not have happened yet, and then no count
    /// shows it.
    #[derive(Debug)]
    pub(super) struct Permission {
        of: LimitedStart,
        /// The time that the thread had spent outside the kernel at the first check, in ticks.
        spent: Option<u64>,
    }

    impl Permission {
        pub(super) const fn new(of: LimitedStart) -> Self {
            Self { of, spent: None }
        }

        /// Whether the thread has made its permitted start, or never will. It has not asked again.
        pub(super) fn is_over(&mut self, thread: u32) -> bool {
            let stat = match fs::read_to_string(format!("/proc/{thread}/task/{thread}/stat")) {
                Ok(stat) => stat,
                Err(error) => {
                    return matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ESRCH));
                }
            };
            // The name before it may hold anything.
            let mut fields = stat
                .rsplit(')')
                .next()
                .unwrap_or_default()
                .split_ascii_whitespace();
            // Before a start a thread runs in the kernel (R), or waits there for memory (D).
            let may_start = matches!(fields.next(), Some("R" | "D"));
            let spent = fields
                .nth(10)
                .and_then(|ticks| ticks.parse().ok())
                .unwrap_or(0);
            // One tick may be an error of rounding.
            !may_start || spent > *self.spent.get_or_insert(spent) + 1
        }
    }

    /// The guard's end: where questions arrive. Once this is dropped nothing starts any more.
    #[derive(Debug)]
    pub(crate) struct StartRequests {
        listener: OwnedFd,
        limits: StartLimits,
        /// Number of further starts of each sort before they have to be counted again.
        left: HashMap<LimitedStart, u32>,
        /// The starts that may not have happened yet, by the number of the thread that asked.
        permissions: HashMap<u32, Permission>,
    }

    impl StartRequests {
        /// Takes what a policy's process passes on; `None` when that process is not confined.
        pub(crate) fn receive(channel: &GuardChannel) -> Option<Self> {
            let mut limits = [0; 8];
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
            let mut control = RecvAncillaryBuffer::new(&mut space);
            let received = recvmsg(
                channel,
                &mut [IoSliceMut::new(&mut limits)],
                &mut control,
                RecvFlags::CMSG_CLOEXEC,
            )
            .ok()?;
            let listener = control.drain().find_map(|message| match message {
                RecvAncillaryMessage::ScmRights(mut passed) => passed.next(),
                _ => None,
            })?;
            let number =
                |at: usize| u32::from_ne_bytes(std::array::from_fn(|index| limits[at + index]));
            let limits = StartLimits {
                threads: number(0),
                processes: number(4),
            };
            (received.bytes == 8).then(|| Self {
                listener,
                limits,
                left: HashMap::new(),
                permissions: HashMap::new(),
            })
        }

        pub(crate) fn as_fd(&self) -> BorrowedFd<'_> {
            self.listener.as_fd()
        }

        /// Answers one question. `running` counts what there is besides the policy's first thread.
        pub(crate) fn answer(&mut self, running: impl Fn(LimitedStart) -> u32) -> StartAnswer {
            // SAFETY: zeros are such a struct, and the system wants them.
            let mut asked: seccomp_notif = unsafe { zeroed() };
            // SAFETY: the place is ours, and as the call wants it.
            let heard = unsafe {
                libc::ioctl(
                    self.listener.as_raw_fd(),
                    libc::SECCOMP_IOCTL_NOTIF_RECV,
                    &raw mut asked,
                )
            };
            if heard != 0 {
                // The process that asked has been killed.
                return StartAnswer::Starts;
            }
            let call = libc::c_long::from(asked.data.nr);
            let of = match call {
                _ if EPOLLS.contains(&call) => LimitedStart::Epoll,
                libc::SYS_clone if asked.data.args[0] & libc::CLONE_THREAD as u64 != 0 => {
                    LimitedStart::Thread
                }
                _ => LimitedStart::Process,
            };
            // A thread starts one thing after the other, so its last start has happened.
            self.permissions.remove(&asked.pid);
            if self.left_of(of) == 0 {
                self.count(of, running);
            }
            let starts = self.left_of(of) > 0;
            // SAFETY: zeros are such a struct.
            let mut answer: seccomp_notif_resp = unsafe { zeroed() };
            answer.id = asked.id;
            if starts {
                answer.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
            } else {
                answer.error = if of == LimitedStart::Epoll {
                    -libc::EMFILE
                } else {
                    -libc::EAGAIN
                };
            }
            // SAFETY: the struct is one. If the asking process has ended, there is nothing to do.
            let sent = unsafe {
                libc::ioctl(
                    self.listener.as_raw_fd(),
                    libc::SECCOMP_IOCTL_NOTIF_SEND,
                    &raw mut answer,
                )
            };
            if !starts {
                return StartAnswer::TooMany(of, self.limits.of(of));
            }
            if sent == 0 {
                self.left.insert(of, self.left_of(of) - 1);
                self.permissions.insert(asked.pid, Permission::new(of));
            }
            StartAnswer::Starts
        }

        fn left_of(&self, of: LimitedStart) -> u32 {
            self.left.get(&of).copied().unwrap_or(0)
        }

        /// Computes how many may start now. Many ask at once, so a permission takes room before its
        /// start happens. A computing thread may have made its start long ago, which shows after a
        /// while: this waits a little if only permissions take up the room.
        fn count(&mut self, of: LimitedStart, running: impl Fn(LimitedStart) -> u32) {
            let start = Instant::now();
            loop {
                // Before the count, so that what starts in between is counted twice and not left
                // out.
                self.permissions
                    .retain(|&thread, permission| !permission.is_over(thread));
                let (running, most) = (running(of), self.limits.of(of));
                let allowed = self
                    .permissions
                    .values()
                    .filter(|permission| permission.of == of)
                    .count();
                let left = most.saturating_sub(running.saturating_add(allowed as u32));
                self.left.insert(of, left);
                let is_full = running >= most;
                if left > 0 || is_full || start.elapsed() > PERMISSIONS_TIMEOUT {
                    return;
                }
                sleep(LOOKED_EVERY);
            }
        }
    }

    impl StartLimits {
        const fn of(self, of: LimitedStart) -> u32 {
            match of {
                LimitedStart::Thread => self.threads,
                LimitedStart::Process => self.processes,
                LimitedStart::Epoll => MAX_EPOLLS,
            }
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::{Duration, Instant};

    use super::LimitedStart;
    use super::asked::Permission;

    /// Waits until a thread's permission is over.
    fn ends(thread: u32, permission: &mut Permission) {
        let until = Instant::now() + Duration::from_secs(30);
        while !permission.is_over(thread) {
            assert!(Instant::now() < until, "{permission:?}");
        }
    }

    fn own() -> u32 {
        rustix::thread::gettid().as_raw_nonzero().get() as u32
    }

    #[test]
    fn a_threads_permission_is_over_once_it_computes_sleeps_or_ends() {
        // This thread is running, perhaps in the kernel, as far as one look shows.
        let mut permission = Permission::new(LimitedStart::Process);
        assert!(!permission.is_over(own()));
        ends(own(), &mut permission);
        let (sender, ids) = mpsc::channel();
        let (wake, sleeps) = mpsc::channel::<()>();
        let sleeper = thread::spawn(move || {
            sender.send(own()).expect("it is heard");
            let _ = sleeps.recv();
        });
        let id = ids.recv().expect("it says so");
        ends(id, &mut Permission::new(LimitedStart::Process));
        drop(wake);
        sleeper.join().expect("it ends");
        assert!(Permission::new(LimitedStart::Process).is_over(id));
    }
}

//! How many threads and processes a confined process may have. The system knows no such limit that would hold for one process and all
//! that it starts: its own counts what a whole user runs, and root is not counted. So each start asks the guard (seccomp's notice to
//! another process, Linux 5.5), which counts. When the guard lets go of the notices, nothing starts any more, and what is there can be
//! killed to the last process however fast it makes others.

use serde::{Deserialize, Serialize};

/// The most threads and processes of a policy and all that it starts, besides its first thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StartLimits {
    /// Of all its processes together, besides the first of each.
    pub(crate) threads: u32,
    pub(crate) processes: u32,
}

/// The way from a policy's process to its guard.
#[cfg(target_os = "linux")]
pub(crate) type GuardChannel = std::os::unix::net::UnixStream;
/// There is no guard here.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub(crate) struct GuardChannel;

#[cfg(not(target_os = "linux"))]
impl StartLimits {
    /// Nobody counts here.
    pub(crate) fn enforce(self, _: GuardChannel) -> std::io::Result<crate::kernel_rules::KernelRules> {
        Ok(crate::kernel_rules::KernelRules::NotKept)
    }
}

#[cfg(target_os = "linux")]
pub(crate) use asked::{StartAnswer, StartRequests};

#[cfg(target_os = "linux")]
mod asked {
    use std::io::{self, IoSlice, IoSliceMut};
    use std::mem::{MaybeUninit, zeroed};
    use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

    use libc::{
        BPF_ABS, BPF_JEQ, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, seccomp_notif, seccomp_notif_resp, sock_filter,
    };
    use rustix::net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
        recvmsg, sendmsg,
    };

    use super::{GuardChannel, StartLimits};
    use crate::kernel_rules::KernelRules;

    /// The first Linux that lets a call go on that was asked about.
    const GOES_ON_SINCE: (u32, u32) = (5, 5);
    /// Where `struct seccomp_data` has the number of the call, and the architecture.
    const NUMBER: u32 = 0;
    const ARCHITECTURE: u32 = 4;
    /// `linux/audit.h`
    #[cfg(target_arch = "x86_64")]
    const OWN_ARCHITECTURE: u32 = 0xc000_003e;
    #[cfg(target_arch = "aarch64")]
    const OWN_ARCHITECTURE: u32 = 0xc000_00b7;
    /// The calls that start something; `clone3` does not exist for a confined process.
    #[cfg(target_arch = "x86_64")]
    const STARTS: [libc::c_long; 3] = [libc::SYS_clone, libc::SYS_fork, libc::SYS_vfork];
    #[cfg(target_arch = "aarch64")]
    const STARTS: [libc::c_long; 1] = [libc::SYS_clone];

    impl StartLimits {
        /// Has the guard at the other end count what this process, which has one thread, and its descendants start from now on.
        ///
        /// # Errors
        ///
        /// When the guard cannot be reached.
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        pub(crate) fn enforce(self, guard: GuardChannel) -> io::Result<KernelRules> {
            let Some(listener) = ask_from_now_on()? else { return Ok(KernelRules::NotKept) };
            let mut limits = [0; 8];
            limits[..4].copy_from_slice(&self.threads.to_ne_bytes());
            limits[4..].copy_from_slice(&self.processes.to_ne_bytes());
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
            let mut control = SendAncillaryBuffer::new(&mut space);
            let passed = [listener.as_fd()];
            control.push(SendAncillaryMessage::ScmRights(&passed));
            sendmsg(&guard, &[IoSlice::new(&limits)], &mut control, SendFlags::empty())?;
            Ok(KernelRules::Kept)
        }

        /// The filter is known for x86-64 and AArch64 only.
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        pub(crate) fn enforce(self, _: GuardChannel) -> io::Result<KernelRules> {
            Ok(KernelRules::NotKept)
        }
    }

    /// Whether the system asks about starts and lets them go on.
    fn goes_on() -> bool {
        let release = rustix::system::uname().release().to_string_lossy().into_owned();
        let mut numbers = release.split(['.', '-']).map_while(|number| number.parse::<u32>().ok());
        (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= GOES_ON_SINCE
    }

    /// Has this process and its descendants ask before they start something; where the questions arrive. `None` where the system
    /// cannot, or does so for somebody else already.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn ask_from_now_on() -> io::Result<Option<OwnedFd>> {
        if !goes_on() {
            return Ok(None);
        }
        rustix::thread::set_no_new_privs(true)?;
        let mut program = filter();
        let program = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
        let install = |flags: libc::c_ulong| {
            // SAFETY: the program is one, and is only read.
            let listener =
                unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program) };
            // SAFETY: a descriptor that is given is new, and has no other owner.
            (listener >= 0).then(|| unsafe { OwnedFd::from_raw_fd(listener as i32) })
        };
        let listener = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
        // Before Linux 5.19 a signal breaks the question off, and it is asked again.
        let undisturbed = listener | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
        Ok(install(undisturbed).or_else(|| install(listener)))
    }

    /// Calls that start something are asked about, all others pass. What another architecture does is the other filter's.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn filter() -> Vec<sock_filter> {
        let instruction =
            |code: u32, jt: usize, jf: usize, k: u32| sock_filter { code: code as u16, jt: jt as u8, jf: jf as u8, k };
        let load = |from| instruction(BPF_LD | BPF_W | BPF_ABS, 0, 0, from);
        let equals = |jt, jf, k| instruction(BPF_JMP | BPF_JEQ | BPF_K, jt, jf, k);
        let mut program = vec![load(ARCHITECTURE), equals(0, STARTS.len() + 1, OWN_ARCHITECTURE), load(NUMBER)];
        program.extend((0..STARTS.len()).map(|index| equals(STARTS.len() - index, 0, STARTS[index] as u32)));
        program.push(instruction(BPF_RET | BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW));
        program.push(instruction(BPF_RET | BPF_K, 0, 0, libc::SECCOMP_RET_USER_NOTIF));
        program
    }

    /// What comes of a question.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum StartAnswer {
        /// It starts, or the asking process has ended.
        Starts,
        /// There are as many threads as there may be.
        TooManyThreads(u32),
        /// There are as many processes as there may be.
        TooManyProcesses(u32),
    }

    /// The guard's end: where questions arrive. Once this is dropped nothing starts any more.
    #[derive(Debug)]
    pub(crate) struct StartRequests {
        listener: OwnedFd,
        limits: StartLimits,
        /// How many may start before they have to be counted again.
        left: StartLimits,
    }

    impl StartRequests {
        /// Takes what a policy's process passes on; `None` when that process is not confined.
        pub(crate) fn receive(channel: &GuardChannel) -> Option<Self> {
            let mut limits = [0; 8];
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
            let mut control = RecvAncillaryBuffer::new(&mut space);
            let received =
                recvmsg(channel, &mut [IoSliceMut::new(&mut limits)], &mut control, RecvFlags::CMSG_CLOEXEC).ok()?;
            let listener = control.drain().find_map(|message| match message {
                RecvAncillaryMessage::ScmRights(mut passed) => passed.next(),
                _ => None,
            })?;
            let number = |at: usize| u32::from_ne_bytes(std::array::from_fn(|index| limits[at + index]));
            let limits = StartLimits { threads: number(0), processes: number(4) };
            let left = StartLimits { threads: 0, processes: 0 };
            (received.bytes == 8).then_some(Self { listener, limits, left })
        }

        pub(crate) fn as_fd(&self) -> BorrowedFd<'_> {
            self.listener.as_fd()
        }

        /// Answers one question. `running` counts what there is besides the policy's first thread.
        pub(crate) fn answer(&mut self, running: impl FnOnce() -> StartLimits) -> StartAnswer {
            // SAFETY: zeros are such a struct, and the system wants them.
            let mut asked: seccomp_notif = unsafe { zeroed() };
            // SAFETY: the place is ours, and as the call wants it.
            let heard =
                unsafe { libc::ioctl(self.listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut asked) };
            if heard != 0 {
                // Whoever asked has been killed.
                return StartAnswer::Starts;
            }
            let is_thread =
                i64::from(asked.data.nr) == libc::SYS_clone && asked.data.args[0] & libc::CLONE_THREAD as u64 != 0;
            let is_left = |left: StartLimits| if is_thread { left.threads > 0 } else { left.processes > 0 };
            if !is_left(self.left) {
                let running = running();
                self.left = StartLimits {
                    threads: self.limits.threads.saturating_sub(running.threads),
                    processes: self.limits.processes.saturating_sub(running.processes),
                };
            }
            let starts = is_left(self.left);
            // SAFETY: zeros are such a struct.
            let mut answer: seccomp_notif_resp = unsafe { zeroed() };
            answer.id = asked.id;
            if starts {
                answer.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
                let left = if is_thread { &mut self.left.threads } else { &mut self.left.processes };
                *left -= 1;
            } else {
                answer.error = -libc::EAGAIN;
            }
            // SAFETY: the struct is one. Nothing is to be done when the asking process has ended.
            unsafe { libc::ioctl(self.listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) };
            match (starts, is_thread) {
                (true, _) => StartAnswer::Starts,
                (false, true) => StartAnswer::TooManyThreads(self.limits.threads),
                (false, false) => StartAnswer::TooManyProcesses(self.limits.processes),
            }
        }
    }
}

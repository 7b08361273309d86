//! The list of system calls that a confined process may make, with their numbers of both
//! architectures. All others are refused. A call belongs here when it touches nothing but the
//! process itself, or when Landlock decides what it touches.
//!
//! Not in it, among others: calls that change rights, owners, times and attributes of files, for
//! which Landlock has no right; `io_uring`, whose operations pass no filter; `memfd_create` and
//! `execveat`, which can run code that was never a file; keys, shared memory and queues, which
//! outlive their maker; timers of `timer_create`, `inotify` and `io_setup`, whose number all
//! processes of a user share.

use Open::{Always, ByArguments, Execute, Network, Processes, Sockets, Write};

/// The grant that opens a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    Always,
    /// `write` in `[policy.limits]`, any path.
    Write,
    /// `network`.
    Network,
    /// `network`, or a socket in `write`.
    Sockets,
    /// `processes` above 0, or `execute`, which brings some with it.
    Processes,
    /// `execute`, any path.
    Execute,
    ByArguments,
}

/// A system call that some process may make.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListedCall {
    pub(super) name: &'static str,
    pub(super) x86_64: u32,
    /// `None` if it does not exist there.
    pub(super) aarch64: Option<u32>,
    pub(super) open: Open,
}

const fn on_both(name: &'static str, x86_64: u32, aarch64: u32, open: Open) -> ListedCall {
    ListedCall {
        name,
        x86_64,
        aarch64: Some(aarch64),
        open,
    }
}

const fn on_x86(name: &'static str, x86_64: u32, open: Open) -> ListedCall {
    ListedCall {
        name,
        x86_64,
        aarch64: None,
        open,
    }
}

/// The newest call considered for this list: `file_setattr` of Linux 6.17. The numbers of new calls
/// are the same everywhere.
pub(super) const NEWEST: u32 = 469;

/// `clone3`, whose flags are in memory where no filter sees them. C libraries fall back to `clone`
/// if it does not exist.
pub(super) const CLONE3: u32 = 435;

pub(super) const LISTED: [ListedCall; 203] = [
    // Memory.
    on_both("mmap", 9, 222, Always),
    on_both("mprotect", 10, 226, Always),
    on_both("munmap", 11, 215, Always),
    on_both("brk", 12, 214, Always),
    on_both("mremap", 25, 216, Always),
    on_both("msync", 26, 227, Always),
    on_both("mincore", 27, 232, Always),
    on_both("madvise", 28, 233, Always),
    on_both("mlock", 149, 228, Always),
    on_both("mlock2", 325, 284, Always),
    on_both("munlock", 150, 229, Always),
    on_both("pkey_mprotect", 329, 288, Always),
    on_both("pkey_alloc", 330, 289, Always),
    on_both("pkey_free", 331, 290, Always),
    on_both("mbind", 237, 235, Always),
    on_both("get_mempolicy", 239, 236, Always),
    on_both("set_mempolicy", 238, 237, Always),
    on_both("membarrier", 324, 283, Always),
    on_both("mseal", 462, 462, Always),
    on_both("map_shadow_stack", 453, 453, Always),
    // Time.
    on_both("nanosleep", 35, 101, Always),
    on_both("clock_nanosleep", 230, 115, Always),
    on_both("clock_gettime", 228, 113, Always),
    on_both("clock_getres", 229, 114, Always),
    on_both("gettimeofday", 96, 169, Always),
    on_x86("time", 201, Always),
    on_both("times", 100, 153, Always),
    on_x86("alarm", 37, Always),
    on_both("getitimer", 36, 102, Always),
    on_both("setitimer", 38, 103, Always),
    on_both("timerfd_create", 283, 85, Always),
    on_both("timerfd_settime", 286, 86, Always),
    on_both("timerfd_gettime", 287, 87, Always),
    // Existing threads, and their end.
    on_both("futex", 202, 98, Always),
    on_both("futex_waitv", 449, 449, Always),
    on_both("futex_wake", 454, 454, Always),
    on_both("futex_wait", 455, 455, Always),
    on_both("futex_requeue", 456, 456, Always),
    on_both("set_robust_list", 273, 99, Always),
    on_both("get_robust_list", 274, 100, Always),
    on_both("set_tid_address", 218, 96, Always),
    on_x86("arch_prctl", 158, Always),
    on_both("rseq", 334, 293, Always),
    on_both("sched_yield", 24, 124, Always),
    on_both("restart_syscall", 219, 128, Always),
    on_both("exit", 60, 93, Always),
    on_both("exit_group", 231, 94, Always),
    on_both("wait4", 61, 260, Always),
    on_both("waitid", 247, 95, Always),
    // Signals to it.
    on_both("rt_sigaction", 13, 134, Always),
    on_both("rt_sigprocmask", 14, 135, Always),
    on_both("rt_sigreturn", 15, 139, Always),
    on_both("rt_sigpending", 127, 136, Always),
    on_both("rt_sigtimedwait", 128, 137, Always),
    on_both("rt_sigsuspend", 130, 133, Always),
    on_both("sigaltstack", 131, 132, Always),
    on_x86("pause", 34, Always),
    on_x86("signalfd", 282, Always),
    on_both("signalfd4", 289, 74, Always),
    // Its identity and place.
    on_both("getpid", 39, 172, Always),
    on_both("gettid", 186, 178, Always),
    on_both("getppid", 110, 173, Always),
    on_x86("getpgrp", 111, Always),
    on_both("getpgid", 121, 155, Always),
    on_both("getsid", 124, 156, Always),
    on_both("getuid", 102, 174, Always),
    on_both("geteuid", 107, 175, Always),
    on_both("getgid", 104, 176, Always),
    on_both("getegid", 108, 177, Always),
    on_both("getgroups", 115, 158, Always),
    on_both("getresuid", 118, 148, Always),
    on_both("getresgid", 120, 150, Always),
    on_both("capget", 125, 90, Always),
    on_both("getrlimit", 97, 163, Always),
    on_both("setrlimit", 160, 164, Always),
    on_both("getrusage", 98, 165, Always),
    on_both("getpriority", 140, 141, Always),
    on_both("ioprio_get", 252, 31, Always),
    on_both("sched_getaffinity", 204, 123, Always),
    on_both("sched_getscheduler", 145, 120, Always),
    on_both("sched_getparam", 143, 121, Always),
    on_both("sched_getattr", 315, 275, Always),
    on_both("sched_get_priority_max", 146, 125, Always),
    on_both("sched_get_priority_min", 147, 126, Always),
    on_both("sched_rr_get_interval", 148, 127, Always),
    on_both("sysinfo", 99, 179, Always),
    on_both("uname", 63, 160, Always),
    on_both("getcpu", 309, 168, Always),
    on_both("getrandom", 318, 278, Always),
    on_both("getcwd", 79, 17, Always),
    on_both("chdir", 80, 49, Always),
    on_both("fchdir", 81, 50, Always),
    on_both("umask", 95, 166, Always),
    // Files and pipes; Landlock restricts the paths.
    on_x86("open", 2, Always),
    on_both("openat", 257, 56, Always),
    on_both("openat2", 437, 437, Always),
    on_both("read", 0, 63, Always),
    on_both("write", 1, 64, Always),
    on_both("readv", 19, 65, Always),
    on_both("writev", 20, 66, Always),
    on_both("pread64", 17, 67, Always),
    on_both("pwrite64", 18, 68, Always),
    on_both("preadv", 295, 69, Always),
    on_both("pwritev", 296, 70, Always),
    on_both("preadv2", 327, 286, Always),
    on_both("pwritev2", 328, 287, Always),
    on_both("lseek", 8, 62, Always),
    on_both("ftruncate", 77, 46, Always),
    on_both("fsync", 74, 82, Always),
    on_both("fdatasync", 75, 83, Always),
    on_both("fadvise64", 221, 223, Always),
    on_both("readahead", 187, 213, Always),
    on_both("close", 3, 57, Always),
    on_both("close_range", 436, 436, ByArguments),
    on_both("dup", 32, 23, Always),
    on_x86("dup2", 33, Always),
    on_both("dup3", 292, 24, Always),
    on_x86("pipe", 22, Always),
    on_both("pipe2", 293, 59, Always),
    on_x86("stat", 4, Always),
    on_x86("lstat", 6, Always),
    on_both("fstat", 5, 80, Always),
    on_both("newfstatat", 262, 79, Always),
    on_both("statx", 332, 291, Always),
    on_both("statfs", 137, 43, Always),
    on_both("fstatfs", 138, 44, Always),
    on_x86("access", 21, Always),
    on_both("faccessat", 269, 48, Always),
    on_both("faccessat2", 439, 439, Always),
    on_x86("readlink", 89, Always),
    on_both("readlinkat", 267, 78, Always),
    on_x86("getdents", 78, Always),
    on_both("getdents64", 217, 61, Always),
    on_x86("eventfd", 284, Always),
    on_both("eventfd2", 290, 19, Always),
    on_x86("poll", 7, Always),
    on_both("ppoll", 271, 73, Always),
    on_x86("select", 23, Always),
    on_both("pselect6", 270, 72, Always),
    on_x86("epoll_create", 213, Always),
    on_both("epoll_create1", 291, 20, Always),
    on_both("epoll_ctl", 233, 21, Always),
    on_x86("epoll_wait", 232, Always),
    on_both("epoll_pwait", 281, 22, Always),
    on_both("epoll_pwait2", 441, 441, Always),
    // Pairs of sockets that have no name.
    on_both("recvfrom", 45, 207, Always),
    on_both("recvmsg", 47, 212, Always),
    on_both("shutdown", 48, 210, Always),
    on_both("getsockopt", 55, 209, Always),
    on_both("getsockname", 51, 204, Always),
    on_both("getpeername", 52, 205, Always),
    // Entries of folders, and whole files.
    on_x86("creat", 85, Write),
    on_x86("mkdir", 83, Write),
    on_both("mkdirat", 258, 34, Write),
    on_x86("rmdir", 84, Write),
    on_x86("unlink", 87, Write),
    on_both("unlinkat", 263, 35, Write),
    on_x86("rename", 82, Write),
    on_both("renameat", 264, 38, Write),
    on_both("renameat2", 316, 276, Write),
    on_x86("link", 86, Write),
    on_both("linkat", 265, 37, Write),
    on_x86("symlink", 88, Write),
    on_both("symlinkat", 266, 36, Write),
    on_x86("mknod", 133, Write),
    on_both("mknodat", 259, 33, Write),
    on_both("fallocate", 285, 47, Write),
    on_both("flock", 73, 32, Write),
    on_both("sendfile", 40, 71, Write),
    on_both("copy_file_range", 326, 285, Write),
    // The network.
    on_both("connect", 42, 203, Sockets),
    on_both("bind", 49, 200, ByArguments),
    on_both("listen", 50, 201, Network),
    on_both("accept", 43, 202, Network),
    on_both("accept4", 288, 242, Network),
    on_both("sendmsg", 46, 211, Sockets),
    on_both("sendmmsg", 307, 269, Sockets),
    on_both("recvmmsg", 299, 243, Sockets),
    on_both("setsockopt", 54, 208, Sockets),
    // Its own child processes.
    on_x86("fork", 57, Processes),
    on_x86("vfork", 58, Processes),
    on_both("setpgid", 109, 154, ByArguments),
    on_both("setsid", 112, 157, Processes),
    on_both("tkill", 200, 130, Processes),
    on_both("pidfd_open", 434, 434, Processes),
    on_both("pidfd_send_signal", 424, 424, Processes),
    // Programs.
    on_both("execve", 59, 221, Execute),
    // Calls with many functions: `by_arguments` restricts them.
    on_both("ioctl", 16, 29, ByArguments),
    on_both("fcntl", 72, 25, ByArguments),
    on_both("prctl", 157, 167, ByArguments),
    on_both("prlimit64", 302, 261, ByArguments),
    on_both("setpriority", 141, 140, ByArguments),
    on_both("ioprio_set", 251, 30, ByArguments),
    on_both("sched_setaffinity", 203, 122, ByArguments),
    on_both("sched_setscheduler", 144, 119, ByArguments),
    on_both("sched_setparam", 142, 118, ByArguments),
    on_both("sched_setattr", 314, 274, ByArguments),
    on_both("socketpair", 53, 199, ByArguments),
    on_both("sendto", 44, 206, ByArguments),
    on_both("kill", 62, 129, ByArguments),
    on_both("tgkill", 234, 131, ByArguments),
    on_both("clone", 56, 220, ByArguments),
    on_both("socket", 41, 198, ByArguments),
];

//! The system calls of a confined process. It may make the calls on a list (`list.rs`), some of
//! them only with certain arguments or if `[policy.limits]` opens them. All others are refused,
//! including those of later kernels.

use crate::kernel_rules::KernelRules;

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod list;

/// The system calls that are granted besides those that every decision needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CallGrants {
    /// Threads besides the first.
    pub(crate) threads: bool,
    /// Other processes, and signals to them.
    pub(crate) processes: bool,
    /// Programs.
    pub(crate) execute: bool,
    /// Sockets of the internet protocols.
    pub(crate) network: bool,
    /// Connections to sockets with a file's name.
    pub(crate) file_sockets: bool,
    /// Entries of folders, and whole files.
    pub(crate) write: bool,
    /// Device control requests.
    pub(crate) devices: bool,
}

/// Leaves this process, which has one thread, and all that it starts the calls that these grants
/// open.
///
/// # Errors
///
/// The reason why the system refuses the filter, as a text for the user.
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub(crate) fn keep_calls(grants: CallGrants) -> Result<KernelRules, String> {
    use seccompiler::{Error, apply_filter};

    let words = |error: Error| format!("its system calls cannot be limited: {error}");
    let arch = std::env::consts::ARCH
        .try_into()
        .map_err(|error: seccompiler::BackendError| words(error.into()))?;
    let filter =
        filter::program(arch, grants, std::process::id()).map_err(|error| words(error.into()))?;
    match apply_filter(&filter) {
        Ok(()) => Ok(KernelRules::Kept),
        // A kernel without filters of system calls, or a container that forbids them.
        Err(Error::Seccomp(error))
            if matches!(
                error.raw_os_error(),
                Some(libc::ENOSYS | libc::EINVAL | libc::EPERM)
            ) =>
        {
            Ok(KernelRules::NotKept)
        }
        Err(error) => Err(words(error)),
    }
}

/// The filter is known for Linux on x86-64 and AArch64 only.
#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
pub(crate) fn keep_calls(_: CallGrants) -> Result<KernelRules, String> {
    Ok(KernelRules::NotKept)
}

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod filter {
    use std::collections::BTreeMap;

    use libc::{BPF_ABS, BPF_JA, BPF_JEQ, BPF_JGT, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W};
    use seccompiler::SeccompCmpArgLen::{Dword, Qword};
    use seccompiler::SeccompCmpOp::{Eq, MaskedEq};
    use seccompiler::{
        BackendError, BpfProgram, SeccompAction, SeccompCondition, SeccompFilter, SeccompRule,
        TargetArch, sock_filter,
    };

    use super::CallGrants;
    use super::list::{CLONE3, LISTED, ListedCall, NEWEST, Open};

    /// The allowed `fcntl` commands on a descriptor. Not among them: signals to a named process,
    /// leases, which hold up others who open a file, notices about folders, and larger pipes, whose
    /// room all processes of a user share.
    const FCNTL: [i32; 10] = [
        libc::F_DUPFD,
        libc::F_DUPFD_CLOEXEC,
        libc::F_GETFD,
        libc::F_SETFD,
        libc::F_GETFL,
        libc::F_SETFL,
        libc::F_GETLK,
        libc::F_OFD_GETLK,
        libc::F_GETOWN,
        libc::F_GETPIPE_SZ,
    ];
    /// Locks of files, which hold up others who write them: a read lock needs no more than a file
    /// that can be read.
    const FILE_LOCKS: [i32; 4] = [
        libc::F_SETLK,
        libc::F_SETLKW,
        libc::F_OFD_SETLK,
        libc::F_OFD_SETLKW,
    ];
    /// The lengths of addresses of routes, IPv4 and IPv6. A socket of a pair could take a name;
    /// names of other lengths are refused, including the name of a token's lock.
    const BOUND_ADDRESSES: [u64; 3] = [12, 16, 28];
    /// The allowed `ioctl` requests on a descriptor: whether it is a terminal, how much there is to
    /// read, non-blocking mode, closing it when a program starts.
    const IOCTL: [u32; 8] = [
        0x5401,      // TCGETS
        0x5413,      // TIOCGWINSZ
        0x540f,      // TIOCGPGRP
        0x541b,      // FIONREAD
        0x5421,      // FIONBIO
        0x5450,      // FIONCLEX
        0x5451,      // FIOCLEX
        0x802c_542a, // TCGETS2
    ];
    /// The allowed `prctl` options. Not among them: the signal by which it ends with its guard, and
    /// whether others may look into it, by which it would hide from the guard that counts its
    /// threads where `/proc` is mounted with `hidepid`.
    const PRCTL: [i32; 11] = [
        libc::PR_GET_PDEATHSIG,
        libc::PR_GET_DUMPABLE,
        libc::PR_SET_NAME,
        libc::PR_GET_NAME,
        libc::PR_CAPBSET_READ,
        libc::PR_SET_TIMERSLACK,
        libc::PR_GET_TIMERSLACK,
        libc::PR_SET_NO_NEW_PRIVS,
        libc::PR_GET_NO_NEW_PRIVS,
        libc::PR_SET_THP_DISABLE,
        // Names of anonymous memory.
        libc::PR_SET_VMA,
    ];
    /// `linux/ioprio.h`
    const IOPRIO_WHO_PROCESS: u64 = 1;
    /// New namespaces, in which it would be root.
    const NAMESPACES: i32 = libc::CLONE_NEWNS
        | libc::CLONE_NEWCGROUP
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUSER
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET;
    /// `linux/close_range.h`
    const CLOSE_RANGE_UNSHARE: u64 = 2;
    /// The bits of a socket's type that are not flags.
    const SOCKET_TYPE: u64 = 0xf;

    /// The filter for a process of this number.
    pub(super) fn program(
        arch: TargetArch,
        grants: CallGrants,
        process: u32,
    ) -> Result<BpfProgram, BackendError> {
        let (mut rules, mut whole) = (BTreeMap::new(), Vec::new());
        for call in LISTED {
            let number = match arch {
                TargetArch::x86_64 => Some(call.x86_64),
                _ => call.aarch64,
            };
            if let Some(number) = number
                && let Some(with) = allowed(call, grants, process)?
            {
                if with.is_empty() {
                    whole.push(number);
                } else {
                    rules.insert(i64::from(number), with);
                }
            }
        }
        // Calls of another architecture, 32-bit programs' above all, have other numbers;
        // seccompiler ends the process that makes one.
        let refused = SeccompAction::Errno(libc::EPERM as u32);
        let listed: BpfProgram =
            SeccompFilter::new(rules, refused, SeccompAction::Allow, arch)?.try_into()?;
        // Calls newer than the list look unimplemented, so that C libraries fall back to older
        // ones. The x32 ABI uses high numbers too. This part only refuses, on any architecture.
        let none = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
        let newer = [
            instruction(BPF_LD | BPF_W | BPF_ABS, 0, 0, 0),
            instruction(BPF_JMP | BPF_JGT | BPF_K, 1, 0, NEWEST),
            instruction(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, CLONE3),
            instruction(BPF_RET | BPF_K, 0, 0, none),
        ];
        Ok(newer
            .into_iter()
            .chain(allowed_whole(arch, &whole))
            .chain(listed)
            .collect())
    }

    /// Allows calls with any arguments. seccompiler would use five instructions for each, and the
    /// kernel walks them for every existing call when it installs a filter: some tenths of a
    /// millisecond of each start.
    fn allowed_whole(arch: TargetArch, calls: &[u32]) -> Vec<sock_filter> {
        let audited = match arch {
            TargetArch::x86_64 => 0xc000_003e,
            _ => 0xc000_00b7,
        };
        let mut program = vec![
            instruction(BPF_LD | BPF_W | BPF_ABS, 0, 0, 4),
            instruction(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, audited),
            instruction(BPF_RET | BPF_K, 0, 0, libc::SECCOMP_RET_KILL_PROCESS),
            instruction(BPF_LD | BPF_W | BPF_ABS, 0, 0, 0),
        ];
        // A jump reaches 255 instructions.
        for calls in calls.chunks(100) {
            let jumps = (1..=calls.len() as u8).rev();
            program.extend(
                calls
                    .iter()
                    .zip(jumps)
                    .map(|(call, jump)| instruction(BPF_JMP | BPF_JEQ | BPF_K, jump, 0, *call)),
            );
            program.push(instruction(BPF_JMP | BPF_JA, 0, 0, 1));
            program.push(instruction(BPF_RET | BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW));
        }
        program
    }

    /// The arguments with which a call is allowed, any of these; an empty list: all arguments.
    /// `None`: the call is never allowed.
    fn allowed(
        call: ListedCall,
        grants: CallGrants,
        process: u32,
    ) -> Result<Option<Vec<SeccompRule>>, BackendError> {
        let is_open = match call.open {
            Open::Always => true,
            Open::Write => grants.write,
            Open::Network => grants.network,
            Open::Sockets => grants.network || grants.file_sockets,
            Open::Processes => grants.processes,
            Open::Execute => grants.execute,
            Open::ByArguments => return by_arguments(call.name, grants, process),
        };
        Ok(is_open.then(Vec::new))
    }

    fn by_arguments(
        call: &str,
        grants: CallGrants,
        process: u32,
    ) -> Result<Option<Vec<SeccompRule>>, BackendError> {
        let own = u64::from(process);
        let rules = match call {
            "fcntl" => {
                let mut rules = one_of(1, FCNTL.map(|command| command as u64))?;
                if grants.write {
                    rules.extend(one_of(1, FILE_LOCKS.map(|command| command as u64))?);
                }
                rules
            }
            "bind" if grants.network => one_of(2, BOUND_ADDRESSES)?,
            // Other requests on files change their attributes.
            "ioctl" if grants.devices => Vec::new(),
            "ioctl" => one_of(1, IOCTL.map(u64::from))?,
            // Only its own group, never the group of its guard or of another process.
            "setpgid" if grants.processes => vec![all_of([is(0, 0)?, is(1, 0)?])?],
            // Without a table of descriptors for the calling thread alone.
            "close_range" => vec![all_of([masked(2, CLOSE_RANGE_UNSHARE, 0)?])?],
            "prctl" => one_of(0, PRCTL.map(|option| option as u64))?,
            // 0 is the caller itself.
            "prlimit64" | "sched_setaffinity" | "sched_setscheduler" | "sched_setparam"
            | "sched_setattr" => one_of(0, [0])?,
            "setpriority" => vec![all_of([is(0, libc::PRIO_PROCESS.into())?, is(1, 0)?])?],
            "ioprio_set" => vec![all_of([is(0, IOPRIO_WHO_PROCESS)?, is(1, 0)?])?],
            "kill" | "tgkill" if grants.processes => Vec::new(),
            // 0 is the group of the caller, which contains no other process.
            "kill" => one_of(0, [0, own])?,
            "tgkill" => one_of(0, [own])?,
            // A pair stays connected, and has no name through which others could be reached.
            "socketpair" => {
                let pair = |kind: i32| {
                    all_of([
                        is(0, libc::AF_UNIX as u64)?,
                        masked(1, SOCKET_TYPE, kind as u64)?,
                    ])
                };
                vec![pair(libc::SOCK_STREAM)?, pair(libc::SOCK_SEQPACKET)?]
            }
            "sendto" if grants.network || grants.file_sockets => Vec::new(),
            // Only without an address. A pointer is compared as a whole.
            "sendto" => vec![all_of([SeccompCondition::new(4, Qword, Eq, 0)?])?],
            "socket" => {
                let mut rules = Vec::new();
                if grants.network {
                    rules.extend(one_of(0, [libc::AF_INET as u64, libc::AF_INET6 as u64])?);
                    // C libraries use these to find out which protocols are available.
                    let routes = [
                        is(0, libc::AF_NETLINK as u64)?,
                        is(2, libc::NETLINK_ROUTE as u64)?,
                    ];
                    rules.push(all_of(routes)?);
                }
                if grants.file_sockets {
                    rules.extend(one_of(0, [libc::AF_UNIX as u64])?);
                }
                return Ok(some(rules));
            }
            "clone" => {
                let (namespaces, thread) = (NAMESPACES as u32 as u64, libc::CLONE_THREAD as u64);
                // The limit of descriptors holds for each table of them, so threads have that of
                // their process.
                let files = libc::CLONE_FILES as u64;
                let kinds = [
                    (grants.threads, thread | files, thread | files),
                    (grants.processes, thread, 0),
                ];
                let kinds = kinds.into_iter().filter(|(granted, ..)| *granted);
                let rules: Vec<SeccompRule> = kinds
                    .map(|(_, mask, kind)| all_of([masked(0, namespaces | mask, kind)?]))
                    .collect::<Result<_, BackendError>>()?;
                return Ok(some(rules));
            }
            _ => return Ok(None),
        };
        Ok(Some(rules))
    }

    /// A list without rules would set no limits.
    fn some(rules: Vec<SeccompRule>) -> Option<Vec<SeccompRule>> {
        (!rules.is_empty()).then_some(rules)
    }

    fn one_of<const N: usize>(
        argument: u8,
        values: [u64; N],
    ) -> Result<Vec<SeccompRule>, BackendError> {
        values
            .into_iter()
            .map(|value| all_of([is(argument, value)?]))
            .collect()
    }

    fn all_of<const N: usize>(
        conditions: [SeccompCondition; N],
    ) -> Result<SeccompRule, BackendError> {
        SeccompRule::new(conditions.to_vec())
    }

    /// True if this argument, of which the kernel reads 32 bits, has the value.
    fn is(argument: u8, value: u64) -> Result<SeccompCondition, BackendError> {
        SeccompCondition::new(argument, Dword, Eq, value)
    }

    fn masked(argument: u8, mask: u64, value: u64) -> Result<SeccompCondition, BackendError> {
        SeccompCondition::new(argument, Dword, MaskedEq(mask), value)
    }

    const fn instruction(code: u32, jt: u8, jf: u8, k: u32) -> sock_filter {
        sock_filter {
            code: code as u16,
            jt,
            jf,
            k,
        }
    }
}

#[cfg(all(
    test,
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod tests;

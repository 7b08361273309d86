//! System calls that a confined process is refused: those by which it would reach other processes of its user past Landlock, and
//! those by which it would leave something in the kernel that outlives it.

use crate::kernel_rules::KernelRules;

/// Refuses them to this process, which has one thread, and to all that it starts. `network` says whether it may take addresses.
///
/// # Errors
///
/// Why the system refuses the filter, in words for the user.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn refuse_calls(network: bool) -> Result<KernelRules, String> {
    use seccompiler::{Error, apply_filter};

    let words = |error: Error| format!("other processes cannot be kept from it: {error}");
    let filter = filter::program(network).map_err(|error| words(error.into()))?;
    match apply_filter(&filter) {
        Ok(()) => Ok(KernelRules::Kept),
        // A kernel without filters of system calls, or a container that forbids them.
        Err(Error::Seccomp(error))
            if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EINVAL | libc::EPERM)) =>
        {
            Ok(KernelRules::NotKept)
        }
        Err(error) => Err(words(error)),
    }
}

/// The filter is known for Linux on x86-64 and AArch64 only.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(crate) fn refuse_calls(_: bool) -> Result<KernelRules, String> {
    Ok(KernelRules::NotKept)
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod filter {
    use std::collections::BTreeMap;
    use std::env::consts::ARCH;

    use seccompiler::SeccompCmpArgLen::Dword;
    use seccompiler::SeccompCmpOp::Ne;
    use seccompiler::{BackendError, BpfProgram, SeccompAction, SeccompCondition, SeccompFilter, SeccompRule};

    /// Calls whose first argument is a process; 0 is the caller itself.
    const OF_A_PROCESS: [i64; 5] = [
        libc::SYS_prlimit64,
        libc::SYS_sched_setaffinity,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setattr,
    ];
    /// Calls whose first argument says what the second is, and what stands for a process there.
    const OF_SOME_PROCESSES: [(i64, u64); 2] =
        [(libc::SYS_setpriority, libc::PRIO_PROCESS as u64), (libc::SYS_ioprio_set, IOPRIO_WHO_PROCESS)];
    /// Calls that make what stays when its maker is gone.
    const OUTLIVING: [i64; 4] = [libc::SYS_shmget, libc::SYS_msgget, libc::SYS_semget, libc::SYS_mq_open];
    /// `linux/ioprio.h`
    const IOPRIO_WHO_PROCESS: u64 = 1;

    pub(super) fn program(network: bool) -> Result<BpfProgram, BackendError> {
        let mut rules = BTreeMap::new();
        for call in OF_A_PROCESS {
            rules.insert(call, vec![unless(0, 0)?]);
        }
        for (call, process) in OF_SOME_PROCESSES {
            rules.insert(call, vec![unless(0, process)?, unless(1, 0)?]);
        }
        rules.extend(OUTLIVING.map(|call| (call, Vec::new())));
        if !network {
            // Names of sockets are the machine's: whoever takes one keeps others from it, such as the lock of a token.
            rules.insert(libc::SYS_bind, Vec::new());
        }
        if cfg!(target_arch = "x86_64") {
            /// By this bit the same calls are reached through the x32 ABI (`asm/unistd.h`).
            const X32: i64 = 0x4000_0000;
            rules.extend(rules.clone().into_iter().map(|(call, refused)| (call | X32, refused)));
        }
        // What a library does not expect to be refused is not refused: only what is named here. Calls of another architecture,
        // 32-bit programs' above all, have other numbers; seccompiler ends the process that makes one.
        let refused = SeccompAction::Errno(libc::EPERM as u32);
        SeccompFilter::new(rules, SeccompAction::Allow, refused, ARCH.try_into()?)?.try_into()
    }

    /// Holds when this argument is not so. The kernel reads 32 bits of each of them.
    fn unless(argument: u8, allowed: u64) -> Result<SeccompRule, BackendError> {
        SeccompRule::new(vec![SeccompCondition::new(argument, Dword, Ne, allowed)?])
    }
}

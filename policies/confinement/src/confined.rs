//! The permissions of a policy's process besides deciding. The process itself gives up all others
//! before it loads the library, and the library cannot regain them.

use std::env;
use std::path::PathBuf;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};

use crate::call_filter::keep_calls;
#[cfg(target_os = "linux")]
use crate::files::keep_files;
use crate::kernel_rules::KernelRules;
use crate::limits::ProcessLimits;
use crate::starts::GuardChannel;

const MIB: u64 = 1 << 20;

/// Maximum number of open descriptors of a process. With more it could use up what the system
/// grants all processes of a user together: descriptors watched by epoll, which the runner needs
/// for its connections, and room in pipes.
const MAX_OPEN_FILES: u64 = 256;

/// Maximum number of signals that wait, for all policies of a user together, because the system
/// counts them together. The runtime of .NET sends one to each of its threads.
const MAX_WAITING_SIGNALS: u64 = 1024;

/// Maximum memory that a process may lock, in bytes.
const MAX_LOCKED: u64 = 8 * MIB;

/// The files that the dynamic linker, the C library and language runtimes read. None of them
/// belongs to a user; entries of `/proc` about processes outside the confinement, above all their
/// environment and memory, stay closed.
const SYSTEM: [&str; 13] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/bin",
    "/sbin",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/proc",
    "/sys/devices/system",
];

/// The message if the processes that a policy starts cannot be counted.
const STARTS_NOT_COUNTED: &str = "this system cannot count the threads and processes of a policy, which needs Linux 5.5 with \
                                  seccomp on x86-64 or AArch64, and no other process that counts them; `processes` in \
                                  [policy.limits] is a limit for all that the user runs, and does not hold for root";
/// Filters of system calls are missing.
const CALLS_NOT_KEPT: &str = "this system cannot limit the system calls of a policy's process, which needs Linux with seccomp \
                              on x86-64 or AArch64; the network, rights of files and other processes are open to it";

/// The permissions of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    limits: ProcessLimits,
    /// The files that it may read without an entry in the limits.
    own: Vec<PathBuf>,
}

impl Confinement {
    /// The permissions of a process with these limits, which may also read these files and folders.
    pub const fn new(limits: ProcessLimits, own: Vec<PathBuf>) -> Self {
        Self { limits, own }
    }

    /// The process may also read this file or folder.
    pub fn add_readable(&mut self, path: PathBuf) {
        self.own.push(path);
    }

    /// The limit of its memory.
    pub const fn memory_mib(&self) -> Option<u32> {
        self.limits.memory_mib
    }

    /// The paths that the process may write; none for a process that may do everything, from which
    /// nothing is kept.
    pub fn writes(&self) -> &[PathBuf] {
        if self.limits == ProcessLimits::all_allowed() {
            &[]
        } else {
            &self.limits.write
        }
    }

    /// All paths that the process may read.
    pub fn readable(&self) -> Vec<PathBuf> {
        let ProcessLimits {
            read,
            write,
            execute,
            ..
        } = &self.limits;
        let mut places = self.readable_unnamed();
        places.extend([read, write, execute].into_iter().flatten().cloned());
        places
    }

    /// Those that are not in the limits.
    fn readable_unnamed(&self) -> Vec<PathBuf> {
        let linked = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let linked = env::split_paths(&linked).filter(|path| path.is_absolute());
        self.own
            .iter()
            .cloned()
            .chain(linked)
            .chain(SYSTEM.map(PathBuf::from))
            .collect()
    }

    /// Confines this process, which has one thread and a guard at the other end of this channel.
    /// Returns the restrictions that the system cannot enforce, in words for the user.
    ///
    /// # Errors
    ///
    /// The limit that cannot be set, as a text for the user.
    pub fn enforce(&self, guard: GuardChannel) -> Result<Vec<&'static str>, String> {
        let ProcessLimits {
            memory_mib,
            processes,
            file_mib,
            ..
        } = self.limits;
        set_limit(
            "memory_mib",
            Resource::As,
            memory_mib.map(|mib| u64::from(mib) * MIB),
        )?;
        set_limit(
            "file_mib",
            Resource::Fsize,
            file_mib.map(|mib| u64::from(mib) * MIB),
        )?;
        for (what, resource, most) in [
            ("open files", Resource::Nofile, MAX_OPEN_FILES),
            ("waiting signals", Resource::Sigpending, MAX_WAITING_SIGNALS),
            ("locked memory", Resource::Memlock, MAX_LOCKED),
        ] {
            lower(resource, most)
                .map_err(|error| format!("its {what} cannot be limited: {error}"))?;
        }
        let calls = self.limits.calls();
        let mut missing = keep_files(&self.limits, &self.readable_unnamed(), calls)?;
        let starts = self.limits.starts().enforce(guard);
        if starts
            .map_err(|error| format!("the processes that it starts cannot be counted: {error}"))?
            == KernelRules::NotKept
        {
            // The system counts all processes of the user, so only the user can set this limit.
            set_limit("processes", Resource::Nproc, processes.map(u64::from))?;
            missing.push(STARTS_NOT_COUNTED);
        }
        if keep_calls(calls)? == KernelRules::NotKept {
            missing.push(CALLS_NOT_KEPT);
        }
        Ok(missing)
    }
}

fn set_limit(key: &str, resource: Resource, most: Option<u64>) -> Result<(), String> {
    let Some(most) = most else { return Ok(()) };
    lower(resource, most).map_err(|error| {
        format!("policy.limits.{key}: the system does not set this limit: {error}")
    })
}

/// Lowers a limit to this, or to the user's own if that is lower.
fn lower(resource: Resource, most: u64) -> rustix::io::Result<()> {
    let most = getrlimit(resource)
        .maximum
        .map_or(most, |maximum| maximum.min(most));
    setrlimit(
        resource,
        Rlimit {
            current: Some(most),
            maximum: Some(most),
        },
    )
}

#[cfg(not(target_os = "linux"))]
fn keep_files(
    _: &ProcessLimits,
    _: &[PathBuf],
    _: crate::call_filter::CallGrants,
) -> Result<Vec<&'static str>, String> {
    Ok(vec![crate::kernel_rules::FILES_NOT_KEPT])
}

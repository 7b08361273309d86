//! The `[policy.limits]` section of a config.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::call_filter::CallGrants;
use crate::starts::StartLimits;

/// The `[policy.limits]` section: what a policy's process may take and touch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessLimits {
    /// Maximum memory, MiB of addresses.
    pub memory_mib: Option<u32>,
    /// Maximum number of threads of it and of all processes that it starts, besides the first of
    /// each process; by default the same as `processes` or, without that,
    /// [`ProcessLimits::DEFAULT_THREADS`].
    pub threads: Option<u32>,
    /// Maximum number of processes besides its own; by default none without `execute`, and else
    /// [`ProcessLimits::DEFAULT_PROCESSES`].
    pub processes: Option<u32>,
    /// Maximum size of a file that it may write, MiB.
    pub file_mib: Option<u32>,
    /// The paths that it may read besides the library's folder and the system's own files: complete
    /// paths.
    pub read: Vec<PathBuf>,
    /// The paths that it may write and read: complete paths. A device accepts all of its commands.
    pub write: Vec<PathBuf>,
    /// Which programs it may start, or all below which folders: complete paths.
    pub execute: Vec<PathBuf>,
    pub network: bool,
}

impl ProcessLimits {
    /// The default maximum number of threads: more than the processors of most machines.
    pub const DEFAULT_THREADS: u32 = 256;
    /// The default maximum number of processes for a policy that may start programs.
    pub const DEFAULT_PROCESSES: u32 = 64;

    /// Number of threads and processes that it may have at a time.
    pub(crate) fn starts(&self) -> StartLimits {
        let with_programs = if self.execute.is_empty() {
            0
        } else {
            Self::DEFAULT_PROCESSES
        };
        StartLimits {
            threads: self
                .threads
                .or(self.processes)
                .unwrap_or(Self::DEFAULT_THREADS),
            processes: self.processes.unwrap_or(with_programs),
        }
    }

    pub(crate) fn calls(&self) -> CallGrants {
        let devices = Path::new("/dev");
        let StartLimits { threads, processes } = self.starts();
        CallGrants {
            threads: threads > 0,
            processes: processes > 0,
            execute: !self.execute.is_empty(),
            network: self.network,
            file_sockets: self
                .write
                .iter()
                .any(|path| fs::metadata(path).is_ok_and(|file| file.file_type().is_socket())),
            write: !self.write.is_empty(),
            devices: self
                .write
                .iter()
                .any(|path| path.starts_with(devices) || devices.starts_with(path)),
        }
    }

    /// All files and the network are left to it.
    pub fn all_allowed() -> Self {
        let all = || vec![PathBuf::from("/")];
        Self {
            read: all(),
            write: all(),
            execute: all(),
            network: true,
            ..Self::default()
        }
    }
}

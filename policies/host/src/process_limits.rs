//! The `[policy.limits]` section of a config.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The `[policy.limits]` section: what a policy's process may take and touch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessLimits {
    /// Most memory, MiB of addresses.
    pub memory_mib: Option<u32>,
    /// Most processes and threads that its user may have while it starts another one.
    pub processes: Option<u32>,
    /// Longest file that it may write, MiB.
    pub file_mib: Option<u32>,
    /// What it may read besides the library's folder and the system's own files: complete paths.
    pub read: Vec<PathBuf>,
    /// Where it may write, and read: complete paths.
    pub write: Vec<PathBuf>,
    /// Which programs it may start, or all below which folders: complete paths.
    pub execute: Vec<PathBuf>,
    /// Whether it may use the network.
    pub network: bool,
}

impl ProcessLimits {
    /// All files and the network are left to it.
    #[must_use]
    pub fn all_allowed() -> Self {
        let all = || vec![PathBuf::from("/")];
        Self { read: all(), write: all(), execute: all(), network: true, ..Self::default() }
    }
}

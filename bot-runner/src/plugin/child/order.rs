//! What a policy's process is started for: the first frame it is sent, in JSON.

use std::path::PathBuf;

use policy_abi::host::{LOG_DEBUG, LOG_ERROR, LOG_INFO, LOG_TRACE, LOG_WARN};
use serde::{Deserialize, Serialize};
use tracing::level_filters::LevelFilter;

use crate::plugin::ParamValues;

/// Which library a process loads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChildLibrary {
    /// None: its policies are linked into the runner.
    Builtin,
    /// A file.
    File {
        /// A private copy of it, which must stay as it is while the process loads it.
        copy: PathBuf,
        /// The file as the user knows it, complete.
        file: PathBuf,
    },
}

/// What a process is to do.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) library: ChildLibrary,
    /// The policy to be made; without one the library is only described.
    pub(super) policy: Option<PolicyOrder>,
    /// The least important level that is logged, one of `policy_abi::host::LOG_*`; 0 when nothing is.
    pub(super) log_level: u32,
}

/// Which policy is made, and from what.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PolicyOrder {
    pub(super) id: String,
    pub(super) params: ParamValues,
    pub(super) players: u8,
    pub(super) config_folder: PathBuf,
}

/// The least important level of the boundary that the runner logs now.
pub(super) fn log_level() -> u32 {
    match LevelFilter::current().into_level() {
        None => 0,
        Some(tracing::Level::ERROR) => LOG_ERROR,
        Some(tracing::Level::WARN) => LOG_WARN,
        Some(tracing::Level::INFO) => LOG_INFO,
        Some(tracing::Level::DEBUG) => LOG_DEBUG,
        Some(tracing::Level::TRACE) => LOG_TRACE,
    }
}

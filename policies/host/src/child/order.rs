//! The orders of a policy's process: frames in JSON.

use std::path::PathBuf;

use confinement::Confinement;
use policy_abi::host::{LOG_DEBUG, LOG_ERROR, LOG_INFO, LOG_TRACE, LOG_WARN};
use serde::{Deserialize, Serialize};
use tracing::level_filters::LevelFilter;

use crate::find::child_library::ChildLibrary;
use crate::find::params::ParamValues;

/// The first order: load a library and describe it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LoadOrder {
    pub(super) library: ChildLibrary,
    /// The limits of the process; `None`: only those of its user.
    pub(super) confinement: Option<Confinement>,
    /// The least important level that is logged, one of `policy_abi::host::LOG_*`; 0 if nothing is
    /// logged.
    pub(super) log_level: u32,
}

/// A further order: create a policy of that library. One that exists is destroyed first.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CreateOrder {
    pub(super) id: String,
    pub(super) params: ParamValues,
    pub(super) players: u8,
    pub(super) config_folder: PathBuf,
    /// Whether the instance plays together with others.
    pub(super) together: bool,
    /// Whether to refuse the policy for traces that remain in its process after it was destroyed.
    pub(super) leaves_nothing: bool,
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

//! Communication with running runners: each process has a socket, which only its user can use.
//!
//! A request is a line of JSON, and so is its answer; then the connection is closed.

mod client;
mod folder;
mod message;
mod server;

use std::time::Duration;

pub use client::{RunnerAnswer, ask_all};
pub use folder::runtime_folder;
pub use message::{ControlRequest, ControlResponse, ReloadOutcome, Reloaded, SeatOutcome};
pub use server::ControlSocket;

/// Maximum time for the command of a `gate`, which is then killed with everything in its process
/// group. A request for a reload waits for it.
pub(crate) const GATE_TIMEOUT: Duration = Duration::from_secs(600);

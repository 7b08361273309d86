//! Communication with running runners: each process has a socket, which only its user can use.
//!
//! A request is a line of JSON, and so is its answer; then the connection is closed.

mod client;
mod folder;
mod message;
mod server;

pub use client::{RunnerAnswer, ask_all};
pub use folder::runtime_folder;
pub use message::{ControlRequest, ControlResponse, ReloadOutcome, Reloaded};
pub use server::ControlSocket;

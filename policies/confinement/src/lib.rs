//! The confinement of a policy's process: which files it may read and write (Landlock), which
//! system calls it may make, and how much memory and how many threads and processes it may have. On
//! Linux the process has a guard between itself and the runner, which counts what it starts and
//! kills that with it.
//!
//! A process confines itself: it calls [`under_guard`] while it has one thread, then
//! [`Confinement::enforce`], and only then loads code that it does not trust. That code cannot
//! regain what was given up. This crate knows neither a config nor a policy.
#![allow(
    unsafe_code,
    reason = "no library has the calls for signals, processes and notices of seccomp"
)]

mod call_filter;
mod confined;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod guard;
mod kernel_rules;
mod limits;
#[cfg(target_os = "linux")]
mod links;
mod starts;

pub use confined::Confinement;
#[cfg(target_os = "linux")]
pub use guard::under_guard;
pub use limits::ProcessLimits;
pub use starts::GuardChannel;

/// Without Linux no process can adopt those that a policy leaves behind, so there is no guard.
///
/// # Errors
///
/// None.
#[cfg(not(target_os = "linux"))]
pub fn under_guard() -> std::io::Result<GuardChannel> {
    Ok(GuardChannel)
}

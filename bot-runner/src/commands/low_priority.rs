//! Threads of work that may never delay a game.

use std::thread;

/// The `nice` value of such a thread, and of those that it starts.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Does work on a thread of low priority.
///
/// # Errors
///
/// If the thread cannot be started.
pub(super) fn spawn_low(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let work = move || {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(NICE);
        work();
    };
    thread::Builder::new().name(name.to_owned()).spawn(work)?;
    Ok(())
}

//! Threads of work that may never delay a game.

use std::thread;

use client::own_thread::lower_priority;

/// Does work on a thread of low priority.
///
/// # Errors
///
/// If the thread cannot be started.
pub(super) fn spawn_low(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let work = move || {
        lower_priority();
        work();
    };
    thread::Builder::new().name(name.to_owned()).spawn(work)?;
    Ok(())
}

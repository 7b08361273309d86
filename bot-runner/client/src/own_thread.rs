//! Work that may block for long, or forever, and work that may never delay a game.

use std::{io, thread};

use tokio::sync::oneshot;

/// How much [`lower_priority`] adds to the `nice` value.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Lowers the priority of this thread, and of those that it starts, below that of games. It does
/// nothing where the system has no priority for a single thread, or refuses it.
pub fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICE);
}

/// Why work on its own thread has no result.
#[derive(Debug, thiserror::Error)]
pub enum OwnThreadError {
    #[error("no thread could be started: {0}")]
    Start(io::Error),
    /// The work panicked.
    #[error("a fault of the runner")]
    Panicked,
}

/// Runs the work on its own thread: neither network tasks nor the end of the program wait for it.
///
/// # Errors
///
/// If the thread cannot be started, or the work panicked.
pub async fn on_own_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, OwnThreadError> {
    let (sender, result) = oneshot::channel();
    let work = move || {
        // The end of the program does not wait for it.
        let _ = sender.send(work());
    };
    thread::Builder::new()
        .name("blocking".to_owned())
        .spawn(work)
        .map_err(OwnThreadError::Start)?;
    result.await.map_err(|_| OwnThreadError::Panicked)
}

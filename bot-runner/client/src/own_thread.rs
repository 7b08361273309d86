//! Work that may block for long, or forever.

use std::{io, thread};

use tokio::sync::oneshot;

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

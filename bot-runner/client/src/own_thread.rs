//! Work that may block for long, or forever.

use std::thread;

use tokio::sync::oneshot;

/// Runs the work on its own thread: neither network tasks nor the end of the program wait for it.
///
/// # Errors
///
/// If the thread cannot be started, or the work panicked.
pub async fn on_own_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let (sender, result) = oneshot::channel();
    let work = move || {
        // The end of the program does not wait for it.
        let _ = sender.send(work());
    };
    thread::Builder::new()
        .name("blocking".to_owned())
        .spawn(work)
        .map_err(|error| format!("no thread could be started: {error}"))?;
    result.await.map_err(|_| "a fault of the runner".to_owned())
}

//! Stopping in two steps: first let games end, then stop at once.

use tokio_util::sync::CancellationToken;

/// A request to stop, which all parts of the process watch.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    finish: CancellationToken,
    now: CancellationToken,
}

impl Shutdown {
    /// A request that has not been made yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A request for a part of the process: it stops with the whole process, or earlier.
    pub fn part(&self) -> Self {
        Self {
            finish: self.finish.child_token(),
            now: self.now.child_token(),
        }
    }

    /// Asks to stop after the current games. Asking again changes nothing.
    pub fn finish(&self) {
        self.finish.cancel();
    }

    /// Asks to stop: the first time after the current games, the second time at once.
    pub fn request(&self) {
        if self.finish.is_cancelled() {
            self.now.cancel();
        } else {
            self.finish.cancel();
        }
    }

    /// Whether no new game should begin.
    pub fn is_finishing(&self) -> bool {
        self.finish.is_cancelled()
    }

    /// Completes when no new game should begin.
    pub async fn finishing(&self) {
        self.finish.cancelled().await;
    }

    /// Completes when everything should stop at once.
    pub async fn immediately(&self) {
        self.now.cancelled().await;
    }

    /// Turns Ctrl-C and SIGTERM into requests for the life of the process; `say` informs the user
    /// of each stage.
    ///
    /// # Errors
    ///
    /// If the process cannot listen for signals.
    pub fn listen(&self, say: impl Fn(StopStage) + Send + 'static) -> std::io::Result<()> {
        self.listen_boxed(Box::new(say))
    }

    fn listen_boxed(&self, say: Box<dyn Fn(StopStage) + Send>) -> std::io::Result<()> {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let shutdown = self.clone();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
                shutdown.request();
                say(if shutdown.now.is_cancelled() {
                    StopStage::Now
                } else {
                    StopStage::Finish
                });
            }
        });
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopStage {
    /// Current games are played to their end.
    Finish,
    /// Everything stops.
    Now,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_stops_with_the_whole_and_the_whole_does_not_stop_with_a_part() {
        let whole = Shutdown::new();
        let (one, other) = (whole.part(), whole.part());
        one.finish();
        assert!(one.is_finishing() && !whole.is_finishing() && !other.is_finishing());
        whole.request();
        assert!(other.is_finishing());
        whole.request();
        assert!(one.now.is_cancelled() && other.now.is_cancelled());
    }

    #[test]
    fn to_finish_games_may_be_asked_again_and_is_not_to_stop_at_once() {
        let shutdown = Shutdown::new();
        shutdown.request();
        shutdown.finish();
        assert!(shutdown.is_finishing() && !shutdown.now.is_cancelled());
    }
}

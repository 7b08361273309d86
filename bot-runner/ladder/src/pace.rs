//! The pace of all requests of this process: one at a time, and a pause after each.

use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};
use tokio::time::{Instant, sleep_until};

/// Minimum time between the end of a request and the next one: half a second, and a part for a
/// busy ladder, which may note the end of its answer later than it is read here.
pub(crate) const PAUSE: Duration = Duration::from_millis(600);

/// The earliest time of the next request; `None` before the first.
static NEXT: Mutex<Option<Instant>> = Mutex::const_new(None);

/// A turn to make one request. The pause begins when it is dropped.
#[must_use]
pub(crate) struct Turn {
    next: MutexGuard<'static, Option<Instant>>,
    pause: Duration,
}

impl Turn {
    /// Waits for the turn.
    ///
    /// # Errors
    ///
    /// How long it would wait, if that is more than `patience`.
    pub(crate) async fn wait(patience: Duration) -> Result<Self, Duration> {
        let next = NEXT.lock().await;
        if let Some(moment) = *next {
            let wait = moment.saturating_duration_since(Instant::now());
            if wait > patience {
                return Err(wait);
            }
            sleep_until(moment).await;
        }
        Ok(Self { next, pause: PAUSE })
    }

    /// Makes the pause at least this long.
    pub(crate) fn pause_for(&mut self, pause: Duration) {
        self.pause = self.pause.max(pause);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *self.next = Some(Instant::now() + self.pause);
    }
}

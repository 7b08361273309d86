//! A bot whose games are recorded.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;

use super::counts::RecordCounts;
use super::options::KeeperOptions;

/// Bytes of one bot that may wait for the disk: several games, or two of the largest frames.
const MAX_WAITING: usize = 8 << 20;

#[derive(Debug)]
pub(super) struct RecordedBot {
    pub(super) options: KeeperOptions,
    counts: Mutex<RecordCounts>,
    /// The number of bytes that it may still use.
    pub(super) room: Arc<Semaphore>,
}

impl RecordedBot {
    pub(super) fn new(options: KeeperOptions) -> Self {
        Self {
            options,
            counts: Mutex::default(),
            room: Arc::new(Semaphore::new(MAX_WAITING)),
        }
    }

    pub(super) fn counts(&self) -> RecordCounts {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn count(&self, count: impl FnOnce(&mut RecordCounts)) {
        count(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

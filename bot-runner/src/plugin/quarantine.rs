//! Builds that are not used any more because they failed again and again.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::content_hash::ContentHash;

/// The builds of libraries that this process has set aside, by content: another name does not make a build better, and
/// another build under the same name is another matter.
#[derive(Debug, Default)]
pub struct Quarantine(Mutex<HashSet<ContentHash>>);

impl Quarantine {
    /// Sets a build aside.
    pub fn add(&self, build: ContentHash) {
        self.builds().insert(build);
    }

    /// Lets a build be used once more, as its user wishes.
    pub fn lift(&self, build: ContentHash) {
        self.builds().remove(&build);
    }

    /// Whether a build is set aside.
    #[must_use]
    pub fn holds(&self, build: ContentHash) -> bool {
        self.builds().contains(&build)
    }

    fn builds(&self) -> MutexGuard<'_, HashSet<ContentHash>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

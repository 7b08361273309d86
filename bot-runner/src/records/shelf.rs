//! A folder of records, as the bots of this process share it.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use time::OffsetDateTime;

use super::folder::is_of;
use super::leftovers::{clear_leftovers, settle_leftovers};
use super::published::read_each;
use super::retention::{Aged, prune, surplus};
use crate::config::Retention;

static SHELVES: Mutex<BTreeMap<PathBuf, Arc<Shelf>>> = Mutex::new(BTreeMap::new());

/// A folder of records, as the bots of this process share it: one at a time looks through it, and what is wrong with it is
/// told once.
#[derive(Debug)]
pub(super) struct Shelf {
    folder: PathBuf,
    /// What has been warned of. Held by the one who looks through the folder, for that takes time and memory.
    told: Mutex<HashSet<PathBuf>>,
    /// Whether a record could not be kept, and none could since.
    failing: AtomicBool,
}

impl Shelf {
    /// The one for this folder.
    pub(super) fn at(folder: &Path) -> Arc<Self> {
        let mut shelves = SHELVES.lock().unwrap_or_else(PoisonError::into_inner);
        let new =
            || Arc::new(Self { folder: folder.to_owned(), told: Mutex::default(), failing: AtomicBool::new(false) });
        Arc::clone(shelves.entry(folder.to_owned()).or_insert_with(new))
    }

    /// Tells that a record could not be kept: as a warning the first time, and again after one has been kept.
    pub(super) fn failed(&self, what: fmt::Arguments<'_>) {
        if self.failing.swap(true, Ordering::Relaxed) {
            tracing::debug!("{what}");
        } else {
            let folder = self.folder.display();
            tracing::warn!("{what}; told once, until a whole record has been kept in {folder} again");
        }
    }

    /// Hears that a whole record has been kept.
    pub(super) fn succeeded(&self) {
        if self.failing.swap(false, Ordering::Relaxed) {
            tracing::info!("records are kept in {} again", self.folder.display());
        }
    }

    /// Publishes what processes that are gone left behind, and removes what a bot has too much of.
    pub(super) fn tidy(&self, bot: &str, retention: Retention) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let mut warn = |path: &Path, what: fmt::Arguments<'_>| {
            if told.insert(path.to_owned()) {
                tracing::warn!("{}: {what}", path.display());
            }
        };
        settle_leftovers(&self.folder, |path, error| {
            warn(path, format_args!("the record cannot be finished: {error}"));
        });
        clear_leftovers(&self.folder);
        if retention == Retention::default() {
            return;
        }
        let mut records = Vec::new();
        let read = read_each(
            &self.folder,
            |name| is_of(name, bot),
            |read| records.extend(read.ok().filter(|record| record.manifest.about.bot == bot).as_ref().map(Aged::from)),
        );
        // Without a folder there are no records yet.
        if read.is_err() {
            return;
        }
        for record in surplus(records, retention, OffsetDateTime::now_utc()) {
            if let Err(error) = prune(&record.path) {
                warn(&record.path, format_args!("the record has had its time and cannot be removed: {error}"));
            }
        }
    }
}

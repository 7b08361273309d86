//! A folder of records, as the bots of this process share it.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use time::OffsetDateTime;

use super::folder::remove;
use super::game_record::list;
use super::leftovers::{clear_leftovers, settle_leftovers};
use super::names::is_of;
use super::retention::surplus;
use crate::place::short;
use crate::records::Retention;

static FOLDERS: Mutex<BTreeMap<PathBuf, Arc<SharedFolder>>> = Mutex::new(BTreeMap::new());

/// A folder of records, as the bots of this process share it: one at a time looks through it, and its trouble is told once.
#[derive(Debug)]
pub(super) struct SharedFolder {
    path: PathBuf,
    /// What has been warned of. Locked by whoever looks through the folder, for that takes time and memory.
    warned: Mutex<HashSet<PathBuf>>,
    /// Whether a record could not be kept, and none could since.
    failing: AtomicBool,
}

impl SharedFolder {
    /// The one at this path.
    pub(super) fn at(path: &Path) -> Arc<Self> {
        let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
        let new =
            || Arc::new(Self { path: path.to_owned(), warned: Mutex::default(), failing: AtomicBool::new(false) });
        Arc::clone(folders.entry(path.to_owned()).or_insert_with(new))
    }

    /// Says that a record could not be kept: as a warning the first time, and again after one has been kept.
    pub(super) fn failed(&self, what: fmt::Arguments<'_>) {
        if self.failing.swap(true, Ordering::Relaxed) {
            tracing::debug!("{what}");
        } else {
            let folder = short(&self.path).display();
            tracing::warn!("{what}; told once, until a whole record has been kept in {folder} again");
        }
    }

    /// Notes that a whole record has been kept.
    pub(super) fn succeeded(&self) {
        if self.failing.swap(false, Ordering::Relaxed) {
            tracing::info!("records are kept in {} again", short(&self.path).display());
        }
    }

    /// Publishes what processes that are gone left behind, and removes the records that a bot has too many of.
    pub(super) fn tidy(&self, bot: &str, retention: Retention) {
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        let mut warn = |path: &Path, what: fmt::Arguments<'_>| {
            if warned.insert(path.to_owned()) {
                tracing::warn!("{}: {what}", short(path).display());
            }
        };
        settle_leftovers(&self.path, |path, error| warn(path, format_args!("the record cannot be finished: {error}")));
        clear_leftovers(&self.path);
        if retention == Retention::default() {
            return;
        }
        // Without a folder there are no records yet.
        let Ok((mut records, _)) = list(&self.path, |name| is_of(name, bot)) else { return };
        records.retain(|record| record.manifest.about.bot == bot);
        for record in surplus(records, retention, OffsetDateTime::now_utc()) {
            if let Err(error) = remove(&record.path) {
                warn(&record.path, format_args!("the record has had its time and cannot be removed: {error}"));
            }
        }
    }
}

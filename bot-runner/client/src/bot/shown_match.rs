//! The current match or round of a bot from its seat's point of view, in the form of its record,
//! for other tasks to read while it is played.
//!
//! A bot never waits for a reader: while one reads, updates are kept and applied later. Only a seat
//! that a person plays waits, for as long as a reader copies the list of lines: its page must show
//! what the person is asked about.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use policy_host::GameKind;
use tokio::sync::watch;

use crate::decision_note::DecisionNote;

/// A match from one seat, or its current round.
#[derive(Debug, Clone)]
pub struct ShownMatch {
    pub number: u64,
    /// Increases when the lines begin again.
    pub(super) round: u32,
    pub game: GameKind,
    pub lines: Vec<Arc<str>>,
    /// The lines of the round before, with its end.
    pub previous: Vec<Arc<str>>,
    /// The bot's last decision.
    pub decision: Option<Arc<DecisionNote>>,
}

impl ShownMatch {
    pub(super) const fn new(number: u64, game: GameKind) -> Self {
        Self {
            number,
            round: 0,
            game,
            lines: Vec::new(),
            previous: Vec::new(),
            decision: None,
        }
    }

    /// Begins again with these lines.
    pub(super) fn restart<'l>(&mut self, lines: impl IntoIterator<Item = &'l Arc<str>>) {
        self.round += 1;
        let lines = lines.into_iter().cloned().collect();
        self.previous = std::mem::replace(&mut self.lines, lines);
    }

    /// Adds the additions of a later state.
    pub(super) fn catch_up(&mut self, newer: &Self) {
        self.lines
            .extend_from_slice(newer.lines.get(self.lines.len()..).unwrap_or_default());
        self.decision.clone_from(&newer.decision);
    }
}

#[derive(Debug, Default)]
struct Published {
    /// Increases with every change.
    version: u64,
    shown: Option<ShownMatch>,
}

/// The published match of a bot. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct LiveRound(Arc<SharedRound>);

/// A match whose every change reaches the readers.
#[derive(Debug)]
pub struct WatchedRound(LiveRound);

impl Drop for WatchedRound {
    fn drop(&mut self) {
        self.0.0.people.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Debug, Default)]
struct SharedRound {
    published: Mutex<Published>,
    /// Number of people who play its seat, so that every change reaches the readers.
    people: AtomicUsize,
    /// The version, for readers that wait for changes.
    changes: watch::Sender<u64>,
}

impl LiveRound {
    /// A match that every change reaches, because a person plays its seat.
    #[must_use]
    pub fn watched() -> Self {
        let shared = SharedRound {
            people: AtomicUsize::new(1),
            ..SharedRound::default()
        };
        Self(Arc::new(shared))
    }

    /// Has every change reach the readers, for as long as what this returns is kept.
    #[must_use]
    pub fn watch(&self) -> WatchedRound {
        self.0.people.fetch_add(1, Ordering::Relaxed);
        WatchedRound(self.clone())
    }

    /// The version, as it changes.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }

    /// The shown match with its version, unless it still has this version; `None` before the first
    /// one.
    pub fn newer_than(&self, version: u64) -> Option<(u64, Option<ShownMatch>)> {
        let published = self.lock();
        (published.version != version).then(|| (published.version, published.shown.clone()))
    }

    /// The shown match.
    pub fn shown(&self) -> Option<ShownMatch> {
        self.lock().shown.clone()
    }

    /// Whether both are the same published match.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Changes the shown match and notifies readers, unless a reader holds it at this moment; waits
    /// only for the readers of a person's seat.
    pub(super) fn offer(&self, change: impl FnOnce(&mut Option<ShownMatch>)) -> bool {
        let is_watched = self.0.people.load(Ordering::Relaxed) > 0;
        let mut published = match is_watched {
            true => self.lock(),
            false => match self.0.published.try_lock() {
                Ok(published) => published,
                Err(_) => return false,
            },
        };
        published.version += 1;
        change(&mut published.shown);
        if is_watched {
            self.0.changes.send_replace(published.version);
        }
        true
    }

    /// Runs a function while a reader holds the match.
    #[cfg(test)]
    pub(super) fn while_read(&self, meanwhile: impl FnOnce()) {
        let _reading = self.lock();
        meanwhile();
    }

    fn lock(&self) -> MutexGuard<'_, Published> {
        self.0
            .published
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

//! The state shared by the threads of a keeper: results that are not stored yet, and counts of the
//! others.

use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::kept::ResultRow;
use crate::receipt::{ReceiptState, ResultsReceipt};

/// Maximum number of games held in memory while neither the disk nor the database accepts them.
pub(crate) const MAX_UNKEPT: usize = 4_096;
/// Time after which results go to the database although the spool has not refused them.
const SPOOL_TIMEOUT: Duration = Duration::from_secs(3);

#[derive(Debug, Default)]
pub(crate) struct KeeperShared {
    state: Mutex<SharedState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct SharedState {
    /// Results that are only in memory.
    unkept: VecDeque<Arc<UnkeptResults>>,
    /// Whether the spool refused the last results.
    spool_fails: bool,
    /// Results that this process has written to the database and that were not there before.
    written: u64,
    /// Results that could not be stored for lack of room.
    lost: u64,
    /// Whether there may be results to move into the database.
    wake: bool,
    /// Callers that wait until everything has been tried.
    asked: Vec<Sender<()>>,
    /// Whether no more results will be handed over.
    closed: bool,
    /// Whether no more results will be put into the spool.
    ended: bool,
}

/// Results that are only in memory.
#[derive(Debug)]
pub(crate) struct UnkeptResults {
    since: Instant,
    pub(crate) results: Vec<ResultRow>,
    receipt: watch::Sender<ReceiptState>,
}

/// The reason why the thread of the database wakes up.
#[derive(Debug, Default)]
pub(crate) struct ShipRequest {
    /// Callers that wait until everything has been tried.
    pub(crate) asked: Vec<Sender<()>>,
    pub(crate) last: bool,
}

impl KeeperShared {
    /// Accepts results; returns their receipt, and whether they are the first without room.
    pub(crate) fn hand_over(&self, results: Vec<ResultRow>) -> (ResultsReceipt, bool) {
        let mut state = self.state();
        let fits = state.unkept.len() < MAX_UNKEPT;
        let (sender, receipt) = watch::channel(if fits {
            ReceiptState::Pending
        } else {
            ReceiptState::Lost
        });
        let first_lost = !fits && state.lost == 0;
        if fits {
            let unkept = UnkeptResults {
                since: Instant::now(),
                results,
                receipt: sender,
            };
            state.unkept.push_back(Arc::new(unkept));
            state.wake |= state.spool_fails;
        } else {
            state.lost += results.len() as u64;
        }
        self.changed.notify_all();
        (ResultsReceipt(receipt), first_lost)
    }

    /// The next results for the spool. After a failure the spool is tried again at this time.
    /// `None` if there will be no more. Blocks.
    pub(crate) fn next_for_spool(&self, retry: Option<Instant>) -> Option<Arc<UnkeptResults>> {
        let mut state = self.state();
        loop {
            let wait = retry.map_or(Duration::ZERO, |retry| {
                retry.saturating_duration_since(Instant::now())
            });
            match state.unkept.front() {
                Some(first) if wait.is_zero() => return Some(Arc::clone(first)),
                _ if state.closed => return None,
                Some(_) => {
                    state = self
                        .changed
                        .wait_timeout(state, wait)
                        .unwrap_or_else(PoisonError::into_inner)
                        .0
                }
                None => {
                    state = self
                        .changed
                        .wait(state)
                        .unwrap_or_else(PoisonError::into_inner)
                }
            }
        }
    }

    /// Notes that the spool refused these results; returns whether it accepted those before. Others
    /// are tried first, and the database is asked.
    pub(crate) fn spool_refused(&self, refused: &Arc<UnkeptResults>) -> bool {
        let mut state = self.state();
        let entry = state.take(refused);
        state.unkept.extend(entry);
        state.wake = true;
        let is_first = !std::mem::replace(&mut state.spool_fails, true);
        self.changed.notify_all();
        is_first
    }

    /// Notes that these results are in the spool; returns whether it refused those before.
    pub(crate) fn spooled(&self, spooled: &Arc<UnkeptResults>) -> bool {
        let mut state = self.state();
        state.wake = true;
        let had_failed = std::mem::replace(&mut state.spool_fails, false);
        drop(state);
        self.kept(spooled);
        had_failed
    }

    /// The next results to go from memory into the database: all while the spool fails, else those
    /// that it has not stored in time.
    pub(crate) fn next_for_database(&self) -> Option<Arc<UnkeptResults>> {
        let state = self.state();
        let oldest = state.unkept.iter().min_by_key(|entry| entry.since)?;
        (state.spool_fails || oldest.since.elapsed() >= SPOOL_TIMEOUT).then(|| Arc::clone(oldest))
    }

    /// Notes that results are on the disk or in the database.
    pub(crate) fn kept(&self, kept: &Arc<UnkeptResults>) {
        // Both threads may have stored them.
        self.state().take(kept);
        kept.receipt.send_replace(ReceiptState::Kept);
        self.changed.notify_all();
    }

    /// Waits until everything that was handed over is stored, but no longer than this; returns
    /// whether nothing is left. Blocks.
    pub(crate) fn wait_until_kept(&self, until: Instant) -> bool {
        let left = until.saturating_duration_since(Instant::now());
        let waiting = |state: &mut SharedState| !state.unkept.is_empty();
        let waited = self.changed.wait_timeout_while(self.state(), left, waiting);
        waited
            .unwrap_or_else(PoisonError::into_inner)
            .0
            .unkept
            .is_empty()
    }

    /// Number of results in the database, and of those that are lost if the process ends now.
    pub(crate) fn written_and_lost(&self) -> (u64, u64) {
        let state = self.state();
        let unkept: usize = state.unkept.iter().map(|entry| entry.results.len()).sum();
        (state.written, state.lost + unkept as u64)
    }

    /// Adds to the number of results that are in the database since this process wrote them.
    pub(crate) fn count_written(&self, new: u64) {
        self.state().written += new;
    }

    /// Wakes the thread of the database; the caller is notified when everything has been tried.
    pub(crate) fn ask(&self, done: Sender<()>) {
        self.state().asked.push(done);
        self.changed.notify_all();
    }

    /// Notes that no more results will be handed over.
    pub(crate) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// Lets the thread of the database end.
    pub(crate) fn end(&self) {
        self.state().ended = true;
        self.changed.notify_all();
    }

    /// Waits until there is something to write to the database; while it is unavailable, until the
    /// next attempt. Blocks.
    pub(crate) fn next_for_shipper(&self, retry: Option<Instant>) -> ShipRequest {
        let mut state = self.state();
        loop {
            if state.ended || !state.asked.is_empty() || (retry.is_none() && state.wake) {
                break;
            }
            // Results that the spool has neither accepted nor refused.
            let overdue = || {
                state
                    .unkept
                    .iter()
                    .map(|entry| entry.since + SPOOL_TIMEOUT)
                    .min()
            };
            state = match retry.or_else(overdue) {
                None => self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        break;
                    }
                    self.changed
                        .wait_timeout(state, left)
                        .unwrap_or_else(PoisonError::into_inner)
                        .0
                }
            };
        }
        state.wake = false;
        ShipRequest {
            asked: std::mem::take(&mut state.asked),
            last: state.ended,
        }
    }

    fn state(&self) -> MutexGuard<'_, SharedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SharedState {
    /// Removes results from those that are only in memory.
    fn take(&mut self, results: &Arc<UnkeptResults>) -> Option<Arc<UnkeptResults>> {
        let place = self
            .unkept
            .iter()
            .position(|entry| Arc::ptr_eq(entry, results))?;
        self.unkept.remove(place)
    }
}

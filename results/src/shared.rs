//! What the threads of a keeper share: results that are not kept yet, and what has become of the others.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::kept::ResultRow;
use crate::receipt::{ReceiptState, ResultsReceipt};

/// How many games are held in memory while neither the disk nor the database takes them.
pub(crate) const MAX_UNKEPT: usize = 4_096;
/// After what time results go to the database although the spool has not refused them.
const SPOOL_TIMEOUT: Duration = Duration::from_secs(3);

/// What the threads of a keeper share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    state: Mutex<SharedState>,
    changed: Condvar,
    /// Results in the database that this process has put there, or found there.
    pub(crate) written: AtomicU64,
}

#[derive(Debug, Default)]
struct SharedState {
    /// Results that are in memory alone.
    unkept: VecDeque<UnkeptResults>,
    /// How many were handed over.
    numbered: u64,
    /// Whether the spool refused the last results.
    spool_fails: bool,
    /// Results that there was no room for.
    lost: u64,
    /// Whether there may be something to move into the database.
    wake: bool,
    /// Callers that wait until all has been tried.
    asked: Vec<Sender<()>>,
    /// Whether nothing more will be handed over.
    closed: bool,
    /// Whether nothing more will be put into the spool.
    ended: bool,
}

/// Results that are in memory alone.
#[derive(Debug, Clone)]
pub(crate) struct UnkeptResults {
    number: u64,
    since: Instant,
    pub(crate) results: Arc<[ResultRow]>,
    receipt: Arc<watch::Sender<ReceiptState>>,
}

/// Why the thread of the database wakes up.
pub(crate) struct ShipRequest {
    /// Callers that wait until all has been tried.
    pub(crate) asked: Vec<Sender<()>>,
    /// Whether it is the last time.
    pub(crate) last: bool,
}

impl Shared {
    /// Takes results over; their receipt, and whether there was room for them.
    pub(crate) fn hand_over(&self, results: Vec<ResultRow>) -> (ResultsReceipt, bool) {
        let mut state = self.state();
        let fits = state.unkept.len() < MAX_UNKEPT;
        let (sender, receipt) = watch::channel(if fits { ReceiptState::Pending } else { ReceiptState::Lost });
        if fits {
            let (number, since) = (state.numbered, Instant::now());
            state.numbered += 1;
            state.unkept.push_back(UnkeptResults { number, since, results: results.into(), receipt: sender.into() });
            state.wake |= state.spool_fails;
        } else {
            state.lost += results.len() as u64;
        }
        self.changed.notify_all();
        (ResultsReceipt(receipt), fits)
    }

    /// The next results for the spool. After a failure the spool is tried again at this moment. `None` when there will be
    /// no more. Blocks.
    pub(crate) fn next_for_spool(&self, retry: Option<Instant>) -> Option<UnkeptResults> {
        let mut state = self.state();
        loop {
            let wait = retry.map_or(Duration::ZERO, |retry| retry.saturating_duration_since(Instant::now()));
            match state.unkept.front() {
                Some(first) if wait.is_zero() => return Some(first.clone()),
                _ if state.closed => return None,
                Some(_) => state = self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0,
                None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Notes that the spool refused these results: others are tried first, and the database is asked.
    pub(crate) fn spool_refused(&self, refused: &UnkeptResults) {
        let mut state = self.state();
        if let Some(place) = state.place(refused.number) {
            let entry = state.unkept.remove(place);
            state.unkept.extend(entry);
        }
        (state.spool_fails, state.wake) = (true, true);
        self.changed.notify_all();
    }

    /// Notes that these results are in the spool.
    pub(crate) fn spooled(&self, spooled: &UnkeptResults) {
        {
            let mut state = self.state();
            (state.spool_fails, state.wake) = (false, true);
        }
        self.kept(spooled);
    }

    /// The next results that go from memory into the database: all while the spool fails, else those that it has not
    /// taken in time.
    pub(crate) fn next_for_database(&self) -> Option<UnkeptResults> {
        let state = self.state();
        let oldest = state.unkept.iter().min_by_key(|entry| entry.number)?;
        (state.spool_fails || oldest.since.elapsed() >= SPOOL_TIMEOUT).then(|| oldest.clone())
    }

    /// Notes that results are on the disk or in the database.
    pub(crate) fn kept(&self, kept: &UnkeptResults) {
        let mut state = self.state();
        // Both threads may have had them.
        if let Some(place) = state.place(kept.number) {
            state.unkept.remove(place);
        }
        kept.receipt.send_replace(ReceiptState::Kept);
        self.changed.notify_all();
    }

    /// Waits until all that was handed over is kept, though no longer than this; whether nothing is left. Blocks.
    pub(crate) fn wait_until_kept(&self, until: Instant) -> bool {
        let left = until.saturating_duration_since(Instant::now());
        let waiting = |state: &mut SharedState| !state.unkept.is_empty();
        let waited = self.changed.wait_timeout_while(self.state(), left, waiting);
        waited.unwrap_or_else(PoisonError::into_inner).0.unkept.is_empty()
    }

    /// Results that are lost if the process ends now.
    pub(crate) fn lost(&self) -> u64 {
        let state = self.state();
        state.lost + state.unkept.iter().map(|entry| entry.results.len() as u64).sum::<u64>()
    }

    /// Adds results to those that the database has.
    pub(crate) fn count_written(&self, results: usize) {
        self.written.fetch_add(results as u64, Ordering::Relaxed);
    }

    /// Has the spool looked through.
    pub(crate) fn wake(&self) {
        self.state().wake = true;
        self.changed.notify_all();
    }

    /// Has the spool looked through at once; the caller hears when that is done.
    pub(crate) fn ask(&self, done: Sender<()>) {
        self.state().asked.push(done);
        self.changed.notify_all();
    }

    /// Notes that nothing more will be handed over.
    pub(crate) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// Lets the thread of the database end.
    pub(crate) fn end(&self) {
        self.state().ended = true;
        self.changed.notify_all();
    }

    /// Waits for something to do for the database; while it is away, for the moment to try again. Blocks.
    pub(crate) fn next_for_shipper(&self, retry: Option<Instant>) -> ShipRequest {
        let mut state = self.state();
        loop {
            if state.ended || !state.asked.is_empty() || (retry.is_none() && state.wake) {
                break;
            }
            // Results that the spool has neither taken nor refused.
            let overdue = || state.unkept.iter().map(|entry| entry.since + SPOOL_TIMEOUT).min();
            state = match retry.or_else(overdue) {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        break;
                    }
                    self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        state.wake = false;
        ShipRequest { asked: std::mem::take(&mut state.asked), last: state.ended }
    }

    fn state(&self) -> MutexGuard<'_, SharedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SharedState {
    /// Where results are among those that are not kept.
    fn place(&self, number: u64) -> Option<usize> {
        self.unkept.iter().position(|entry| entry.number == number)
    }
}

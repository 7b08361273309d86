//! The thread that moves results from the spool into the database.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use secrecy::SecretString;

use crate::address::DatabaseAddress;
use crate::error::ResultsError;
use crate::kept::KeptResult;
use crate::open::open;
use crate::spool::{Spool, SpoolEntry};
use crate::store::Store;

/// Waits between tries while the database is away.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// How many files are written in one transaction.
const AT_ONCE: usize = 64;
/// How many games are kept in memory while the spool cannot be written either.
const MOST_IN_MEMORY: usize = 1_000;

/// What the threads tell each other.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    state: Mutex<ShipState>,
    changed: Condvar,
    /// Results in the database that this process has put there, or found there.
    pub(crate) written: AtomicU64,
    /// Results that are lost: neither the disk nor the database took them, and there was no more memory for them.
    pub(crate) lost: AtomicU64,
}

#[derive(Debug, Default)]
struct ShipState {
    /// Whether there may be something to move.
    wake: bool,
    /// Who wants to know when all has been tried.
    asked: Vec<Sender<()>>,
    /// What could not be put into the spool.
    in_memory: VecDeque<Vec<KeptResult>>,
    /// Whether nothing more will come.
    ended: bool,
}

impl Shared {
    /// Has the spool looked through.
    pub(crate) fn wake(&self) {
        self.state().wake = true;
        self.changed.notify_all();
    }

    /// Has the spool looked through at once; told when that is done.
    pub(crate) fn ask(&self, done: Sender<()>) {
        self.state().asked.push(done);
        self.changed.notify_all();
    }

    /// Lets the thread end.
    pub(crate) fn end(&self) {
        self.state().ended = true;
        self.changed.notify_all();
    }

    /// Keeps results that could not be put into the spool; `false` when there is no more room.
    pub(crate) fn keep_in_memory(&self, results: Vec<KeptResult>) -> bool {
        let mut state = self.state();
        let fits = state.in_memory.len() < MOST_IN_MEMORY;
        if fits {
            state.in_memory.push_back(results);
            state.wake = true;
            self.changed.notify_all();
        }
        fits
    }

    /// How many games are kept in memory.
    pub(crate) fn in_memory(&self) -> usize {
        self.state().in_memory.len()
    }

    fn state(&self) -> MutexGuard<'_, ShipState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Moves results from the spool into the database.
pub(crate) struct Shipper {
    pub(crate) address: DatabaseAddress,
    pub(crate) password: Option<SecretString>,
    pub(crate) spool: Spool,
    pub(crate) shared: Arc<Shared>,
    pub(crate) store: Option<Box<dyn Store>>,
    /// Whether the database was away at the last try.
    pub(crate) failing: bool,
    pub(crate) told_newer: bool,
}

impl Shipper {
    /// Works until nothing more can come.
    pub(crate) fn work(mut self) {
        let mut wait = None;
        loop {
            let (asked, ended) = self.next(wait);
            match self.ship() {
                Ok(moved) => {
                    wait = None;
                    if std::mem::take(&mut self.failing) {
                        tracing::info!("results are written to {} again; {moved} had waited", self.address);
                    }
                }
                Err(error) => {
                    self.store = None;
                    wait = Some(wait.map_or(FIRST_WAIT, |wait: Duration| (wait * 2).min(LONGEST_WAIT)));
                    self.tell(&error);
                }
            }
            for done in asked {
                // Whoever asked may have stopped waiting.
                let _ = done.send(());
            }
            if ended {
                return;
            }
        }
    }

    /// Waits for something to do, and while the database is away for the time to try again. Who asked, and whether it is
    /// the last time.
    fn next(&self, wait: Option<Duration>) -> (Vec<Sender<()>>, bool) {
        let until = wait.map(|wait| Instant::now() + wait);
        let mut state = self.shared.state();
        loop {
            if state.ended || !state.asked.is_empty() {
                break;
            }
            state = match until {
                None if state.wake => break,
                None => self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) else {
                        break;
                    };
                    self.shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        state.wake = false;
        (std::mem::take(&mut state.asked), state.ended)
    }

    fn tell(&mut self, error: &ResultsError) {
        if std::mem::replace(&mut self.failing, true) {
            tracing::debug!("results still cannot be written: {error}");
            return;
        }
        tracing::warn!(
            "results cannot be written to the database: {error}; they wait in {} and are written when it takes them; told \
             once",
            self.spool.folder.display()
        );
    }

    /// Moves everything there is; how many results.
    fn ship(&mut self) -> Result<u64, ResultsError> {
        let mut moved = 0;
        loop {
            let mut left = 0;
            // First what is nowhere else.
            while let Some(results) = self.first_in_memory() {
                left += results.len();
                self.write(&results)?;
                moved += results.len() as u64;
                self.shared.state().in_memory.pop_front();
            }
            let waiting = self.spool.waiting().map_err(|error| self.spool_error(&error))?;
            for files in waiting.chunks(AT_ONCE) {
                let (results, files) = self.read(files)?;
                left += results.len();
                self.write(&results)?;
                moved += results.len() as u64;
                for file in files {
                    // Written again next time, and found there.
                    Spool::remove(&file).map_err(|error| self.spool_error(&error))?;
                }
            }
            if left == 0 {
                return Ok(moved);
            }
        }
    }

    fn first_in_memory(&self) -> Option<Vec<KeptResult>> {
        self.shared.state().in_memory.front().cloned()
    }

    /// The results in files, and the files that they are in.
    fn read(&mut self, files: &[PathBuf]) -> Result<(Vec<KeptResult>, Vec<PathBuf>), ResultsError> {
        let (mut all, mut read) = (Vec::new(), Vec::new());
        for path in files {
            match Spool::read(path).map_err(|error| self.spool_error(&error))? {
                SpoolEntry::Waiting(results) => {
                    all.extend(results);
                    read.push(path.clone());
                }
                SpoolEntry::Gone => {}
                SpoolEntry::Bad(why) => tracing::warn!("{} holds no results: {why}", path.display()),
                SpoolEntry::Newer if std::mem::replace(&mut self.told_newer, true) => {}
                SpoolEntry::Newer => {
                    tracing::warn!("{} was written by a newer bot-runner, which has to read it", path.display());
                }
            }
        }
        Ok((all, read))
    }

    fn write(&mut self, results: &[KeptResult]) -> Result<(), ResultsError> {
        if results.is_empty() {
            return Ok(());
        }
        let store = match &mut self.store {
            Some(store) => store,
            closed => closed.insert(open(&self.address, self.password.as_ref())?),
        };
        store.write(results)?;
        self.shared.written.fetch_add(results.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    fn spool_error(&self, error: &io::Error) -> ResultsError {
        ResultsError::Database(format!("{} cannot be used: {error}", self.spool.folder.display()))
    }
}

//! Stores results; the tasks that play pass them on and never wait.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};
use std::{io, thread};

use secrecy::SecretString;

use crate::address::DatabaseAddress;
use crate::kept::ResultRow;
use crate::receipt::ResultsReceipt;
use crate::shared::{KeeperShared, MAX_UNKEPT};
use crate::shipper::{FetchPassword, Shipper};
use crate::spool::Spool;

/// Interval of attempts while the spool cannot be written.
const SPOOL_RETRY: Duration = Duration::from_secs(1);
/// Maximum time at the end for storing results that are only in memory.
const UNKEPT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time at the end for counting the files in the spool, because the disk may hang.
const COUNT_TIMEOUT: Duration = Duration::from_secs(1);

/// The counts of this process's results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeptCounts {
    /// Results that were not in the database before this process wrote them.
    pub written: u64,
    /// Files in the spool, one for each game or for each part of a tournament.
    pub waiting: u64,
    /// Results that neither the disk nor the database accepted: they end with the process.
    pub lost: u64,
}

/// Keeps the results of this process in a database. A clone writes to the same one.
#[derive(Debug, Clone)]
pub struct ResultsKeeper(Arc<KeeperThreads>);

#[must_use]
#[derive(Debug)]
struct KeeperThreads {
    shared: Arc<KeeperShared>,
    spool: Spool,
    passwords: Sender<FetchPassword>,
}

impl Drop for KeeperThreads {
    fn drop(&mut self) {
        self.shared.close();
    }
}

impl ResultsKeeper {
    /// Starts to store results, first those that earlier processes left in the spool.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn start(
        address: DatabaseAddress,
        password: Option<SecretString>,
        spool: &Path,
    ) -> io::Result<Self> {
        let shared: Arc<KeeperShared> = Arc::default();
        let spool = Spool::new(spool, &address);
        let (passwords, newest) = channel::<FetchPassword>();
        if let Some(password) = password {
            let _ = passwords.send(Box::new(move || Ok(password.clone())));
        }
        let shipper = Shipper::new(address, newest, spool.clone(), Arc::clone(&shared));
        thread::Builder::new()
            .name("results".to_owned())
            .spawn(move || shipper.work())?;
        let spooler = Spooler {
            spool: spool.clone(),
            shared: Arc::clone(&shared),
        };
        let spawned = thread::Builder::new()
            .name("results-spool".to_owned())
            .spawn(move || spooler.work());
        spawned.inspect_err(|_| shared.end())?;
        Ok(Self(Arc::new(KeeperThreads {
            shared,
            spool,
            passwords,
        })))
    }

    /// Fetches the database's password like this from now on, each time that it connects; an error
    /// says why there is none.
    pub fn fetch_password(
        &self,
        fetch: impl Fn() -> Result<SecretString, String> + Send + 'static,
    ) {
        // Without its thread nothing connects.
        let _ = self.0.passwords.send(Box::new(fetch));
    }

    /// Stores results that belong together; never waits. The receipt reports when they are stored.
    pub fn keep(&self, results: Vec<ResultRow>) -> ResultsReceipt {
        let (receipt, first_lost) = self.0.shared.hand_over(results);
        if first_lost {
            let folder = self.0.spool.folder.display();
            tracing::warn!(
                "results are lost: {MAX_UNKEPT} games are in memory already, because neither the disk of {folder} nor the \
                 database takes them; told once"
            );
        }
        receipt
    }

    /// Waits until all results that were handed over are on the disk or in the database, but no
    /// longer than this; returns whether they are. Blocks.
    pub fn wait_until_kept(&self, within: Duration) -> bool {
        self.0.shared.wait_until_kept(Instant::now() + within)
            && self.0.shared.written_and_lost().1 == 0
    }

    /// Waits until everything is stored and the database has been tried once more, but not longer
    /// than this; returns the counts. Results in the spool then wait for the next process, and
    /// results in memory are lost. Blocks.
    pub fn finish(&self, within: Duration) -> KeptCounts {
        let KeeperThreads { shared, spool, .. } = &*self.0;
        let until = Instant::now() + within;
        let left = || until.saturating_duration_since(Instant::now());
        let give_up = until.min(Instant::now() + UNKEPT_TIMEOUT);
        loop {
            let all_kept = shared.wait_until_kept(until.min(Instant::now() + SPOOL_RETRY));
            let (done, tried) = channel();
            shared.ask(done);
            let _ = tried.recv_timeout(left());
            if all_kept || Instant::now() >= give_up {
                break;
            }
        }
        let waiting = count(spool.clone(), left().max(COUNT_TIMEOUT));
        let (written, lost) = shared.written_and_lost();
        KeptCounts {
            written,
            waiting,
            lost,
        }
    }
}

/// The number of files in the spool, if the disk answers in time.
fn count(spool: Spool, within: Duration) -> u64 {
    let (counted, files) = channel();
    let count = move || {
        // The caller may have stopped waiting.
        let _ = counted.send(spool.waiting().map_or(0, |files| files.len() as u64));
    };
    let spawned = thread::Builder::new()
        .name("results-count".to_owned())
        .spawn(count);
    spawned
        .ok()
        .and_then(|_| files.recv_timeout(within).ok())
        .unwrap_or(0)
}

/// The thread that writes results into the spool.
struct Spooler {
    spool: Spool,
    shared: Arc<KeeperShared>,
}

impl Spooler {
    fn work(self) {
        let mut retry = None;
        while let Some(unkept) = self.shared.next_for_spool(retry) {
            let folder = self.spool.folder.display();
            match self.spool.put(&unkept.results) {
                Ok(()) => {
                    retry = None;
                    if self.shared.spooled(&unkept) {
                        tracing::info!("results are put into {folder} again");
                    }
                }
                Err(error) => {
                    retry = Some(Instant::now() + SPOOL_RETRY);
                    if self.shared.spool_refused(&unkept) {
                        tracing::warn!(
                            "results cannot be put into {folder}: {error}; they are in memory alone until the disk or \
                             the database takes them; told once"
                        );
                    }
                }
            }
        }
        self.shared.end();
    }
}

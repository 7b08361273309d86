//! Keeping results: handed over by whoever plays, who never waits.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, channel, sync_channel};
use std::time::{Duration, Instant};
use std::{io, thread};

use secrecy::SecretString;

use crate::address::DatabaseAddress;
use crate::kept::KeptResult;
use crate::shipper::{Shared, Shipper};
use crate::spool::Spool;

/// How many games may wait for the disk.
const MOST_WAITING: usize = 4_096;

/// What has become of the results of this process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeptCounts {
    /// Results that the database has.
    pub written: u64,
    /// Games that wait in the spool, or in memory where it cannot be written.
    pub waiting: u64,
    /// Results that are lost: neither the disk nor the database took them.
    pub lost: u64,
}

/// Keeps the results of this process in a database. What is cloned writes to the same one.
#[derive(Debug, Clone)]
pub struct ResultsKeeper(Arc<KeeperThreads>);

#[derive(Debug)]
struct KeeperThreads {
    sender: SyncSender<SpoolMessage>,
    shared: Arc<Shared>,
    /// Whether it has been said that the disk is too slow.
    told: AtomicBool,
    spool: Spool,
}

enum SpoolMessage {
    Keep(Vec<KeptResult>),
    /// Everything before it is in the spool now.
    Flush(std::sync::mpsc::Sender<()>),
}

impl ResultsKeeper {
    /// Begins to keep results, and writes first what earlier processes left in the spool.
    ///
    /// # Errors
    ///
    /// When there are no threads for it.
    pub fn start(address: DatabaseAddress, password: Option<SecretString>, spool: &Path) -> io::Result<Self> {
        let shared: Arc<Shared> = Arc::default();
        let spool = || Spool { folder: spool.to_owned() };
        let shipper = Shipper {
            address,
            password,
            spool: spool(),
            shared: Arc::clone(&shared),
            store: None,
            failing: false,
            told_newer: false,
        };
        thread::Builder::new().name("results".to_owned()).spawn(move || shipper.work())?;
        let (sender, messages) = sync_channel(MOST_WAITING);
        let spooler = Spooler { spool: spool(), shared: Arc::clone(&shared), failing: false };
        let spawned = thread::Builder::new().name("results-spool".to_owned()).spawn(move || spooler.work(&messages));
        spawned.inspect_err(|_| shared.end())?;
        shared.wake();
        Ok(Self(Arc::new(KeeperThreads { sender, shared, told: AtomicBool::new(false), spool: spool() })))
    }

    /// Keeps results that belong together; never waits.
    pub fn keep(&self, results: Vec<KeptResult>) {
        let (Err(TrySendError::Full(SpoolMessage::Keep(lost)))
        | Err(TrySendError::Disconnected(SpoolMessage::Keep(lost)))) =
            self.0.sender.try_send(SpoolMessage::Keep(results))
        else {
            return;
        };
        self.0.shared.lost.fetch_add(lost.len() as u64, Ordering::Relaxed);
        if !self.0.told.swap(true, Ordering::Relaxed) {
            let folder = self.0.spool.folder.display();
            tracing::warn!("results are lost: {MOST_WAITING} games wait for the disk of {folder} already; told once");
        }
    }

    /// The same, by whoever has the time to wait until they are on the disk, or in the database.
    pub fn keep_safely(&self, results: Vec<KeptResult>) {
        let _ = self.0.sender.send(SpoolMessage::Keep(results));
        let (done, flushed) = channel();
        let _ = self.0.sender.send(SpoolMessage::Flush(done));
        let _ = flushed.recv();
    }

    /// Waits until everything is written, or once more could not be, though no longer than this; what became of it. What
    /// is left waits in the spool for the next process. Blocks.
    #[must_use]
    pub fn finish(&self, within: Duration) -> KeptCounts {
        let until = Instant::now() + within;
        let left = || until.saturating_duration_since(Instant::now());
        let (spooled, flushed) = channel();
        // A spool that is stuck has its queue full.
        if self.0.sender.try_send(SpoolMessage::Flush(spooled)).is_ok() && flushed.recv_timeout(left()).is_ok() {
            let (done, tried) = channel();
            self.0.shared.ask(done);
            let _ = tried.recv_timeout(left());
        }
        let KeeperThreads { shared, spool, .. } = &*self.0;
        let files = spool.waiting().map_or(0, |files| files.len());
        KeptCounts {
            written: shared.written.load(Ordering::Relaxed),
            waiting: (files + shared.in_memory()) as u64,
            lost: shared.lost.load(Ordering::Relaxed),
        }
    }
}

/// The thread that writes results into the spool.
struct Spooler {
    spool: Spool,
    shared: Arc<Shared>,
    failing: bool,
}

impl Spooler {
    fn work(mut self, messages: &Receiver<SpoolMessage>) {
        while let Ok(message) = messages.recv() {
            match message {
                SpoolMessage::Keep(results) => self.keep(results),
                SpoolMessage::Flush(done) => drop(done.send(())),
            }
        }
        self.shared.end();
    }

    fn keep(&mut self, results: Vec<KeptResult>) {
        let folder = self.spool.folder.display();
        match self.spool.put(&results) {
            Ok(()) => {
                if std::mem::take(&mut self.failing) {
                    tracing::info!("results are put into {folder} again");
                }
                self.shared.wake();
            }
            Err(error) => {
                let count = results.len() as u64;
                let kept = self.shared.keep_in_memory(results);
                if !kept {
                    self.shared.lost.fetch_add(count, Ordering::Relaxed);
                }
                if !std::mem::replace(&mut self.failing, true) {
                    tracing::warn!(
                        "results cannot be put into {folder}: {error}; until they can, they wait in memory for the \
                         database; told once"
                    );
                }
            }
        }
    }
}

//! Keeping a bot's records.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use std::{io, thread};

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::counts::RecordCounts;
use super::disk::Disk;
use super::inbox::Inbox;
use super::message::{OpenGameNumber, RecorderMessage};
use super::options::KeeperOptions;
use super::recorder::Recorder;
use super::shared_folder::SharedFolder;
use super::writer::Writer;

/// Longest wait for the last record when the bot has ended.
const FINISH_TIMEOUT: Duration = Duration::from_secs(10);

/// Keeps the records of one bot, on a thread of its own.
#[derive(Debug, Clone)]
pub struct Keeper {
    inbox: Inbox,
    counts: Arc<Mutex<RecordCounts>>,
    /// How many games had a number of their own.
    games: Arc<AtomicU64>,
}

impl Keeper {
    /// Begins to keep records, and publishes first what earlier processes left unfinished there.
    ///
    /// # Errors
    ///
    /// When there is no thread for it.
    pub fn start(options: KeeperOptions, disk: impl Disk) -> io::Result<Self> {
        let (sender, messages) = mpsc::channel();
        let folder = SharedFolder::at(&options.folder);
        let counts = Arc::default();
        let writer = Writer::new(options, Arc::clone(&folder), Box::new(disk), Arc::clone(&counts));
        thread::Builder::new().name("records".to_owned()).spawn(move || writer.work(&messages))?;
        Ok(Self { inbox: Inbox::new(sender, folder), counts, games: Arc::default() })
    }

    /// A recorder for a connection that has just opened, at this moment; its bot has no other.
    #[must_use]
    pub fn recorder(&self, opened: SystemTime) -> Recorder {
        Recorder::new(self.inbox.clone(), OpenGameNumber::default(), opened)
    }

    /// A recorder for one of several games that are on at once.
    #[must_use]
    pub fn recorder_of_one(&self, opened: SystemTime) -> Recorder {
        let number = self.games.fetch_add(1, Ordering::Relaxed) + 1;
        Recorder::new(self.inbox.clone(), OpenGameNumber(number), opened)
    }

    /// Waits until everything is written, though not for long; what became of the records.
    pub async fn finish(&self) -> RecordCounts {
        let (written, done) = oneshot::channel();
        self.inbox.tell(RecorderMessage::Finish(written));
        let done = timeout(FINISH_TIMEOUT, done).await;
        let counts = *self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        RecordCounts { unfinished: !matches!(done, Ok(Ok(()))), ..counts }
    }
}

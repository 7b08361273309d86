//! Keeping a bot's records.

use std::io;
use std::sync::{Arc, mpsc};
use std::time::{Duration, SystemTime};

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::counts::RecordCounts;
use super::folder_writer::FolderWriter;
use super::message::RecorderMessage;
use super::options::KeeperOptions;
use super::recorded_bot::RecordedBot;
use super::recorder::Recorder;

/// Maximum wait for the last record when the bot has ended.
const FINISH_TIMEOUT: Duration = Duration::from_secs(10);

/// Keeps the records of one bot.
#[derive(Debug, Clone)]
pub struct Keeper {
    bot: Arc<RecordedBot>,
    writer: FolderWriter,
}

impl Keeper {
    /// Begins to keep records. Records that earlier processes left unfinished in the folder are
    /// published.
    ///
    /// # Errors
    ///
    /// If the thread cannot be started.
    pub fn start(options: KeeperOptions) -> io::Result<Self> {
        let writer = FolderWriter::of(&options.folder, &options.about.bot)?;
        let bot = Arc::new(RecordedBot::new(options));
        writer.tell(RecorderMessage::Tidy(Arc::clone(&bot)));
        Ok(Self { bot, writer })
    }

    /// A recorder for a connection or a match that begins at this moment.
    pub fn recorder(&self, opened: SystemTime) -> Recorder {
        Recorder::new(Arc::clone(&self.bot), self.writer.clone(), opened)
    }

    /// For tests: nothing is written until the returned value is dropped, as on a disk that hangs.
    #[doc(hidden)]
    pub fn hang(&self) -> mpsc::Sender<()> {
        let (let_go, until) = mpsc::channel();
        self.writer.tell(RecorderMessage::Hang(until));
        let_go
    }

    /// Waits a limited time until everything is written; returns the counts of the records.
    pub async fn finish(&self) -> RecordCounts {
        let (written, done) = oneshot::channel();
        self.writer.tell(RecorderMessage::Finish(written));
        let done = timeout(FINISH_TIMEOUT, done).await;
        RecordCounts {
            unfinished: !matches!(done, Ok(Ok(()))),
            ..self.bot.counts()
        }
    }
}

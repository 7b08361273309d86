//! Who keeps a bot's records.

use std::path::PathBuf;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use std::{io, thread};

use mahjong::{Event, Rules, Seat};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::disk::Disk;
use super::manifest::{About, Lines};
use super::recorder::{Ending, Recorder};
use super::room::{Place, Room};
use super::shelf::Shelf;
use super::writer::Writer;
use crate::bot::DecisionNote;
use crate::config::{Retention, Token};
use policy_host::PolicyIdentity;

/// What anything takes up beside its text, about.
const OVERHEAD: usize = 512;
/// Longest wait for the last record when the bot has ended.
const FINISH_WITHIN: Duration = Duration::from_secs(10);

/// What a keeper of records must know.
#[derive(Debug, Clone)]
pub struct KeeperOptions {
    /// Where the records go.
    pub folder: PathBuf,
    /// Which of this bot's stay there.
    pub retention: Retention,
    /// What is known of all games.
    pub about: About,
    /// The rules of the games.
    pub rules: Rules,
    /// What must be in no record, where the bot logs in with one.
    pub token: Option<Token>,
}

/// Keeps the records of one bot, on a thread of its own.
#[derive(Debug, Clone)]
pub struct Keeper {
    inbox: Inbox,
    counts: Arc<Mutex<RecordCounts>>,
}

/// What has become of a bot's records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecordCounts {
    /// Records of whole games.
    pub complete: u32,
    /// Records that break off.
    pub cut: u32,
    /// Games without a record, or whose record has not been finished.
    pub none: u32,
    /// Frames, events and decisions that were told and are in no record.
    pub missing: u64,
    /// Whether the disk took longer than it was waited for, so that these counts are not the last.
    pub unfinished: bool,
}

impl RecordCounts {
    /// Adds what had become of earlier ones.
    pub(crate) fn add(&mut self, earlier: &Self) {
        self.complete += earlier.complete;
        self.cut += earlier.cut;
        self.none += earlier.none;
        self.missing += earlier.missing;
        self.unfinished |= earlier.unfinished;
    }
}

impl Keeper {
    /// Begins to keep records, and publishes first what earlier processes left unfinished there.
    ///
    /// # Errors
    ///
    /// When there is no thread for it.
    pub fn start(options: KeeperOptions, disk: impl Disk) -> io::Result<Self> {
        let (sender, inbox) = mpsc::channel();
        let shelf = Shelf::at(&options.folder);
        let counts = Arc::default();
        let writer = Writer::new(options, Arc::clone(&shelf), Box::new(disk), Arc::clone(&counts));
        thread::Builder::new().name("records".to_owned()).spawn(move || writer.work(&inbox))?;
        Ok(Self { inbox: Inbox { sender, room: Room::of_a_bot(), shelf }, counts })
    }

    /// A recorder for a connection that has just opened.
    #[must_use]
    pub fn recorder(&self) -> Recorder {
        Recorder::new(self.inbox.clone())
    }

    /// Waits until everything is written, though not for long; what has become of the records.
    pub async fn finish(&self) -> RecordCounts {
        let (written, done) = oneshot::channel();
        self.inbox.tell(Message::Finish(written));
        let done = timeout(FINISH_WITHIN, done).await;
        let counts = *self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        RecordCounts { unfinished: !matches!(done, Ok(Ok(()))), ..counts }
    }
}

/// The way to the thread that writes.
#[derive(Debug, Clone)]
pub(super) struct Inbox {
    sender: Sender<Message>,
    /// For what is on the way or being written.
    room: Room,
    /// Where the records go.
    pub(super) shelf: Arc<Shelf>,
}

impl Inbox {
    /// Passes something on, or gives it back when too much waits already.
    pub(super) fn offer(&self, item: Item) -> Result<(), Item> {
        match self.room.take(item.bytes()) {
            Some(place) => {
                self.tell(Message::Item(item, place));
                Ok(())
            }
            None => Err(item),
        }
    }

    /// Tells what must be known and takes next to no memory.
    pub(super) fn tell(&self, message: Message) {
        // Without a thread there are no records, which is no reason not to play.
        let _ = self.sender.send(message);
    }
}

/// What the thread hears.
pub(super) enum Message {
    Begin(Box<Begin>),
    Item(Item, Place),
    End(Box<Ending>),
    /// Answered when everything before it has been written.
    Finish(oneshot::Sender<()>),
}

/// A game has begun.
#[derive(Debug)]
pub(super) struct Begin {
    /// When its connection opened.
    pub(super) opened: SystemTime,
    /// Own seat.
    pub(super) seat: Seat,
    /// What is going to decide.
    pub(super) policy: Arc<PolicyIdentity>,
}

/// Something that a line of a record is made of.
#[derive(Debug)]
pub(super) enum Item {
    Frame { at: Duration, direction: Direction, text: Utf8Bytes, took: Option<Duration> },
    Event(Event),
    Decision(Box<DecisionNote>),
}

/// Which way a frame went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
}

impl Item {
    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        OVERHEAD
            + match self {
                Self::Frame { text, .. } => text.len(),
                Self::Event(_) => 0,
                Self::Decision(note) => note.bytes(),
            }
    }

    /// Where lines of its sort are counted.
    pub(super) const fn counted_in<'l>(&self, lines: &'l mut Lines) -> &'l mut u64 {
        match self {
            Self::Frame { .. } => &mut lines.frames,
            Self::Event(_) => &mut lines.events,
            Self::Decision(_) => &mut lines.decisions,
        }
    }
}

//! The messages from a bot's connection to the thread that writes its records.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use policy_host::PolicyIdentity;
use riichi::Seat;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::manifest::{LineCounts, RecordedResult};
use super::recorded_bot::RecordedBot;
use crate::decision_note::DecisionNote;

/// Approximate memory of an entry besides its text, in bytes.
const OVERHEAD: usize = 512;

/// Distinguishes the connections and matches of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct GameNumber(u64);

impl GameNumber {
    pub(super) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A message to the writing thread.
#[derive(Debug)]
pub(super) enum RecorderMessage {
    /// A bot starts to play, and may have records already.
    Tidy(Arc<RecordedBot>),
    Begin(GameNumber, Box<GameBegin>),
    /// An entry, with the memory that is reserved for it.
    Entry(GameNumber, RecordEntry, [OwnedSemaphorePermit; 2]),
    End(GameNumber, Box<GameEnding>),
    /// Is answered when everything before it is written.
    Finish(oneshot::Sender<()>),
    /// Ends when the sender is dropped.
    Hang(mpsc::Receiver<()>),
}

#[derive(Debug)]
pub(super) struct GameBegin {
    pub(super) bot: Arc<RecordedBot>,
    /// The time when its connection opened.
    pub(super) opened: SystemTime,
    pub(super) seat: Seat,
    /// The policy that will decide.
    pub(super) policy: Arc<PolicyIdentity>,
}

/// An entry that becomes a line of a record.
#[derive(Debug)]
pub(super) enum RecordEntry {
    /// A frame, with its time since the opening of the connection. A sent frame also has a
    /// duration.
    Frame {
        at: Duration,
        text: Utf8Bytes,
        took: Option<Duration>,
    },
    /// An event, in the form of the game's records.
    Line(Arc<str>),
    Decision(Arc<DecisionNote>),
}

impl RecordEntry {
    /// Approximate memory that it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let text = match self {
            Self::Frame { text, .. } => text.len(),
            Self::Line(line) => line.len(),
            Self::Decision(note) => note.bytes(),
        };
        OVERHEAD + text
    }

    /// The counter of its sort of lines.
    pub(super) const fn counted_in<'l>(&self, lines: &'l mut LineCounts) -> &'l mut u64 {
        match self {
            Self::Frame { .. } => &mut lines.frames,
            Self::Line(_) => &mut lines.events,
            Self::Decision(_) => &mut lines.decisions,
        }
    }
}

#[derive(Debug)]
pub(super) struct GameEnding {
    pub(super) at: SystemTime,
    /// The entries that the thread did not receive.
    pub(super) missing: LineCounts,
    pub(super) played: RecordedResult,
    /// The reason if the game was not finished.
    pub(super) cut: Option<String>,
}

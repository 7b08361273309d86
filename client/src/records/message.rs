//! The messages from a bot's connection to the thread that writes its records.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use policy_host::PolicyIdentity;
use riichi::{Event, Seat};
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::manifest::{LineCounts, RecordedResult};
use super::recorded_bot::RecordedBot;
use crate::decision_note::NotedDecision;

/// Approximate memory of an entry besides its text, in bytes.
const OVERHEAD: usize = 512;

/// Tells the connections and matches of this process apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct GameNumber(u64);

impl GameNumber {
    /// One that no other has.
    pub(super) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A message to the thread that writes.
#[derive(Debug)]
pub(super) enum RecorderMessage {
    /// A bot that starts to play and may have records already.
    Tidy(Arc<RecordedBot>),
    Begin(GameNumber, Box<GameBegin>),
    /// Something to be written, with the memory that is reserved for it.
    Entry(GameNumber, RecordEntry, [OwnedSemaphorePermit; 2]),
    End(GameNumber, Box<GameEnding>),
    /// Answered when everything before it is written.
    Finish(oneshot::Sender<()>),
}

/// A game has begun.
#[derive(Debug)]
pub(super) struct GameBegin {
    pub(super) bot: Arc<RecordedBot>,
    /// When its connection opened.
    pub(super) opened: SystemTime,
    /// Own seat.
    pub(super) seat: Seat,
    /// The policy that is going to decide.
    pub(super) policy: Arc<PolicyIdentity>,
}

/// An entry that becomes a line of a record.
#[derive(Debug)]
pub(super) enum RecordEntry {
    /// A frame and when it came or went, from the opening of the connection on. One that was sent took some time.
    Frame {
        at: Duration,
        text: Utf8Bytes,
        took: Option<Duration>,
    },
    Event(Event),
    /// An event of another game than riichi, as its records have it.
    Line(String),
    Decision(Box<dyn NotedDecision>),
}

impl RecordEntry {
    /// About how much memory it takes, bytes.
    pub(super) fn bytes(&self) -> usize {
        let text = match self {
            Self::Frame { text, .. } => text.len(),
            Self::Event(_) => 0,
            Self::Line(line) => line.len(),
            Self::Decision(note) => note.bytes(),
        };
        OVERHEAD + text
    }

    /// The count of lines of its sort.
    pub(super) const fn counted_in<'l>(&self, lines: &'l mut LineCounts) -> &'l mut u64 {
        match self {
            Self::Frame { .. } => &mut lines.frames,
            Self::Event(_) | Self::Line(_) => &mut lines.events,
            Self::Decision(_) => &mut lines.decisions,
        }
    }
}

/// A game has ended.
#[derive(Debug)]
pub(super) struct GameEnding {
    pub(super) at: SystemTime,
    /// The messages that the thread did not get.
    pub(super) missing: LineCounts,
    pub(super) played: RecordedResult,
    /// Why the game was not played to its end.
    pub(super) cut: Option<String>,
}

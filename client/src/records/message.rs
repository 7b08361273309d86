//! What the connection of a bot tells the thread that writes its records.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use policy_host::PolicyIdentity;
use riichi::{Event, Seat};
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::manifest::{LineCounts, PlayedGame};
use crate::decision_note::NotedDecision;

/// What an entry takes up beside its text, bytes, about.
const OVERHEAD: usize = 512;

/// Tells the games of a bot apart that are on at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct OpenGameNumber(pub(super) u64);

/// A message to the thread.
pub(super) enum RecorderMessage {
    Begin(OpenGameNumber, Box<GameBegin>),
    /// Something to be written, with the memory that is reserved for it.
    Entry(OpenGameNumber, RecordEntry, [OwnedSemaphorePermit; 2]),
    End(OpenGameNumber, Box<GameEnding>),
    /// Answered when everything before it is written.
    Finish(oneshot::Sender<()>),
}

/// A game has begun.
#[derive(Debug)]
pub(super) struct GameBegin {
    /// When its connection opened.
    pub(super) opened: SystemTime,
    /// Own seat.
    pub(super) seat: Seat,
    /// The policy that is going to decide.
    pub(super) policy: Arc<PolicyIdentity>,
}

/// What becomes a line of a record.
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
    /// What the thread was not told.
    pub(super) missing: LineCounts,
    pub(super) played: PlayedGame,
    /// Why the game was not played to its end.
    pub(super) cut: Option<String>,
}

impl GameEnding {
    /// Of a game that nothing more was told of.
    pub(super) fn unknown() -> Self {
        let cut = Some("the bot ended in the middle of the game".to_owned());
        Self { at: SystemTime::now(), missing: LineCounts::default(), played: PlayedGame::default(), cut }
    }
}

//! The interface through which a connection records its game.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use policy_host::PolicyIdentity;
use riichi::{Event, Seat};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::folder_writer::FolderWriter;
use super::manifest::{LineCounts, RecordedResult};
use super::message::{GameBegin, GameEnding, GameNumber, RecordEntry, RecorderMessage};
use super::recorded_bot::RecordedBot;
use crate::decision_note::{DecisionNote, NotedAction};

/// Number of earlier frames at the beginning of a record.
const EARLY_FRAMES: usize = 16;
/// Maximum total size of these frames: each bot that waits for a game holds them.
const EARLY_BYTES: usize = 64 << 10;

/// Passes the frames of a connection to the bot's keeper of records without waiting.
#[derive(Debug)]
pub struct Recorder(Option<Box<ConnectionRecorder>>);

#[derive(Debug)]
struct ConnectionRecorder {
    bot: Arc<RecordedBot>,
    writer: FolderWriter,
    game: GameNumber,
    opened: Instant,
    opened_at: SystemTime,
    /// Entries before the game.
    early: VecDeque<RecordEntry>,
    playing: bool,
    /// Entries that could not be passed on. After the first of them all others are dropped too, so
    /// a record may be cut short but has no gaps.
    missing: LineCounts,
}

impl Recorder {
    /// A recorder that drops everything.
    #[must_use]
    pub const fn off() -> Self {
        Self(None)
    }

    /// For a connection that has just opened.
    pub(super) fn new(bot: Arc<RecordedBot>, writer: FolderWriter, opened_at: SystemTime) -> Self {
        Self(Some(Box::new(ConnectionRecorder {
            bot,
            writer,
            game: GameNumber::next(),
            opened: Instant::now(),
            opened_at,
            early: VecDeque::new(),
            playing: false,
            missing: LineCounts::default(),
        })))
    }

    /// Whether it records.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Records a frame that was read at this moment. Call this after the frame has been handled.
    pub fn received(&mut self, at: Instant, text: Utf8Bytes) {
        self.frame(at, text, None);
    }

    /// Records a reply, sent this long after its request had arrived.
    pub fn sent(&mut self, text: Utf8Bytes, took: Duration) {
        self.frame(Instant::now(), text, Some(took));
    }

    fn frame(&mut self, at: Instant, text: Utf8Bytes, took: Option<Duration>) {
        let Some(connection) = &mut self.0 else {
            return;
        };
        let at = at.saturating_duration_since(connection.opened);
        let entry = RecordEntry::Frame { at, text, took };
        if connection.playing {
            return connection.pass_on(entry);
        }
        let early = &mut connection.early;
        early.push_back(entry);
        while early.len() > EARLY_FRAMES
            || early.iter().map(RecordEntry::bytes).sum::<usize>() > EARLY_BYTES
        {
            early.pop_front();
        }
    }

    /// Begins the record with the earlier frames, because the game has begun.
    pub fn begins(&mut self, seat: Seat, policy: &Arc<PolicyIdentity>) {
        if let Some(connection) = self.0.as_mut().filter(|connection| !connection.playing) {
            connection.begin(seat, policy);
        }
    }

    /// Records an event of the game. The record begins with the first one after which the own seat
    /// is known.
    pub fn happened(&mut self, event: &Event, seat: Option<Seat>, policy: &Arc<PolicyIdentity>) {
        let Some(connection) = &mut self.0 else {
            return;
        };
        if let Some(seat) = seat.filter(|_| !connection.playing) {
            connection.begin(seat, policy);
            if !matches!(event, Event::StartGame { .. }) {
                connection.pass_on(RecordEntry::Event(Event::StartGame { seat: Some(seat) }));
            }
        }
        if connection.playing {
            connection.pass_on(RecordEntry::Event(*event));
        }
    }

    /// Records an event of a game other than riichi, in the form of its records.
    pub fn told(&mut self, line: String) {
        if let Some(connection) = self.0.as_mut().filter(|connection| connection.playing) {
            connection.pass_on(RecordEntry::Line(line));
        }
    }

    /// Records decisions.
    pub fn decided<A: NotedAction>(&mut self, notes: Vec<DecisionNote<A>>) {
        let Some(connection) = self.0.as_mut().filter(|connection| connection.playing) else {
            return;
        };
        for note in notes {
            connection.pass_on(RecordEntry::Decision(Box::new(note)));
        }
    }

    /// Ends the record, if a game has begun: with the result, and with the reason if the game was
    /// not finished.
    pub fn ended(self, result: impl FnOnce() -> (RecordedResult, Option<String>)) {
        let Some(mut connection) = self.0.filter(|connection| connection.playing) else {
            return;
        };
        let (played, cut) = result();
        connection.end(played, cut);
    }
}

impl ConnectionRecorder {
    fn begin(&mut self, seat: Seat, policy: &Arc<PolicyIdentity>) {
        self.playing = true;
        let (bot, policy) = (Arc::clone(&self.bot), Arc::clone(policy));
        let begin = GameBegin {
            bot,
            opened: self.opened_at,
            seat,
            policy,
        };
        self.writer
            .tell(RecorderMessage::Begin(self.game, Box::new(begin)));
        for entry in std::mem::take(&mut self.early) {
            self.pass_on(entry);
        }
    }

    fn pass_on(&mut self, entry: RecordEntry) {
        let whole = self.missing.total() == 0;
        let Err(entry) = (if whole {
            self.writer.offer(&self.bot, self.game, entry)
        } else {
            Err(entry)
        }) else {
            return;
        };
        if whole {
            self.writer.breaks_off();
        }
        *entry.counted_in(&mut self.missing) += 1;
    }

    fn end(&mut self, played: RecordedResult, cut: Option<String>) {
        self.playing = false;
        let ending = GameEnding {
            at: SystemTime::now(),
            missing: self.missing,
            played,
            cut,
        };
        self.writer
            .tell(RecorderMessage::End(self.game, Box::new(ending)));
    }
}

impl Drop for ConnectionRecorder {
    fn drop(&mut self) {
        if self.playing {
            self.end(
                RecordedResult::default(),
                Some("the bot ended in the middle of the game".to_owned()),
            );
        }
    }
}

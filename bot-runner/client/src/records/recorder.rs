//! The interface through which a connection records its game.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use policy_host::PolicyIdentity;
use riichi::Seat;
use serde_json::json;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::folder_writer::FolderWriter;
use super::manifest::{LineCounts, RecordedResult};
use super::message::{GameBegin, GameEnding, GameNumber, RecordEntry, RecorderMessage};
use super::recorded_bot::RecordedBot;
use crate::seat_news::SeatNews;

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
    /// The seat of the record.
    seat: Option<Seat>,
    /// Entries that could not be passed on. After the first of them all others are dropped too, so
    /// a record may be cut short but has no gaps.
    missing: LineCounts,
}

impl Recorder {
    /// A recorder that drops everything.
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
            seat: None,
            missing: LineCounts::default(),
        })))
    }

    /// Whether it records.
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

    /// Records news of the game, from the first that begins it.
    pub fn tell(&mut self, news: SeatNews) {
        let Some(connection) = &mut self.0 else {
            return;
        };
        let entry = match news {
            SeatNews::Began { seat, policy } if !connection.playing => {
                return connection.begin(seat, policy);
            }
            SeatNews::Line(line)
            | SeatNews::Recorded(line)
            | SeatNews::Masked { recorded: line, .. } => RecordEntry::Line(line),
            SeatNews::Decided(note) => RecordEntry::Decision(note),
            SeatNews::Began { .. } | SeatNews::Round(_) | SeatNews::Snapshot(_) => return,
        };
        if connection.playing {
            connection.pass_on(entry);
        }
    }

    /// The first line of a record of riichi; `None` before the game begins.
    pub(crate) fn riichi_start(&self) -> Option<String> {
        let connection = self.0.as_ref()?;
        let (own, options) = (connection.seat?, &connection.bot.options);
        let name = |seat: Seat| {
            if seat == own {
                options.about.bot.clone()
            } else {
                format!("seat {seat}")
            }
        };
        // Other tools require the names. The length of the game (`kyoku_first`) is omitted: arenas
        // do not send it.
        let names: Vec<String> = Seat::all(options.rules.players).map(name).collect();
        let aka_flag = options.rules.red_fives > 0;
        let own = own.index();
        let line = json!({"type": "start_game", "id": own, "names": names, "aka_flag": aka_flag});
        Some(line.to_string())
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
    fn begin(&mut self, seat: Seat, policy: Arc<PolicyIdentity>) {
        (self.playing, self.seat) = (true, Some(seat));
        let begin = GameBegin {
            bot: Arc::clone(&self.bot),
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
        let entry = match self.missing.total() {
            0 => match self.writer.offer(&self.bot, self.game, entry) {
                Ok(()) => return,
                Err(entry) => {
                    self.writer.breaks_off();
                    entry
                }
            },
            _ => entry,
        };
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

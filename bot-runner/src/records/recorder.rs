//! What a connection tells of its game while it is played.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use mahjong::{Event, Seat};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::keeper::{Begin, Direction, Inbox, Item, Message};
use super::manifest::Lines;
use crate::bot::{DecisionNote, GameReport};
use crate::session::AckCounts;
use policy_host::{FaultCounts, PolicyIdentity};

/// How many frames from before its game a record begins with.
const EARLY_FRAMES: usize = 16;
/// How many bytes these may have together: each bot that waits for a game holds them.
const EARLY_BYTES: usize = 64 << 10;

/// Hears what a connection reads and sends, and passes it on to the bot's keeper of records without ever waiting.
#[derive(Debug)]
pub struct Recorder(Option<Box<Connected>>);

#[derive(Debug)]
struct Connected {
    keeper: Inbox,
    opened: Instant,
    opened_at: SystemTime,
    /// What came before the game.
    early: VecDeque<Item>,
    playing: bool,
    /// What could not be passed on. From the first of it on nothing is, so that a record breaks off and has no holes.
    missing: Lines,
}

/// What came of a game.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Its result, when it was played to its end.
    pub report: Option<GameReport>,
    /// Why it was not.
    pub why: Option<String>,
    /// Rounds begun.
    pub rounds: u32,
    /// How requests ended.
    pub acks: AckCounts,
    /// What the policies did wrong in it.
    pub faults: FaultCounts,
    /// Differences between our picture of the game and the arena's.
    pub desyncs: u32,
    /// The first of each sort.
    pub first_desyncs: Vec<String>,
    /// Frames that could not be read.
    pub unreadable: u32,
}

impl Recorder {
    /// One that keeps nothing.
    #[must_use]
    pub const fn off() -> Self {
        Self(None)
    }

    /// For a connection that has just opened.
    pub(super) fn new(keeper: Inbox) -> Self {
        Self(Some(Box::new(Connected {
            keeper,
            opened: Instant::now(),
            opened_at: SystemTime::now(),
            early: VecDeque::new(),
            playing: false,
            missing: Lines::default(),
        })))
    }

    /// Whether anything is kept.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// A frame was read at this moment. To be told when what follows from it has been done.
    pub fn received(&mut self, at: Instant, text: Utf8Bytes) {
        self.frame(at, Direction::In, text, None);
    }

    /// A reply was sent, so long after its request had come.
    pub fn sent(&mut self, text: Utf8Bytes, took: Duration) {
        self.frame(Instant::now(), Direction::Out, text, Some(took));
    }

    fn frame(&mut self, at: Instant, direction: Direction, text: Utf8Bytes, took: Option<Duration>) {
        let Some(connected) = &mut self.0 else { return };
        let item = Item::Frame { at: at.saturating_duration_since(connected.opened), direction, text, took };
        if connected.playing {
            connected.pass_on(item);
        } else {
            connected.early.push_back(item);
            while connected.early.len() > EARLY_FRAMES
                || connected.early.iter().map(Item::bytes).sum::<usize>() > EARLY_BYTES
            {
                connected.early.pop_front();
            }
        }
    }

    /// An event of the game. The record begins with the first one after which the own seat is known.
    pub fn happened(&mut self, event: &Event, seat: Option<Seat>, policy: &Arc<PolicyIdentity>) {
        let Some(connected) = &mut self.0 else { return };
        if let Some(seat) = seat.filter(|_| !connected.playing) {
            connected.playing = true;
            let opened = connected.opened_at;
            connected.keeper.tell(Message::Begin(Box::new(Begin { opened, seat, policy: Arc::clone(policy) })));
            for item in std::mem::take(&mut connected.early) {
                connected.pass_on(item);
            }
            if !matches!(event, Event::StartGame { .. }) {
                connected.pass_on(Item::Event(Event::StartGame { seat: Some(seat) }));
            }
        }
        if connected.playing {
            connected.pass_on(Item::Event(*event));
        }
    }

    /// These decisions were made.
    pub fn decided(&mut self, notes: Vec<DecisionNote>) {
        let Some(connected) = self.0.as_mut().filter(|connected| connected.playing) else { return };
        for note in notes {
            connected.pass_on(Item::Decision(Box::new(note)));
        }
    }

    /// The connection has ended. Without a game nothing is left of it.
    pub fn ended(self, outcome: impl FnOnce() -> Outcome) {
        if let Some(connected) = self.0.filter(|connected| connected.playing) {
            let ending = Ending { at: SystemTime::now(), missing: connected.missing, outcome: outcome() };
            connected.keeper.tell(Message::End(Box::new(ending)));
        }
    }
}

impl Connected {
    fn pass_on(&mut self, item: Item) {
        let whole = self.missing.total() == 0;
        let Err(item) = (if whole { self.keeper.offer(item) } else { Err(item) }) else { return };
        if whole {
            let what = "the record of this game breaks off here: the disk is too slow for it; the game goes on";
            self.keeper.shelf.failed(format_args!("{what}"));
        }
        *item.counted_in(&mut self.missing) += 1;
    }
}

/// The end of a record.
#[derive(Debug)]
pub(super) struct Ending {
    pub(super) at: SystemTime,
    /// What was not passed on.
    pub(super) missing: Lines,
    pub(super) outcome: Outcome,
}

impl Ending {
    /// Of a game that nobody spoke of any more.
    pub(super) fn unknown() -> Self {
        let why = Some("the bot ended in the middle of the game".to_owned());
        Self { at: SystemTime::now(), missing: Lines::default(), outcome: Outcome { why, ..Outcome::default() } }
    }
}

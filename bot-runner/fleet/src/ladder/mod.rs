//! Finds the bots' ranked games on the ladders of their arenas.
//!
//! One thread of low priority asks for all bots of the process, one request after the other; no bot
//! waits for it. What is still to be found is in the results database: the games of the last days
//! about which the ladder has not told everything. So a process that is killed loses nothing.

mod matching;
mod record;
mod search;

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use client::board::Board;
use config::BotConfig;
use results::SeatLuck;
use tokio::sync::mpsc::UnboundedSender;

use self::search::{FollowedBot, LadderMessage, Search};

/// Judges a log of a game, and computes the luck of this seat.
pub type JudgeLog = fn(log: &str, seat: u8) -> JudgedLog;

/// What a log of a game with all hands says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JudgedLog {
    /// What it contradicts in the rules; `None` if nothing.
    pub contradiction: Option<String>,
    /// What luck has added to the seat's place; `None` if that cannot be known from it.
    pub luck: Option<SeatLuck>,
}

/// A rating that the ladder has told.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RatedBot {
    pub(super) bot: String,
    /// After its newest game that is known.
    pub(super) rating: f64,
}

/// How much of the bots' games the ladder has told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LadderCounts {
    /// Games found by this process.
    pub found: u64,
    /// Games that are still looked for, or whose players or log are.
    pub waiting: u64,
}

/// Looks for the games of the bots that have a `[ladder]` section.
#[derive(Debug)]
pub(super) struct LadderSearch {
    board: Board,
    judge: JudgeLog,
    rated: UnboundedSender<RatedBot>,
    counts: Arc<Mutex<LadderCounts>>,
    /// There once a bot has the section.
    thread: Option<Sender<LadderMessage>>,
}

impl LadderSearch {
    pub(super) fn new(board: Board, judge: JudgeLog, rated: UnboundedSender<RatedBot>) -> Self {
        Self {
            board,
            judge,
            rated,
            counts: Arc::default(),
            thread: None,
        }
    }

    /// Looks for a bot's games from now on, if its config says so; those that an earlier process
    /// did not find come first.
    pub(super) fn follow(&mut self, config: &BotConfig, arena: &str) {
        let Some(followed) = FollowedBot::of(config, arena) else {
            return self.tell(LadderMessage::Leave(config.name.clone()));
        };
        if self.thread.is_none() {
            let (sender, messages) = channel();
            let (board, judge, rated) = (self.board.clone(), self.judge, self.rated.clone());
            let counts = Arc::clone(&self.counts);
            let search = move || Search::new(board, judge, rated, counts).work(&messages);
            match thread::Builder::new()
                .name("ladder".to_owned())
                .spawn(search)
            {
                Ok(_) => self.thread = Some(sender),
                Err(error) => {
                    tracing::warn!(bot = %config.name, "its games are not looked for on the ladder: {error}");
                }
            }
        }
        self.tell(LadderMessage::Follow(Box::new(followed)));
    }

    /// A game of a bot has ended.
    pub(super) fn ended(&self, bot: &str) {
        self.tell(LadderMessage::Ended(bot.to_owned()));
    }

    /// Looks a last time, for so long at most; returns the counts, if a bot has the section.
    /// Blocks.
    pub(super) fn finish(&self, within: Duration) -> Option<LadderCounts> {
        let thread = self.thread.as_ref()?;
        let (done, over) = channel();
        let until = Instant::now() + within;
        if thread.send(LadderMessage::Finish(until, done)).is_ok() {
            // A request may be in progress for longer.
            let _ = over.recv_timeout(within);
        }
        Some(*self.counts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn tell(&self, message: LadderMessage) {
        if let Some(thread) = &self.thread {
            // Without its thread nothing is looked for.
            let _ = thread.send(message);
        }
    }
}

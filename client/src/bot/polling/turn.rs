//! A match that is on, and how far its last request is.

use std::time::Instant;

/// How far the last request of a match is.
#[derive(Debug)]
pub(super) enum Turn {
    /// Nothing is owed.
    Theirs,
    /// It is being decided.
    Asked { arrived: Instant, hold: Instant },
    /// The response waits for the next poll, from a moment on.
    Ready { text: String, arrived: Instant, from: Instant, told: bool },
    /// The response is in a poll of which nothing is known yet.
    Sent { text: String, arrived: Instant, poll: u64 },
}

/// A match that is on.
#[derive(Debug)]
pub(super) struct PlayedMatch<M> {
    pub(super) dialect: M,
    pub(super) turn: Turn,
    /// When something was heard of it last.
    pub(super) last_news: Instant,
}

impl<M> PlayedMatch<M> {
    /// A match just heard of.
    pub(super) fn new(dialect: M) -> Self {
        Self { dialect, turn: Turn::Theirs, last_news: Instant::now() }
    }

    /// From when on a response waits to be sent.
    pub(super) const fn ready_from(&self) -> Option<Instant> {
        match self.turn {
            Turn::Ready { from, .. } => Some(from),
            _ => None,
        }
    }

    /// Whether it is being decided.
    pub(super) const fn is_asked(&self) -> bool {
        matches!(self.turn, Turn::Asked { .. })
    }

    /// The number of the poll that its response is in.
    pub(super) const fn sent_in(&self) -> Option<u64> {
        match self.turn {
            Turn::Sent { poll, .. } => Some(poll),
            _ => None,
        }
    }

    /// The response of a poll that may not have been read is to be sent again, from a moment on.
    pub(super) fn send_again(&mut self, from: Instant) {
        self.turn = match std::mem::replace(&mut self.turn, Turn::Theirs) {
            Turn::Sent { text, arrived, .. } => Turn::Ready { text, arrived, from, told: true },
            other => other,
        };
    }
}

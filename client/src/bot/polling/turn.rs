//! A match that is on, and how far its last request is.

use std::time::Instant;

/// Longest request, bytes: none of our games has one of a tenth of this.
const MAX_REQUEST: usize = 4 << 10;

/// Most requests of a match: three times as many as the longest has.
const MAX_REQUESTS: u32 = 1_000;

/// How far the last request of a match is.
#[derive(Debug)]
pub(super) enum Turn {
    /// It begins with this request when another match may begin.
    Waits { first: String },
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
    /// Whether one of our responses was taken.
    pub(super) answered: bool,
    /// How many requests of it came.
    requests: u32,
}

/// Whether a request has a length that a match may have.
pub(super) const fn is_short(request: &str) -> bool {
    request.len() <= MAX_REQUEST
}

impl<M> PlayedMatch<M> {
    /// A match just heard of.
    pub(super) fn new(dialect: M) -> Self {
        Self { dialect, turn: Turn::Theirs, last_news: Instant::now(), answered: false, requests: 0 }
    }

    /// Counts a request; an error with the reason where no match has such a one or so many.
    pub(super) fn count(&mut self, request: &str) -> Result<(), String> {
        self.requests += 1;
        if !is_short(request) {
            return Err(format!("a request has {} bytes, and none has more than {MAX_REQUEST}", request.len()));
        }
        if self.requests > MAX_REQUESTS {
            return Err(format!("more than {MAX_REQUESTS} requests came, and no match has so many"));
        }
        Ok(())
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

    /// Whether it has not begun.
    pub(super) const fn waits(&self) -> bool {
        matches!(self.turn, Turn::Waits { .. })
    }

    /// Whether its response was in a poll, which may have been read.
    pub(super) const fn was_sent(&self) -> bool {
        matches!(self.turn, Turn::Sent { .. } | Turn::Ready { told: true, .. })
    }

    /// The response of a poll that may not have been read is to be sent again, from a moment on.
    pub(super) fn send_again(&mut self, from: Instant) {
        self.turn = match std::mem::replace(&mut self.turn, Turn::Theirs) {
            Turn::Sent { text, arrived, .. } => Turn::Ready { text, arrived, from, told: true },
            other => other,
        };
    }
}

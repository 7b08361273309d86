//! The time limits of an account, and its rates of polls and matches, so that a site that answers
//! at once does not set the pace.

use std::time::{Duration, Instant};

/// The time limits of an account. The default suits the public site.
#[derive(Debug, Clone, Copy)]
pub struct PollPatience {
    /// Delay after a failed poll; it doubles with each further failure.
    pub first_wait: Duration,
    /// Maximum delay between two polls, and between two matches that are created.
    pub longest_wait: Duration,
    /// Delay after the site reported that it is closed; it doubles with each further report.
    pub closed_wait: Duration,
    /// Minimum time between two polls without news.
    pub shortest_poll: Duration,
    /// Delay of a poll for pending answers.
    pub linger: Duration,
    /// Delay of an answer whose request may be a repetition.
    pub repeat: Duration,
    /// Maximum time until the safe answer.
    pub answer: Duration,
    /// Delay between two matches that are created, and after a temporary refusal to create one.
    pub between_matches: Duration,
    /// Minimum time between two matches that others begin, once the account plays its maximum at
    /// once.
    pub begin_every: Duration,
    /// A match without events for this long is abandoned.
    pub silent_match: Duration,
    /// A permit that finds no match for this long passes to a waiting bot.
    pub turn: Duration,
}

impl Default for PollPatience {
    fn default() -> Self {
        Self {
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(300),
            closed_wait: Duration::from_secs(5),
            shortest_poll: Duration::from_millis(250),
            linger: Duration::from_millis(50),
            repeat: Duration::from_millis(300),
            // Botzone's own limit is 10 s unless a match sets another.
            answer: Duration::from_secs(8),
            between_matches: Duration::from_secs(1),
            begin_every: Duration::from_secs(1),
            silent_match: Duration::from_secs(600),
            turn: Duration::from_secs(600),
        }
    }
}

/// Polls with answers that may follow each other at once, and how soon each makes room for another.
const MAX_ANSWERS_AT_ONCE: u32 = 200;
const ANSWER_EVERY: Duration = Duration::from_millis(5);

/// The same for polls without an answer. Their interval is a part of the account's patience.
const MAX_EMPTY_AT_ONCE: u32 = 8;

/// Pause after each byte of a body: an account that reads long bodies without a pause takes the
/// processor from other bots.
pub(super) const PAUSE_PER_BYTE: Duration = Duration::from_nanos(250);

/// The polls of an account. Those with answers are counted separately, so that no answer waits for
/// those without.
#[derive(Debug)]
pub(super) struct PollPace {
    answers: Bucket,
    empty: Bucket,
    /// No poll without an answer is sent before this moment.
    empty_from: Instant,
}

impl PollPace {
    /// For an account before its first poll; polls without answers are sent at this interval in the
    /// long run.
    pub(super) fn new(now: Instant, empty_every: Duration) -> Self {
        Self {
            answers: Bucket::new(now, MAX_ANSWERS_AT_ONCE, ANSWER_EVERY),
            empty: Bucket::new(now, MAX_EMPTY_AT_ONCE, empty_every),
            empty_from: now,
        }
    }

    /// The time at which the next poll may be sent.
    pub(super) fn due(&self, answers: bool) -> Instant {
        if answers {
            self.answers.due()
        } else {
            self.empty.due().max(self.empty_from)
        }
    }

    /// Counts a sent poll.
    pub(super) fn sent(&mut self, now: Instant, answers: bool) {
        if answers {
            self.answers.take(now)
        } else {
            self.empty.take(now)
        }
    }

    /// Delays the next poll without an answer, because the last one brought nothing.
    pub(super) fn brought_nothing(&mut self, until: Instant) {
        self.empty_from = self.empty_from.max(until);
    }
}

/// A bucket of this many at once, refilled by one after each interval.
#[derive(Debug)]
pub(super) struct Bucket {
    at_once: u32,
    every: Duration,
    /// The time at which it is full again.
    full: Instant,
}

impl Bucket {
    pub(super) const fn new(now: Instant, at_once: u32, every: Duration) -> Self {
        Self {
            at_once,
            every,
            full: now,
        }
    }

    pub(super) fn due(&self) -> Instant {
        let room = self.every * (self.at_once - 1);
        self.full.checked_sub(room).unwrap_or(self.full)
    }

    pub(super) fn take(&mut self, now: Instant) {
        self.full = self.full.max(now) + self.every;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polls_may_follow_each_other_at_once_for_a_while_and_then_at_their_pace() {
        let now = Instant::now() + Duration::from_secs(1_000);
        let every = Duration::from_millis(250);
        let mut pace = PollPace::new(now, every);
        for _ in 0..MAX_EMPTY_AT_ONCE {
            assert!(pace.due(false) <= now);
            pace.sent(now, false);
        }
        assert_eq!(pace.due(false), now + every);
        assert!(
            pace.due(true) <= now,
            "an answer does not wait for polls without one"
        );
        let later = now + every * (MAX_EMPTY_AT_ONCE + 5);
        pace.sent(later, false);
        assert!(pace.due(false) <= later, "it is full again, and no fuller");
        for _ in 0..MAX_ANSWERS_AT_ONCE {
            assert!(pace.due(true) <= later);
            pace.sent(later, true);
        }
        assert_eq!(pace.due(true), later + ANSWER_EVERY);
    }

    #[test]
    fn after_a_poll_that_brought_nothing_only_those_without_an_answer_wait() {
        let now = Instant::now();
        let mut pace = PollPace::new(now, Duration::from_millis(250));
        pace.brought_nothing(now + Duration::from_millis(250));
        assert_eq!(pace.due(false), now + Duration::from_millis(250));
        assert!(pace.due(true) <= now);
    }
}

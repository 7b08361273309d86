//! The time limits of an account, and how fast it polls and accepts matches, so that a site that answers at once does
//! not set the pace.

use std::time::{Duration, Instant};

/// The time limits of an account. The default suits the public site.
#[derive(Debug, Clone, Copy)]
pub struct PollPatience {
    /// Wait after a poll that failed; while nothing works it doubles.
    pub first_wait: Duration,
    /// Maximum wait between two polls, and between two matches that are created.
    pub longest_wait: Duration,
    /// Wait after the site said that it is closed; while it says so it doubles.
    pub closed_wait: Duration,
    /// Minimum time between two polls without news.
    pub shortest_poll: Duration,
    /// How long a poll is delayed for answers that are being thought about.
    pub linger: Duration,
    /// How long an answer is held back if its request may be a repetition.
    pub repeat: Duration,
    /// When the safe answer is due at the latest.
    pub answer: Duration,
    /// Wait between two matches that are made, and after the site refused to make one for a reason that may pass.
    pub between_matches: Duration,
    /// Minimum time between two matches that others begin, once the account plays its maximum at once.
    pub begin_every: Duration,
    /// A match without news for this long is given up.
    pub silent_match: Duration,
    /// A permit that finds no match for this long goes to a bot that waits for one.
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

/// The same of polls that carry no answer. How soon they make room is a part of the account's patience.
const MAX_EMPTY_AT_ONCE: u32 = 8;

/// Pause after each byte of a body: an account that reads long bodies without a pause takes the processor from other
/// bots.
pub(super) const PAUSE_PER_BYTE: Duration = Duration::from_nanos(250);

/// The polls of an account. Those with answers are counted apart, so that no answer waits for those without.
#[derive(Debug)]
pub(super) struct PollPace {
    answers: Bucket,
    empty: Bucket,
    /// No poll without an answer is sent before.
    empty_from: Instant,
}

impl PollPace {
    /// For an account that has not polled yet; polls without answers then give way after this time.
    pub(super) fn new(now: Instant, empty_every: Duration) -> Self {
        Self {
            answers: Bucket::new(now, MAX_ANSWERS_AT_ONCE, ANSWER_EVERY),
            empty: Bucket::new(now, MAX_EMPTY_AT_ONCE, empty_every),
            empty_from: now,
        }
    }

    /// When the next poll may be sent.
    pub(super) fn due(&self, answers: bool) -> Instant {
        if answers { self.answers.due() } else { self.empty.due().max(self.empty_from) }
    }

    /// A poll is sent.
    pub(super) fn sent(&mut self, now: Instant, answers: bool) {
        if answers { self.answers.take(now) } else { self.empty.take(now) }
    }

    /// A poll brought nothing: the next one without an answer waits until then.
    pub(super) fn brought_nothing(&mut self, until: Instant) {
        self.empty_from = self.empty_from.max(until);
    }
}

/// So many at once, and one more after each interval.
#[derive(Debug)]
pub(super) struct Bucket {
    at_once: u32,
    every: Duration,
    /// When it is full again.
    full: Instant,
}

impl Bucket {
    pub(super) const fn new(now: Instant, at_once: u32, every: Duration) -> Self {
        Self { at_once, every, full: now }
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
        assert!(pace.due(true) <= now, "an answer does not wait for polls without one");
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

//! How long an account waits for what does not come.

use std::time::Duration;

/// How long an account waits. The default suits the public site.
#[derive(Debug, Clone, Copy)]
pub struct PollPatience {
    /// Wait after a poll that failed; while nothing works it doubles.
    pub first_wait: Duration,
    /// Longest wait between two polls, and between two matches that are made.
    pub longest_wait: Duration,
    /// Wait after the site said that it is closed; while it says so it doubles.
    pub closed_wait: Duration,
    /// Shortest time between two polls that brought nothing.
    pub shortest_poll: Duration,
    /// How long a poll is put off for answers that are being thought about.
    pub linger: Duration,
    /// How long an answer is held back when its request may be a repetition.
    pub repeat: Duration,
    /// When the safe answer is due at the latest.
    pub answer: Duration,
    /// Wait between two matches that are made, and after the site refused to make one for a reason that may pass.
    pub between_matches: Duration,
    /// Time between two matches that others begin, once as many as an account plays at once have begun.
    pub begin_every: Duration,
    /// After so long without news a match is given up.
    pub silent_match: Duration,
    /// After so long without a match a permit goes to a bot that waits for one.
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
            // Botzone's own limit is 10 s where a match has no other.
            answer: Duration::from_secs(8),
            between_matches: Duration::from_secs(1),
            begin_every: Duration::from_secs(1),
            silent_match: Duration::from_secs(600),
            turn: Duration::from_secs(600),
        }
    }
}

/// Waits that double while nothing works.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Failures(u32);

impl Failures {
    /// Something worked.
    pub(super) const fn reset(&mut self) {
        self.0 = 0;
    }

    /// The wait after one more failure, from `first` on.
    pub(super) fn next(&mut self, first: Duration, longest: Duration) -> Duration {
        let wait = first.saturating_mul(1 << self.0.min(20)).min(longest);
        self.0 += 1;
        wait
    }

    /// How many there were in a row.
    pub(super) const fn count(self) -> u32 {
        self.0
    }
}

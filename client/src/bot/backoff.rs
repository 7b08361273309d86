//! Delays before retries, and limits on waiting.

use std::time::Duration;

use crate::transport::Limits;

/// How long a bot waits for an arena. The default suits the public arena.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// Wait after a first fault before the next connection; while nothing works it doubles.
    pub first_wait: Duration,
    /// Wait after a game that was over almost before it began.
    pub after_short_game: Duration,
    /// Maximum wait between two connections.
    pub longest_wait: Duration,
    /// Maximum time that a game may continue at the arena after the bot has lost its connection.
    pub lost_game: Duration,
    /// How long a bot may keep its turn to queue while others wait for it.
    pub turn: Duration,
    /// How long the verdict may take after a validation game.
    pub verdict: Duration,
    /// The limits of an open connection.
    pub connection: Limits,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            first_wait: Duration::from_secs(5),
            after_short_game: Duration::from_secs(1),
            longest_wait: Duration::from_secs(300),
            lost_game: Duration::from_secs(3600),
            turn: Duration::from_secs(600),
            verdict: Duration::from_secs(10),
            connection: Limits::default(),
        }
    }
}

/// Waits that double while nothing works, each shortened at random by up to a fifth so that many bots do not come back
/// in one moment.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// The wait after one more failure, from `first` on. `jitter` is a random number from 0 to 1.
    pub(super) fn next(&mut self, first: Duration, longest: Duration, jitter: f64) -> Duration {
        let wait = first.saturating_mul(1 << self.failures.min(20)).min(longest);
        self.failures += 1;
        wait.mul_f64(1.0 - 0.2 * jitter.clamp(0.0, 1.0))
    }

    /// Failures in a row.
    pub(super) const fn failures(self) -> u32 {
        self.failures
    }

    /// Something worked: start over.
    pub(super) fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_five_minutes_and_start_over_after_success() {
        let Patience { first_wait, longest_wait, .. } = Patience::default();
        let mut backoff = Backoff::default();
        let waits: Vec<u64> = (0..8).map(|_| backoff.next(first_wait, longest_wait, 0.0).as_secs()).collect();
        assert_eq!(waits, [5, 10, 20, 40, 80, 160, 300, 300]);
        backoff.reset();
        assert_eq!(backoff.next(first_wait, longest_wait, 1.0), Duration::from_secs(4));
    }
}

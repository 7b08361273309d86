//! Delays before retries, and limits on waiting.

use std::time::Duration;

use crate::transport::Limits;

/// Time limits and delays for an arena. The default suits the public arena.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// Delay after a first fault before the next connection; it doubles with each further failure.
    pub first_wait: Duration,
    /// Delay after a game with hardly any requests.
    pub after_short_game: Duration,
    /// Maximum delay between two connections.
    pub longest_wait: Duration,
    /// Time in the queue after which the arena has admitted the bot normally.
    pub let_in: Duration,
    /// Maximum time that a game may continue at the arena after the bot has lost its connection.
    pub lost_game: Duration,
    /// Maximum time that a bot keeps its turn to queue while others wait for it.
    pub turn: Duration,
    /// Maximum time between a validation game and the verdict.
    pub verdict: Duration,
    pub connection: Limits,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            first_wait: Duration::from_secs(5),
            after_short_game: Duration::from_secs(1),
            longest_wait: Duration::from_secs(300),
            let_in: Duration::from_secs(60),
            lost_game: Duration::from_secs(3600),
            turn: Duration::from_secs(600),
            verdict: Duration::from_secs(10),
            connection: Limits::default(),
        }
    }
}

/// Delays that double with each failure. Each is shortened at random by up to a fifth, so that many
/// bots do not reconnect at once.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// The delay after one more failure, at least `first`. `jitter` is a random number from 0 to 1.
    pub(super) fn next(&mut self, first: Duration, longest: Duration, jitter: f64) -> Duration {
        let wait = first
            .saturating_mul(1 << self.failures.min(20))
            .min(longest);
        self.failures += 1;
        wait.mul_f64(1.0 - 0.2 * jitter.clamp(0.0, 1.0))
    }

    /// Failures in a row.
    pub(super) const fn failures(self) -> u32 {
        self.failures
    }

    /// Resets the delays after a success.
    pub(super) fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_five_minutes_and_start_over_after_success() {
        let Patience {
            first_wait,
            longest_wait,
            ..
        } = Patience::default();
        let mut backoff = Backoff::default();
        let waits: Vec<u64> = (0..8)
            .map(|_| backoff.next(first_wait, longest_wait, 0.0).as_secs())
            .collect();
        assert_eq!(waits, [5, 10, 20, 40, 80, 160, 300, 300]);
        backoff.reset();
        assert_eq!(
            backoff.next(first_wait, longest_wait, 1.0),
            Duration::from_secs(4)
        );
    }
}

//! How long to wait before the next connection.

use std::time::Duration;

/// First wait after a fault.
const FIRST: Duration = Duration::from_secs(5);
/// Longest wait between two attempts.
const LONGEST: Duration = Duration::from_secs(60);

/// Waits that grow while nothing works: 5, 10, 20, 40, 60, 60 … seconds, each shortened at random by up to a fifth so
/// that many bots do not come back in one moment.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// The next wait. `jitter` is a random number from 0 to 1.
    pub(super) fn next(&mut self, jitter: f64) -> Duration {
        let wait = FIRST.saturating_mul(1 << self.failures.min(8)).min(LONGEST);
        self.failures += 1;
        wait.mul_f64(1.0 - 0.2 * jitter.clamp(0.0, 1.0))
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
    fn waits_double_up_to_a_minute_and_start_over_after_success() {
        let mut backoff = Backoff::default();
        let waits: Vec<u64> = (0..6).map(|_| backoff.next(0.0).as_secs()).collect();
        assert_eq!(waits, [5, 10, 20, 40, 60, 60]);
        backoff.reset();
        assert_eq!(backoff.next(1.0), Duration::from_secs(4));
    }
}

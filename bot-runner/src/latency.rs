//! How long something took, time and again.

use std::time::Duration;

use hdrhistogram::Histogram;

/// Longest time that is told from longer ones, microseconds.
const LONGEST_US: u64 = 60_000_000;

/// How long replies or decisions took, to about 1 %.
#[derive(Debug, Clone)]
pub struct Latency(Histogram<u32>);

impl Default for Latency {
    fn default() -> Self {
        Self(Histogram::new_with_bounds(1, LONGEST_US, 2).expect("these bounds are in order"))
    }
}

impl Latency {
    /// Adds one.
    pub fn record(&mut self, took: Duration) {
        self.0.saturating_record(u64::try_from(took.as_micros()).unwrap_or(LONGEST_US));
    }

    /// Whether there was none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The time that a share (0 to 1) of them did not exceed.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Duration {
        Duration::from_micros(self.0.value_at_quantile(share))
    }
}

//! Measured durations.

use std::time::Duration;

use hdrhistogram::Histogram;

/// The longest duration that is recorded exactly, in microseconds.
const MAX_US: u64 = 60_000_000;

/// Upper bounds of the groups of [`ReplyTimes`], in seconds; longer times are in none of them.
pub const REPLY_BOUNDS: [f64; 12] = [
    0.000_25, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 3.0, 10.0,
];

/// Counts of replies by duration.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ReplyTimes {
    /// The count of each group of [`REPLY_BOUNDS`].
    pub groups: [u64; REPLY_BOUNDS.len()],
    pub count: u64,
    /// The sum of the times, in seconds.
    pub sum: f64,
}

/// Durations of replies or decisions, to about 1 %.
#[derive(Debug, Clone)]
pub struct Latency {
    histogram: Histogram<u32>,
    times: ReplyTimes,
}

impl Default for Latency {
    fn default() -> Self {
        let histogram =
            Histogram::new_with_bounds(1, MAX_US, 2).expect("these bounds are in order");
        Self {
            histogram,
            times: ReplyTimes::default(),
        }
    }
}

impl Latency {
    pub fn record(&mut self, took: Duration) {
        self.histogram
            .saturating_record(u64::try_from(took.as_micros()).unwrap_or(MAX_US));
        let seconds = took.as_secs_f64();
        self.times.count += 1;
        self.times.sum += seconds;
        if let Some(group) = REPLY_BOUNDS.iter().position(|&bound| seconds <= bound) {
            self.times.groups[group] += 1;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.histogram.is_empty()
    }

    /// The time that this share (0 to 1) of the durations did not exceed.
    pub fn quantile(&self, share: f64) -> Duration {
        Duration::from_micros(self.histogram.value_at_quantile(share))
    }

    /// The durations in groups.
    pub const fn times(&self) -> &ReplyTimes {
        &self.times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_in_the_first_group_whose_bound_it_does_not_exceed() {
        let mut latency = Latency::default();
        for took in [
            Duration::from_micros(250),
            Duration::from_micros(251),
            Duration::from_secs(11),
        ] {
            latency.record(took);
        }
        let ReplyTimes { groups, count, sum } = *latency.times();
        assert_eq!(
            (groups[0], groups[1], groups.iter().sum::<u64>(), count),
            (1, 1, 2, 3)
        );
        assert!((sum - 11.000_501).abs() < 1e-9, "{sum}");
    }
}

//! Means with their uncertainty.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Share of intervals that hold the true value.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// A mean over independent values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub mean: f64,
    /// Its standard error and the 95 % interval by Student's t; `None` for a single value.
    pub spread: Option<Spread>,
}

/// How uncertain a mean is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub standard_error: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
}

impl Spread {
    /// The one whose 95 % interval this is by Student's t; `None` without a degree of freedom.
    pub fn of_interval([low, high]: [f64; 2], degrees: f64) -> Option<Self> {
        let one = spread_of(0.0, 1.0, degrees)?;
        Some(Self {
            standard_error: (high - low) / (one.high - one.low),
            low,
            high,
        })
    }
}

/// From how many games of a bot on an interval is shown: of fewer it says little.
pub const MIN_GAMES_OF_INTERVAL: u64 = 10;

impl Estimate {
    /// The same, an average over so many games of a bot; without its interval if they are too few,
    /// or all alike.
    #[must_use]
    pub fn over_games(self, games: u64) -> Self {
        let shown = |spread: &Spread| games >= MIN_GAMES_OF_INTERVAL && spread.standard_error > 0.0;
        Self {
            spread: self.spread.filter(shown),
            ..self
        }
    }

    /// The same with its interval cut at the least and the greatest value that the mean can have.
    #[must_use]
    pub fn within(self, least: f64, greatest: f64) -> Self {
        let cut = |spread: Spread| Spread {
            low: spread.low.max(least),
            high: spread.high.min(greatest),
            ..spread
        };
        Self {
            spread: self.spread.map(cut),
            ..self
        }
    }
}

/// The mean of values; `None` when there are none.
pub fn estimate(values: &[f64]) -> Option<Estimate> {
    let n = values.len() as f64;
    if values.is_empty() {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n;
    let variance = values
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / (n - 1.0);
    Some(Estimate {
        mean,
        spread: spread_of(mean, (variance / n).sqrt(), n - 1.0),
    })
}

/// The mean of values that come one by one, without the values.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RunningMean {
    count: u64,
    mean: f64,
    /// The squares of how far the values lie from their mean.
    squares: f64,
}

impl RunningMean {
    /// Takes a value in (Welford).
    pub(crate) fn add(&mut self, value: f64) {
        self.count += 1;
        let away = value - self.mean;
        self.mean += away / self.count as f64;
        self.squares += away * (value - self.mean);
    }

    /// Takes a value in so many times.
    pub(crate) fn add_many(&mut self, value: f64, times: u64) {
        if times == 0 {
            return;
        }
        let (before, added) = (self.count as f64, times as f64);
        let away = value - self.mean;
        self.count += times;
        self.mean += away * added / (before + added);
        self.squares += away * away * before * added / (before + added);
    }

    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// The mean, and the sum of the squares of how far the values lie from it; both 0 when there
    /// were no values.
    pub(crate) const fn mean_and_squares(&self) -> (f64, f64) {
        (self.mean, self.squares)
    }
}

/// How uncertain a mean of this standard error is by Student's t; `None` without a degree of
/// freedom.
pub fn spread_of(mean: f64, standard_error: f64, degrees: f64) -> Option<Spread> {
    let t = StudentsT::new(0.0, 1.0, degrees).ok()?;
    let half = t.inverse_cdf(f64::midpoint(CONFIDENCE, 1.0)) * standard_error;
    Some(Spread {
        standard_error,
        low: mean - half,
        high: mean + half,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 5e-4, "{found} instead of {wanted}");
    }

    #[test]
    fn mean_standard_error_and_interval_are_those_computed_by_hand() {
        // Mean 2.5; squares of deviations 0.25, 0, 0.25; variance 0.25; standard error 0.5 /
        // sqrt(3) = 0.2887. Student's t for 2 degrees of freedom at 97.5 %: 4.3027.
        let Estimate { mean, spread } = estimate(&[2.0, 2.5, 3.0]).expect("there are values");
        let spread = spread.expect("there are several");
        close(mean, 2.5);
        close(spread.standard_error, 0.2887);
        close(spread.low, 2.5 - 1.2421);
        close(spread.high, 2.5 + 1.2421);
    }

    #[test]
    fn values_that_come_one_by_one_have_the_mean_and_squares_of_all() {
        let mut running = RunningMean::default();
        [2.0, 2.5, 3.0, 1.25]
            .into_iter()
            .for_each(|value| running.add(value));
        let (mean, squares) = running.mean_and_squares();
        close(mean, 2.1875);
        // 0.1875, 0.3125, 0.8125 and 0.9375, each squared.
        close(squares, 1.671_875);
    }

    #[test]
    fn the_interval_uses_students_t_of_the_tables() {
        // Tabulated 97.5 % quantiles for 1, 9, 30 and 333 degrees of freedom.
        for (count, quantile) in [(2, 12.7062), (10, 2.2622), (31, 2.0423), (334, 1.9671)] {
            let values: Vec<f64> = (0..count).map(|index| f64::from(index % 2)).collect();
            let spread = estimate(&values)
                .and_then(|estimate| estimate.spread)
                .expect("there are several");
            close(
                (spread.high - spread.low) / 2.0 / spread.standard_error,
                quantile,
            );
        }
    }

    #[test]
    fn an_interval_gives_its_standard_error_back() {
        let spread = spread_of(1500.0, 3.0, 19.0).expect("there are degrees of freedom");
        let again = Spread::of_interval([spread.low, spread.high], 19.0);
        close(again.expect("as before").standard_error, 3.0);
        assert_eq!(Spread::of_interval([1.0, 2.0], 0.0), None);
    }

    #[test]
    fn a_single_value_has_no_interval_and_none_no_mean() {
        assert_eq!(
            estimate(&[2.0]),
            Some(Estimate {
                mean: 2.0,
                spread: None
            })
        );
        assert_eq!(estimate(&[]), None);
    }
}

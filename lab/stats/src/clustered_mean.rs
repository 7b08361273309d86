//! Means of values, some of which share their luck: bots at one table of a ladder, games on one wall.
//!
//! The uncertainty is computed over independent units, the groups that share nothing (the sandwich estimator for
//! clusters). If all values are independent, this is Student's interval of a mean and Welch's of a difference.

use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::estimate::{Estimate, spread_of};

/// Values with their groups of shared luck.
#[derive(Debug, Clone, Default)]
pub struct ClusteredMean {
    groups: BTreeMap<u64, LuckGroup>,
    sum: f64,
    count: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct LuckGroup {
    sum: f64,
    count: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanDifference {
    /// The difference, with its 95 % interval.
    pub estimate: Estimate,
    /// The probability that two equal means would give a difference as large, in either direction; `None` if the
    /// uncertainty is not known, or there is none.
    pub chance: Option<f64>,
}

impl ClusteredMean {
    /// Adds a value, which shares its luck with all others of this group.
    pub fn add(&mut self, group: u64, value: f64) {
        let sums = self.groups.entry(group).or_default();
        sums.sum += value;
        sums.count += 1;
        self.sum += value;
        self.count += 1;
    }

    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The mean; `None` when there are no values.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let mean = self.mean()?;
        let degrees = self.groups.len() as f64 - 1.0;
        Some(Estimate { mean, spread: spread_of(mean, self.variance(mean).sqrt(), degrees) })
    }

    /// The difference of this mean to another; `None` if one of them has no values.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<MeanDifference> {
        let (own, theirs) = (self.mean()?, other.mean()?);
        let (own_variance, their_variance) = (self.variance(own), other.variance(theirs));
        let (own_degrees, their_degrees) = (self.groups.len() as f64 - 1.0, other.groups.len() as f64 - 1.0);
        let common: Vec<f64> = self
            .groups
            .iter()
            .filter_map(|(group, sums)| {
                let their_sums = other.groups.get(group)?;
                Some(self.influence(sums, own) * other.influence(their_sums, theirs))
            })
            .collect();
        let corrections = (own_degrees + 1.0) / own_degrees * ((their_degrees + 1.0) / their_degrees);
        let covariance = common.iter().sum::<f64>() * corrections.sqrt();
        let variance = (own_variance + their_variance - 2.0 * covariance).max(0.0);
        let degrees = if common.is_empty() {
            (own_variance + their_variance).powi(2)
                / (own_variance.powi(2) / own_degrees + their_variance.powi(2) / their_degrees)
        } else {
            own_degrees.min(their_degrees)
        };
        let (mean, standard_error) = (own - theirs, variance.sqrt());
        let spread = spread_of(mean, standard_error, degrees);
        let chance = spread.filter(|_| standard_error > 0.0).and_then(|_| {
            let t = StudentsT::new(0.0, 1.0, degrees).ok()?;
            Some(2.0 * t.cdf(-(mean / standard_error).abs()))
        });
        Some(MeanDifference { estimate: Estimate { mean, spread }, chance })
    }

    fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// By how much a group moves the mean.
    fn influence(&self, group: &LuckGroup, mean: f64) -> f64 {
        (group.sum - group.count as f64 * mean) / self.count as f64
    }

    /// The variance of the mean; not a number for a single group.
    fn variance(&self, mean: f64) -> f64 {
        let groups = self.groups.len() as f64;
        let squares: f64 = self.groups.values().map(|group| self.influence(group, mean).powi(2)).sum();
        groups / (groups - 1.0) * squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::estimate;

    fn alone(from: u64, values: &[f64]) -> ClusteredMean {
        let mut luck = ClusteredMean::default();
        for (group, &value) in (from..).zip(values) {
            luck.add(group, value);
        }
        luck
    }

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9
    }

    #[test]
    fn independent_values_give_students_interval_of_their_mean() {
        let values = [1.0, 2.0, 4.0, 3.0, 1.0];
        let (one, other) = (alone(0, &values).estimate().unwrap(), estimate(&values).unwrap());
        let (spread, expected) = (one.spread.unwrap(), other.spread.unwrap());
        assert!(near(one.mean, other.mean) && near(spread.low, expected.low) && near(spread.high, expected.high));
    }

    #[test]
    fn independent_values_give_welchs_test_of_their_difference() {
        // The example of R's `t.test(extra ~ group, data = sleep)`: t = -1.8608, df = 17.776, p = 0.07939,
        // interval -3.3654832 to 0.2054832.
        let one = alone(0, &[0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]);
        let two = alone(100, &[1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]);
        let MeanDifference { estimate, chance } = one.difference(&two).unwrap();
        let spread = estimate.spread.unwrap();
        assert!((estimate.mean + 1.58).abs() < 1e-9);
        assert!((spread.low + 3.365_483_2).abs() < 1e-5 && (spread.high - 0.205_483_2).abs() < 1e-5, "{spread:?}");
        assert!((chance.unwrap() - 0.079_39).abs() < 1e-5, "{chance:?}");
    }

    #[test]
    fn values_at_the_same_tables_give_the_paired_test_of_their_difference() {
        // The same data, paired: t = -4.0621, df = 9, p = 0.002833, interval -2.4598858 to -0.7001142.
        let one = alone(0, &[0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]);
        let two = alone(0, &[1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]);
        let MeanDifference { estimate, chance } = one.difference(&two).unwrap();
        let spread = estimate.spread.unwrap();
        assert!((spread.low + 2.459_885_8).abs() < 1e-5 && (spread.high + 0.700_114_2).abs() < 1e-5, "{spread:?}");
        assert!((chance.unwrap() - 0.002_833).abs() < 1e-6, "{chance:?}");
    }

    #[test]
    fn a_sample_given_twice_is_as_uncertain_as_given_once() {
        let values = [1.0, 2.0, 4.0, 3.0, 1.0];
        let mut twice = alone(0, &values);
        for (group, &value) in (0..).zip(&values) {
            twice.add(group, value);
        }
        let (once, twice) = (alone(0, &values).estimate().unwrap(), twice.estimate().unwrap());
        assert!(near(once.spread.unwrap().standard_error, twice.spread.unwrap().standard_error));
    }

    #[test]
    fn a_single_value_has_no_interval_and_none_has_no_mean() {
        assert_eq!(alone(0, &[]).estimate(), None);
        assert_eq!(alone(0, &[2.0]).estimate().unwrap().spread, None);
        let difference = alone(0, &[2.0]).difference(&alone(1, &[1.0, 3.0])).unwrap();
        assert_eq!((difference.estimate.spread, difference.chance), (None, None));
    }
}

//! Means of values, some of which share their luck: bots at one table of a ladder, games on one
//! wall.
//!
//! The uncertainty is computed over independent units, the groups that share nothing (the sandwich
//! estimator for clusters). If all values are independent, this is Student's interval of a mean and
//! Welch's of a difference.

use std::collections::BTreeMap;

use crate::comparison::{Advantage, Basis, imagined_squares, least_chance};
use crate::estimate::{Estimate, spread_of};

/// Values with their groups of shared luck.
#[derive(Debug, Clone, Default)]
pub struct ClusteredMean {
    groups: BTreeMap<u64, LuckGroup>,
    sum: f64,
    count: u64,
}

/// One of two samples that share no group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeparateSample {
    pub(crate) mean: f64,
    /// The variance of the mean.
    pub(crate) variance: f64,
    /// Number of groups.
    pub(crate) groups: f64,
    /// The least and the greatest mean of a group.
    pub(crate) least: f64,
    pub(crate) greatest: f64,
}

/// The difference of two means without a common group, with or without imagined values in its
/// variance.
pub(crate) fn difference_of_separate(
    one: &SeparateSample,
    other: &SeparateSample,
    with_imagined: bool,
) -> Advantage {
    let fewer = one.groups.min(other.groups);
    let ends = [one.least.min(other.least), one.greatest.max(other.greatest)];
    // The least and the greatest value of both are imagined once more in each, as heavy as the
    // average group.
    let variance = |of: &SeparateSample| {
        if !with_imagined {
            return of.variance;
        }
        let squares: f64 = ends
            .iter()
            .map(|value| ((value - of.mean) / of.groups).powi(2))
            .sum();
        of.variance + of.groups / (of.groups - 1.0) * squares
    };
    let (own, theirs) = (variance(one), variance(other));
    let degrees = (own + theirs).powi(2)
        / (own.powi(2) / (one.groups - 1.0) + theirs.powi(2) / (other.groups - 1.0));
    // As likely as that are all values of one sample greater than all of the other.
    let ways = (1..=fewer as u64)
        .map(|taken| (one.groups + other.groups - (fewer - taken as f64)) / taken as f64);
    let least = if with_imagined {
        2.0 / ways.product::<f64>()
    } else {
        0.0
    };
    let basis = Basis {
        groups: fewer as u64,
        is_alike: ends[0] == ends[1],
    };
    let error = (own + theirs).sqrt();
    let advantage = Advantage::of(one.mean - other.mean, error, degrees, least, basis);
    if basis.is_alike {
        advantage.without_interval()
    } else {
        advantage
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct LuckGroup {
    sum: f64,
    count: u64,
}

impl LuckGroup {
    fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }
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

    /// Adds all values of another.
    pub fn merge(&mut self, other: &Self) {
        for (group, sums) in &other.groups {
            let own = self.groups.entry(*group).or_default();
            own.sum += sums.sum;
            own.count += sums.count;
        }
        self.sum += other.sum;
        self.count += other.count;
    }

    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The mean; `None` when there are no values.
    pub fn estimate(&self) -> Option<Estimate> {
        let mean = self.mean()?;
        let degrees = self.groups.len() as f64 - 1.0;
        Some(Estimate {
            mean,
            spread: spread_of(mean, self.variance(mean).sqrt(), degrees),
        })
    }

    /// By how much this mean is greater than another; `None` if one of them has no values.
    pub fn advantage_over(&self, other: &Self) -> Option<Advantage> {
        self.difference(other, true)
    }

    /// By how much the mean is greater than this number; `None` without values.
    pub fn advantage_over_number(&self, number: f64) -> Option<Advantage> {
        let mean = self.mean()?;
        let away =
            |group: &LuckGroup| (group.sum - group.count as f64 * number) / self.count as f64;
        let squares = self.groups.values().map(|group| away(group).powi(2)).sum();
        let differing = self
            .groups
            .values()
            .filter(|group| away(group) != 0.0)
            .count() as u64;
        let groups = self.groups.len() as f64;
        let variance =
            self.variance(mean) + groups / (groups - 1.0) * imagined_squares(squares, differing);
        let basis = Basis {
            groups: self.groups.len() as u64,
            is_alike: differing == 0,
        };
        Some(Advantage::of(
            mean - number,
            variance.sqrt(),
            groups - 1.0,
            least_chance(differing),
            basis,
        ))
    }

    /// The difference of the means, with or without imagined values in its variance.
    fn difference(&self, other: &Self, with_imagined: bool) -> Option<Advantage> {
        let (own, theirs) = (self.mean()?, other.mean()?);
        let (own_groups, their_groups) = (self.groups.len() as f64, other.groups.len() as f64);
        let fewer = self.groups.len().min(other.groups.len());
        let (own_degrees, their_degrees) = (own_groups - 1.0, their_groups - 1.0);
        let common: Vec<f64> = self
            .groups
            .iter()
            .filter_map(|(group, sums)| {
                let their_sums = other.groups.get(group)?;
                Some(self.influence(sums, own) * other.influence(their_sums, theirs))
            })
            .collect();
        let (own_variance, their_variance) = (self.variance(own), other.variance(theirs));
        if common.is_empty() {
            let sample = |of: &Self, mean: f64, variance: f64| {
                let means = || of.groups.values().map(LuckGroup::mean);
                SeparateSample {
                    mean,
                    variance,
                    groups: of.groups.len() as f64,
                    least: means().fold(f64::INFINITY, f64::min),
                    greatest: means().fold(f64::NEG_INFINITY, f64::max),
                }
            };
            return Some(difference_of_separate(
                &sample(self, own, own_variance),
                &sample(other, theirs, their_variance),
                with_imagined,
            ));
        }
        let corrections = (own_groups / own_degrees * (their_groups / their_degrees)).sqrt();
        let covariance = common.iter().sum::<f64>() * corrections;
        let mut variance = (own_variance + their_variance - 2.0 * covariance).max(0.0);
        // Groups of both are differences, as those on the same walls are.
        let pooled = (self.sum + other.sum) / (self.count + other.count) as f64;
        let none = LuckGroup::default();
        let all = self.groups.iter().chain(
            other
                .groups
                .iter()
                .filter(|(group, _)| !self.groups.contains_key(*group)),
        );
        let differences = all.map(|(group, _)| {
            let sums = |of: &Self| of.influence(of.groups.get(group).unwrap_or(&none), pooled);
            sums(self) - sums(other)
        });
        let (squares, differing) = differences
            .filter(|difference| *difference != 0.0)
            .fold((0.0, 0), |(squares, count), difference| {
                (squares + difference * difference, count + 1)
            });
        if with_imagined {
            variance += corrections * imagined_squares(squares, differing);
        }
        let degrees = own_degrees.min(their_degrees);
        let least = if with_imagined {
            least_chance(differing)
        } else {
            0.0
        };
        let basis = Basis {
            groups: fewer as u64,
            is_alike: differing == 0,
        };
        let advantage = Advantage::of(own - theirs, variance.sqrt(), degrees, least, basis);
        Some(if basis.is_alike {
            advantage.without_interval()
        } else {
            advantage
        })
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
        let squares: f64 = self
            .groups
            .values()
            .map(|group| self.influence(group, mean).powi(2))
            .sum();
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
        let (one, other) = (
            alone(0, &values).estimate().unwrap(),
            estimate(&values).unwrap(),
        );
        let (spread, expected) = (one.spread.unwrap(), other.spread.unwrap());
        assert!(
            near(one.mean, other.mean)
                && near(spread.low, expected.low)
                && near(spread.high, expected.high)
        );
    }

    #[test]
    fn independent_values_give_welchs_test_of_their_difference() {
        // The example of R's `t.test(extra ~ group, data = sleep)`: t = -1.8608, df = 17.776, p =
        // 0.07939, interval -3.3654832 to 0.2054832.
        let one = alone(0, &[0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]);
        let two = alone(100, &[1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]);
        let Advantage {
            estimate, chance, ..
        } = one.difference(&two, false).unwrap();
        let spread = estimate.spread.unwrap();
        assert!((estimate.mean + 1.58).abs() < 1e-9);
        assert!(
            (spread.low + 3.365_483_2).abs() < 1e-5 && (spread.high - 0.205_483_2).abs() < 1e-5,
            "{spread:?}"
        );
        assert!((chance.unwrap() - 0.079_39).abs() < 1e-5, "{chance:?}");
    }

    #[test]
    fn values_at_the_same_tables_give_the_paired_test_of_their_difference() {
        // The same data, paired: t = -4.0621, df = 9, p = 0.002833, interval -2.4598858 to
        // -0.7001142.
        let one = alone(0, &[0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]);
        let two = alone(0, &[1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]);
        let Advantage {
            estimate, chance, ..
        } = one.difference(&two, false).unwrap();
        let spread = estimate.spread.unwrap();
        assert!(
            (spread.low + 2.459_885_8).abs() < 1e-5 && (spread.high + 0.700_114_2).abs() < 1e-5,
            "{spread:?}"
        );
        assert!((chance.unwrap() - 0.002_833).abs() < 1e-6, "{chance:?}");
    }

    #[test]
    fn a_sample_given_twice_is_as_uncertain_as_given_once() {
        let values = [1.0, 2.0, 4.0, 3.0, 1.0];
        let mut twice = alone(0, &values);
        for (group, &value) in (0..).zip(&values) {
            twice.add(group, value);
        }
        let (once, twice) = (
            alone(0, &values).estimate().unwrap(),
            twice.estimate().unwrap(),
        );
        assert!(near(
            once.spread.unwrap().standard_error,
            twice.spread.unwrap().standard_error
        ));
    }

    #[test]
    fn samples_whose_values_are_all_alike_have_no_interval_and_few_values_show_nothing() {
        let alike = alone(0, &[8.0; 12])
            .advantage_over(&alone(100, &[8.0; 12]))
            .unwrap();
        assert_eq!((alike.estimate.mean, alike.estimate.spread), (0.0, None));
        // Ten firsts against six firsts and four seconds: by Fisher's exact test 0.087.
        let (firsts, mixed) = (
            [1.0; 10],
            [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0],
        );
        let chance = alone(0, &firsts)
            .advantage_over(&alone(100, &mixed))
            .unwrap()
            .chance;
        assert!(
            chance.is_some_and(|chance| (0.05..0.12).contains(&chance)),
            "{chance:?}"
        );
        // Two against two differ so in one of three cases.
        let chance = alone(0, &[1.0, 1.0])
            .advantage_over(&alone(100, &[4.0, 4.0]))
            .unwrap()
            .chance;
        assert!(
            chance.is_some_and(|chance| chance >= 1.0 / 3.0 - 1e-9),
            "{chance:?}"
        );
    }

    #[test]
    fn samples_of_one_distribution_are_said_to_differ_in_few_cases() {
        // Places, nearly always firsts, and points of which few are large; also of samples of
        // different sizes.
        let kinds: [(&[f64], &[f64]); 3] = [
            (&[1.0, 2.0, 3.0, 4.0], &[0.25, 0.5, 0.75]),
            (&[1.0, 2.0, 3.0, 4.0], &[0.85, 0.95, 0.98]),
            (&[-8.0, 24.0, 48.0, 88.0], &[0.78, 0.94, 0.99]),
        ];
        let mut random = fastrand::Rng::with_seed(11);
        let mut sample = |(values, below): (&[f64], &[f64]), from: u64, count: u64| {
            let mut sample = ClusteredMean::default();
            for group in from..from + count {
                let luck = random.f64();
                sample.add(
                    group,
                    values[below.iter().filter(|&&share| luck >= share).count()],
                );
            }
            sample
        };
        for kind in kinds {
            for (one, other) in [(10, 10), (10, 40), (30, 200)] {
                let wrong = (0..1000).filter(|_| {
                    let advantage = sample(kind, 0, one)
                        .advantage_over(&sample(kind, 1000, other))
                        .unwrap();
                    advantage.chance.is_some_and(|chance| chance < 0.05)
                });
                let wrong = wrong.count();
                assert!(wrong <= 50, "{kind:?}, {one} and {other}: {wrong} of 1000");
            }
        }
    }

    #[test]
    fn values_at_the_same_tables_are_compared_by_their_differences() {
        let (one, other) = ([1.0, 2.0, 4.0, 3.0, 1.0], [2.0, 2.0, 1.0, 1.0, 4.0]);
        let mut differences = crate::comparison::Differences::default();
        one.iter()
            .zip(other)
            .for_each(|(one, other)| differences.add(one - other));
        let (paired, wanted) = (
            alone(0, &one).advantage_over(&alone(0, &other)).unwrap(),
            differences.advantage().unwrap(),
        );
        let (spread, expected) = (
            paired.estimate.spread.unwrap(),
            wanted.estimate.spread.unwrap(),
        );
        assert!(
            near(paired.estimate.mean, wanted.estimate.mean) && near(spread.high, expected.high),
            "{paired:?}"
        );
        assert!(near(paired.chance.unwrap(), wanted.chance.unwrap()));
        let same = alone(0, &one).advantage_over(&alone(0, &one)).unwrap();
        assert_eq!((same.estimate.mean, same.estimate.spread), (0.0, None));
    }

    #[test]
    fn a_mean_is_compared_with_a_number_as_differences_to_it_are() {
        let values = [1.0, 2.0, 4.0, 3.0, 1.0];
        let mut differences = crate::comparison::Differences::default();
        values.iter().for_each(|value| differences.add(value - 2.5));
        let (one, other) = (
            alone(0, &values).advantage_over_number(2.5).unwrap(),
            differences.advantage().unwrap(),
        );
        let (spread, expected) = (one.estimate.spread.unwrap(), other.estimate.spread.unwrap());
        assert!(near(one.estimate.mean, other.estimate.mean) && near(spread.low, expected.low));
        assert!(near(one.chance.unwrap(), other.chance.unwrap()));
    }

    #[test]
    fn a_single_value_has_no_interval_and_none_has_no_mean() {
        assert_eq!(alone(0, &[]).estimate(), None);
        assert_eq!(alone(0, &[2.0]).estimate().unwrap().spread, None);
        let difference = alone(0, &[2.0])
            .advantage_over(&alone(1, &[1.0, 3.0]))
            .unwrap();
        assert_eq!(
            (difference.estimate.spread, difference.chance),
            (None, None)
        );
        assert_eq!(
            difference.basis,
            Basis {
                groups: 1,
                is_alike: false
            }
        );
    }

    #[test]
    fn games_at_one_table_are_told_from_tables_without_a_difference() {
        let at_one = |values: &[f64]| {
            let mut luck = ClusteredMean::default();
            values.iter().for_each(|&value| luck.add(7, value));
            luck
        };
        let (one, other) = (at_one(&[1.0, 2.0, 3.0]), at_one(&[2.0, 3.0, 4.0]));
        let met = one.advantage_over(&other).unwrap();
        assert_eq!(
            (met.estimate.spread, met.basis),
            (
                None,
                Basis {
                    groups: 1,
                    is_alike: false
                }
            )
        );
        let average = one.advantage_over_number(2.5).unwrap();
        assert_eq!(
            (average.estimate.spread, average.basis),
            (
                None,
                Basis {
                    groups: 1,
                    is_alike: false
                }
            )
        );
        let same = alone(0, &[1.0, 2.0])
            .advantage_over(&alone(0, &[1.0, 2.0]))
            .unwrap();
        assert_eq!(
            same.basis,
            Basis {
                groups: 2,
                is_alike: true
            }
        );
        assert_eq!(
            alone(0, &[2.5; 4])
                .advantage_over_number(2.5)
                .unwrap()
                .basis,
            Basis {
                groups: 4,
                is_alike: true
            }
        );
    }
}

//! Means of values whose groups of shared luck come one after the other.

use serde::{Deserialize, Serialize};

use crate::clustered_mean::{SeparateSample, difference_of_separate};
use crate::comparison::Advantage;
use crate::estimate::{Estimate, spread_of};

/// The mean of values whose groups of shared luck are each added whole: games of a player. It is
/// what [`ClusteredMean`](crate::ClusteredMean) computes, and takes the same memory for any number
/// of groups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct GroupMean {
    groups: u64,
    count: u64,
    sum: f64,
    /// Over the groups: the squares of their sums, of their counts, and sum times count.
    squares: f64,
    squared_counts: f64,
    products: f64,
    /// The least and the greatest mean of a group.
    least: f64,
    greatest: f64,
}

impl GroupMean {
    /// Adds a group of so many values with this sum.
    pub fn add(&mut self, count: u64, sum: f64) {
        if count == 0 {
            return;
        }
        let of_count = count as f64;
        let mean = sum / of_count;
        self.merge(&Self {
            groups: 1,
            count,
            sum,
            squares: sum * sum,
            squared_counts: of_count * of_count,
            products: sum * of_count,
            least: mean,
            greatest: mean,
        });
    }

    /// Adds all groups of another.
    pub fn merge(&mut self, other: &Self) {
        if other.groups == 0 {
            return;
        }
        if self.groups == 0 {
            *self = *other;
            return;
        }
        self.groups += other.groups;
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.squared_counts += other.squared_counts;
        self.products += other.products;
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
    }

    pub const fn groups(&self) -> u64 {
        self.groups
    }

    /// Number of values.
    pub const fn count(&self) -> u64 {
        self.count
    }

    pub const fn sum(&self) -> f64 {
        self.sum
    }

    /// The mean; `None` when there are no values.
    pub fn estimate(&self) -> Option<Estimate> {
        let sample = self.sample()?;
        let mean = sample.mean;
        Some(Estimate {
            mean,
            spread: spread_of(mean, sample.variance.sqrt(), sample.groups - 1.0),
        })
    }

    /// By how much this mean is greater than another, which shares no group with it; `None` if one
    /// of them has no values.
    pub fn advantage_over(&self, other: &Self) -> Option<Advantage> {
        Some(difference_of_separate(
            &self.sample()?,
            &other.sample()?,
            true,
        ))
    }

    fn sample(&self) -> Option<SeparateSample> {
        let (groups, count) = (self.groups as f64, self.count as f64);
        let mean = self.sum / count;
        let squares = self.squares - 2.0 * mean * self.products + mean * mean * self.squared_counts;
        (self.count > 0).then(|| SeparateSample {
            mean,
            // Rounding may leave less than nothing.
            variance: groups / (groups - 1.0) * squares.max(0.0) / (count * count),
            groups,
            least: self.least,
            greatest: self.greatest,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clustered_mean::ClusteredMean;

    const GAMES: [&[f64]; 6] = [
        &[0.1, 0.4],
        &[0.0],
        &[0.7, 0.2, 0.3],
        &[],
        &[0.05, 0.1],
        &[1.5],
    ];

    fn both(from: u64, games: &[&[f64]]) -> (GroupMean, ClusteredMean) {
        let (mut means, mut clusters) = (GroupMean::default(), ClusteredMean::default());
        for (number, game) in (from..).zip(games) {
            means.add(game.len() as u64, game.iter().sum());
            game.iter().for_each(|&value| clusters.add(number, value));
        }
        (means, clusters)
    }

    fn near(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-9, "{one} and {other}");
    }

    #[test]
    fn the_mean_and_its_interval_are_those_of_clusters() {
        let (means, clusters) = both(0, &GAMES);
        let (one, other) = (means.estimate().unwrap(), clusters.estimate().unwrap());
        near(one.mean, other.mean);
        let (one, other) = (one.spread.unwrap(), other.spread.unwrap());
        near(one.low, other.low);
        near(one.high, other.high);
        assert_eq!((means.groups(), means.count()), (5, 9));
    }

    #[test]
    fn the_difference_of_two_is_that_of_clusters_without_a_common_group() {
        let (more, more_clusters) = both(100, &[&[2.0, 1.0], &[1.5], &[0.9, 1.1], &[2.5]]);
        let (less, less_clusters) = both(0, &GAMES);
        let one = more.advantage_over(&less).unwrap();
        let other = more_clusters.advantage_over(&less_clusters).unwrap();
        near(one.estimate.mean, other.estimate.mean);
        near(one.chance.unwrap(), other.chance.unwrap());
        assert_eq!(one.basis, other.basis);
    }

    #[test]
    fn parts_that_are_merged_are_as_one() {
        let (whole, _) = both(0, &GAMES);
        let (mut part, _) = both(0, &GAMES[..2]);
        part.merge(&GroupMean::default());
        part.merge(&both(2, &GAMES[2..]).0);
        near(
            part.estimate().unwrap().mean,
            whole.estimate().unwrap().mean,
        );
        assert_eq!(part.groups(), whole.groups());
        assert!(GroupMean::default().estimate().is_none());
    }
}

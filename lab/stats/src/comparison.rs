//! Which of two is better, and how sure that is. Every sentence about strength follows from a
//! [`Comparison`], and without an interval there is no verdict.
//!
//! The interval of an advantage is Student's, or Welch's for two separate samples, with imagined
//! values in its variance. Few values on a coarse scale are often alike or nearly so by luck, and
//! would then seem certain: walls on which two configs place alike but for a few, or ten games with
//! the same place. Agresti and Coull (Approximate is better than "exact" for interval estimation of
//! binomial proportions, The American Statistician 52, 1998) add two successes and two failures to
//! a sample, and Agresti and Caffo (Simple and effective confidence intervals for proportions and
//! differences of proportions, ibid. 54, 2000) one of each to each of two samples. So do these
//! intervals: the variance of one sample of differences counts four more values, as far from 0 as
//! those that are not 0, and that of each of two samples counts the least and the greatest value of
//! both. Among many values the imagined ones hardly matter.
//!
//! Several comparisons that lead to one conclusion are judged together by Holm's method (A simple
//! sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979): the
//! chance that any verdict among them is false stays within the error rate.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use crate::estimate::{
    CONFIDENCE, Estimate, MIN_GAMES_OF_INTERVAL, RunningMean, Spread, spread_of,
};

/// The chance that any verdict of a conclusion is false.
const ERROR_RATE: f64 = 1.0 - CONFIDENCE;

/// The imagined values of one sample of differences.
const IMAGINED: f64 = 4.0;

/// A difference is shown in this share of cases by the number of values that [`Comparison::needed`]
/// returns.
const POWER: f64 = 0.8;

/// By how much one is better than another, before it is [judged](Comparison::judge).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advantage {
    /// The mean, with its 95 % interval. There is none for fewer than two independent values, or if
    /// no value differs.
    pub estimate: Estimate,
    /// The probability that two equally good ones give a mean as far from 0, in either direction;
    /// `None` without an interval.
    pub chance: Option<f64>,
    pub basis: Basis,
}

/// The values from which an advantage was computed, which say why it may have no interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Basis {
    /// The number of independent values: walls or tables. Of two samples, that of the smaller one.
    pub groups: u64,
    /// Whether no value differs: from that of the other, or from the number with which it is
    /// compared.
    pub is_alike: bool,
}

impl Advantage {
    /// From a mean with this standard error. The number of values allows no chance below `least`.
    pub(crate) fn of(
        mean: f64,
        standard_error: f64,
        degrees: f64,
        least: f64,
        basis: Basis,
    ) -> Self {
        let spread = (standard_error > 0.0)
            .then(|| spread_of(mean, standard_error, degrees))
            .flatten();
        let chance = spread.and_then(|_| {
            let t = StudentsT::new(0.0, 1.0, degrees).ok()?;
            Some((2.0 * t.cdf(-(mean / standard_error).abs())).max(least))
        });
        Self {
            estimate: Estimate { mean, spread },
            chance,
            basis,
        }
    }

    /// That of the other over this one.
    #[must_use]
    pub fn reversed(self) -> Self {
        let Estimate { mean, spread } = self.estimate;
        let spread = spread.map(|spread| Spread {
            low: -spread.high,
            high: -spread.low,
            ..spread
        });
        Self {
            estimate: Estimate {
                mean: -mean,
                spread,
            },
            ..self
        }
    }

    /// The estimate of the values themselves, whose differences to this number these are.
    pub fn estimate_from(&self, number: f64) -> Estimate {
        let Estimate { mean, spread } = self.estimate;
        let spread = spread.map(|spread| Spread {
            low: number + spread.low,
            high: number + spread.high,
            ..spread
        });
        Estimate {
            mean: number + mean,
            spread,
        }
    }

    /// The same, over so many games of each; without its interval if they are too few.
    #[must_use]
    pub fn over_games(self, games: u64) -> Self {
        if games >= MIN_GAMES_OF_INTERVAL {
            self
        } else {
            self.without_interval()
        }
    }

    /// The same without an interval, which shows nothing.
    #[must_use]
    pub(crate) const fn without_interval(self) -> Self {
        Self {
            estimate: Estimate {
                spread: None,
                ..self.estimate
            },
            chance: None,
            ..self
        }
    }
}

/// The differences of two on the same walls, or of one to what is usual: independent values, whose
/// mean is 0 if there is no advantage.
#[derive(Debug, Clone, Copy, Default)]
pub struct Differences {
    all: RunningMean,
    /// The number of values that are not 0, and the sum of their squares.
    differing: u64,
    squares: f64,
}

impl Differences {
    pub fn add(&mut self, difference: f64) {
        self.all.add(difference);
        self.differing += u64::from(difference != 0.0);
        self.squares += difference * difference;
    }

    pub const fn count(&self) -> u64 {
        self.all.count()
    }

    /// Number of values that are not 0.
    pub const fn differing(&self) -> u64 {
        self.differing
    }

    /// The mean with its interval; `None` without values.
    pub fn advantage(&self) -> Option<Advantage> {
        let count = self.all.count() as f64;
        let (mean, squares) = self.all.mean_and_squares();
        let imagined = imagined_squares(self.squares, self.differing);
        let error = ((squares + imagined) / (count * (count - 1.0))).sqrt();
        let basis = Basis {
            groups: self.all.count(),
            is_alike: self.differing == 0,
        };
        (self.all.count() > 0).then(|| {
            Advantage::of(
                mean,
                error,
                count - 1.0,
                least_chance(self.differing),
                basis,
            )
        })
    }
}

/// The chance that so many values that are not 0 all have the same sign by luck: they cannot show
/// more.
pub(crate) fn least_chance(differing: u64) -> f64 {
    2.0 * 0.5_f64.powf(differing as f64)
}

/// The sum of the squares of the imagined values of one sample, from that of its values and the
/// number of those that are not 0.
pub(crate) fn imagined_squares(squares: f64, differing: u64) -> f64 {
    if differing > 0 {
        IMAGINED * squares / differing as f64
    } else {
        0.0
    }
}

/// Which of two is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The first is better.
    Better,
    /// The first is worse.
    Worse,
    /// It is not shown that either is better.
    NotShown,
    /// The values have no interval, so nothing is known.
    NoInterval,
}

impl Verdict {
    /// Its name in files and for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::NotShown => "not_shown",
            Self::NoInterval => "no_interval",
        }
    }

    /// The verdict on the second.
    #[must_use]
    pub const fn of_the_other(self) -> Self {
        match self {
            Self::Better => Self::Worse,
            Self::Worse => Self::Better,
            same => same,
        }
    }
}

/// An advantage with the verdict that follows from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    pub advantage: Advantage,
    pub verdict: Verdict,
    /// The chance below which an advantage was taken for shown.
    rate: f64,
}

impl Comparison {
    /// Judges one comparison that leads to a conclusion alone: the interval excludes 0, or nothing
    /// is shown.
    pub fn alone(advantage: Advantage) -> Self {
        Self::at(advantage, ERROR_RATE)
    }

    /// Judges the comparisons of one conclusion together: the probability that any verdict among
    /// them is false is at most 5 % (Holm).
    pub fn judge(advantages: &[Advantage]) -> Vec<Self> {
        let chance = |index: usize| advantages[index].chance.unwrap_or(1.0);
        let mut order: Vec<usize> = (0..advantages.len()).collect();
        order.sort_by(|&one, &other| chance(one).total_cmp(&chance(other)));
        let rate = |before: usize| ERROR_RATE / (advantages.len() - before) as f64;
        // What is less certain than one that is not shown is not shown either.
        let shown = order
            .iter()
            .enumerate()
            .take_while(|(before, index)| chance(**index) < rate(*before))
            .count();
        let mut judged: Vec<Self> = advantages
            .iter()
            .map(|&advantage| Self::at(advantage, ERROR_RATE))
            .collect();
        for (place, index) in order.into_iter().enumerate() {
            judged[index] = Self::at(advantages[index], rate(place.min(shown)));
        }
        judged
    }

    /// The same with its interval cut at the least and the greatest value that the mean can have.
    #[must_use]
    pub fn within(self, least: f64, greatest: f64) -> Self {
        let estimate = self.advantage.estimate.within(least, greatest);
        Self {
            advantage: Advantage {
                estimate,
                ..self.advantage
            },
            ..self
        }
    }

    fn at(advantage: Advantage, rate: f64) -> Self {
        let verdict = match advantage.chance {
            None => Verdict::NoInterval,
            Some(chance) if chance >= rate => Verdict::NotShown,
            Some(_) if advantage.estimate.mean > 0.0 => Verdict::Better,
            Some(_) => Verdict::Worse,
        };
        Self {
            advantage,
            verdict,
            rate,
        }
    }

    /// Of so many values that have not shown a difference, how many would show one as large as
    /// measured in four of five cases: rounded up to two digits, because it is an estimate, and at
    /// least a tenth more than there were. `None` if it is shown, without an interval, or if no one
    /// would take so many.
    pub fn needed(&self, values: f64) -> Option<u64> {
        rounded_up(values * self.needed_share(self.advantage.estimate.mean)?.max(1.1))
    }

    /// The same for a difference of this size; `None` also if so many values would have shown it.
    pub fn needed_for(&self, difference: f64, values: f64) -> Option<u64> {
        rounded_up(values * self.needed_share(difference).filter(|share| *share > 1.0)?)
    }

    /// How many times as many values would show a difference of this size.
    fn needed_share(&self, difference: f64) -> Option<f64> {
        let spread = self
            .advantage
            .estimate
            .spread
            .filter(|_| self.verdict == Verdict::NotShown)?;
        let normal = Normal::standard();
        let errors = normal.inverse_cdf(1.0 - self.rate / 2.0) + normal.inverse_cdf(POWER);
        Some((errors * spread.standard_error / difference).powi(2))
    }
}

/// A number of values, rounded up to two digits; `None` if no one would take so many.
fn rounded_up(needed: f64) -> Option<u64> {
    const MAX_NEEDED: f64 = 1e8;
    let unit = 10_f64.powf(needed.max(1.0).log10().floor() - 1.0).max(1.0);
    (needed < MAX_NEEDED).then(|| ((needed / unit).ceil() * unit) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: Basis = Basis {
        groups: 1_000_001,
        is_alike: false,
    };

    fn advantage(values: &[f64]) -> Advantage {
        let mut differences = Differences::default();
        values.iter().for_each(|&value| differences.add(value));
        differences.advantage().expect("there are values")
    }

    fn verdict(values: &[f64]) -> Verdict {
        Comparison::alone(advantage(values)).verdict
    }

    #[test]
    fn the_interval_is_students_with_four_imagined_values_in_its_variance() {
        // Mean 0.5, squares around it 5; of the four values three are not 0, with squares of 6 in
        // all, so the imagined ones add 4 times 2. The standard error is the root of 13 / 12;
        // Student's t for three degrees is 3.1824.
        let Advantage {
            estimate, chance, ..
        } = advantage(&[1.0, -1.0, 2.0, 0.0]);
        let spread = estimate.spread.expect("there are several");
        let error = (13.0_f64 / 12.0).sqrt();
        assert_eq!(estimate.mean, 0.5);
        assert!((spread.standard_error - error).abs() < 1e-12, "{spread:?}");
        assert!(
            (spread.low - (0.5 - 3.1824 * error)).abs() < 1e-3,
            "{spread:?}"
        );
        assert!(
            chance.is_some_and(|chance| (0.6..0.7).contains(&chance)),
            "{chance:?}"
        );
    }

    #[test]
    fn among_many_values_the_imagined_ones_hardly_matter() {
        let values: Vec<f64> = (0..1000).map(|index| f64::from(index % 5) - 1.9).collect();
        let plain = crate::estimate::estimate(&values)
            .and_then(|estimate| estimate.spread)
            .expect("there are several");
        let spread = advantage(&values)
            .estimate
            .spread
            .expect("there are several");
        assert!(
            (spread.standard_error / plain.standard_error - 1.0).abs() < 0.003,
            "{spread:?} and {plain:?}"
        );
    }

    #[test]
    fn without_an_interval_there_is_no_verdict() {
        for values in [&[2.0][..], &[0.0, 0.0], &[0.0; 50]] {
            assert_eq!(
                (advantage(values).estimate.spread, verdict(values)),
                (None, Verdict::NoInterval),
                "{values:?}"
            );
        }
        assert_eq!(Differences::default().advantage(), None);
    }

    #[test]
    fn one_value_is_told_from_values_without_a_difference() {
        let basis = |values: &[f64]| advantage(values).basis;
        assert_eq!(
            basis(&[2.0]),
            Basis {
                groups: 1,
                is_alike: false
            }
        );
        assert_eq!(
            basis(&[0.0; 3]),
            Basis {
                groups: 3,
                is_alike: true
            }
        );
        assert_eq!(
            basis(&[0.0, 2.0]),
            Basis {
                groups: 2,
                is_alike: false
            }
        );
        assert_eq!(
            advantage(&[0.0, 2.0]).reversed().without_interval().basis,
            basis(&[0.0, 2.0])
        );
    }

    #[test]
    fn few_values_that_are_alike_show_nothing_and_six_do() {
        for count in 2..=5 {
            assert_eq!(
                verdict(&vec![2.0; count]),
                Verdict::NotShown,
                "{count} values"
            );
        }
        assert_eq!(
            (verdict(&[2.0; 6]), verdict(&[-2.0; 6])),
            (Verdict::Better, Verdict::Worse)
        );
        // Nor does the number of walls without a difference help.
        let few = |differing: usize| [vec![2.0; differing], vec![0.0; 200]].concat();
        assert_eq!(
            (verdict(&few(6)), verdict(&few(7))),
            (Verdict::NotShown, Verdict::Better)
        );
    }

    #[test]
    fn of_values_that_are_as_likely_above_as_below_0_few_samples_show_a_difference() {
        // Values that are all equally far from 0 are the worst case: the chance follows from the
        // binomial coefficients.
        let wrong = |count: usize, differing: usize| -> f64 {
            let shown = |above: usize| {
                let values = [
                    vec![1.0; above],
                    vec![-1.0; differing - above],
                    vec![0.0; count - differing],
                ]
                .concat();
                let Comparison {
                    advantage, verdict, ..
                } = Comparison::alone(advantage(&values));
                let shown = matches!(verdict, Verdict::Better | Verdict::Worse);
                let excludes_0 = advantage
                    .estimate
                    .spread
                    .is_some_and(|spread| spread.low > 0.0 || spread.high < 0.0);
                assert_eq!(
                    shown,
                    excludes_0,
                    "{above} above and {} below 0 of {count}",
                    differing - above
                );
                shown
            };
            let mut ways = 0.5_f64.powi(differing as i32);
            let mut sum = 0.0;
            for above in 0..=differing {
                sum += if shown(above) { ways } else { 0.0 };
                ways *= (differing - above) as f64 / (above + 1) as f64;
            }
            sum
        };
        let (mut all, mut cases) = (0.0, 0.0);
        for count in 2..=50 {
            for differing in 1..=count {
                let wrong = wrong(count, differing);
                assert!(wrong < 0.058, "{differing} of {count}: {wrong}");
                (all, cases) = (all + wrong, cases + 1.0);
            }
        }
        assert!(all / cases < 0.03, "{}", all / cases);
    }

    #[test]
    fn comparisons_of_one_conclusion_are_judged_by_holm() {
        let of = |mean: f64| Advantage::of(mean, 1.0, 1e6, 0.0, MANY);
        // Chances of 0.0027, 0.0357 and 0.0455: against 0.05 / 3, 0.05 / 2 and 0.05.
        let verdicts = |means: &[f64]| -> Vec<Verdict> {
            let judged = Comparison::judge(&means.iter().map(|&mean| of(mean)).collect::<Vec<_>>());
            judged.iter().map(|comparison| comparison.verdict).collect()
        };
        use Verdict::{Better, NotShown, Worse};
        assert_eq!(verdicts(&[2.0, -3.0, 2.1]), [NotShown, Worse, NotShown]);
        // 0.0214 is below 0.05 / 2, and then 0.0455 below 0.05.
        assert_eq!(verdicts(&[2.0, -3.0, 2.3]), [Better, Worse, Better]);
        assert_eq!(verdicts(&[2.0]), [Better]);
        let without = [of(2.0), of(5.0).without_interval()];
        let judged = Comparison::judge(&without);
        assert_eq!(
            [judged[0].verdict, judged[1].verdict],
            [NotShown, Verdict::NoInterval]
        );
    }

    #[test]
    fn of_many_configs_that_play_alike_any_is_said_to_differ_in_few_conclusions() {
        let mut random = fastrand::Rng::with_seed(5);
        let wrong = (0..1000).filter(|_| {
            let configs: Vec<Vec<f64>> = (0..5)
                .map(|_| (0..20).map(|_| random.f64()).collect())
                .collect();
            let pairs = (0..5).flat_map(|one| (one + 1..5).map(move |other| (one, other)));
            let advantages: Vec<Advantage> = pairs
                .map(|(one, other)| {
                    let values: Vec<f64> = configs[one]
                        .iter()
                        .zip(&configs[other])
                        .map(|(a, b)| a - b)
                        .collect();
                    advantage(&values)
                })
                .collect();
            Comparison::judge(&advantages)
                .iter()
                .any(|judged| judged.verdict != Verdict::NotShown)
        });
        let wrong = wrong.count();
        assert!(wrong <= 50, "{wrong} of 1000");
    }

    #[test]
    fn the_number_that_is_needed_shows_a_difference_in_four_of_five_cases() {
        // A mean of one standard error: 1.96 and 0.84 of them take 7.85 times as many values.
        let of =
            |mean: f64, error: f64| Comparison::alone(Advantage::of(mean, error, 1e6, 0.0, MANY));
        assert_eq!(
            (of(0.1, 0.1).needed(1000.0), of(0.05, 0.1).needed(1000.0)),
            (Some(7_900), Some(32_000))
        );
        assert_eq!(of(1e-9, 0.1).needed(1000.0), None, "too many");
        assert_eq!(of(0.1, 0.01).needed(1000.0), None, "it is shown");
        // By Student's t for one degree of freedom ten standard errors do not show it.
        let few = Comparison::alone(Advantage::of(
            1.0,
            0.1,
            1.0,
            0.0,
            Basis { groups: 2, ..MANY },
        ));
        assert_eq!(
            (few.verdict, few.needed(1000.0)),
            (Verdict::NotShown, Some(1_100)),
            "more than there were"
        );
        assert_eq!(
            (
                of(0.0, 0.1).needed_for(0.1, 1000.0),
                of(0.0, 0.1).needed_for(0.05, 1000.0)
            ),
            (Some(7_900), Some(32_000))
        );
        assert_eq!(
            of(0.0, 0.01).needed_for(0.1, 1000.0),
            None,
            "it would have been shown"
        );
        // One of several has to be more certain.
        let several = Comparison::judge(&[Advantage::of(0.1, 0.1, 1e6, 0.0, MANY); 6]);
        assert_eq!(several[0].needed(1000.0), Some(13_000));
    }
}

//! The sequential probability ratio test of two strengths: a generalized one (GSPRT), in its normal
//! approximation.
//!
//! Each score is a share of comparisons won, from 0 to 1. With their mean `m`, their variance `v`,
//! their number `n` and the expected scores `a` and `b` of the two strengths, the log-likelihood
//! ratio is `n (b - a) (2 m - a - b) / 2 v`. So computes it the Chess Programming Wiki (Match
//! Statistics, SPRT), after Michel Van den Bergh, A practical introduction to the GSPRT (2020),
//! whose programs test Stockfish at fishtest. The test ends by Wald's bounds, and overshoots them a
//! little, which makes both error rates smaller.

use crate::elo::score_of_elo;
use crate::estimate::RunningMean;

/// The chance that the test decides for the higher strength although the lower one is true, and the
/// other way round.
pub const SPRT_ERROR_RATE: f64 = 0.05;

/// The squares of two imagined scores, 0 and 1, around one half. With them the variance of few
/// scores that happen to be alike is not taken for 0; among many they do not count.
const PRIOR_SQUARES: f64 = 0.5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SprtDecision {
    Lower,
    Higher,
}

/// A test, fed score by score.
#[derive(Debug, Clone)]
pub struct Sprt {
    /// The expected scores of the two strengths.
    lower: f64,
    higher: f64,
    scores: RunningMean,
}

impl Sprt {
    /// A test between two differences in Elo, the lower one first.
    pub fn new([lower, higher]: [f64; 2]) -> Self {
        Self {
            lower: score_of_elo(lower),
            higher: score_of_elo(higher),
            scores: RunningMean::default(),
        }
    }

    /// Takes in a score of the one whose strength is tested.
    pub fn add(&mut self, score: f64) {
        self.scores.add(score);
    }

    /// Takes in the same score so many times.
    pub fn add_many(&mut self, score: f64, times: u64) {
        self.scores.add_many(score, times);
    }

    /// The average score; 0 before the first.
    pub const fn mean_score(&self) -> f64 {
        self.scores.mean_and_squares().0
    }

    /// The log-likelihood ratio; above 0 the higher strength is likelier.
    pub fn log_likelihood_ratio(&self) -> f64 {
        let count = self.scores.count() as f64;
        let (mean, squares) = self.scores.mean_and_squares();
        // `n / v`, without a division by 0 before the first score.
        let precision = count * count / (squares + PRIOR_SQUARES);
        precision * (self.higher - self.lower) * (2.0 * mean - self.lower - self.higher) / 2.0
    }

    /// The ratio at which the test decides for the higher strength, and, with the other sign, for
    /// the lower one.
    pub fn bound() -> f64 {
        ((1.0 - SPRT_ERROR_RATE) / SPRT_ERROR_RATE).ln()
    }

    pub fn decision(&self) -> Option<SprtDecision> {
        match self.log_likelihood_ratio() {
            ratio if ratio >= Self::bound() => Some(SprtDecision::Higher),
            ratio if ratio <= -Self::bound() => Some(SprtDecision::Lower),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_are_walds() {
        // fishtest shows them as -2.94 and 2.94.
        assert!((Sprt::bound() - 2.944_438_979_166_44).abs() < 1e-12);
    }

    #[test]
    fn the_ratio_is_that_of_the_exact_test_for_results_of_chess() {
        // This many scores of 0, 1/4 … 1 (pairs of games), or of 0, 1/2 and 1. The ratios use the
        // maximum-likelihood multinomial distributions under each strength, as fishtest's
        // LLRcalc.LLR_logistic computes them.
        let of = |elo: [f64; 2], counts: &[u32]| {
            let mut test = Sprt::new(elo);
            for (step, &count) in counts.iter().enumerate() {
                (0..count).for_each(|_| test.add(step as f64 / (counts.len() - 1) as f64));
            }
            test.log_likelihood_ratio()
        };
        let at_once = |elo: [f64; 2], counts: &[u32]| {
            let mut test = Sprt::new(elo);
            for (step, &count) in counts.iter().enumerate() {
                test.add_many(step as f64 / (counts.len() - 1) as f64, count.into());
            }
            test.log_likelihood_ratio()
        };
        for (elo, counts, exact) in [
            ([0.0, 5.0], &[440, 2910, 5170, 2888, 455][..], -5.920_443),
            ([0.0, 5.0], &[142, 620, 1122, 699, 188], 3.968_908),
            ([-5.0, 0.0], &[349, 1561, 3340, 1604, 359], 5.768_661),
            ([-5.0, 0.0], &[98, 382, 674, 369, 71], -1.419_906),
            ([0.0, 10.0], &[300, 500, 400], 4.087_227),
            ([0.0, 2.0], &[5000, 20_000, 5300], 3.603_787),
        ] {
            let found = of(elo, counts);
            assert!(
                (found / exact - 1.0).abs() < 0.015,
                "{counts:?}: {found} instead of {exact}"
            );
            assert!((found - at_once(elo, counts)).abs() < 1e-9, "{counts:?}");
        }
    }

    /// The number of tests, of this many, that decide for the higher strength, and the average
    /// number of scores needed, where a score is the share of 24 comparisons won by a player who is
    /// stronger by this much.
    fn decided(bounds: [f64; 2], elo: f64, tests: u32, seed: u64) -> (u32, u32, f64) {
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut higher, mut lower, mut scores) = (0, 0, 0_u64);
        for _ in 0..tests {
            let mut test = Sprt::new(bounds);
            let decision = loop {
                let won = (0..24).filter(|_| random.f64() < score_of_elo(elo)).count();
                test.add(won as f64 / 24.0);
                scores += 1;
                if let Some(decision) = test.decision() {
                    break decision;
                }
            };
            higher += u32::from(decision == SprtDecision::Higher);
            lower += u32::from(decision == SprtDecision::Lower);
        }
        (higher, lower, scores as f64 / f64::from(tests))
    }

    #[test]
    fn at_either_strength_the_test_is_wrong_in_at_most_its_error_rate() {
        let (wrong, right, _) = decided([0.0, 30.0], 0.0, 400, 1);
        assert!(
            f64::from(wrong) / 400.0 <= SPRT_ERROR_RATE,
            "{wrong} of 400 wrong, {right} right"
        );
        let (right, wrong, _) = decided([0.0, 30.0], 30.0, 400, 2);
        assert!(
            f64::from(wrong) / 400.0 <= SPRT_ERROR_RATE,
            "{wrong} of 400 wrong, {right} right"
        );
    }

    #[test]
    fn the_further_apart_the_strengths_are_the_sooner_the_test_decides() {
        let (_, _, late) = decided([0.0, 30.0], 15.0, 50, 3);
        let (_, _, soon) = decided([0.0, 30.0], 60.0, 50, 3);
        assert!(2.0 * soon < late, "{soon} and {late} scores");
    }

    #[test]
    fn scores_that_are_all_alike_decide_late_and_a_test_without_scores_not_at_all() {
        let mut test = Sprt::new([0.0, 10.0]);
        assert_eq!((test.log_likelihood_ratio(), test.decision()), (0.0, None));
        let scores = (1..).find(|_| {
            test.add(0.5);
            test.decision().is_some()
        });
        // n² (b - a)² reaches 2.944 with b - a = 0.014387 at n = 119.3.
        assert_eq!(
            (scores, test.decision()),
            (Some(120), Some(SprtDecision::Lower))
        );
    }
}

//! Weights of traits by maximum likelihood, with Newton's method.

use lab_stats::Cholesky;

use super::samples::SampleRow;

/// Maximum number of steps; all fits converge before.
const STEPS: usize = 25;
/// No weight changes by more at rest.
const AT_REST: f64 = 1e-4;
/// How strongly weights are drawn to 0: a normal prior with this for the inverse of its variance.
const PRIOR: f64 = 1.0;

/// The link function of a sum of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// Log-odds of a chance.
    LogOdds,
    /// Logarithm of an amount, whose spread is in proportion to it.
    Logarithm,
}

impl Link {
    /// The mean that a sum represents, and how it changes with the sum.
    fn mean(self, sum: f64) -> (f64, f64) {
        match self {
            Self::LogOdds => {
                let chance = 1.0 / (1.0 + (-sum).exp());
                (chance, chance * (1.0 - chance))
            }
            Self::Logarithm => {
                let mean = sum.clamp(-20.0, 20.0).exp();
                (mean, mean)
            }
        }
    }
}

/// The weights with which the rows are likeliest, each drawn to 0 by a prior.
pub(super) fn regression(rows: &[SampleRow], traits: usize, link: Link) -> Vec<f64> {
    let mut weights = vec![0.0; traits];
    for _ in 0..STEPS {
        let mut gradient: Vec<f64> = weights.iter().map(|weight| -PRIOR * weight).collect();
        // The rows of the lower triangle.
        let mut curvature = vec![0.0; traits * (traits + 1) / 2];
        for place in 0..traits {
            curvature[place * (place + 3) / 2] = PRIOR;
        }
        for (list, outcome) in rows {
            let sum = list.iter().map(|&place| weights[usize::from(place)]).sum();
            let (mean, slope) = link.mean(sum);
            let miss = f64::from(*outcome) - mean;
            // Places rise within a list.
            for (number, &place) in list.iter().enumerate() {
                let place = usize::from(place);
                gradient[place] += miss;
                let row = &mut curvature[place * (place + 1) / 2..];
                for &other in &list[..=number] {
                    row[usize::from(other)] += slope;
                }
            }
        }
        let step = Cholesky::new(traits, curvature).solve(gradient);
        let mut most = 0.0_f64;
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight += step.clamp(-2.0, 2.0);
            most = most.max(step.abs());
        }
        if most < AT_REST {
            break;
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use riichi_estimates::belief::TraitList;

    use super::*;

    fn rows(of: &[(&[u16], u32, f32)]) -> Vec<SampleRow> {
        let row =
            |places: &[u16], outcome| (places.iter().copied().collect::<TraitList>(), outcome);
        of.iter()
            .flat_map(|&(places, times, outcome)| (0..times).map(move |_| row(places, outcome)))
            .collect()
    }

    #[test]
    fn log_odds_add_up_to_the_shares_counted() {
        // One in ten; with the second trait three in ten.
        let rows = rows(&[
            (&[0], 90_000, 0.0),
            (&[0], 10_000, 1.0),
            (&[0, 1], 70_000, 0.0),
            (&[0, 1], 30_000, 1.0),
        ]);
        let weights = regression(&rows, 2, Link::LogOdds);
        let chance = |sum: f64| 1.0 / (1.0 + (-sum).exp());
        assert!((chance(weights[0]) - 0.1).abs() < 1e-3, "{weights:?}");
        assert!(
            (chance(weights[0] + weights[1]) - 0.3).abs() < 1e-3,
            "{weights:?}"
        );
    }

    #[test]
    fn factors_of_an_amount_multiply() {
        let rows = rows(&[
            (&[0], 5000, 2.0),
            (&[0], 5000, 4.0),
            (&[0, 1], 5000, 9.0),
            (&[2], 0, 1.0),
        ]);
        let weights = regression(&rows, 3, Link::Logarithm);
        assert!(
            (weights[0].exp() - 3.0).abs() < 1e-2 && (weights[1].exp() - 3.0).abs() < 1e-2,
            "{weights:?}"
        );
        assert_eq!(
            weights[2], 0.0,
            "an event that never happened has no estimate"
        );
    }

    #[test]
    fn a_trait_that_always_comes_with_another_shares_its_weight() {
        let rows = rows(&[(&[0, 1], 500, 1.0), (&[0, 1], 500, 0.0), (&[2], 100, 1.0)]);
        let weights = regression(&rows, 3, Link::LogOdds);
        assert!(
            (weights[0] - weights[1]).abs() < 1e-6 && weights[0].abs() < 1e-3,
            "{weights:?}"
        );
        assert!(weights[2] > 2.0 && weights[2] < 8.0, "{weights:?}");
    }
}

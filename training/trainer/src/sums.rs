//! The sums of a linear regression. They add up over games, runs and machines, and replace the
//! samples.

use std::io::{self, Read, Write};

use lab_stats::Cholesky;

/// Sums over samples with some inputs and one or more outcomes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SelfPlaySums {
    inputs: usize,
    /// Samples.
    pub(crate) number: f64,
    /// Products of every two inputs: the rows of the lower triangle, each with the diagonal last.
    products: Vec<f64>,
    outcomes: Vec<OutcomeSums>,
}

#[derive(Debug, Clone, PartialEq)]
struct OutcomeSums {
    /// Products of each input and the outcome.
    with_inputs: Vec<f64>,
    /// Sum of the squares of the outcome.
    squares: f64,
}

impl SelfPlaySums {
    pub(crate) fn new(inputs: usize, outcomes: usize) -> Self {
        let products = vec![0.0; inputs * (inputs + 1) / 2];
        let outcome = OutcomeSums {
            with_inputs: vec![0.0; inputs],
            squares: 0.0,
        };
        Self {
            inputs,
            number: 0.0,
            products,
            outcomes: vec![outcome; outcomes],
        }
    }

    pub(crate) const fn inputs(&self) -> usize {
        self.inputs
    }

    /// Adds samples: the inputs and outcomes of each. Their products are summed as `f32` first,
    /// which is faster, so they should be some hundreds at most.
    pub(crate) fn add_samples(&mut self, samples: &[(&[f32], &[f32])]) {
        if samples.is_empty() {
            return;
        }
        self.number += samples.len() as f64;
        for (inputs, outcomes) in samples {
            assert_eq!(
                (inputs.len(), outcomes.len()),
                (self.inputs, self.outcomes.len()),
                "a sample has all of them"
            );
            for (sums, &outcome) in self.outcomes.iter_mut().zip(*outcomes) {
                let outcome = f64::from(outcome);
                sums.squares += outcome.powi(2);
                sums.with_inputs
                    .iter_mut()
                    .zip(*inputs)
                    .for_each(|(sum, &input)| *sum += f64::from(input) * outcome);
            }
        }
        let mut of_samples = vec![0.0_f32; self.inputs];
        let mut row = 0;
        for place in 0..self.inputs {
            let of_samples = &mut of_samples[..=place];
            of_samples.fill(0.0);
            // Most inputs are 0.
            for (inputs, _) in samples.iter().filter(|(inputs, _)| inputs[place] != 0.0) {
                let input = inputs[place];
                of_samples
                    .iter_mut()
                    .zip(*inputs)
                    .for_each(|(sum, other)| *sum += input * other);
            }
            let products = &mut self.products[row..=row + place];
            products
                .iter_mut()
                .zip(of_samples)
                .for_each(|(all, sum)| *all += f64::from(*sum));
            row += place + 1;
        }
    }

    /// Adds other sums, each counting `weight` times.
    pub(crate) fn add(&mut self, other: &Self, weight: f64) {
        assert_eq!(self.inputs, other.inputs, "sums of the same inputs");
        self.number += weight * other.number;
        add_all(&mut self.products, &other.products, weight);
        for (sums, other) in self.outcomes.iter_mut().zip(&other.outcomes) {
            sums.squares += weight * other.squares;
            add_all(&mut sums.with_inputs, &other.with_inputs, weight);
        }
    }

    /// The fits with this ridge penalty. A further outcome costs much less than another penalty.
    pub(crate) fn with_ridge(&self, ridge: f64) -> RidgeFit {
        let mut products = self.products.clone();
        (0..self.inputs).for_each(|row| products[row * (row + 3) / 2] += ridge);
        let with_inputs = self
            .outcomes
            .iter()
            .map(|sums| sums.with_inputs.clone())
            .collect();
        RidgeFit {
            ridge,
            products: Cholesky::new(self.inputs, products),
            with_inputs,
        }
    }

    /// The sums of the products of each input and what these weights predict.
    fn with_predictions(&self, weights: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.inputs];
        let mut row = 0;
        for place in 0..self.inputs {
            let products = &self.products[row..=row + place];
            for (other, product) in products[..place].iter().enumerate() {
                sums[place] += product * weights[other];
                sums[other] += product * weights[place];
            }
            sums[place] += products[place] * weights[place];
            row += place + 1;
        }
        sums
    }

    /// The sums of what these weights leave unexplained of each outcome.
    pub(crate) fn less(&self, weights: &[f64]) -> Self {
        let predicted = self.with_predictions(weights);
        let mut rest = self.clone();
        for sums in &mut rest.outcomes {
            for ((sum, predicted), weight) in
                sums.with_inputs.iter_mut().zip(&predicted).zip(weights)
            {
                sums.squares -= weight * (2.0 * *sum - predicted);
                *sum -= predicted;
            }
        }
        rest
    }

    /// Checks weights, fitted to other samples, on these samples.
    pub(crate) fn check(&self, outcome: usize, weights: &[f64]) -> HeldOut {
        let predicted = self.with_predictions(weights);
        let squares: f64 = weights
            .iter()
            .zip(&predicted)
            .map(|(weight, sum)| weight * sum)
            .sum();
        let sums = &self.outcomes[outcome];
        let together: f64 = weights
            .iter()
            .zip(&sums.with_inputs)
            .map(|(weight, sum)| weight * sum)
            .sum();
        let variance = sums.squares / self.number.max(1.0);
        let (slope, error) = (together / squares, (variance / squares).sqrt());
        if squares > 0.0 {
            HeldOut {
                slope,
                z: slope / error,
                together,
                squares,
            }
        } else {
            HeldOut::default()
        }
    }

    /// The sum of the squares of this outcome.
    pub(crate) fn squares(&self, outcome: usize) -> f64 {
        self.outcomes[outcome].squares
    }

    pub(crate) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let mut write = |sums: &[f64]| {
            sums.iter()
                .try_for_each(|sum| to.write_all(&sum.to_le_bytes()))
        };
        write(&[self.number])?;
        write(&self.products)?;
        self.outcomes.iter().try_for_each(|sums| {
            write(&[sums.squares])?;
            write(&sums.with_inputs)
        })
    }

    pub(crate) fn read(inputs: usize, outcomes: usize, from: &mut impl Read) -> io::Result<Self> {
        let mut sums = Self::new(inputs, outcomes);
        let Self {
            number,
            products,
            outcomes,
            ..
        } = &mut sums;
        let of_outcomes = outcomes
            .iter_mut()
            .flat_map(|sums| std::iter::once(&mut sums.squares).chain(&mut sums.with_inputs));
        for sum in std::iter::once(number).chain(products).chain(of_outcomes) {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes)?;
            *sum = f64::from_le_bytes(bytes);
        }
        Ok(sums)
    }
}

fn add_all(sums: &mut [f64], others: &[f64], weight: f64) {
    sums.iter_mut()
        .zip(others)
        .for_each(|(sum, other)| *sum += weight * other);
}

/// A fit with a ridge penalty: the squared distance of each weight from a given one costs as much
/// as `ridge` samples of one squared error.
#[derive(Debug)]
pub(crate) struct RidgeFit {
    ridge: f64,
    products: Cholesky,
    /// The products of each input and the outcome, by outcome.
    with_inputs: Vec<Vec<f64>>,
}

impl RidgeFit {
    pub(crate) fn inputs(&self) -> usize {
        self.with_inputs[0].len()
    }

    /// The weights near these that fit an outcome best.
    pub(crate) fn fit(&self, outcome: usize, near: &[f64]) -> Vec<f64> {
        let right = self.with_inputs[outcome]
            .iter()
            .zip(near)
            .map(|(sum, near)| sum + self.ridge * near);
        self.products.solve(right.collect())
    }
}

/// The fit of weights to games that they were not fitted to.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub(crate) struct HeldOut {
    /// The factor by which the weights would fit best; 1 is exact.
    pub(crate) slope: f64,
    /// The slope in standard errors above 0.
    pub(crate) z: f64,
    /// The sum of prediction times outcome.
    #[serde(skip)]
    pub(crate) together: f64,
    /// The sum of the squared predictions.
    #[serde(skip)]
    pub(crate) squares: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second outcome is twice the first.
    fn sums() -> SelfPlaySums {
        let mut sums = SelfPlaySums::new(3, 2);
        let mut rng = riichi::rng::Rng::keyed(&[1]);
        for _ in 0..200 {
            let samples: [_; 10] = std::array::from_fn(|_| {
                let inputs = [rng.unit() as f32 - 0.5, rng.unit() as f32, 0.0];
                let outcome = 2.0 * inputs[0] - 0.5 * inputs[1] + (rng.unit() as f32 - 0.5);
                (inputs, [outcome, 2.0 * outcome])
            });
            sums.add_samples(
                &samples
                    .each_ref()
                    .map(|(inputs, outcomes)| (&inputs[..], &outcomes[..])),
            );
        }
        sums
    }

    fn assert_near(weights: &[f64], expected: [f64; 3]) {
        assert!(
            weights
                .iter()
                .zip(expected)
                .all(|(weight, expected)| (weight - expected).abs() < 0.1),
            "{weights:?}"
        );
    }

    #[test]
    fn a_fit_finds_the_weights_of_each_outcome() {
        assert_near(&sums().with_ridge(1e-3).fit(0, &[0.0; 3]), [2.0, -0.5, 0.0]);
        assert_near(&sums().with_ridge(1e-3).fit(1, &[0.0; 3]), [4.0, -1.0, 0.0]);
    }

    #[test]
    fn a_fit_keeps_near_to_what_it_was_given_where_samples_say_little() {
        assert_near(
            &sums().with_ridge(1e-3).fit(0, &[0.0, 0.0, 3.0]),
            [2.0, -0.5, 3.0],
        );
        assert_near(
            &sums().with_ridge(1e9).fit(0, &[1.0, 1.0, 3.0]),
            [1.0, 1.0, 3.0],
        );
    }

    #[test]
    fn what_is_right_has_a_slope_of_one_on_other_samples_and_what_is_twice_too_much_of_half() {
        let check = |factor: f64| sums().check(0, &[2.0 * factor, -0.5 * factor, 0.0]);
        assert!((check(1.0).slope - 1.0).abs() < 0.05 && (check(2.0).slope - 0.5).abs() < 0.03);
        assert!(
            check(1.0).together < check(2.0).together && check(1.0).squares < check(2.0).squares
        );
    }

    #[test]
    fn what_weights_leave_unexplained_is_fitted_by_the_rest_of_the_weights() {
        let (known, near) = ([1.5, -0.25, 0.0], [0.0; 3]);
        let rest = sums().less(&known);
        assert_near(&rest.with_ridge(1e-3).fit(0, &near), [0.5, -0.25, 0.0]);
        let (all, checked) = (sums().check(0, &known), rest.squares(0));
        assert!((sums().squares(0) - 2.0 * all.together + all.squares - checked).abs() < 1e-6);
    }

    #[test]
    fn sums_are_read_as_they_were_written() {
        let mut bytes = Vec::new();
        sums().write(&mut bytes).unwrap();
        assert_eq!(
            SelfPlaySums::read(3, 2, &mut bytes.as_slice()).unwrap(),
            sums()
        );
    }
}

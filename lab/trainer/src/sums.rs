//! The sums of a linear regression: they add up over games, sittings and machines, and nothing else has to be kept.

use std::io::{self, Read, Write};

/// Sums over samples of some inputs and one outcome.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SelfPlaySums {
    inputs: usize,
    /// Samples.
    pub(crate) number: f64,
    /// Products of each two inputs: the rows of the lower triangle, the diagonal last in each.
    products: Vec<f64>,
    /// Products of each input and the outcome.
    with_outcome: Vec<f64>,
    /// Sum of the squares of the outcome.
    squares: f64,
}

impl SelfPlaySums {
    pub(crate) fn new(inputs: usize) -> Self {
        let products = vec![0.0; inputs * (inputs + 1) / 2];
        Self { inputs, number: 0.0, products, with_outcome: vec![0.0; inputs], squares: 0.0 }
    }

    pub(crate) fn add_sample(&mut self, inputs: &[f32], outcome: f32) {
        assert_eq!(inputs.len(), self.inputs, "a sample has all inputs");
        self.number += 1.0;
        self.squares += f64::from(outcome).powi(2);
        let mut row = 0;
        for (place, &input) in inputs.iter().enumerate() {
            // Most inputs are 0.
            if input != 0.0 {
                let input = f64::from(input);
                self.with_outcome[place] += input * f64::from(outcome);
                for (sum, &other) in self.products[row..=row + place].iter_mut().zip(inputs) {
                    *sum += input * f64::from(other);
                }
            }
            row += place + 1;
        }
    }

    /// Adds other sums, each counting `weight` times.
    pub(crate) fn add(&mut self, other: &Self, weight: f64) {
        assert_eq!(self.inputs, other.inputs, "sums of the same inputs");
        self.number += weight * other.number;
        self.squares += weight * other.squares;
        let pairs = self.products.iter_mut().zip(&other.products);
        pairs.chain(self.with_outcome.iter_mut().zip(&other.with_outcome)).for_each(|(sum, add)| *sum += weight * add);
    }

    /// The weights that fit best, where each weight's square costs as much as `ridge` samples of one squared error.
    pub(crate) fn fit(&self, ridge: f64) -> Vec<f64> {
        let size = self.inputs;
        let at = |row: usize, column: usize| row * (row + 1) / 2 + column;
        // Cholesky's factor, row by row.
        let mut factor = self.products.clone();
        (0..size).for_each(|row| factor[at(row, row)] += ridge);
        for row in 0..size {
            for column in 0..=row {
                let known: f64 = (0..column).map(|k| factor[at(row, k)] * factor[at(column, k)]).sum();
                let rest = factor[at(row, column)] - known;
                factor[at(row, column)] =
                    if row == column { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / factor[at(column, column)] };
            }
        }
        let mut weights = self.with_outcome.clone();
        for row in 0..size {
            let known: f64 = (0..row).map(|k| factor[at(row, k)] * weights[k]).sum();
            weights[row] = (weights[row] - known) / factor[at(row, row)];
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|k| factor[at(k, row)] * weights[k]).sum();
            weights[row] = (weights[row] - known) / factor[at(row, row)];
        }
        weights
    }

    /// How weights that were learned elsewhere do on these samples: the factor that would suit them best (1 is exactly right),
    /// and by how many standard errors it is above 0.
    pub(crate) fn check(&self, weights: &[f64]) -> HeldOut {
        let mut squares = 0.0;
        let mut row = 0;
        for (place, weight) in weights.iter().enumerate() {
            for (other, product) in weights[..place].iter().zip(&self.products[row..]) {
                squares += 2.0 * weight * other * product;
            }
            squares += weight * weight * self.products[row + place];
            row += place + 1;
        }
        let with_outcome: f64 = weights.iter().zip(&self.with_outcome).map(|(weight, sum)| weight * sum).sum();
        let variance = self.squares / self.number.max(1.0);
        let (slope, error) = (with_outcome / squares, (variance / squares).sqrt());
        if squares > 0.0 { HeldOut { slope, z: slope / error } } else { HeldOut { slope: 0.0, z: 0.0 } }
    }

    pub(crate) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let sums = [self.number, self.squares];
        let all = sums.iter().chain(&self.products).chain(&self.with_outcome);
        all.copied().try_for_each(|sum: f64| to.write_all(&sum.to_le_bytes()))
    }

    pub(crate) fn read(inputs: usize, from: &mut impl Read) -> io::Result<Self> {
        let mut sums = Self::new(inputs);
        let Self { number, squares, products, with_outcome, .. } = &mut sums;
        for sum in [number, squares].into_iter().chain(products).chain(with_outcome) {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes)?;
            *sum = f64::from_le_bytes(bytes);
        }
        Ok(sums)
    }
}

/// How weights do on games that they were not learned from.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct HeldOut {
    pub(crate) slope: f64,
    pub(crate) z: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums() -> SelfPlaySums {
        let mut sums = SelfPlaySums::new(3);
        let mut rng = riichi::rng::Rng::keyed(&[1]);
        for _ in 0..2_000 {
            let inputs = [rng.unit() as f32 - 0.5, rng.unit() as f32, 0.0];
            sums.add_sample(&inputs, 2.0 * inputs[0] - 0.5 * inputs[1] + (rng.unit() as f32 - 0.5));
        }
        sums
    }

    #[test]
    fn a_fit_finds_the_weights_of_what_it_was_given() {
        let weights = sums().fit(1e-3);
        assert!((weights[0] - 2.0).abs() < 0.1 && (weights[1] + 0.5).abs() < 0.1 && weights[2] == 0.0, "{weights:?}");
    }

    #[test]
    fn what_is_right_has_a_slope_of_one_on_other_samples_and_what_is_twice_too_much_of_half() {
        let slope = |factor: f64| sums().check(&[2.0 * factor, -0.5 * factor, 0.0]).slope;
        assert!((slope(1.0) - 1.0).abs() < 0.05 && (slope(2.0) - 0.5).abs() < 0.03);
    }

    #[test]
    fn sums_are_read_as_they_were_written() {
        let mut bytes = Vec::new();
        sums().write(&mut bytes).unwrap();
        assert_eq!(SelfPlaySums::read(3, &mut bytes.as_slice()).unwrap(), sums());
    }
}

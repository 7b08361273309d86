//! Simultaneous perturbation stochastic approximation (SPSA): from the noisy difference between two
//! points that differ in all parameters at once, a step for all of them.
//!
//! After Spall, Implementation of the simultaneous perturbation algorithm for stochastic
//! optimization (1998), with his gains `a / (A + k)^0.602` for steps and `c / k^0.101` for
//! perturbations. All parameters are scaled to lie in 0..=1. The result is the mean of the second
//! half of the path (Polyak and Juditsky, Acceleration of stochastic approximation by averaging,
//! 1992). No crate that is kept up has it with bounds and whole numbers, and it is short.

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParamRange {
    pub min: f64,
    pub max: f64,
    pub whole: bool,
}

impl ParamRange {
    /// The value at a place of the range, 0 to 1.
    pub fn value(&self, place: f64) -> f64 {
        let value = place.clamp(0.0, 1.0).mul_add(self.max - self.min, self.min);
        if self.whole { value.round() } else { value }
    }

    /// The position of a value in the range.
    pub fn place(&self, value: f64) -> f64 {
        ((value - self.min) / (self.max - self.min)).clamp(0.0, 1.0)
    }

    /// The smallest perturbation that changes the value.
    fn least(&self) -> f64 {
        if self.whole {
            0.5 / (self.max - self.min)
        } else {
            0.0
        }
    }
}

/// The distances between points and the sizes of steps.
#[derive(Debug, Clone, Copy)]
pub struct SpsaGains {
    /// The first perturbation, as a part of the range.
    pub perturbation: f64,
    /// The first step of each parameter, as a part of the range, if the difference is one standard
    /// deviation of its noise.
    pub first_step: f64,
    pub steps: u64,
}

/// The exponents and the stability constant's share of the steps that Spall recommends.
const STEP_EXPONENT: f64 = 0.602;
const PERTURBATION_EXPONENT: f64 = 0.101;
const STABILITY: f64 = 0.1;

/// Two points to compare.
#[derive(Debug, Clone, PartialEq)]
pub struct SpsaStep {
    /// The first point, in values of the parameters.
    pub plus: Vec<f64>,
    /// The second point.
    pub minus: Vec<f64>,
    /// The distance of the first from the second on each axis.
    apart: Vec<f64>,
}

/// A search in progress.
#[derive(Debug, Clone)]
pub struct Spsa {
    axes: Vec<ParamRange>,
    gains: SpsaGains,
    random: fastrand::Rng,
    /// Places on the axes, from the start.
    path: Vec<Vec<f64>>,
}

impl Spsa {
    pub fn new(axes: Vec<ParamRange>, begin: &[f64], gains: SpsaGains, seed: u64) -> Self {
        let places = axes
            .iter()
            .zip(begin)
            .map(|(axis, &value)| axis.place(value))
            .collect();
        Self {
            axes,
            gains,
            random: fastrand::Rng::with_seed(seed),
            path: vec![places],
        }
    }

    fn step_number(&self) -> f64 {
        self.path.len() as f64
    }

    fn last(&self) -> &[f64] {
        &self.path[self.path.len() - 1]
    }

    /// The next two points to compare.
    pub fn step(&mut self) -> SpsaStep {
        let size = self.gains.perturbation / self.step_number().powf(PERTURBATION_EXPONENT);
        let last = self.last().to_vec();
        let mut step = SpsaStep {
            plus: Vec::new(),
            minus: Vec::new(),
            apart: Vec::new(),
        };
        for (axis, place) in self.axes.iter().zip(last) {
            let sign = if self.random.bool() { 1.0 } else { -1.0 };
            let size = sign * size.max(axis.least());
            let value = |place| axis.value(place);
            let (plus, minus) = (value(place + size), value(place - size));
            // At the end of the range, or with whole numbers, their distance differs.
            step.apart.push(axis.place(plus) - axis.place(minus));
            step.plus.push(plus);
            step.minus.push(minus);
        }
        step
    }

    /// Takes a step after a comparison: `better` is the advantage of `plus` over `minus`, and
    /// `noise` the standard deviation of that number.
    pub fn take(&mut self, step: &SpsaStep, better: f64, noise: f64) {
        let stability = STABILITY * self.gains.steps as f64;
        let scale = self.gains.first_step
            * 2.0
            * self.gains.perturbation
            * (stability + 1.0).powf(STEP_EXPONENT);
        let gain = scale / (stability + self.step_number()).powf(STEP_EXPONENT);
        let next = self.last().iter().zip(&step.apart).map(|(place, &apart)| {
            // Without noise there is no scale for the step, and equal points give no information.
            let slope = if apart == 0.0 || noise <= 0.0 {
                0.0
            } else {
                better / noise / apart
            };
            (place + gain * slope).clamp(0.0, 1.0)
        });
        let next = next.collect();
        self.path.push(next);
    }

    /// The values after each step, beginning with the initial ones.
    pub fn path(&self) -> impl ExactSizeIterator<Item = Vec<f64>> + '_ {
        self.path.iter().map(|places| self.values(places))
    }

    /// The result: the mean over the second half of the path.
    pub fn found(&self) -> Vec<f64> {
        let half = &self.path[self.path.len() / 2..];
        let mean =
            |axis: usize| half.iter().map(|places| places[axis]).sum::<f64>() / half.len() as f64;
        self.values(&(0..self.axes.len()).map(mean).collect::<Vec<_>>())
    }

    fn values(&self, places: &[f64]) -> Vec<f64> {
        self.axes
            .iter()
            .zip(places)
            .map(|(axis, &place)| axis.value(place))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: ParamRange = ParamRange {
        min: 0.0,
        max: 1.0,
        whole: false,
    };

    /// Searches the top of a hill with noise of 1 on every comparison.
    fn search(
        axes: &[ParamRange],
        begin: &[f64],
        top: &[f64],
        height: f64,
        steps: u64,
        seed: u64,
    ) -> Vec<f64> {
        let gains = SpsaGains {
            perturbation: 0.15,
            first_step: 0.05,
            steps,
        };
        let mut spsa = Spsa::new(axes.to_vec(), begin, gains, seed);
        let mut random = fastrand::Rng::with_seed(seed);
        let below = |at: &[f64]| -> f64 {
            let places = axes.iter().zip(at).zip(top);
            height
                * places
                    .map(|((axis, &at), &top)| (axis.place(at) - axis.place(top)).powi(2))
                    .sum::<f64>()
        };
        for _ in 0..steps {
            let step = spsa.step();
            // The sum of twelve uniform numbers less 6 is nearly normal.
            let noise: f64 = (0..12).map(|_| random.f64()).sum::<f64>() - 6.0;
            spsa.take(&step, below(&step.minus) - below(&step.plus) + noise, 1.0);
        }
        assert_eq!(spsa.path().len() as u64, steps + 1);
        spsa.found()
    }

    #[test]
    fn it_finds_the_top_of_a_hill_through_noise() {
        for seed in 0..5 {
            let top = [0.5, 0.3, 0.2];
            let found = search(&[UNIT; 3], &[0.0, 0.9, 1.0], &top, 10.0, 600, seed);
            let far = found
                .iter()
                .zip(top)
                .map(|(found, top)| (found - top).abs())
                .fold(0.0, f64::max);
            assert!(far < 0.12, "seed {seed}: {found:?}");
        }
    }

    #[test]
    fn a_top_at_the_end_of_the_range_is_found_and_not_passed() {
        let axis = ParamRange {
            min: -2.0,
            max: 6.0,
            whole: false,
        };
        let found = search(&[axis], &[3.0], &[-2.0], 10.0, 400, 1);
        assert!((-2.0..-0.5).contains(&found[0]), "{found:?}");
    }

    #[test]
    fn whole_numbers_stay_whole_and_distinct() {
        let axis = ParamRange {
            min: 1.0,
            max: 9.0,
            whole: true,
        };
        let mut spsa = Spsa::new(
            vec![axis],
            &[4.0],
            SpsaGains {
                perturbation: 0.01,
                first_step: 0.05,
                steps: 10,
            },
            1,
        );
        let step = spsa.step();
        assert!(
            step.plus[0] != step.minus[0] && step.plus[0].fract() == 0.0,
            "{step:?}"
        );
        let found = search(&[axis], &[2.0], &[7.0], 10.0, 400, 3);
        assert!(
            (found[0] - 7.0).abs() <= 1.0 && found[0].fract() == 0.0,
            "{found:?}"
        );
    }

    #[test]
    fn without_a_difference_it_does_not_move() {
        let mut spsa = Spsa::new(
            vec![UNIT; 2],
            &[0.4, 0.6],
            SpsaGains {
                perturbation: 0.1,
                first_step: 0.05,
                steps: 5,
            },
            1,
        );
        for _ in 0..5 {
            let step = spsa.step();
            spsa.take(&step, 0.0, 0.0);
        }
        let near = |found: f64, begun: f64| (found - begun).abs() < 1e-12;
        assert!(
            near(spsa.found()[0], 0.4) && near(spsa.found()[1], 0.6),
            "{:?}",
            spsa.found()
        );
    }

    #[test]
    fn the_same_seed_takes_the_same_path() {
        let found = |seed| search(&[UNIT; 2], &[0.1, 0.9], &[0.5, 0.5], 10.0, 50, seed);
        assert_eq!(found(1), found(1));
        assert_ne!(found(1), found(2));
    }
}

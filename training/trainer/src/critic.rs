//! The expected reward of a seat in the rest of a round, before it chooses. The critic also sees
//! the other hands, so it is used in training only.

use std::io::{self, Read, Write};

use crate::explorer::ExploredDecision;
use crate::games::Sizes;
use crate::sums::SelfPlaySums;

/// The ridge penalty of the critic: the square of a weight costs as much as this many samples of
/// an outcome of 1.
const RIDGE: f64 = 100.0;

/// A linear fit for each situation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Critic {
    weights: Vec<Vec<f64>>,
}

impl Critic {
    /// A critic that expects nothing.
    pub(crate) fn none(sizes: Sizes) -> Self {
        Self {
            weights: vec![vec![0.0; sizes.critic_inputs]; sizes.situations],
        }
    }

    pub(crate) fn fit(sums: &[SelfPlaySums]) -> Self {
        Self {
            weights: sums
                .iter()
                .map(|sums| sums.with_ridge(RIDGE).fit(0, &vec![0.0; sums.inputs()]))
                .collect(),
        }
    }

    /// Whether it has not been fitted.
    pub(crate) fn is_none(&self) -> bool {
        self.weights.iter().flatten().all(|&weight| weight == 0.0)
    }

    /// The expected gain of the seat in the rest of the round.
    pub(crate) fn expected(&self, decision: &ExploredDecision) -> f32 {
        let weights = &self.weights[decision.situation];
        weights
            .iter()
            .zip(&decision.before)
            .map(|(weight, &input)| weight * f64::from(input))
            .sum::<f64>() as f32
    }

    /// The share of the squared rewards in these sums that it explains.
    pub(crate) fn explains(&self, sums: &[SelfPlaySums]) -> f64 {
        let checked = self
            .weights
            .iter()
            .zip(sums)
            .map(|(weights, sums)| sums.check(0, weights));
        let explained: f64 = checked
            .map(|checked| 2.0 * checked.together - checked.squares)
            .sum();
        explained
            / sums
                .iter()
                .map(|sums| sums.squares(0))
                .sum::<f64>()
                .max(f64::MIN_POSITIVE)
    }

    pub(crate) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        self.weights
            .iter()
            .flatten()
            .try_for_each(|weight| to.write_all(&weight.to_le_bytes()))
    }

    pub(crate) fn read(sizes: Sizes, from: &mut impl Read) -> io::Result<Self> {
        let mut critic = Self::none(sizes);
        for weight in critic.weights.iter_mut().flatten() {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes)?;
            *weight = f64::from_le_bytes(bytes);
        }
        Ok(critic)
    }
}

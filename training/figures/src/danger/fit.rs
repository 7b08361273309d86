//! From counts to figures.

use riichi_estimates::danger::Class;
use riichi_estimates::danger::figures::{DangerFigures, LINE_COLUMNS};

use super::count::{Cells, LEVELS};

/// Rounds of fitting; the factors converge long before.
const ROUNDS: usize = 30;
/// The weight, in samples, of a whole row's figure in each of its cells.
const PRIOR: f64 = 300.0;

/// The weight, in expected deal-ins, of the assumption that a trait makes no difference.
const TRAIT_PRIOR: f64 = 10.0;
/// No figure is lower: 0 says that a tile is certainly safe, which no number of samples shows.
const MIN_CHANCE: f64 = 0.0001;

/// Figures with the samples that they rest on.
#[derive(Debug, Clone)]
pub(super) struct Measured {
    pub(super) figures: DangerFigures,
    /// Samples of each class and column.
    pub(super) samples: [[u64; LINE_COLUMNS]; Class::COUNT],
}

/// Fits a probability for each class and column, and factors for the traits, so that the expected
/// number of deal-ins for each equals the counted one (iterative proportional fitting). A cell with
/// few samples leans on its row: the row's own chance, by the column's share, counts for 300
/// samples. A trait with few deal-ins is shrunk to a factor of 1, and the first level of each trait
/// is 1 by definition: its effect is in the probability.
pub(super) fn fit(cells: &Cells) -> Measured {
    let mut factors: [Vec<f64>; 5] = LEVELS.map(|levels| vec![1.0; levels]);
    let mut chance = [[0.0_f64; LINE_COLUMNS]; Class::COUNT];
    let factor_of = |factors: &[Vec<f64>; 5], levels: [usize; 5]| -> f64 {
        levels
            .iter()
            .zip(factors)
            .map(|(&level, of)| of[level])
            .product()
    };
    for _ in 0..ROUNDS {
        // The expected count of each cell at a probability of 1.
        let mut weight = [[0.0_f64; LINE_COLUMNS]; Class::COUNT];
        let mut hits = [[0.0_f64; LINE_COLUMNS]; Class::COUNT];
        for (class, lines, levels, rate) in cells.iter() {
            weight[class][lines] += rate.of as f64 * factor_of(&factors, levels);
            hits[class][lines] += rate.hits as f64;
        }
        let prior = prior(&weight, &hits);
        for class in 0..Class::COUNT {
            for lines in 0..LINE_COLUMNS {
                chance[class][lines] = (hits[class][lines] + PRIOR * prior[class][lines])
                    / (weight[class][lines] + PRIOR);
            }
        }
        for of in 0..factors.len() {
            let mut counted = vec![0.0; LEVELS[of]];
            let mut expected = vec![0.0; LEVELS[of]];
            for (class, lines, levels, rate) in cells.iter() {
                counted[levels[of]] += rate.hits as f64;
                expected[levels[of]] +=
                    rate.of as f64 * chance[class][lines] * factor_of(&factors, levels);
            }
            for (level, factor) in factors[of].iter_mut().enumerate().skip(1) {
                let without = expected[level] / *factor;
                *factor = (counted[level] + TRAIT_PRIOR) / (without + TRAIT_PRIOR);
            }
        }
    }
    keep_in_bounds(&mut chance);
    let mut samples = [[0; LINE_COLUMNS]; Class::COUNT];
    for (class, lines, _, rate) in cells.iter() {
        samples[class][lines] += rate.of;
    }
    let [dora, outside, riichi, copies, suit] = &factors;
    Measured {
        figures: DangerFigures {
            chance: chance.map(|row| row.map(|chance| chance as f32)),
            dora: array(dora),
            outside: array(outside),
            riichi: array(riichi),
            copies: array(copies),
            suit: array(suit),
        },
        samples,
    }
}

/// Keeps thin cells from saying what cannot be: that something not certainly safe is, or that an
/// honour is waited for more often when fewer copies are left to wait with.
fn keep_in_bounds(chance: &mut [[f64; LINE_COLUMNS]; Class::COUNT]) {
    for value in [false, true] {
        for unseen in (0..3).rev() {
            let (Some(fewer), Some(more)) = (
                Class::Honour { unseen, value }.index(),
                Class::Honour {
                    unseen: unseen + 1,
                    value,
                }
                .index(),
            ) else {
                continue;
            };
            let most = chance[more];
            for (chance, most) in chance[fewer].iter_mut().zip(most) {
                *chance = chance.min(most);
            }
        }
    }
    for chance in chance.iter_mut().flatten() {
        *chance = chance.max(MIN_CHANCE);
    }
}

/// The expectation for a cell from its row and its column alone.
fn prior(
    weight: &[[f64; LINE_COLUMNS]; Class::COUNT],
    hits: &[[f64; LINE_COLUMNS]; Class::COUNT],
) -> [[f64; LINE_COLUMNS]; Class::COUNT] {
    let total = |of: &[[f64; LINE_COLUMNS]; Class::COUNT]| of.iter().flatten().sum::<f64>();
    let overall = total(hits) / total(weight).max(1.0);
    let rows: Vec<f64> = (0..Class::COUNT)
        .map(|class| {
            (hits[class].iter().sum::<f64>() + overall) / (weight[class].iter().sum::<f64>() + 1.0)
        })
        .collect();
    let columns: Vec<f64> = (0..LINE_COLUMNS)
        .map(|lines| {
            let counted: f64 = hits.iter().map(|row| row[lines]).sum();
            let expected: f64 = weight
                .iter()
                .zip(&rows)
                .map(|(row, chance)| row[lines] * chance)
                .sum();
            (counted + 1.0) / (expected + 1.0)
        })
        .collect();
    std::array::from_fn(|class| {
        std::array::from_fn(|lines| (rows[class] * columns[lines]).min(1.0))
    })
}

fn array<const N: usize>(factors: &[f64]) -> [f32; N] {
    std::array::from_fn(|level| factors[level] as f32)
}

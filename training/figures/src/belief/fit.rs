//! From samples to figures.

use riichi_estimates::belief::figures::{BeliefFigures, SHANTEN, SHANTEN_COLUMNS};
use riichi_estimates::belief::{KEEP_TRAITS, LOSS_TRAITS, TENPAI_TRAITS, WAIT_TRAITS};

use super::keeps::fit_keeps;
use super::regression::{Link, regression};
use super::samples::{SampleRow, Samples};

/// The weight, in hands, of the shanten numbers in the cell with one meld less and the same number
/// of turns.
const PRIOR: f64 = 20.0;

/// Figures, and how many samples each trait rests on.
#[derive(Debug, Clone)]
pub(crate) struct Fitted {
    pub(crate) figures: BeliefFigures,
    pub(super) tenpai: Vec<u64>,
    pub(super) waits: [Vec<u64>; 3],
    pub(super) loss: Vec<u64>,
    pub(super) shanten: [[u64; SHANTEN_COLUMNS]; 5],
    pub(super) situations: usize,
}

pub(crate) fn fit(samples: &Samples) -> Fitted {
    let thousand = 1000.0_f64.ln();
    let (loss_rows, loss_blocks) = (
        &samples.loss,
        riichi_estimates::belief::LOSS_BLOCKS.len() as f64,
    );
    let mut figures = BeliefFigures {
        tenpai: array(&regression(&samples.tenpai, TENPAI_TRAITS, Link::LogOdds)),
        waits: samples
            .waits
            .each_ref()
            .map(|rows| array(&regression(rows, WAIT_TRAITS, Link::LogOdds))),
        // Every list has a trait of each block, so that each can carry its part of the thousand.
        loss: array(
            &regression(loss_rows, LOSS_TRAITS, Link::Logarithm)
                .iter()
                .map(|weight| weight + thousand / loss_blocks)
                .collect::<Vec<_>>(),
        ),
        keeps: [[0.0; KEEP_TRAITS]; 2],
        shanten: shanten(samples),
    };
    fit_keeps(&mut figures, &samples.situations);
    let counts = |rows: &[SampleRow], traits: usize| {
        let mut counts = vec![0; traits];
        for (list, _) in rows {
            for &place in list {
                counts[usize::from(place)] += 1;
            }
        }
        counts
    };
    Fitted {
        tenpai: counts(&samples.tenpai, TENPAI_TRAITS),
        waits: samples
            .waits
            .each_ref()
            .map(|rows| counts(rows, WAIT_TRAITS)),
        loss: counts(loss_rows, LOSS_TRAITS),
        shanten: samples
            .shanten
            .map(|row| row.map(|cells| cells.iter().sum())),
        situations: samples.situations.len(),
        figures,
    }
}

fn array<const N: usize>(weights: &[f64]) -> [f32; N] {
    std::array::from_fn(|place| weights[place] as f32)
}

/// Nothing speaks for any shanten number.
const EVEN: f64 = 1.0 / SHANTEN as f64;

fn shanten(samples: &Samples) -> [[[f32; SHANTEN]; SHANTEN_COLUMNS]; 5] {
    let mut shares = [[[EVEN; SHANTEN]; SHANTEN_COLUMNS]; 5];
    let mut priors = [[EVEN; SHANTEN]; SHANTEN_COLUMNS];
    for (row, counted) in shares.iter_mut().zip(&samples.shanten) {
        for ((cell, counted), prior) in row.iter_mut().zip(counted).zip(&priors) {
            let all = counted.iter().sum::<u64>() as f64 + PRIOR;
            *cell = std::array::from_fn(|step| (counted[step] as f64 + PRIOR * prior[step]) / all);
        }
        priors = *row;
    }
    shares.map(|row| row.map(|cell| cell.map(|share| share as f32)))
}

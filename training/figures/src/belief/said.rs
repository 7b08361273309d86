//! Chances that were said, and how often it was so.

/// No chance is taken to be nearer to 0 or 1: half of the last digit of the danger figures for
/// tenpai.
const NEAREST: f64 = 0.0005;
/// Upper ends of the bins of chances.
const BINS: [f64; 18] = [
    0.0025, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.12, 0.15, 0.2, 0.3, 0.5,
    0.8, 1.0,
];

/// Samples with a prediction.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Bin {
    pub(crate) samples: u64,
    /// The chances said, summed.
    pub(crate) said: f64,
    pub(crate) hits: u64,
    /// Of them, samples for which worlds were drawn, the chances said for these, and how often it
    /// was so in the worlds, in parts of each sample's worlds.
    pub(crate) drawn: (u64, f64, f64),
}

/// Predicted and observed frequencies of one kind of event.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calibration {
    pub(super) samples: u64,
    pub(super) hits: u64,
    log_loss: f64,
    pub(super) bins: [Bin; BINS.len()],
}

impl Calibration {
    pub(super) fn add(&mut self, chance: f64, hit: bool) {
        let chance_of_it = if hit { chance } else { 1.0 - chance };
        self.samples += 1;
        self.hits += u64::from(hit);
        self.log_loss -= chance_of_it.clamp(NEAREST, 1.0 - NEAREST).ln();
        let bin = self.bin(chance);
        bin.samples += 1;
        bin.said += chance;
        bin.hits += u64::from(hit);
    }

    pub(super) fn add_drawn(&mut self, chance: f64, part: f64) {
        let (samples, said, drawn) = &mut self.bin(chance).drawn;
        *samples += 1;
        *said += chance;
        *drawn += part;
    }

    fn bin(&mut self, chance: f64) -> &mut Bin {
        let place = BINS
            .iter()
            .position(|&end| chance < end)
            .unwrap_or(BINS.len() - 1);
        &mut self.bins[place]
    }

    /// Mean log loss.
    pub(crate) fn log_loss(&self) -> f64 {
        self.log_loss / self.samples.max(1) as f64
    }

    /// The bins that hold anything.
    pub(crate) fn bins(&self) -> impl Iterator<Item = &Bin> {
        self.bins.iter().filter(|bin| bin.samples > 0)
    }
}

/// The same decisions by the danger figures and by the belief.
#[derive(Debug, Clone, Default)]
pub(crate) struct PredictedObserved {
    /// By the danger figures.
    pub(crate) danger: Calibration,
    pub(crate) belief: Calibration,
}

impl PredictedObserved {
    pub(super) fn add(&mut self, danger: f32, belief: f32, hit: bool) {
        self.danger.add(danger.into(), hit);
        self.belief.add(belief.into(), hit);
    }
}

//! Shares with their intervals.

/// A mean over the deals with half of its interval of 95 %.
pub(crate) struct ShareOfDeals {
    pub(crate) mean: f64,
    half: f64,
}

impl ShareOfDeals {
    pub(crate) fn of(values: &[f64]) -> Self {
        let deals = values.len() as f64;
        let mean = values.iter().sum::<f64>() / deals;
        let variance = values
            .iter()
            .map(|value| (value - mean).powi(2))
            .sum::<f64>()
            / (deals - 1.0);
        Self {
            mean,
            half: 1.96 * (variance / deals).sqrt(),
        }
    }

    pub(crate) fn low(&self) -> f64 {
        self.mean - self.half
    }

    pub(crate) fn in_words(&self) -> String {
        let [mean, low, high] =
            [self.mean, self.low(), self.mean + self.half].map(|share| 100.0 * share);
        format!("{mean:5.1} % ({low:.1} to {high:.1})")
    }
}

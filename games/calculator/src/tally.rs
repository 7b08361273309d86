//! The statistics of one action, as means with their standard errors.

use riichi::{MAX_PLAYERS, PerSeat, Seat};

/// A mean and its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mean {
    pub value: f64,
    /// Its standard error; infinite after fewer than two simulations.
    pub error: f64,
}

/// Sums of a figure.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SimulatedSums {
    sum: f64,
    squares: f64,
}

impl SimulatedSums {
    pub(crate) fn add(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
    }

    pub(crate) fn mean(&self, number: u64) -> Mean {
        if number == 0 {
            return Mean {
                value: 0.0,
                error: f64::INFINITY,
            };
        }
        let (n, value) = (number as f64, self.sum / number as f64);
        let variance = (self.squares / n - value * value).max(0.0);
        let error = if number < 2 {
            f64::INFINITY
        } else {
            (variance / (n - 1.0)).sqrt()
        };
        Mean { value, error }
    }
}

/// The outcome of one simulation for the own seat.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) win: bool,
    pub(crate) tsumo: bool,
    pub(crate) deal_in: Option<Seat>,
    /// No player won.
    pub(crate) draw: bool,
    pub(crate) tenpai: bool,
    pub(crate) points: f64,
    /// The chance of each place, first to last.
    pub(crate) places: [f64; MAX_PLAYERS],
}

/// The statistics of one action.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    pub(crate) number: u64,
    win: SimulatedSums,
    tsumo: SimulatedSums,
    deal_in: [SimulatedSums; MAX_PLAYERS],
    draw: SimulatedSums,
    tenpai: SimulatedSums,
    points: SimulatedSums,
    places: [SimulatedSums; MAX_PLAYERS],
    place: SimulatedSums,
}

/// The outcome of an action for the seat that takes it. Probabilities from 0 to 1.
#[derive(Debug, Clone)]
pub struct ActionFigures {
    pub simulations: u64,
    /// Winning the round.
    pub win: Mean,
    /// Winning it by self-draw.
    pub tsumo: Mean,
    /// Dealing in, to any player.
    pub deal_in: Mean,
    pub deal_in_to: PerSeat<Mean>,
    /// No player wins.
    pub draw: Mean,
    /// The wall is used up and the own hand is tenpai.
    pub tenpai: Mean,
    /// Change of the own score in the round, from now on, points.
    pub points: Mean,
    /// The probability of each place at the end of the game, first to last; one for each player.
    pub places: Vec<Mean>,
    /// The place expected at the end of the game, from 1.
    pub place: Mean,
}

impl Tally {
    pub(crate) fn add(&mut self, outcome: &Outcome) {
        let flag = |set: bool| f64::from(u8::from(set));
        self.number += 1;
        self.win.add(flag(outcome.win));
        self.tsumo.add(flag(outcome.tsumo));
        for (index, sums) in self.deal_in.iter_mut().enumerate() {
            sums.add(flag(
                outcome.deal_in.is_some_and(|seat| seat.index() == index),
            ));
        }
        self.draw.add(flag(outcome.draw));
        self.tenpai.add(flag(outcome.tenpai));
        self.points.add(outcome.points);
        let mut expected = 0.0;
        for (index, (sums, chance)) in self.places.iter_mut().zip(outcome.places).enumerate() {
            sums.add(chance);
            expected += chance * (index + 1) as f64;
        }
        self.place.add(expected);
    }

    pub(crate) fn figures(&self, players: u8) -> ActionFigures {
        let mean = |sums: &SimulatedSums| sums.mean(self.number);
        // To at most one, so their chances and variances come from the same sums.
        let deal_in = SimulatedSums {
            sum: self.deal_in.iter().map(|sums| sums.sum).sum(),
            squares: self.deal_in.iter().map(|sums| sums.squares).sum(),
        };
        ActionFigures {
            simulations: self.number,
            win: mean(&self.win),
            tsumo: mean(&self.tsumo),
            deal_in: mean(&deal_in),
            deal_in_to: PerSeat::from_fn(players, |seat| mean(&self.deal_in[seat.index()])),
            draw: mean(&self.draw),
            tenpai: mean(&self.tenpai),
            points: mean(&self.points),
            places: self.places[..usize::from(players)]
                .iter()
                .map(mean)
                .collect(),
            place: self.place(),
        }
    }

    /// The place expected at the end of the game.
    pub(crate) fn place(&self) -> Mean {
        self.place.mean(self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_comes_with_the_standard_error_of_a_sample() {
        let mut sums = SimulatedSums::default();
        [1.0, 2.0, 3.0, 4.0]
            .into_iter()
            .for_each(|value| sums.add(value));
        let Mean { value, error } = sums.mean(4);
        // The sample's variance is 5/3; the variance of its mean is a quarter of it.
        assert!((value - 2.5).abs() < 1e-12 && (error - (5.0_f64 / 12.0).sqrt()).abs() < 1e-12);
    }
}

//! What actions come to, by games that all seats play to the end with this strategy.

use std::num::NonZeroU64;

use game_core::Seat;
use game_core::rng::Rng;
use mcr::event::PLAYERS;
use mcr::{McrAction, McrGame, McrSeatState};

use crate::{FanParams, decide};

/// The average points of a seat after an action.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimulatedPoints {
    pub mean: f32,
    /// Its standard error; infinite after a single game.
    pub error: f32,
}

/// The points that each action comes to, by so many games in all; `None` when no hidden tiles fit.
/// All actions are tried with the same hidden tiles, then the better half with more, and so on.
pub fn simulate(
    seat: &McrSeatState,
    legal: &[McrAction],
    number: NonZeroU64,
) -> Option<Vec<SimulatedPoints>> {
    let mut tried: Vec<usize> = (0..legal.len()).collect();
    let mut values = vec![
        SimulatedPoints {
            mean: 0.0,
            error: f32::INFINITY
        };
        legal.len()
    ];
    let stages = legal.len().next_power_of_two().trailing_zeros().max(1);
    let (mut worlds, mut sums) = (0, vec![PointsSum::default(); legal.len()]);
    loop {
        for _ in 0..(number.get() / u64::from(stages) / tried.len() as u64).max(1) {
            worlds += 1;
            let world = McrGame::from_seat(seat, &mut Rng::keyed(&[worlds]))?;
            for &index in &tried {
                sums[index].add(play_out(world.clone(), seat.seat(), legal[index]));
            }
        }
        for &index in &tried {
            values[index] = sums[index].mean(worlds);
        }
        if tried.len() <= 2 {
            return Some(values);
        }
        tried.sort_by(|&one, &other| values[other].mean.total_cmp(&values[one].mean));
        tried.truncate(tried.len().div_ceil(2));
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct PointsSum {
    points: f64,
    squares: f64,
}

impl PointsSum {
    fn add(&mut self, points: f64) {
        self.points += points;
        self.squares += points * points;
    }

    fn mean(&self, games: u64) -> SimulatedPoints {
        let (count, mean) = (games as f64, self.points / games as f64);
        let variance = (self.squares / count - mean * mean).max(0.0);
        let error = if games < 2 {
            f64::INFINITY
        } else {
            (variance / (count - 1.0)).sqrt()
        };
        SimulatedPoints {
            mean: mean as f32,
            error: error as f32,
        }
    }
}

/// The points of a seat after this action, when all play on.
fn play_out(mut game: McrGame, own: Seat, action: McrAction) -> f64 {
    let params = FanParams {
        beyond: 0,
        ..FanParams::default()
    };
    let answer = |game: &McrGame, seat: Seat| {
        let state = game.seat(seat);
        let legal = state.legal();
        decide(state, &legal, &params).and_then(|decided| legal.get(decided.index).copied())
    };
    let mut first = Some(action);
    loop {
        if let Some(end) = game.end() {
            return end.scores()[own.index()].into();
        }
        let mut answers = [None; PLAYERS as usize];
        for (seat, place) in Seat::all(PLAYERS).zip(&mut answers) {
            *place = first
                .filter(|_| seat == own)
                .or_else(|| answer(&game, seat));
        }
        first = None;
        game.answer(answers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_average_comes_with_the_standard_error_of_a_sample() {
        let mut sum = PointsSum::default();
        [-8.0, -8.0, 24.0, -8.0]
            .into_iter()
            .for_each(|points| sum.add(points));
        // The sample's variance is 256; that of its mean is a quarter of it.
        assert_eq!(
            sum.mean(4),
            SimulatedPoints {
                mean: 0.0,
                error: 8.0
            }
        );
        assert_eq!(sum.mean(1).error, f32::INFINITY);
    }
}

//! What actions come to, by games that all seats play to the end with this strategy.

use std::num::NonZeroU64;

use game_core::Seat;
use game_core::rng::Rng;
use mcr::event::PLAYERS;
use mcr::{McrAction, McrGame, McrSeatState};

use crate::{FanParams, decide};

/// The points that each action comes to, by so many games in all; `None` when no hidden tiles fit. All actions are
/// tried with the same hidden tiles, then the better half with more, and so on.
#[must_use]
pub fn simulate(seat: &McrSeatState, legal: &[McrAction], number: NonZeroU64) -> Option<Vec<f32>> {
    let mut tried: Vec<usize> = (0..legal.len()).collect();
    let mut values = vec![0.0; legal.len()];
    let stages = legal.len().next_power_of_two().trailing_zeros().max(1);
    let (mut worlds, mut sums) = (0, vec![0.0; legal.len()]);
    loop {
        for _ in 0..(number.get() / u64::from(stages) / tried.len() as u64).max(1) {
            worlds += 1;
            let world = McrGame::from_seat(seat, &mut Rng::keyed(&[worlds]))?;
            for &index in &tried {
                sums[index] += play_out(world.clone(), seat.seat(), legal[index]);
            }
        }
        for &index in &tried {
            values[index] = (sums[index] / worlds as f64) as f32;
        }
        if tried.len() <= 2 {
            return Some(values);
        }
        tried.sort_by(|&one, &other| values[other].total_cmp(&values[one]));
        tried.truncate(tried.len().div_ceil(2));
    }
}

/// The points of a seat after this action, when all play on.
fn play_out(mut game: McrGame, own: Seat, action: McrAction) -> f64 {
    let params = FanParams { beyond: 0, ..FanParams::default() };
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
            *place = first.filter(|_| seat == own).or_else(|| answer(&game, seat));
        }
        first = None;
        game.answer(answers);
    }
}

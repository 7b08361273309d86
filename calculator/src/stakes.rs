//! What points are worth to each seat in a round: places, as the fast policy weighs them.

use riichi::game::RoundId;
use riichi::rules::Length;
use riichi::{PerSeat, Rules, Seat};

/// Points in a step of the tables.
const STEP: i32 = 1_000;
/// Steps: the dearest win there is, and more.
const STEPS: usize = 49;
/// By how many points the difference between two seats moves in a round, as a standard deviation. As defensive-fold has it.
const ROUND_SWING: f32 = 7_500.0;
/// What the last round counts for when it is over: repeats may follow it. As defensive-fold has it.
const LAST_ROUND: f32 = 0.08;

/// Rounds that come after this one, repeats and extra rounds not counted.
pub(crate) fn rounds_left(rules: &Rules, round: RoundId) -> u32 {
    let players = u32::from(rules.players);
    let all = match rules.length {
        Length::Single => 1,
        Length::East => players,
        Length::Half => 2 * players,
    };
    all.saturating_sub(round.bakaze as u32 * players + round.oya.index() as u32 + 1)
}

/// What it is worth to a seat to win or pay points.
#[derive(Debug, Clone)]
pub(crate) struct Stakes(PerSeat<SeatStakes>);

#[derive(Debug, Clone, Copy)]
struct SeatStakes {
    win: [f32; STEPS],
    pay: [f32; STEPS],
}

impl Stakes {
    /// With these scores and so many rounds to come after this one. Without `places` a point is worth the same everywhere.
    pub(crate) fn new(scores: &PerSeat<i32>, rounds_left: u32, places: bool) -> Self {
        let steepness = 1.7 / (ROUND_SWING * (rounds_left as f32 + LAST_ROUND).sqrt());
        let place = |seat: Seat, change: i32| {
            let ahead = scores.iter().filter(|(other, _)| *other != seat).map(|(_, &points)| {
                let lead = (points - scores[seat] - change) as f32;
                1.0 / (1.0 + (-lead * steepness).exp())
            });
            ahead.sum::<f32>()
        };
        let gain = |seat: Seat, change: i32| {
            // A small part in points keeps the order where a place cannot be reached.
            let in_points = change as f32 / 40_000.0;
            if places { place(seat, 0) - place(seat, change) + 0.05 * in_points } else { in_points }
        };
        Self(PerSeat::from_fn(scores.players(), |seat| SeatStakes {
            win: std::array::from_fn(|step| gain(seat, step as i32 * STEP)),
            pay: std::array::from_fn(|step| gain(seat, -(step as i32) * STEP)),
        }))
    }

    /// What winning these points gains.
    pub(crate) fn win(&self, seat: Seat, points: f32) -> f32 {
        between(&self.0[seat].win, points)
    }

    /// What paying these points costs, positive.
    pub(crate) fn pay(&self, seat: Seat, points: f32) -> f32 {
        -between(&self.0[seat].pay, points)
    }
}

fn between(table: &[f32; STEPS], points: f32) -> f32 {
    let place = (points / STEP as f32).clamp(0.0, (STEPS - 2) as f32);
    let (step, rest) = (place as usize, place.fract());
    table[step] + rest * (table[step + 1] - table[step])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stakes(scores: [i32; 4], rounds_left: u32) -> Stakes {
        Stakes::new(&PerSeat::from_fn(4, |seat| scores[seat.index()]), rounds_left, true)
    }

    #[test]
    fn in_the_last_round_points_that_pass_a_seat_are_worth_most_and_what_comes_after_little() {
        let last = stakes([20_000, 25_500, 40_000, 14_500], 0);
        let seat = Seat::FIRST;
        let (short, enough, more) = (last.win(seat, 3_900.0), last.win(seat, 8_000.0), last.win(seat, 12_000.0));
        assert!(enough - short > 0.3 && more - enough < 0.2, "{short} {enough} {more}");
    }

    #[test]
    fn paying_costs_and_winning_gains() {
        let level = stakes([25_000; 4], 7);
        assert!(level.win(Seat::FIRST, 8_000.0) > 0.0 && level.pay(Seat::FIRST, 8_000.0) > 0.0);
    }
}

//! The value of points to each seat in a round: places, as the fast policy weighs them.

use riichi::game::RoundId;
use riichi::{PerSeat, Rules, Seat};

use crate::estimates::{PlaceValue, rounds_left};

/// Points in a step of the tables.
const STEP: i32 = 1_000;
/// Steps: the dearest win there is, and more.
const STEPS: usize = 49;

/// The value to a seat of winning or paying points.
#[derive(Debug, Clone)]
pub(crate) struct Stakes(PerSeat<SeatStakes>);

#[derive(Debug, Clone, Copy)]
struct SeatStakes {
    win: [f32; STEPS],
    pay: [f32; STEPS],
}

impl Stakes {
    /// With these scores in this round. Without `places` a point is worth the same everywhere.
    pub(crate) fn new(scores: &PerSeat<i32>, rules: &Rules, round: RoundId) -> Self {
        let left = rounds_left(rules, round.bakaze, round.oya.index() as u8 + 1);
        let value = PlaceValue::new(scores.players(), left);
        let place = |seat: Seat, change: i32| {
            let others = scores
                .iter()
                .filter(|(other, _)| *other != seat)
                .map(|(_, &points)| points);
            value.ahead(scores[seat] + change, others)
        };
        let gain = |seat: Seat, change: i32| {
            // A small share of points keeps the order when a place cannot be reached.
            let in_points = change as f32 / 40_000.0;
            place(seat, 0) - place(seat, change) + 0.05 * in_points
        };
        Self(PerSeat::from_fn(scores.players(), |seat| SeatStakes {
            win: std::array::from_fn(|step| gain(seat, step as i32 * STEP)),
            pay: std::array::from_fn(|step| gain(seat, -(step as i32) * STEP)),
        }))
    }

    /// The gain of winning these points.
    pub(crate) fn win(&self, seat: Seat, points: f32) -> f32 {
        between(&self.0[seat].win, points)
    }

    /// The cost of paying these points, positive.
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
    use riichi::Wind;

    use super::*;

    fn stakes(scores: [i32; 4], bakaze: Wind, oya: u8) -> Stakes {
        let round = RoundId {
            bakaze,
            oya: Seat::new(oya).expect("a seat"),
            honba: 0,
        };
        Stakes::new(
            &PerSeat::from_fn(4, |seat| scores[seat.index()]),
            &Rules::TENHOU_HALF,
            round,
        )
    }

    #[test]
    fn in_the_last_round_points_that_pass_a_seat_are_worth_most_and_further_ones_little() {
        let last = stakes([20_000, 25_500, 40_000, 14_500], Wind::South, 3);
        let seat = Seat::FIRST;
        let (short, enough, more) = (
            last.win(seat, 3_900.0),
            last.win(seat, 8_000.0),
            last.win(seat, 12_000.0),
        );
        assert!(
            enough - short > 0.3 && more - enough < 0.2,
            "{short} {enough} {more}"
        );
    }

    #[test]
    fn paying_costs_and_winning_gains() {
        let level = stakes([25_000; 4], Wind::East, 0);
        assert!(level.win(Seat::FIRST, 8_000.0) > 0.0 && level.pay(Seat::FIRST, 8_000.0) > 0.0);
    }
}

//! The value of points in places.

use calculator::estimates::PlaceValue;
use policy_sdk::View;
use riichi::{PerSeat, Seat};

use crate::payoff::Payoff;

/// Regular rounds after this one.
pub(crate) fn rounds_left(view: &View<'_>) -> u8 {
    calculator::estimates::rounds_left(view.rules(), view.bakaze(), view.kyoku())
}

/// The scores, and the expected changes after this round.
#[derive(Debug, Clone)]
pub(crate) struct Standing {
    own: Seat,
    scores: PerSeat<i32>,
    /// Points of the riichi sticks on the table, which the winner takes.
    sticks: i32,
    value: PlaceValue,
    /// What the places pay, unless every place is worth the same.
    payoff: Option<Payoff>,
    now: f32,
}

impl Standing {
    pub(crate) fn of(view: &View<'_>, payoff: Option<Payoff>) -> Self {
        let value = PlaceValue::new(view.players(), rounds_left(view));
        Self::new(
            view.seat(),
            view.scores(),
            1_000 * i32::from(view.kyotaku()),
            value,
            payoff,
        )
    }

    fn new(
        own: Seat,
        scores: PerSeat<i32>,
        sticks: i32,
        value: PlaceValue,
        payoff: Option<Payoff>,
    ) -> Self {
        let mut this = Self {
            own,
            scores,
            sticks,
            value,
            payoff,
            now: 0.0,
        };
        this.now = this.places(&this.change(|_| 0));
        this
    }

    /// The expected gain in places (negative: loss) if the scores change by this.
    pub(crate) fn gain(&self, change: &PerSeat<i32>) -> f32 {
        self.now - self.places(change)
    }

    /// The same if only the own score changes.
    pub(crate) fn own_gain(&self, points: i32) -> f32 {
        self.gain(&self.change(|seat| if seat == self.own { points } else { 0 }))
    }

    /// The same if a seat wins on another's discard, which pays this many points, for hand and
    /// honba; the sticks come from the table.
    pub(crate) fn ron(&self, payer: Seat, winner: Seat, paid: i32) -> f32 {
        self.gain(&self.change(|seat| match seat {
            seat if seat == winner => paid + self.sticks,
            seat if seat == payer => -paid,
            _ => 0,
        }))
    }

    /// The same if a seat wins by self-draw, and the others pay this many points together, each the
    /// same.
    pub(crate) fn tsumo(&self, winner: Seat, paid: i32) -> f32 {
        let payers = i32::from(self.scores.players()) - 1;
        self.gain(&self.change(|seat| {
            if seat == winner {
                paid + self.sticks
            } else {
                -paid / payers
            }
        }))
    }

    pub(crate) const fn own(&self) -> Seat {
        self.own
    }

    pub(crate) fn others(&self) -> impl Iterator<Item = Seat> {
        let own = self.own;
        Seat::all(self.scores.players()).filter(move |&seat| seat != own)
    }

    fn change(&self, of: impl FnMut(Seat) -> i32) -> PerSeat<i32> {
        PerSeat::from_fn(self.scores.players(), of)
    }

    /// The expected own place at the end: one more than the expected number of seats ahead. With a
    /// payoff what the place costs, in average places.
    fn places(&self, change: &PerSeat<i32>) -> f32 {
        let own = self.scores[self.own] + change[self.own];
        let others = self.others().map(|seat| self.scores[seat] + change[seat]);
        1.0 + match &self.payoff {
            None => self.value.ahead(own, others),
            Some(payoff) => {
                let ahead = others.map(|points| self.value.is_ahead(own, points));
                payoff.cost(own, ahead)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(number: u8) -> Seat {
        Seat::new(number).unwrap()
    }

    /// Seat 0 with these scores and sticks on the table, in the middle of a game.
    fn standing(scores: [i32; 4], sticks: i32) -> Standing {
        let scores = PerSeat::from_fn(4, |seat| scores[seat.index()]);
        Standing::new(seat(0), scores, sticks, PlaceValue::new(4, 1), None)
    }

    /// The gain in places if the scores change by this.
    fn gained(standing: &Standing, change: [i32; 4]) -> f32 {
        standing.gain(&PerSeat::from_fn(4, |seat| change[seat.index()]))
    }

    #[test]
    fn the_winner_takes_the_sticks_and_who_dealt_in_pays_the_hand_alone() {
        let standing = standing([25_000; 4], 2_000);
        assert_eq!(
            standing.ron(seat(0), seat(2), 8_000),
            gained(&standing, [-8_000, 0, 10_000, 0])
        );
        assert_eq!(
            standing.ron(seat(3), seat(0), 8_000),
            gained(&standing, [10_000, 0, 0, -8_000])
        );
    }

    #[test]
    fn at_a_self_draw_the_winner_takes_the_sticks_and_the_others_share_the_hand_alone() {
        let standing = standing([25_000; 4], 2_000);
        assert_eq!(
            standing.tsumo(seat(1), 6_000),
            gained(&standing, [-2_000, 8_000, -2_000, -2_000])
        );
    }

    #[test]
    fn points_among_others_move_the_own_place_too() {
        let standing = standing([30_000, 31_000, 20_000, 19_000], 0);
        assert!(
            standing.ron(seat(1), seat(3), 8_000) > 0.0,
            "the leader paid"
        );
        assert!(
            standing.ron(seat(3), seat(1), 8_000) < 0.0,
            "the leader won"
        );
    }

    #[test]
    fn the_same_points_are_worth_most_where_they_pass_a_seat() {
        let close = standing([25_000, 26_000, 5_000, 44_000], 0);
        let clear = standing([25_000, 60_000, 5_000, 10_000], 0);
        assert!(close.own_gain(2_000) > 2.0 * clear.own_gain(2_000));
    }

    #[test]
    fn nothing_changed_is_nothing_gained() {
        assert_eq!(
            standing([32_000, 18_000, 25_000, 25_000], 1_000).own_gain(0),
            0.0
        );
    }
}

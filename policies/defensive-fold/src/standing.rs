//! What points are worth: places.

use mahjong::rules::Length;
use mahjong::{PerSeat, Seat};
use policy_sdk::View;

/// By how many points the difference between two seats moves in a round, as a standard deviation.
const ROUND_SWING: f32 = 7_500.0;
/// What the last round counts for when it is over: repeats may follow it.
const LAST_ROUND: f32 = 0.08;

/// The scores, and how much may still happen after this round.
#[derive(Debug, Clone)]
pub(crate) struct Standing {
    own: Seat,
    scores: PerSeat<i32>,
    steepness: f32,
    now: f32,
}

impl Standing {
    pub(crate) fn of(view: &View<'_>) -> Self {
        let players = i32::from(view.players());
        let played = players * (view.bakaze() as i32) + i32::from(view.kyoku());
        let rounds = match view.rules().length {
            Length::Single => 1,
            Length::East => players,
            Length::Half => 2 * players,
        };
        let left = (rounds - played).max(0) as f32 + LAST_ROUND;
        // The logistic curve with 1.7 over the deviation is the normal one within a hundredth.
        let steepness = 1.7 / (ROUND_SWING * left.sqrt());
        let mut this = Self { own: view.seat(), scores: view.scores(), steepness, now: 0.0 };
        this.now = this.places(&PerSeat::from_fn(view.players(), |_| 0));
        this
    }

    /// The places gained in expectation (lost, if negative) when the scores change so.
    pub(crate) fn gain(&self, change: &PerSeat<i32>) -> f32 {
        self.now - self.places(change)
    }

    /// The same when the own score changes and no other.
    pub(crate) fn own_gain(&self, points: i32) -> f32 {
        self.gain(&self.change(|seat| if seat == self.own { points } else { 0 }))
    }

    /// The same when points go from one seat to another.
    pub(crate) fn transfer(&self, from: Seat, to: Seat, points: i32) -> f32 {
        self.gain(&self.change(|seat| match seat {
            seat if seat == to => points,
            seat if seat == from => -points,
            _ => 0,
        }))
    }

    /// The same when a seat wins by self-draw.
    pub(crate) fn tsumo(&self, winner: Seat, points: i32) -> f32 {
        let others = i32::from(self.scores.players()) - 1;
        self.gain(&self.change(|seat| if seat == winner { points } else { -points / others }))
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

    /// The own place expected at the end: one more than the seats that are expected ahead.
    fn places(&self, change: &PerSeat<i32>) -> f32 {
        let own = self.scores[self.own] + change[self.own];
        let ahead = self.others().map(|seat| {
            let lead = (self.scores[seat] + change[seat] - own) as f32;
            1.0 / (1.0 + (-lead * self.steepness).exp())
        });
        1.0 + ahead.sum::<f32>()
    }
}

//! A round that no player wins.

use game_core::Seat;

use super::RiichiGame;
use super::course::RoundVerdict;
use crate::event::{DrawReason, Event, Points};
use crate::table::Phase;

impl RiichiGame {
    /// An abortive draw: no player is paid, and the dealer deals again.
    pub(super) fn abort_round(&mut self, reason: DrawReason) {
        self.draw_round(
            Points::from_fn(self.rules().players, |_| 0),
            reason,
            RoundVerdict::Aborted,
        );
    }

    fn draw_round(&mut self, deltas: Points, reason: DrawReason, end: RoundVerdict) {
        self.tell(Event::Ryukyoku {
            deltas: Some(deltas),
            scores: None,
            reason: Some(reason),
        });
        self.end_round(end);
    }

    /// Ends the round because a seat did something that is not legal. It pays what it would be paid
    /// for a tsumo of mangan, and the dealer deals again: RiichiLab's penalty, and no house's rule.
    /// Does nothing when no player is asked.
    pub fn end_by_penalty(&mut self, offender: Seat) {
        if self.asked.is_empty() || offender.index() >= usize::from(self.rules().players) {
            return;
        }
        self.asked.clear();
        self.answers
            .iter_mut()
            .for_each(|(_, answer)| *answer = None);
        self.forget_events();
        if let Phase::Discarded { by, .. } = self.phase() {
            self.accept_riichi(by);
        }
        let deltas = self.state.public().penalty(offender);
        self.draw_round(
            deltas,
            DrawReason::IllegalAction(offender),
            RoundVerdict::Aborted,
        );
    }

    /// The wall is drawn, and no player has won on the last discard.
    pub(super) fn end_without_winner(&mut self) {
        let tenpai = |seat: Seat| !self.state.own(seat).waits.is_empty();
        let (reason, deltas) = self.state.public().exhausted(tenpai);
        let end = RoundVerdict::Drawn {
            dealer_tenpai: tenpai(self.state.public().oya),
        };
        self.draw_round(deltas, reason, end);
    }
}

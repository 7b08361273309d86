//! A round that no player wins.

use game_core::Seat;
use tiles::Wind;

use super::RiichiGame;
use super::course::RoundVerdict;
use crate::event::{DrawReason, Event, Points};
use crate::score::nagashi_mangan;
use crate::table::{Phase, PlayerState};

impl RiichiGame {
    /// Why the discard that just passed ends the round in an abortive draw, if it does.
    pub(super) fn abortive_draw(&self) -> Option<DrawReason> {
        let public = self.state.public();
        if public.four_kans_end_the_round() {
            return Some(DrawReason::FourKans);
        }
        if public.rules.players != 4 {
            return None;
        }
        let four_riichi = self.four_riichi().then_some(DrawReason::FourRiichi);
        four_riichi.or_else(|| self.four_winds().then_some(DrawReason::FourWinds))
    }

    fn four_riichi(&self) -> bool {
        self.state.public().players.iter().all(|(_, player)| player.riichi.is_some())
    }

    fn four_winds(&self) -> bool {
        let players = &self.state.public().players;
        let first = |player: &PlayerState| match player.river.as_slice() {
            [only] if player.melds.is_empty() => Wind::of_kind(only.tile.kind()),
            _ => None,
        };
        let wind = first(&players[Seat::FIRST]);
        wind.is_some() && players.iter().all(|(_, player)| first(player) == wind)
    }

    /// An abortive draw: no player is paid, and the dealer deals again.
    pub(super) fn abort_round(&mut self, reason: DrawReason) {
        self.draw_round(Points::from_fn(self.rules().players, |_| 0), reason, RoundVerdict::Aborted);
    }

    fn draw_round(&mut self, deltas: Points, reason: DrawReason, end: RoundVerdict) {
        self.tell(Event::Ryukyoku { deltas: Some(deltas), scores: None, reason: Some(reason) });
        self.end_round(end);
    }

    /// Ends the round because a seat did something that is not legal. It pays what it would be paid for a tsumo of
    /// mangan, and the dealer deals again: RiichiLab's penalty, and no house's rule. Does nothing when no player is
    /// asked.
    pub fn end_by_penalty(&mut self, offender: Seat) {
        if self.asked.is_empty() || offender.index() >= usize::from(self.rules().players) {
            return;
        }
        self.asked.clear();
        self.answers.iter_mut().for_each(|(_, answer)| *answer = None);
        self.forget_events();
        if let Phase::Discarded { by, .. } = self.phase() {
            self.accept_riichi(by);
        }
        let mut deltas = nagashi_mangan(self.rules(), offender, self.state.public().oya);
        deltas.iter_mut().for_each(|(_, points)| *points = -*points);
        self.draw_round(deltas, DrawReason::IllegalAction(offender), RoundVerdict::Aborted);
    }

    /// The wall is drawn, and no player has won on the last discard.
    pub(super) fn end_without_winner(&mut self) {
        let public = self.state.public();
        let (oya, players) = (public.oya, public.rules.players);
        let tenpai = |seat: Seat| !self.state.own(seat).waits.is_empty();
        let mut deltas = Points::from_fn(players, |_| 0);
        let mut reason = DrawReason::Exhaustive;
        for winner in Seat::all(players).filter(|&seat| is_nagashi(&public.players[seat])) {
            reason = DrawReason::NagashiMangan;
            let paid = nagashi_mangan(self.rules(), winner, oya);
            deltas.iter_mut().for_each(|(seat, points)| *points += paid[seat]);
        }
        if reason == DrawReason::Exhaustive {
            deltas = noten_payments(players, tenpai);
        }
        let end = RoundVerdict::Drawn { dealer_tenpai: tenpai(oya) };
        self.draw_round(deltas, reason, end);
    }
}

/// Whether all discards are terminals or honours, and none was called.
fn is_nagashi(player: &PlayerState) -> bool {
    player.river.iter().all(|discard| discard.called_by.is_none() && discard.tile.kind().is_terminal_or_honour())
}

/// The payments from seats that are not tenpai to those that are.
fn noten_payments(players: u8, tenpai: impl Fn(Seat) -> bool) -> Points {
    let all = if players == 3 { 2000 } else { 3000 };
    let receivers = Seat::all(players).filter(|&seat| tenpai(seat)).count() as i32;
    let payers = i32::from(players) - receivers;
    Points::from_fn(players, |seat| match (receivers, payers) {
        (0, _) | (_, 0) => 0,
        _ if tenpai(seat) => all / receivers,
        _ => -all / payers,
    })
}

//! How a round ends that no player wins: when, and what is paid.

use game_core::{PerSeat, Seat};
use tiles::Wind;

use super::{PlayerState, Public};
use crate::event::{DrawReason, Points};
use crate::score::nagashi_mangan;

impl Public {
    /// Why the discard that just passed ends the round in an abortive draw, if it does.
    pub(crate) fn abortive_draw(&self) -> Option<DrawReason> {
        if self.four_kans_end_the_round() {
            return Some(DrawReason::FourKans);
        }
        if self.rules.players != 4 {
            return None;
        }
        let four_riichi = self
            .players
            .iter()
            .all(|(_, player)| player.riichi.is_some());
        four_riichi
            .then_some(DrawReason::FourRiichi)
            .or_else(|| self.four_winds().then_some(DrawReason::FourWinds))
    }

    fn four_winds(&self) -> bool {
        let first = |player: &PlayerState| match player.river.as_slice() {
            [only] if player.melds.is_empty() => Wind::of_kind(only.tile.kind()),
            _ => None,
        };
        let wind = first(&self.players[Seat::FIRST]);
        wind.is_some() && self.players.iter().all(|(_, player)| first(player) == wind)
    }

    /// The draw, and what is paid, when the wall is drawn and no player has won on the last
    /// discard.
    pub(crate) fn exhausted(&self, tenpai: impl Fn(Seat) -> bool) -> (DrawReason, Points) {
        let players = self.rules.players;
        let mut deltas = Points::from_fn(players, |_| 0);
        let mut reason = DrawReason::Exhaustive;
        for winner in Seat::all(players).filter(|&seat| is_nagashi(&self.players[seat])) {
            reason = DrawReason::NagashiMangan;
            let paid = nagashi_mangan(&self.rules, winner, self.oya);
            deltas
                .iter_mut()
                .for_each(|(seat, points)| *points += paid[seat]);
        }
        if reason == DrawReason::Exhaustive {
            deltas = noten_payments(players, tenpai);
        }
        (reason, deltas)
    }

    /// What a seat pays that did something illegal.
    pub(crate) fn penalty(&self, offender: Seat) -> Points {
        let mut deltas = nagashi_mangan(&self.rules, offender, self.oya);
        deltas.iter_mut().for_each(|(_, points)| *points = -*points);
        deltas
    }
}

/// Whether all discards are terminals or honours, and none was called.
fn is_nagashi(player: &PlayerState) -> bool {
    player
        .river
        .iter()
        .all(|discard| discard.called_by.is_none() && discard.tile.kind().is_terminal_or_honour())
}

/// The payments from seats that are not tenpai to those that are.
fn noten_payments(players: u8, tenpai: impl Fn(Seat) -> bool) -> Points {
    let all = if players == 3 { 2000 } else { 3000 };
    let receivers = Seat::all(players).filter(|&seat| tenpai(seat)).count() as i32;
    let payers = i32::from(players) - receivers;
    PerSeat::from_fn(players, |seat| match (receivers, payers) {
        (0, _) | (_, 0) => 0,
        _ if tenpai(seat) => all / receivers,
        _ => -all / payers,
    })
}

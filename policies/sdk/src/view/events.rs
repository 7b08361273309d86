//! The events of the round and the end of the previous one, decoded from a view.

use policy_abi::log::{DRAW_PENALTY, EVENT_DELTAS, EVENT_HORA, EVENT_RYUKYOKU, LogEvent};
use riichi::event::{DrawReason, Event, StartKyoku};
use riichi::{PerSeat, Seat, Tile};

use super::View;
use crate::codes::{RiichiEventReader, decode_draw_reason, decode_optional_tile, decode_seat};
use crate::error::BadView;

/// An event of the running round in the log of `view`; `None` for a kind that is not known.
pub(super) fn decode_event(event: &LogEvent, view: &View<'_>) -> Result<Option<Event>, BadView> {
    RiichiEventReader {
        coded: event,
        players: view.players(),
        own: view.seat(),
        start: &|dora_marker| start_kyoku(view, dora_marker),
    }
    .read(Some, |_| Ok(None))
}

/// The end of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundEnd {
    /// A seat won.
    Won(WonRound),
    /// The round was drawn or aborted.
    Drawn(DrawnRound),
}

/// A win that ended a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WonRound {
    /// The winner.
    pub winner: Seat,
    /// The seat that dealt in; the winner itself on a self-draw.
    pub from: Seat,
    /// The winning tile, if it was shown.
    pub tile: Option<Tile>,
    /// Change of each seat's points, if the arena sends it, without riichi sticks paid earlier.
    pub deltas: Option<PerSeat<i32>>,
}

/// A round that ended without a winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawnRound {
    /// The reason, if the arena sends a known one.
    pub reason: Option<DrawReason>,
    /// Whether each seat was tenpai when the wall was drawn, if known.
    pub tenpai: PerSeat<Option<bool>>,
    /// Change of each seat's points, if the arena sends it, without riichi sticks paid earlier.
    pub deltas: Option<PerSeat<i32>>,
}

/// The end of the previous round, as an event before the start of a round describes it; `None` for
/// an unknown kind.
pub(super) fn decode_end(event: &LogEvent, players: u8) -> Result<Option<RoundEnd>, BadView> {
    let told = event.flags & EVENT_DELTAS != 0;
    let deltas = told.then(|| PerSeat::from_fn(players, |seat| event.deltas[seat.index()]));
    let actor = || decode_seat("events.actor", event.actor, players);
    Ok(Some(match event.kind {
        EVENT_HORA => RoundEnd::Won(WonRound {
            winner: actor()?,
            from: decode_seat("events.target", event.target, players)?,
            tile: decode_optional_tile("events.tile", event.tile)?,
            deltas,
        }),
        EVENT_RYUKYOKU => {
            let is = |set: u8, seat: Seat| set & (1 << seat.index()) != 0;
            let tenpai = |seat| match (is(event.tenpai, seat), is(event.noten, seat)) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            };
            let reason = match event.reason {
                DRAW_PENALTY => Some(DrawReason::IllegalAction(actor()?)),
                // A later minor version may add reasons.
                code => decode_draw_reason(code),
            };
            RoundEnd::Drawn(DrawnRound {
                reason,
                tenpai: PerSeat::from_fn(players, tenpai),
                deltas,
            })
        }
        _ => return Ok(None),
    }))
}

fn start_kyoku(view: &View<'_>, dora_marker: Tile) -> StartKyoku {
    let hand = view.start_hand();
    StartKyoku {
        bakaze: view.bakaze(),
        kyoku: view.kyoku(),
        honba: view.honba(),
        kyotaku: view.start_kyotaku(),
        oya: view.oya(),
        dora_marker,
        scores: Some(view.start_scores()),
        tehais: PerSeat::from_fn(view.players(), |seat| hand.filter(|_| seat == view.seat())),
    }
}

//! The events of the round and the end of the previous one, decoded from a view.

use policy_abi::NONE;
use policy_abi::log::{
    DRAW_EXHAUSTIVE, DRAW_FOUR_KANS, DRAW_FOUR_RIICHI, DRAW_FOUR_WINDS, DRAW_NAGASHI_MANGAN,
    DRAW_NINE_TERMINALS, DRAW_PENALTY, DRAW_THREE_WINNERS, EVENT_ANKAN, EVENT_CHI, EVENT_DAHAI,
    EVENT_DAIMINKAN, EVENT_DELTAS, EVENT_DORA, EVENT_HORA, EVENT_KAKAN, EVENT_KITA, EVENT_PON,
    EVENT_REACH, EVENT_REACH_ACCEPTED, EVENT_RYUKYOKU, EVENT_START_KYOKU, EVENT_TSUMO,
    EVENT_TSUMOGIRI, LogEvent,
};
use riichi::event::{DrawReason, Event, StartKyoku};
use riichi::{PerSeat, Seat, Tile};

use super::View;
use crate::codes::{bad, decode_optional_tile, decode_seat, decode_tile, decode_tiles};
use crate::error::BadView;

/// An event of the running round in the log of `view`; `None` for a kind that is not known.
pub(super) fn decode_event(event: &LogEvent, view: &View<'_>) -> Result<Option<Event>, BadView> {
    const CONSUMED: &str = "events.consumed";
    let players = view.players();
    let actor = || decode_seat("events.actor", event.actor, players);
    let target = || decode_seat("events.target", event.target, players);
    let tile = || decode_tile("events.tile", event.tile);
    Ok(Some(match event.kind {
        EVENT_START_KYOKU => Event::StartKyoku(start_kyoku(view, tile()?)),
        EVENT_TSUMO => drawn(actor()?, view.seat(), event.tile)?,
        EVENT_DAHAI => Event::Dahai {
            actor: actor()?,
            tile: tile()?,
            tsumogiri: event.flags & EVENT_TSUMOGIRI != 0,
        },
        EVENT_CHI => {
            let consumed = decode_tiles(CONSUMED, event.consumed)?;
            Event::Chi {
                actor: actor()?,
                target: target()?,
                tile: tile()?,
                consumed,
            }
        }
        EVENT_PON => {
            let consumed = decode_tiles(CONSUMED, event.consumed)?;
            Event::Pon {
                actor: actor()?,
                target: target()?,
                tile: tile()?,
                consumed,
            }
        }
        EVENT_DAIMINKAN => {
            let consumed = decode_tiles(CONSUMED, event.consumed)?;
            Event::Daiminkan {
                actor: actor()?,
                target: target()?,
                tile: tile()?,
                consumed,
            }
        }
        EVENT_ANKAN => Event::Ankan {
            actor: actor()?,
            consumed: decode_tiles(CONSUMED, event.consumed)?,
        },
        EVENT_KAKAN => Event::Kakan {
            actor: actor()?,
            tile: tile()?,
            consumed: decode_tiles(CONSUMED, event.consumed)?,
        },
        EVENT_KITA => Event::Kita { actor: actor()? },
        EVENT_DORA => Event::Dora { marker: tile()? },
        EVENT_REACH => Event::Reach { actor: actor()? },
        EVENT_REACH_ACCEPTED => Event::ReachAccepted {
            actor: actor()?,
            scores: None,
        },
        _ => return Ok(None),
    }))
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
                DRAW_EXHAUSTIVE => Some(DrawReason::Exhaustive),
                DRAW_NAGASHI_MANGAN => Some(DrawReason::NagashiMangan),
                DRAW_NINE_TERMINALS => Some(DrawReason::NineTerminals),
                DRAW_FOUR_WINDS => Some(DrawReason::FourWinds),
                DRAW_FOUR_KANS => Some(DrawReason::FourKans),
                DRAW_FOUR_RIICHI => Some(DrawReason::FourRiichi),
                DRAW_THREE_WINNERS => Some(DrawReason::ThreeWinners),
                DRAW_PENALTY => Some(DrawReason::IllegalAction(actor()?)),
                _ => None,
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

/// A draw; only the own one may name its tile.
fn drawn(actor: Seat, own: Seat, code: u8) -> Result<Event, BadView> {
    if actor == own {
        Ok(Event::Tsumo {
            actor,
            tile: Some(decode_tile("events.tile", code)?),
        })
    } else if code == NONE {
        Ok(Event::Tsumo { actor, tile: None })
    } else {
        Err(bad("events.tile", code, "255, since another seat draws"))
    }
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

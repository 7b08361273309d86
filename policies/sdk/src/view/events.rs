//! The events of the round, as they are read from a view.

use mahjong::event::{Event, StartKyoku};
use mahjong::{PerSeat, Seat, Tile};
use policy_abi::NONE;
use policy_abi::log::{
    EVENT_ANKAN, EVENT_CHI, EVENT_DAHAI, EVENT_DAIMINKAN, EVENT_DORA, EVENT_KAKAN, EVENT_KITA, EVENT_PON, EVENT_REACH,
    EVENT_REACH_ACCEPTED, EVENT_START_KYOKU, EVENT_TSUMO, EVENT_TSUMOGIRI, LogEvent,
};

use super::View;
use crate::codes::{bad, decode_seat, decode_tile, decode_tiles};
use crate::error::BadView;

/// An event of the log of `view`.
pub(super) fn decode_event(event: &LogEvent, view: &View<'_>) -> Result<Event, BadView> {
    const CONSUMED: &str = "events.consumed";
    let players = view.players();
    let actor = || decode_seat("events.actor", event.actor, players);
    let target = || decode_seat("events.target", event.target, players);
    let tile = || decode_tile("events.tile", event.tile);
    Ok(match event.kind {
        EVENT_START_KYOKU => Event::StartKyoku(start_kyoku(view, tile()?)),
        EVENT_TSUMO => drawn(actor()?, view.seat(), event.tile)?,
        EVENT_DAHAI => Event::Dahai { actor: actor()?, tile: tile()?, tsumogiri: event.flags & EVENT_TSUMOGIRI != 0 },
        EVENT_CHI => {
            let consumed = decode_tiles(CONSUMED, event.consumed)?;
            Event::Chi { actor: actor()?, target: target()?, tile: tile()?, consumed }
        }
        EVENT_PON => {
            let consumed = decode_tiles(CONSUMED, event.consumed)?;
            Event::Pon { actor: actor()?, target: target()?, tile: tile()?, consumed }
        }
        EVENT_DAIMINKAN => {
            let consumed = decode_tiles(CONSUMED, event.consumed)?;
            Event::Daiminkan { actor: actor()?, target: target()?, tile: tile()?, consumed }
        }
        EVENT_ANKAN => Event::Ankan { actor: actor()?, consumed: decode_tiles(CONSUMED, event.consumed)? },
        EVENT_KAKAN => {
            Event::Kakan { actor: actor()?, tile: tile()?, consumed: decode_tiles(CONSUMED, event.consumed)? }
        }
        EVENT_KITA => Event::Kita { actor: actor()? },
        EVENT_DORA => Event::Dora { marker: tile()? },
        EVENT_REACH => Event::Reach { actor: actor()? },
        EVENT_REACH_ACCEPTED => Event::ReachAccepted { actor: actor()?, scores: None },
        other => return Err(bad("events.kind", other, "EVENT_*, 1 to 12")),
    })
}

/// A draw; only the own one may name its tile.
fn drawn(actor: Seat, own: Seat, code: u8) -> Result<Event, BadView> {
    if actor == own {
        Ok(Event::Tsumo { actor, tile: Some(decode_tile("events.tile", code)?) })
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

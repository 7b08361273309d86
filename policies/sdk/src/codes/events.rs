//! The events of a round and the reasons of draws, in both directions.

use policy_abi::NONE;
use policy_abi::log::{
    DRAW_EXHAUSTIVE, DRAW_FOUR_KANS, DRAW_FOUR_RIICHI, DRAW_FOUR_WINDS, DRAW_NAGASHI_MANGAN,
    DRAW_NINE_TERMINALS, DRAW_PENALTY, DRAW_THREE_WINNERS, DRAW_UNKNOWN, EVENT_ANKAN, EVENT_CHI,
    EVENT_DAHAI, EVENT_DAIMINKAN, EVENT_DORA, EVENT_KAKAN, EVENT_KITA, EVENT_PON, EVENT_REACH,
    EVENT_REACH_ACCEPTED, EVENT_START_KYOKU, EVENT_TSUMO, EVENT_TSUMOGIRI, LogEvent,
};
use riichi::event::{DrawReason, Event, StartKyoku};
use riichi::{PerSeat, Seat, Tile};

use super::{bad, decode_seat, decode_tile, decode_tiles, encode_seat, encode_tile, encode_tiles};
use crate::code_table::{codes, kind_codes};
use crate::error::BadView;

/// An event in the boundary's codes, as `own` may know it: the draws of others lose their tile here
/// at the latest.
///
/// `order` is the number of a discard or call in the round's order; other events have none. `None`
/// for the events that are not part of a running round.
pub fn encode_event(event: &Event, own: Seat, order: Option<u8>) -> Option<LogEvent> {
    let mut writer = RiichiEventWriter {
        coded: LogEvent {
            order: order.unwrap_or(NONE),
            ..LogEvent::EMPTY
        },
        own,
    };
    writer.write(event);
    let RiichiEventWriter { coded, .. } = writer;
    (coded.kind != LogEvent::EMPTY.kind).then_some(coded)
}

struct RiichiEventWriter {
    coded: LogEvent,
    own: Seat,
}

impl RiichiEventWriter {
    fn actor(&mut self, actor: Seat) {
        self.coded.actor = encode_seat(Some(actor));
    }

    fn target(&mut self, target: Seat) {
        self.coded.target = encode_seat(Some(target));
    }

    fn tile(&mut self, tile: Tile) {
        self.coded.tile = encode_tile(Some(tile));
    }

    /// Written after the actor.
    fn drawn(&mut self, tile: Option<Tile>) {
        let is_own = self.coded.actor == encode_seat(Some(self.own));
        self.coded.tile = encode_tile(tile.filter(|_| is_own));
    }

    fn tsumogiri(&mut self, tsumogiri: bool) {
        self.coded.flags = if tsumogiri { EVENT_TSUMOGIRI } else { 0 };
    }

    fn consumed<const N: usize>(&mut self, tiles: [Tile; N]) {
        self.coded.consumed = encode_tiles(&tiles);
    }

    /// The view holds the rest of the round's start.
    fn start(&mut self, start: StartKyoku) {
        self.actor(start.oya);
        self.tile(start.dora_marker);
    }

    /// The view holds the scores.
    fn unsent(&mut self, _: Option<PerSeat<i32>>) {}
}

/// Reads an event of the running round.
pub(crate) struct RiichiEventReader<'a> {
    pub(crate) coded: &'a LogEvent,
    pub(crate) players: u8,
    pub(crate) own: Seat,
    /// The start of the round with this dora indicator, which the view holds.
    pub(crate) start: &'a dyn Fn(Tile) -> StartKyoku,
}

impl RiichiEventReader<'_> {
    fn actor(&self) -> Result<Seat, BadView> {
        decode_seat("events.actor", self.coded.actor, self.players)
    }

    fn target(&self) -> Result<Seat, BadView> {
        decode_seat("events.target", self.coded.target, self.players)
    }

    fn tile(&self) -> Result<Tile, BadView> {
        decode_tile("events.tile", self.coded.tile)
    }

    /// The tile of a draw; only the own one may name it.
    fn drawn(&self) -> Result<Option<Tile>, BadView> {
        if self.actor()? == self.own {
            self.tile().map(Some)
        } else if self.coded.tile == NONE {
            Ok(None)
        } else {
            Err(bad(
                "events.tile",
                self.coded.tile,
                "255, since another seat draws",
            ))
        }
    }

    fn tsumogiri(&self) -> Result<bool, BadView> {
        Ok(self.coded.flags & EVENT_TSUMOGIRI != 0)
    }

    fn consumed<const N: usize>(&self) -> Result<[Tile; N], BadView> {
        decode_tiles("events.consumed", self.coded.consumed)
    }

    fn start(&self) -> Result<StartKyoku, BadView> {
        self.tile().map(self.start)
    }

    fn unsent(&self) -> Result<Option<PerSeat<i32>>, BadView> {
        Ok(None)
    }
}

kind_codes!(Event, RiichiEventWriter, RiichiEventReader<'_> {
    EVENT_START_KYOKU = StartKyoku(start),
    EVENT_TSUMO = Tsumo { actor, tile as drawn },
    EVENT_DAHAI = Dahai { actor, tile, tsumogiri },
    EVENT_CHI = Chi { actor, target, tile, consumed },
    EVENT_PON = Pon { actor, target, tile, consumed },
    EVENT_DAIMINKAN = Daiminkan { actor, target, tile, consumed },
    EVENT_ANKAN = Ankan { actor, consumed },
    EVENT_KAKAN = Kakan { actor, tile, consumed },
    EVENT_KITA = Kita { actor },
    EVENT_DORA = Dora { marker as tile },
    EVENT_REACH = Reach { actor },
    EVENT_REACH_ACCEPTED = ReachAccepted { actor, scores as unsent },
} else {
    Event::StartGame { .. }
        | Event::Hora(_)
        | Event::Ryukyoku { .. }
        | Event::EndKyoku
        | Event::EndGame { .. }
});

/// Why a round was drawn, in the boundary's codes: `DRAW_*`.
pub const fn encode_draw_reason(reason: Option<DrawReason>) -> u8 {
    match reason {
        None => DRAW_UNKNOWN,
        Some(reason) => encode_known_draw_reason(reason),
    }
}

codes! {
    pub(crate) encode_known_draw_reason, decode_draw_reason: DrawReason {
        DRAW_EXHAUSTIVE = Exhaustive,
        DRAW_NAGASHI_MANGAN = NagashiMangan,
        DRAW_NINE_TERMINALS = NineTerminals,
        DRAW_FOUR_WINDS = FourWinds,
        DRAW_FOUR_KANS = FourKans,
        DRAW_FOUR_RIICHI = FourRiichi,
        DRAW_THREE_WINNERS = ThreeWinners,
    } else {
        DrawReason::IllegalAction(_) => DRAW_PENALTY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoded_draw_of_another_seat_has_no_tile() {
        let [own, other] = [0, 1].map(|number| Seat::new(number).unwrap());
        let draw = Event::Tsumo {
            actor: other,
            tile: "E".parse().ok(),
        };
        assert_eq!(encode_event(&draw, own, None).unwrap().tile, NONE);
        assert_eq!(encode_event(&draw, other, None).unwrap().tile, 27);
    }
}

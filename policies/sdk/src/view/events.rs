//! The events of the round and the end of the previous one, in both directions.

use policy_abi::NONE;
use policy_abi::log::{
    DRAW_EXHAUSTIVE, DRAW_FOUR_KANS, DRAW_FOUR_RIICHI, DRAW_FOUR_WINDS, DRAW_NAGASHI_MANGAN,
    DRAW_NINE_TERMINALS, DRAW_PENALTY, DRAW_THREE_WINNERS, DRAW_UNKNOWN, EVENT_ANKAN, EVENT_CHI,
    EVENT_DAHAI, EVENT_DAIMINKAN, EVENT_DELTAS, EVENT_DORA, EVENT_HORA, EVENT_KAKAN, EVENT_KITA,
    EVENT_PON, EVENT_REACH, EVENT_REACH_ACCEPTED, EVENT_RYUKYOKU, EVENT_START_KYOKU, EVENT_TSUMO,
    EVENT_TSUMOGIRI, LogEvent,
};
use riichi::event::{DrawReason, Event, StartKyoku};
use riichi::{PerSeat, Seat, Tile};

use super::View;
use crate::code_table::{codes, kind_codes};
use crate::codes::{
    bad, decode_optional_tile, decode_seat, decode_tile, decode_tiles, encode_seat, encode_tile,
    encode_tiles,
};
use crate::error::BadView;

/// An event in the boundary's codes, as `own` may know it: the draws of others lose their tile here
/// at the latest.
///
/// `order` is the number of a discard or call in the round's order; other events have none. `None`
/// for the events that are not part of a running round.
#[must_use]
pub fn encode_event(event: &Event, own: Seat, order: Option<u8>) -> Option<LogEvent> {
    let mut writer = EventWriter {
        coded: LogEvent {
            order: order.unwrap_or(NONE),
            ..LogEvent::EMPTY
        },
        own,
    };
    writer.write(event);
    let EventWriter { coded, .. } = writer;
    (coded.kind != LogEvent::EMPTY.kind).then_some(coded)
}

/// An event of the running round in the log of `view`; `None` for a kind that is not known.
pub(super) fn decode_event(event: &LogEvent, view: &View<'_>) -> Result<Option<Event>, BadView> {
    EventReader { coded: event, view }.read(Some, |_| Ok(None))
}

struct EventWriter {
    coded: LogEvent,
    own: Seat,
}

impl EventWriter {
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

struct EventReader<'a> {
    coded: &'a LogEvent,
    view: &'a View<'a>,
}

impl EventReader<'_> {
    fn actor(&self) -> Result<Seat, BadView> {
        decode_seat("events.actor", self.coded.actor, self.view.players())
    }

    fn target(&self) -> Result<Seat, BadView> {
        decode_seat("events.target", self.coded.target, self.view.players())
    }

    fn tile(&self) -> Result<Tile, BadView> {
        decode_tile("events.tile", self.coded.tile)
    }

    /// The tile of a draw; only the own one may name it.
    fn drawn(&self) -> Result<Option<Tile>, BadView> {
        if self.actor()? == self.view.seat() {
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
        Ok(start_kyoku(self.view, self.tile()?))
    }

    fn unsent(&self) -> Result<Option<PerSeat<i32>>, BadView> {
        Ok(None)
    }
}

kind_codes!(Event, EventWriter, EventReader<'_> {
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
#[must_use]
pub const fn encode_draw_reason(reason: Option<DrawReason>) -> u8 {
    match reason {
        None => DRAW_UNKNOWN,
        Some(reason) => encode_known_draw_reason(reason),
    }
}

codes! {
    encode_known_draw_reason, decode_draw_reason: DrawReason {
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

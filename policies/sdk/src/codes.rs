//! The boundary's codes and the game's types, in both directions: a host encodes, a policy decodes.

use policy_abi::action::{
    ACTION_ANKAN, ACTION_CHI, ACTION_DAHAI, ACTION_DAIMINKAN, ACTION_HORA, ACTION_KAKAN,
    ACTION_KITA, ACTION_NONE, ACTION_PON, ACTION_REACH, ACTION_RYUKYOKU, ACTION_TSUMOGIRI,
    LegalAction,
};
use policy_abi::log::{
    DRAW_EXHAUSTIVE, DRAW_FOUR_KANS, DRAW_FOUR_RIICHI, DRAW_FOUR_WINDS, DRAW_NAGASHI_MANGAN,
    DRAW_NINE_TERMINALS, DRAW_PENALTY, DRAW_THREE_WINNERS, DRAW_UNKNOWN, EVENT_ANKAN, EVENT_CHI,
    EVENT_DAHAI, EVENT_DAIMINKAN, EVENT_DORA, EVENT_KAKAN, EVENT_KITA, EVENT_PON, EVENT_REACH,
    EVENT_REACH_ACCEPTED, EVENT_START_KYOKU, EVENT_TSUMO, EVENT_TSUMOGIRI, LogEvent,
};
use policy_abi::seat::{self, MELD_ANKAN, MELD_CHI, MELD_DAIMINKAN, MELD_KAKAN, MELD_PON};
use policy_abi::view::{
    self, LENGTH_EAST, LENGTH_HALF, LENGTH_SINGLE, PRESET_MAHJONG_SOUL, PRESET_TENHOU,
};
use policy_abi::{NONE, SEATS};
use riichi::action::Action;
use riichi::event::{DrawReason, Event};
use riichi::meld::{Called, Meld, MeldKind};
use riichi::rules::{Length, Preset, Rules};
use riichi::{Seat, Tile, Wind};

use crate::error::BadView;

const TILE: &str = "a tile, 0 to 36";
const TILE_OR_NONE: &str = "a tile, 0 to 36, or 255 for none";
const SEAT: &str = "a seat of the table";

/// The code of a tile, or of none.
#[must_use]
#[inline]
pub fn encode_tile(tile: Option<Tile>) -> u8 {
    tile.map_or(NONE, |tile| tile.index() as u8)
}

/// The code of a seat, or of none.
#[must_use]
#[inline]
pub fn encode_seat(seat: Option<Seat>) -> u8 {
    seat.map_or(NONE, |seat| seat.index() as u8)
}

/// The rules in the boundary's codes.
#[must_use]
#[inline]
pub fn encode_rules(rules: &Rules) -> view::Rules {
    view::Rules {
        players: rules.players,
        length: match rules.length {
            Length::Single => LENGTH_SINGLE,
            Length::East => LENGTH_EAST,
            Length::Half => LENGTH_HALF,
        },
        red_fives: rules.red_fives,
        open_tanyao: rules.open_tanyao.into(),
        kuikae_forbidden: rules.kuikae_forbidden.into(),
        ron_on_ankan_by_kokushi: rules.ron_on_ankan_by_kokushi.into(),
        triple_ron_is_draw: rules.triple_ron_is_draw.into(),
        preset: match rules.preset {
            Preset::Tenhou => PRESET_TENHOU,
            Preset::MahjongSoul => PRESET_MAHJONG_SOUL,
        },
        start_points: rules.start_points,
        return_points: rules.return_points,
        reserved: [0; 16],
    }
}

/// A meld in the boundary's codes.
#[must_use]
#[inline]
pub fn encode_meld(meld: &Meld) -> seat::Meld {
    seat::Meld {
        kind: match meld.kind() {
            MeldKind::Chi => MELD_CHI,
            MeldKind::Pon => MELD_PON,
            MeldKind::Daiminkan => MELD_DAIMINKAN,
            MeldKind::Ankan => MELD_ANKAN,
            MeldKind::Kakan => MELD_KAKAN,
        },
        tile_count: meld.tiles().len() as u8,
        tiles: encode_tiles(meld.tiles()),
        called: encode_tile(meld.called.map(|called| called.tile)),
        from: encode_seat(meld.called.map(|called| called.from)),
        order: meld.order,
        reserved: [0; 3],
    }
}

/// An action in the boundary's codes.
#[must_use]
#[inline]
pub fn encode_action(action: &Action) -> LegalAction {
    let (kind, tile, target, flags, consumed): (_, _, _, _, &[Tile]) = match action {
        Action::Dahai { tile, tsumogiri } => (ACTION_DAHAI, Some(*tile), None, *tsumogiri, &[]),
        Action::Reach { tile, tsumogiri } => (ACTION_REACH, Some(*tile), None, *tsumogiri, &[]),
        Action::Chi {
            target,
            tile,
            consumed,
        } => (ACTION_CHI, Some(*tile), Some(*target), false, consumed),
        Action::Pon {
            target,
            tile,
            consumed,
        } => (ACTION_PON, Some(*tile), Some(*target), false, consumed),
        Action::Daiminkan {
            target,
            tile,
            consumed,
        } => (
            ACTION_DAIMINKAN,
            Some(*tile),
            Some(*target),
            false,
            consumed,
        ),
        Action::Ankan { consumed } => (ACTION_ANKAN, None, None, false, consumed),
        Action::Kakan { tile, consumed } => (ACTION_KAKAN, Some(*tile), None, false, consumed),
        Action::Kita => (ACTION_KITA, None, None, false, &[]),
        Action::Hora { target, tile } => (ACTION_HORA, Some(*tile), Some(*target), false, &[]),
        Action::Ryukyoku => (ACTION_RYUKYOKU, None, None, false, &[]),
        Action::None => (ACTION_NONE, None, None, false, &[]),
    };
    LegalAction {
        kind,
        tile: encode_tile(tile),
        target: encode_seat(target),
        flags: if flags { ACTION_TSUMOGIRI } else { 0 },
        consumed: encode_tiles(consumed),
    }
}

/// An event in the boundary's codes, as `own` may know it: the draws of others lose their tile here
/// at the latest.
///
/// `order` is the number of a discard or call in the round's order; other events have none. `None`
/// for the events that are not part of a running round.
#[must_use]
pub fn encode_event(event: &Event, own: Seat, order: Option<u8>) -> Option<LogEvent> {
    let (kind, target, tile, tsumogiri, consumed): (_, _, _, _, &[Tile]) = match event {
        Event::StartKyoku(start) => (EVENT_START_KYOKU, None, Some(start.dora_marker), false, &[]),
        Event::Tsumo { actor, tile } => (
            EVENT_TSUMO,
            None,
            tile.filter(|_| *actor == own),
            false,
            &[],
        ),
        Event::Dahai {
            tile, tsumogiri, ..
        } => (EVENT_DAHAI, None, Some(*tile), *tsumogiri, &[]),
        Event::Chi {
            target,
            tile,
            consumed,
            ..
        } => (EVENT_CHI, Some(*target), Some(*tile), false, consumed),
        Event::Pon {
            target,
            tile,
            consumed,
            ..
        } => (EVENT_PON, Some(*target), Some(*tile), false, consumed),
        Event::Daiminkan {
            target,
            tile,
            consumed,
            ..
        } => (EVENT_DAIMINKAN, Some(*target), Some(*tile), false, consumed),
        Event::Ankan { consumed, .. } => (EVENT_ANKAN, None, None, false, consumed),
        Event::Kakan { tile, consumed, .. } => (EVENT_KAKAN, None, Some(*tile), false, consumed),
        Event::Kita { .. } => (EVENT_KITA, None, None, false, &[]),
        Event::Dora { marker } => (EVENT_DORA, None, Some(*marker), false, &[]),
        Event::Reach { .. } => (EVENT_REACH, None, None, false, &[]),
        Event::ReachAccepted { .. } => (EVENT_REACH_ACCEPTED, None, None, false, &[]),
        Event::StartGame { .. }
        | Event::Hora(_)
        | Event::Ryukyoku { .. }
        | Event::EndKyoku
        | Event::EndGame { .. } => {
            return None;
        }
    };
    let actor = if let Event::StartKyoku(start) = event {
        Some(start.oya)
    } else {
        event.actor()
    };
    Some(LogEvent {
        kind,
        actor: encode_seat(actor),
        target: encode_seat(target),
        tile: encode_tile(tile),
        consumed: encode_tiles(consumed),
        flags: if tsumogiri { EVENT_TSUMOGIRI } else { 0 },
        order: order.unwrap_or(NONE),
        ..LogEvent::EMPTY
    })
}

/// Why a round was drawn, in the boundary's codes: `DRAW_*`.
#[must_use]
pub const fn encode_draw_reason(reason: Option<DrawReason>) -> u8 {
    match reason {
        None => DRAW_UNKNOWN,
        Some(DrawReason::Exhaustive) => DRAW_EXHAUSTIVE,
        Some(DrawReason::NagashiMangan) => DRAW_NAGASHI_MANGAN,
        Some(DrawReason::NineTerminals) => DRAW_NINE_TERMINALS,
        Some(DrawReason::FourWinds) => DRAW_FOUR_WINDS,
        Some(DrawReason::FourKans) => DRAW_FOUR_KANS,
        Some(DrawReason::FourRiichi) => DRAW_FOUR_RIICHI,
        Some(DrawReason::ThreeWinners) => DRAW_THREE_WINNERS,
        Some(DrawReason::IllegalAction(_)) => DRAW_PENALTY,
    }
}

#[inline]
fn encode_tiles(tiles: &[Tile]) -> [u8; 4] {
    std::array::from_fn(|place| encode_tile(tiles.get(place).copied()))
}

/// A fault in a field.
pub(crate) fn bad(field: &'static str, found: impl Into<u64>, allowed: &'static str) -> BadView {
    BadView {
        field,
        found: found.into(),
        allowed,
    }
}

pub(crate) fn decode_tile(field: &'static str, code: u8) -> Result<Tile, BadView> {
    Tile::new(code).ok_or_else(|| bad(field, code, TILE))
}

pub(crate) fn decode_optional_tile(field: &'static str, code: u8) -> Result<Option<Tile>, BadView> {
    match Tile::new(code) {
        None if code != NONE => Err(bad(field, code, TILE_OR_NONE)),
        tile => Ok(tile),
    }
}

/// The first `N` places, which must be tiles.
pub(crate) fn decode_tiles<const N: usize>(
    field: &'static str,
    codes: [u8; 4],
) -> Result<[Tile; N], BadView> {
    let mut tiles = [const { Tile::new(0).expect("the first tile") }; N];
    for (tile, code) in tiles.iter_mut().zip(codes) {
        *tile = decode_tile(field, code)?;
    }
    Ok(tiles)
}

pub(crate) fn decode_seat(field: &'static str, code: u8, players: u8) -> Result<Seat, BadView> {
    Seat::new(code)
        .filter(|_| code < players)
        .ok_or_else(|| bad(field, code, SEAT))
}

pub(crate) fn decode_wind(field: &'static str, code: u8) -> Result<Wind, BadView> {
    Wind::ALL
        .get(usize::from(code))
        .copied()
        .ok_or_else(|| bad(field, code, "a wind, 0 to 3"))
}

#[inline(always)]
pub(crate) fn decode_rules(rules: &view::Rules) -> Result<Rules, BadView> {
    Ok(Rules {
        players: match rules.players {
            players @ (3 | 4) => players,
            other => return Err(bad("rules.players", other, "3 or 4")),
        },
        length: match rules.length {
            LENGTH_SINGLE => Length::Single,
            LENGTH_EAST => Length::East,
            LENGTH_HALF => Length::Half,
            other => return Err(bad("rules.length", other, "LENGTH_*, 1 to 3")),
        },
        red_fives: rules.red_fives,
        open_tanyao: rules.open_tanyao != 0,
        kuikae_forbidden: rules.kuikae_forbidden != 0,
        ron_on_ankan_by_kokushi: rules.ron_on_ankan_by_kokushi != 0,
        triple_ron_is_draw: rules.triple_ron_is_draw != 0,
        preset: match rules.preset {
            PRESET_TENHOU => Preset::Tenhou,
            PRESET_MAHJONG_SOUL => Preset::MahjongSoul,
            other => return Err(bad("rules.preset", other, "PRESET_*, 1 or 2")),
        },
        start_points: rules.start_points,
        return_points: rules.return_points,
    })
}

/// A meld of `owner`.
pub(crate) fn decode_meld(meld: &seat::Meld, owner: Seat, players: u8) -> Result<Meld, BadView> {
    let kind = match meld.kind {
        MELD_CHI => MeldKind::Chi,
        MELD_PON => MeldKind::Pon,
        MELD_DAIMINKAN => MeldKind::Daiminkan,
        MELD_ANKAN => MeldKind::Ankan,
        MELD_KAKAN => MeldKind::Kakan,
        other => return Err(bad("seats.melds.kind", other, "MELD_*, 1 to 5")),
    };
    let called = match decode_optional_tile("seats.melds.called", meld.called)? {
        None => None,
        Some(tile) => {
            let from = decode_seat("seats.melds.from", meld.from, players)?;
            if from == owner {
                return Err(bad("seats.melds.from", meld.from, "another seat"));
            }
            Some(Called { tile, from })
        }
    };
    let three: [Tile; 3];
    let four: [Tile; 4];
    let tiles: &[Tile] = match meld.tile_count {
        3 => {
            three = decode_tiles("seats.melds.tiles", meld.tiles)?;
            &three
        }
        4 => {
            four = decode_tiles("seats.melds.tiles", meld.tiles)?;
            &four
        }
        other => return Err(bad("seats.melds.tile_count", other, "3 or 4")),
    };
    if called.is_some_and(|called| !tiles.contains(&called.tile)) {
        return Err(bad(
            "seats.melds.called",
            meld.called,
            "one of the meld's tiles",
        ));
    }
    Meld::new(kind, tiles, called, meld.order).ok_or_else(|| {
        bad(
            "seats.melds.kind",
            meld.kind,
            "the kind that its tiles make",
        )
    })
}

// Inlined, here and in the code that reads a view, so that results stay in registers: writing them
// to memory byte by byte and reading them as a word makes the processor wait (inlining takes
// filling and reading a view from 363 ns to 254 ns).
#[inline(always)]
pub(crate) fn decode_action(action: &LegalAction, players: u8) -> Result<Action, BadView> {
    let tile = || decode_tile("legal.tile", action.tile);
    let target = || decode_seat("legal.target", action.target, players);
    let tsumogiri = action.flags & ACTION_TSUMOGIRI != 0;
    const CONSUMED: &str = "legal.consumed";
    Ok(match action.kind {
        ACTION_DAHAI => Action::Dahai {
            tile: tile()?,
            tsumogiri,
        },
        ACTION_REACH => Action::Reach {
            tile: tile()?,
            tsumogiri,
        },
        ACTION_CHI => Action::Chi {
            target: target()?,
            tile: tile()?,
            consumed: decode_tiles(CONSUMED, action.consumed)?,
        },
        ACTION_PON => Action::Pon {
            target: target()?,
            tile: tile()?,
            consumed: decode_tiles(CONSUMED, action.consumed)?,
        },
        ACTION_DAIMINKAN => Action::Daiminkan {
            target: target()?,
            tile: tile()?,
            consumed: decode_tiles(CONSUMED, action.consumed)?,
        },
        ACTION_ANKAN => Action::Ankan {
            consumed: decode_tiles(CONSUMED, action.consumed)?,
        },
        ACTION_KAKAN => Action::Kakan {
            tile: tile()?,
            consumed: decode_tiles(CONSUMED, action.consumed)?,
        },
        ACTION_KITA => Action::Kita,
        ACTION_HORA => Action::Hora {
            target: target()?,
            tile: tile()?,
        },
        ACTION_RYUKYOKU => Action::Ryukyoku,
        ACTION_NONE => Action::None,
        other => return Err(bad("legal.kind", other, "ACTION_*, 1 to 11")),
    })
}

const _: () = assert!(SEATS == riichi::MAX_PLAYERS && policy_abi::KINDS == riichi::tile::KINDS);

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(name: &str) -> Tile {
        name.parse().unwrap()
    }

    fn seat(number: u8) -> Seat {
        Seat::new(number).unwrap()
    }

    #[test]
    fn every_action_comes_back_from_its_code() {
        let (red, five, six) = (tile("5mr"), tile("5m"), tile("6m"));
        let target = seat(3);
        for action in [
            Action::Dahai {
                tile: red,
                tsumogiri: true,
            },
            Action::Dahai {
                tile: red,
                tsumogiri: false,
            },
            Action::Reach {
                tile: six,
                tsumogiri: false,
            },
            Action::Chi {
                target,
                tile: tile("4m"),
                consumed: [red, six],
            },
            Action::Pon {
                target,
                tile: five,
                consumed: [five, red],
            },
            Action::Daiminkan {
                target,
                tile: five,
                consumed: [five, five, red],
            },
            Action::Ankan {
                consumed: [five, five, five, red],
            },
            Action::Kakan {
                tile: red,
                consumed: [five; 3],
            },
            Action::Kita,
            Action::Hora { target, tile: six },
            Action::Ryukyoku,
            Action::None,
        ] {
            assert_eq!(decode_action(&encode_action(&action), 4), Ok(action));
        }
    }

    #[test]
    fn a_seat_that_a_table_of_three_lacks_is_refused() {
        let action = encode_action(&Action::Hora {
            target: seat(3),
            tile: tile("1p"),
        });
        assert_eq!(decode_action(&action, 3).unwrap_err().field, "legal.target");
    }

    #[test]
    fn every_kind_of_meld_comes_back_from_its_code() {
        let called = Some(Called {
            tile: tile("5mr"),
            from: seat(2),
        });
        let fives = [tile("5m"), tile("5m"), tile("5mr"), tile("5m")];
        for meld in [
            Meld::new(
                MeldKind::Chi,
                &[tile("4m"), tile("5mr"), tile("6m")],
                called,
                9,
            ),
            Meld::new(MeldKind::Pon, &fives[..3], called, 9),
            Meld::new(MeldKind::Daiminkan, &fives, called, 9),
            Meld::new(MeldKind::Kakan, &fives, called, 9),
            Meld::new(MeldKind::Ankan, &fives, None, 9),
        ] {
            let meld = meld.unwrap();
            assert_eq!(decode_meld(&encode_meld(&meld), seat(1), 4), Ok(meld));
        }
    }

    #[test]
    fn all_rules_come_back_from_their_codes() {
        for rules in [
            Rules::TENHOU_HALF,
            Rules::MAHJONG_SOUL_HALF.with_length(Length::East),
            Rules {
                open_tanyao: false,
                kuikae_forbidden: false,
                length: Length::Single,
                ..Rules::TENHOU_HALF
            },
        ] {
            assert_eq!(decode_rules(&encode_rules(&rules)), Ok(rules));
        }
    }

    #[test]
    fn an_encoded_draw_of_another_seat_has_no_tile() {
        let draw = Event::Tsumo {
            actor: seat(1),
            tile: Some(tile("E")),
        };
        assert_eq!(encode_event(&draw, seat(0), None).unwrap().tile, NONE);
        assert_eq!(encode_event(&draw, seat(1), None).unwrap().tile, 27);
    }
}

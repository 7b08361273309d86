//! The boundary's codes and the game's types, in both directions: a host encodes, a policy decodes.

mod events;

use policy_abi::action::{
    ACTION_ANKAN, ACTION_CHI, ACTION_DAHAI, ACTION_DAIMINKAN, ACTION_HORA, ACTION_KAKAN,
    ACTION_KITA, ACTION_NONE, ACTION_PON, ACTION_REACH, ACTION_RYUKYOKU, ACTION_TSUMOGIRI,
    LegalAction,
};
use policy_abi::seat::{self, MELD_ANKAN, MELD_CHI, MELD_DAIMINKAN, MELD_KAKAN, MELD_PON};
use policy_abi::view::{
    self, LENGTH_EAST, LENGTH_HALF, LENGTH_SINGLE, PRESET_MAHJONG_SOUL, PRESET_TENHOU,
};
use policy_abi::{NONE, SEATS};
use riichi::action::Action;
use riichi::meld::{Called, Meld, MeldKind};
use riichi::rules::{Length, Preset, Rules};
use riichi::{Seat, Tile, Wind};

use crate::code_table::{codes, kind_codes};
use crate::error::BadView;

pub(crate) use events::{RiichiEventReader, decode_draw_reason};
pub use events::{encode_draw_reason, encode_event};

const TILE: &str = "a tile, 0 to 36";
const TILE_OR_NONE: &str = "a tile, 0 to 36, or 255 for none";
const SEAT: &str = "a seat of the table";

/// The code of a tile, or of none.
#[inline]
pub fn encode_tile(tile: Option<Tile>) -> u8 {
    tile.map_or(NONE, |tile| tile.index() as u8)
}

/// The code of a seat, or of none.
#[inline]
pub fn encode_seat(seat: Option<Seat>) -> u8 {
    seat.map_or(NONE, |seat| seat.index() as u8)
}

/// The rules in the boundary's codes.
#[inline]
pub fn encode_rules(rules: &Rules) -> view::Rules {
    view::Rules {
        players: rules.players,
        length: encode_length(rules.length),
        red_fives: rules.red_fives,
        open_tanyao: rules.open_tanyao.into(),
        kuikae_forbidden: rules.kuikae_forbidden.into(),
        ron_on_ankan_by_kokushi: rules.ron_on_ankan_by_kokushi.into(),
        triple_ron_is_draw: rules.triple_ron_is_draw.into(),
        preset: encode_preset(rules.preset),
        start_points: rules.start_points,
        return_points: rules.return_points,
        reserved: [0; 16],
    }
}

/// A meld in the boundary's codes.
#[inline]
pub fn encode_meld(meld: &Meld) -> seat::Meld {
    seat::Meld {
        kind: encode_meld_kind(meld.kind()),
        tile_count: meld.tiles().len() as u8,
        tiles: encode_tiles(meld.tiles()),
        called: encode_tile(meld.called.map(|called| called.tile)),
        from: encode_seat(meld.called.map(|called| called.from)),
        order: meld.order,
        reserved: [0; 3],
    }
}

/// An action in the boundary's codes.
#[inline]
pub fn encode_action(action: &Action) -> LegalAction {
    let mut writer = RiichiActionWriter {
        coded: LegalAction {
            kind: 0,
            tile: NONE,
            target: NONE,
            flags: 0,
            consumed: [NONE; 4],
        },
    };
    writer.write(action);
    writer.coded
}

#[inline]
pub(crate) fn encode_tiles(tiles: &[Tile]) -> [u8; 4] {
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
        length: decode_length(rules.length)
            .ok_or_else(|| bad("rules.length", rules.length, "LENGTH_*, 1 to 3"))?,
        red_fives: rules.red_fives,
        open_tanyao: rules.open_tanyao != 0,
        kuikae_forbidden: rules.kuikae_forbidden != 0,
        ron_on_ankan_by_kokushi: rules.ron_on_ankan_by_kokushi != 0,
        triple_ron_is_draw: rules.triple_ron_is_draw != 0,
        preset: decode_preset(rules.preset)
            .ok_or_else(|| bad("rules.preset", rules.preset, "PRESET_*, 1 or 2"))?,
        start_points: rules.start_points,
        return_points: rules.return_points,
    })
}

/// A meld of `owner`.
pub(crate) fn decode_meld(meld: &seat::Meld, owner: Seat, players: u8) -> Result<Meld, BadView> {
    let kind = decode_meld_kind(meld.kind)
        .ok_or_else(|| bad("seats.melds.kind", meld.kind, "MELD_*, 1 to 5"))?;
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
    let reader = RiichiActionReader {
        coded: action,
        players,
    };
    reader.read(
        |action| action,
        |code| Err(bad("legal.kind", code, "ACTION_*, 1 to 11")),
    )
}

struct RiichiActionWriter {
    coded: LegalAction,
}

impl RiichiActionWriter {
    #[inline(always)]
    fn tile(&mut self, tile: Tile) {
        self.coded.tile = encode_tile(Some(tile));
    }

    #[inline(always)]
    fn target(&mut self, target: Seat) {
        self.coded.target = encode_seat(Some(target));
    }

    #[inline(always)]
    fn tsumogiri(&mut self, tsumogiri: bool) {
        self.coded.flags = if tsumogiri { ACTION_TSUMOGIRI } else { 0 };
    }

    #[inline(always)]
    fn consumed<const N: usize>(&mut self, tiles: [Tile; N]) {
        self.coded.consumed = encode_tiles(&tiles);
    }
}

struct RiichiActionReader<'a> {
    coded: &'a LegalAction,
    players: u8,
}

impl RiichiActionReader<'_> {
    #[inline(always)]
    fn tile(&self) -> Result<Tile, BadView> {
        decode_tile("legal.tile", self.coded.tile)
    }

    #[inline(always)]
    fn target(&self) -> Result<Seat, BadView> {
        decode_seat("legal.target", self.coded.target, self.players)
    }

    #[inline(always)]
    fn tsumogiri(&self) -> Result<bool, BadView> {
        Ok(self.coded.flags & ACTION_TSUMOGIRI != 0)
    }

    #[inline(always)]
    fn consumed<const N: usize>(&self) -> Result<[Tile; N], BadView> {
        decode_tiles("legal.consumed", self.coded.consumed)
    }
}

kind_codes!(Action, RiichiActionWriter, RiichiActionReader<'_> {
    ACTION_DAHAI = Dahai { tile, tsumogiri },
    ACTION_REACH = Reach { tile, tsumogiri },
    ACTION_CHI = Chi { target, tile, consumed },
    ACTION_PON = Pon { target, tile, consumed },
    ACTION_DAIMINKAN = Daiminkan { target, tile, consumed },
    ACTION_ANKAN = Ankan { consumed },
    ACTION_KAKAN = Kakan { tile, consumed },
    ACTION_KITA = Kita,
    ACTION_HORA = Hora { target, tile },
    ACTION_RYUKYOKU = Ryukyoku,
    ACTION_NONE = None,
});

codes! {
    encode_length, decode_length: Length {
        LENGTH_SINGLE = Single,
        LENGTH_EAST = East,
        LENGTH_HALF = Half,
    }
}

codes! {
    encode_preset, decode_preset: Preset {
        PRESET_TENHOU = Tenhou,
        PRESET_MAHJONG_SOUL = MahjongSoul,
    }
}

codes! {
    encode_meld_kind, decode_meld_kind: MeldKind {
        MELD_CHI = Chi,
        MELD_PON = Pon,
        MELD_DAIMINKAN = Daiminkan,
        MELD_ANKAN = Ankan,
        MELD_KAKAN = Kakan,
    }
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
}

//! The open tiles of a seat, decoded.
#![allow(unsafe_code, reason = "discards are checked several at once")]

use std::mem::offset_of;

use policy_abi::NONE;
use policy_abi::seat::{
    RIICHI_ACCEPTED, RIICHI_DECLARED, RIICHI_DOUBLE, RIICHI_IPPATSU, RIVER_RIICHI, RIVER_TSUMOGIRI,
    RiverTile, SeatView,
};
use riichi::table::{Discard, Riichi};
use riichi::{KindSet, Meld, Seat, Tile};

use crate::codes::{bad, decode_seat, decode_tile};
use crate::error::BadView;

/// The open tiles of a seat. It does not include concealed tiles.
///
/// ```
/// use policy_sdk::Player;
///
/// /// How many of its discards it threw as drawn.
/// fn thrown_as_drawn(player: Player<'_>) -> usize {
///     player.river().filter(|discard| discard.tsumogiri).count()
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Player<'v> {
    pub(crate) seat: Seat,
    pub(crate) raw: &'v SeatView,
    pub(crate) melds: &'v [Meld],
    pub(crate) cannot_ron: CannotRon,
}

/// The kinds that a seat cannot win on by ron now, with any hand. All empty for the own seat.
///
/// ```
/// use policy_sdk::View;
/// use policy_sdk::mahjong::{Kind, KindSet};
///
/// /// The kinds on which no seat in riichi can win.
/// fn safe(view: &View<'_>) -> KindSet {
///     let riichi = view.opponents().filter(|player| player.riichi().is_some());
///     riichi.fold(KindSet::ALL, |safe, player| safe & player.cannot_ron().all())
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CannotRon {
    /// Kinds in its own river, including called tiles.
    pub river: KindSet,
    /// Kinds that passed it since it declared riichi.
    pub since_riichi: KindSet,
    /// Kinds that passed it since its last discard.
    pub since_discard: KindSet,
}

impl CannotRon {
    /// The union of all three.
    pub fn all(&self) -> KindSet {
        self.river | self.since_riichi | self.since_discard
    }
}

impl<'v> Player<'v> {
    /// The seat.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// The melds, oldest first.
    pub const fn melds(&self) -> &'v [Meld] {
        self.melds
    }

    /// Whether a meld opens the hand.
    pub fn is_open(&self) -> bool {
        self.melds.iter().any(|meld| meld.kind().opens_hand())
    }

    /// The discards, oldest first, including called ones.
    pub fn river(&self) -> impl DoubleEndedIterator<Item = Discard> + ExactSizeIterator + use<'v> {
        self.raw.river[..usize::from(self.raw.river_len)]
            .iter()
            .map(|discard| Discard {
                tile: Tile::new(discard.tile).expect("the river was checked when the view came in"),
                tsumogiri: discard.flags & RIVER_TSUMOGIRI != 0,
                riichi: discard.flags & RIVER_RIICHI != 0,
                called_by: Seat::new(discard.called_by),
                order: discard.order,
            })
    }

    /// The riichi, from its discard on.
    pub fn riichi(&self) -> Option<Riichi> {
        let flag = |flag| self.raw.riichi & flag != 0;
        flag(RIICHI_DECLARED).then(|| Riichi {
            accepted: flag(RIICHI_ACCEPTED),
            double: flag(RIICHI_DOUBLE),
            ippatsu: flag(RIICHI_IPPATSU),
            order: self.raw.riichi_order,
        })
    }

    /// Number of Norths set aside (three players).
    pub const fn kita_count(&self) -> u8 {
        self.raw.kita_count
    }

    /// The kinds that it cannot win on by ron now.
    pub const fn cannot_ron(&self) -> CannotRon {
        self.cannot_ron
    }
}

/// Checks the properties that the accessors above rely on; the melds are checked when they are
/// decoded.
pub(crate) fn check_seat(seat: &SeatView, players: u8) -> Result<(), BadView> {
    let river = seat
        .river
        .get(..usize::from(seat.river_len))
        .ok_or_else(|| bad("seats.river_len", seat.river_len, "0 to 32"))?;
    check_river(river, players)?;
    if seat.riichi & RIICHI_DECLARED != 0 && seat.riichi_order == NONE {
        return Err(bad(
            "seats.riichi_order",
            NONE,
            "the number of the riichi discard",
        ));
    }
    if seat.kita_count > 4 {
        return Err(bad("seats.kita_count", seat.kita_count, "0 to 4"));
    }
    Ok(())
}

/// Number of different tiles, counting red fives separately.
const TILES: u32 = 37;

const _: () = assert!(
    size_of::<RiverTile>() == 4
        && offset_of!(RiverTile, tile) == 0
        && offset_of!(RiverTile, called_by) == 2
);

fn check_river(river: &[RiverTile], players: u8) -> Result<(), BadView> {
    // Checks all of them at once without a branch, which is faster than finding the first bad one:
    // a sum exceeds a byte if the tile or the seat does not exist (255 plus one, for no seat,
    // counts as 0).
    let beyond = |discard: &RiverTile| {
        // SAFETY: a discard is four bytes.
        let bytes = u32::from_le(unsafe { (&raw const *discard).cast::<u32>().read_unaligned() });
        let (tile, called_by) = (bytes & 0xff, ((bytes >> 16) + 1) & 0xff);
        (tile + (256 - TILES)) | (called_by + (255 - u32::from(players)))
    };
    if river.iter().fold(0, |any, discard| any | beyond(discard)) > 255 {
        for discard in river {
            decode_tile("seats.river.tile", discard.tile)?;
            if discard.called_by != NONE {
                decode_seat("seats.river.called_by", discard.called_by, players)?;
            }
        }
    }
    Ok(())
}

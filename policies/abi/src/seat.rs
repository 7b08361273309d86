//! The open tiles of a seat.

use crate::NONE;
use crate::layout::{plain, zeroed};

/// A run completed with a discard of the seat before.
pub const MELD_CHI: u8 = 1;
/// A triplet completed with a discard.
pub const MELD_PON: u8 = 2;
/// A kan completed with a discard.
pub const MELD_DAIMINKAN: u8 = 3;
/// A closed kan.
pub const MELD_ANKAN: u8 = 4;
/// A pon with the fourth tile added.
pub const MELD_KAKAN: u8 = 5;

/// Maximum number of melds of a seat.
pub const MAX_MELDS: usize = 4;

/// A meld.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Meld {
    /// Which kind: `MELD_*`; 0 in an unused place.
    pub kind: u8,
    /// Number of tiles: 3, or 4 for a kan.
    pub tile_count: u8,
    /// All its tiles, the called one included, by kind and plain before red; a fourth place that is not used holds
    /// [`NONE`].
    pub tiles: [u8; 4],
    /// The called tile; [`NONE`] for a closed kan.
    pub called: u8,
    /// The seat that threw the called tile; [`NONE`] for a closed kan.
    pub from: u8,
    /// Number of the call in the order that discards and calls of the round share; an added kan keeps the number of its
    /// pon.
    pub order: u8,
    /// Zero.
    pub reserved: [u8; 3],
}

plain!(Meld {
    kind,
    tile_count,
    tiles,
    called,
    from,
    order,
    reserved
});

impl Meld {
    /// An unused place.
    pub const NONE: Self = Self {
        tiles: [NONE; 4],
        called: NONE,
        from: NONE,
        order: NONE,
        ..zeroed()
    };
}

/// In [`RiverTile::flags`]: the drawn tile (tsumogiri), not one from the hand.
pub const RIVER_TSUMOGIRI: u8 = 1;
/// In [`RiverTile::flags`]: riichi was declared with it.
pub const RIVER_RIICHI: u8 = 2;

/// Maximum number of discards of a seat.
pub const MAX_RIVER: usize = 32;

/// A discard. It stays in the river when it is called away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct RiverTile {
    /// The tile; [`NONE`] in an unused place.
    pub tile: u8,
    /// `RIVER_*` bits.
    pub flags: u8,
    /// The seat that called it away, else [`NONE`].
    pub called_by: u8,
    /// Number of the discard in the round's order, which discards and calls share.
    pub order: u8,
}

plain!(RiverTile {
    tile,
    flags,
    called_by,
    order
});

/// In [`SeatView::riichi`]: declared, from the riichi discard on.
pub const RIICHI_DECLARED: u8 = 1;
/// In [`SeatView::riichi`]: accepted, the stick is paid.
pub const RIICHI_ACCEPTED: u8 = 2;
/// In [`SeatView::riichi`]: declared on the first turn without a call before (double riichi).
pub const RIICHI_DOUBLE: u8 = 4;
/// In [`SeatView::riichi`]: a win now would be within one turn (ippatsu).
pub const RIICHI_IPPATSU: u8 = 8;

/// The open tiles of a seat. It has no field for concealed tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct SeatView {
    /// Its melds, oldest first; `meld_count` of them.
    pub melds: [Meld; MAX_MELDS],
    /// Its discards, oldest first; `river_len` of them.
    pub river: [RiverTile; MAX_RIVER],
    /// Number of melds, 0 to 4.
    pub meld_count: u8,
    /// Number of discards, 0 to 32.
    pub river_len: u8,
    /// `RIICHI_*` bits.
    pub riichi: u8,
    /// Number of the riichi discard in the round's order; [`NONE`] without a riichi.
    pub riichi_order: u8,
    /// Number of Norths set aside, 0 to 4 (three players).
    pub kita_count: u8,
    /// Zero.
    pub reserved: [u8; 11],
}

plain!(SeatView {
    melds,
    river,
    meld_count,
    river_len,
    riichi,
    riichi_order,
    kita_count,
    reserved
});

impl SeatView {
    /// A seat that has shown nothing.
    pub const EMPTY: Self = Self {
        melds: [Meld::NONE; MAX_MELDS],
        river: [RiverTile {
            tile: NONE,
            flags: 0,
            called_by: NONE,
            order: NONE,
        }; MAX_RIVER],
        riichi_order: NONE,
        ..zeroed()
    };
}

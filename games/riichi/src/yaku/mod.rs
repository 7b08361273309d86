//! Yaku: those of a win, whether it has one at all, and whether an open hand is sure to have one.
//!
//! [`score`](crate::score) computes the value of a win.

mod certain;
mod list;
mod won;

pub use certain::yaku_is_certain;
pub use list::{YAKUMAN, Yaku, YakuSet};
pub(crate) use won::{WinningPlace, Won};

use tiles::{ConcealedHand, Kind, KindSet, Wind};

use crate::meld::Meld;
use crate::shape::each_reading;

/// How the winning tile came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WinBy {
    /// The seat drew it.
    Draw,
    /// The seat drew it as its first tile, with no call before it by any player (tenhou, chiihou).
    FirstDraw,
    /// The seat drew it as the last tile of the wall (haitei).
    LastDraw,
    /// The seat drew it as the replacement after a kan, or after a North set aside (rinshan).
    Replacement,
    /// Another seat threw it.
    Discard,
    /// Another seat threw it after the last tile of the wall was drawn (houtei).
    LastDiscard,
    /// Another seat added it to its pon or, for thirteen orphans, declared a closed kan of it
    /// (chankan).
    Kan,
}

impl WinBy {
    /// The kind of a win on the seat's own draw: whether the draw replaces a kan or North, how many
    /// tiles can be drawn after it, and whether no player has called yet and the seat has discarded
    /// nothing.
    pub const fn own_draw(replacement: bool, tiles_left: u8, first_turn: bool) -> Self {
        if replacement {
            Self::Replacement
        } else if tiles_left == 0 {
            Self::LastDraw
        } else if first_turn {
            Self::FirstDraw
        } else {
            Self::Draw
        }
    }

    /// The kind of a win on another seat's discard, or on a North that it sets aside: how many
    /// tiles can be drawn after it.
    pub const fn others_discard(tiles_left: u8) -> Self {
        if tiles_left == 0 {
            Self::LastDiscard
        } else {
            Self::Discard
        }
    }

    /// Whether the seat drew the tile itself; a ron otherwise.
    pub const fn is_tsumo(self) -> bool {
        matches!(
            self,
            Self::Draw | Self::FirstDraw | Self::LastDraw | Self::Replacement
        )
    }
}

/// A riichi as far as it adds to a win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Declared {
    /// Declared with the own first discard, before any call.
    pub double: bool,
    /// The win comes within one turn of it, before any call.
    pub ippatsu: bool,
}

/// The circumstances of a win that yaku depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WinContext {
    /// How the winning tile came.
    pub by: WinBy,
    /// The seat's riichi, if it declared one.
    pub riichi: Option<Declared>,
    /// The winner's seat wind.
    pub seat_wind: Wind,
    /// The wind of the round.
    pub round_wind: Wind,
    /// Whether an open hand of simples has a yaku.
    pub open_tanyao: bool,
}

impl WinContext {
    /// Riichi, menzen tsumo, tenhou and the yaku of luck, of a hand that melds open or not.
    pub(crate) fn yaku(&self, open: bool) -> YakuSet {
        let Self {
            by,
            riichi,
            seat_wind,
            ..
        } = *self;
        let mut yaku = YakuSet::EMPTY;
        if !open {
            if let Some(declared) = riichi {
                yaku.add(
                    if declared.double {
                        Yaku::DoubleRiichi
                    } else {
                        Yaku::Riichi
                    },
                    true,
                );
                yaku.add(Yaku::Ippatsu, declared.ippatsu);
            }
            yaku.add(Yaku::MenzenTsumo, by.is_tsumo());
            let first = if seat_wind == Wind::East {
                Yaku::Tenhou
            } else {
                Yaku::Chiihou
            };
            yaku.add(first, by == WinBy::FirstDraw);
        }
        match by {
            WinBy::LastDraw => yaku.add(Yaku::Haitei, true),
            WinBy::LastDiscard => yaku.add(Yaku::Houtei, true),
            WinBy::Replacement => yaku.add(Yaku::Rinshan, true),
            WinBy::Kan => yaku.add(Yaku::Chankan, true),
            WinBy::Draw | WinBy::FirstDraw | WinBy::Discard => {}
        }
        yaku
    }
}

/// Whether a complete hand has a yaku.
///
/// `hand` holds the winning tile, whose kind is `winning`; `melds` are the melds that it counts.
/// The caller checks that the hand is complete ([`is_complete`](crate::shape::is_complete)): for
/// another hand the answer means nothing.
///
/// The winning tile may be counted into any set or the pair that it fits, whichever gives a yaku.
/// No rules are known that say otherwise.
pub fn has_yaku(hand: &ConcealedHand, melds: &[Meld], winning: Kind, context: &WinContext) -> bool {
    let won = Won::new(hand, melds, winning, context);
    if !won.yaku_of_circumstances().is_empty() || !won.yaku_of_tiles().is_empty() {
        return true;
    }
    let mut found = false;
    each_reading(hand, |reading| {
        found = found
            || !won.yaku_of_reading(reading).is_empty()
            || won
                .places(reading)
                .any(|place| !won.yaku_of_place(reading, place).is_empty());
    });
    found || won.is_seven_pairs() || won.is_thirteen_orphans()
}

/// Kinds whose triplet is a yaku: the dragons and the two winds.
pub fn value_kinds(seat_wind: Wind, round_wind: Wind) -> KindSet {
    const DRAGONS: u64 = 0b111 << Kind::WHITE.index();
    KindSet::from_bits(DRAGONS | 1 << seat_wind.kind().index() | 1 << round_wind.kind().index())
}

const SUITS: [KindSet; 3] = [
    KindSet::from_bits(0o777),
    KindSet::from_bits(0o777 << 9),
    KindSet::from_bits(0o777 << 18),
];

/// Whether the suited ones among the kinds are of one suit.
fn is_one_suit(kinds: KindSet) -> bool {
    SUITS.iter().filter(|&&suit| kinds.intersects(suit)).count() <= 1
}

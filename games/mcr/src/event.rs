//! The events at the table, and the actions of a seat.
//!
//! As at Botzone, a claimed chow or pung and the discard after it are one action.

use game_core::Seat;
use tiles::{Counts, Kind, Wind};

/// Players of a game.
pub const PLAYERS: u8 = 4;

/// Flowers and seasons there are.
pub const FLOWERS: u8 = 8;

/// A flower or season, 1 to 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flower(u8);

impl Flower {
    /// The flower with this number; `None` beyond 1 to 8.
    pub const fn new(number: u8) -> Option<Self> {
        if 1 <= number && number <= FLOWERS {
            Some(Self(number))
        } else {
            None
        }
    }

    /// Its number, 1 to 8.
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// An event from the point of view of one seat: hidden values are `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McrEvent {
    /// The deal. Comes first, and once.
    Dealt {
        /// The wind of the round.
        prevalent_wind: Wind,
        /// The own 13 tiles.
        hand: Counts,
        /// Flowers laid down by each seat while its 13 tiles were dealt.
        flowers: [u8; 4],
    },
    /// A seat drew a tile.
    Drawn {
        /// The seat.
        seat: Seat,
        /// The tile; only the seat knows it.
        tile: Option<Kind>,
    },
    /// A seat drew a flower, and will draw again.
    FlowerDrawn {
        /// The seat.
        seat: Seat,
        /// The flower.
        flower: Flower,
    },
    /// A seat discarded a tile after a draw.
    Discarded {
        /// The seat.
        seat: Seat,
        /// The tile.
        tile: Kind,
    },
    /// A seat claimed the last discard for a pung, and discarded.
    PungClaimed {
        /// The seat.
        seat: Seat,
        /// Its discard after that.
        discard: Kind,
    },
    /// A seat claimed the last discard for a chow, and discarded.
    ChowClaimed {
        /// The seat.
        seat: Seat,
        /// The middle tile of the chow.
        middle: Kind,
        /// Its discard after that.
        discard: Kind,
    },
    /// A seat claimed the last discard for a kong, and will draw.
    KongClaimed {
        /// The seat.
        seat: Seat,
    },
    /// A seat declared a concealed kong, and will draw.
    ConcealedKong {
        /// The seat.
        seat: Seat,
        /// The tile; only the seat knows it.
        tile: Option<Kind>,
    },
    /// A seat added a tile to its pung, and will draw if no player robs the kong.
    KongAdded {
        /// The seat.
        seat: Seat,
        /// The tile.
        tile: Kind,
    },
    /// The hand has ended.
    Over,
}

impl McrEvent {
    /// The event from the point of view of another seat.
    pub fn hidden_from(&self, seat: Seat) -> Self {
        match *self {
            Self::Drawn { seat: who, .. } if who != seat => Self::Drawn {
                seat: who,
                tile: None,
            },
            Self::ConcealedKong { seat: who, .. } if who != seat => Self::ConcealedKong {
                seat: who,
                tile: None,
            },
            ref other => other.clone(),
        }
    }
}

/// An answer of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum McrAction {
    /// No action.
    Pass,
    /// Win with the tile drawn, discarded or added to a pung.
    Win,
    /// Discard a tile after a draw.
    Discard(Kind),
    /// Declare a concealed kong after a draw.
    ConcealedKong(Kind),
    /// Add a tile to a pung after a draw.
    AddKong(Kind),
    /// Claim the discard for a kong.
    ClaimKong,
    /// Claim the discard for a pung, and discard.
    ClaimPung {
        /// The discard after that.
        discard: Kind,
    },
    /// Claim the discard of the seat before for a chow, and discard.
    ClaimChow {
        /// The middle tile of the chow.
        middle: Kind,
        /// The discard after that.
        discard: Kind,
    },
}

impl McrAction {
    /// The discard that belongs to it, if there is one.
    pub const fn discard(self) -> Option<Kind> {
        match self {
            Self::Discard(kind)
            | Self::ClaimPung { discard: kind }
            | Self::ClaimChow { discard: kind, .. } => Some(kind),
            _ => None,
        }
    }
}

/// The safe action: a win if listed, else a pass, else the discard of the drawn tile, else the
/// first of the list; `None` for an empty list.
pub fn safe_mcr_answer(legal: &[McrAction], drawn: Option<Kind>) -> Option<McrAction> {
    let of = |action: McrAction| legal.contains(&action).then_some(action);
    of(McrAction::Win)
        .or_else(|| of(McrAction::Pass))
        .or_else(|| of(McrAction::Discard(drawn?)))
        .or_else(|| legal.first().copied())
}

//! The outcome of a game, in the last line of its record.

use serde::{Deserialize, Serialize};

/// The outcome of a game. Seats are numbers from 0; the scores next to it show the payments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum GameOutcome {
    /// A win of Chinese Standard mahjong.
    Win {
        winner: usize,
        /// The seat whose tile it was; the winner itself by its own draw.
        from: usize,
        /// How the winner got the tile.
        with: WinningTile,
        /// The tile, by its mjai name.
        tile: String,
        /// All fan together.
        total: u16,
        /// Every fan, in the order of the rules.
        fan: Vec<RecordedFan>,
    },
    /// No seat won: the wall was empty.
    Drawn,
    /// A seat answered what it may not, and the game ended.
    Fault { seat: usize },
    /// A game of Dou Dizhu in which a seat played its last card.
    LastCard {
        landlord: usize,
        landlord_won: bool,
        /// The highest bid; `None` in games without bidding.
        bid: Option<u8>,
        /// Number of bombs and rockets played; `None` if the last cards are not known.
        bombs: Option<u8>,
        /// Whether the losing side did not play any cards, or the landlord only once; `None`
        /// likewise.
        spring: Option<bool>,
        /// The amount that each peasant wins or loses, in games with bidding.
        stake: Option<f64>,
    },
    /// An end that this version does not know.
    #[serde(other)]
    Other,
}

/// How a winner got the last tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WinningTile {
    Draw,
    Discard,
    /// The tile of a kong that was robbed.
    RobbedKong,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFan {
    /// Its English name.
    pub name: String,
    /// Its value when counted once.
    pub value: u8,
    /// How often it counts.
    pub times: u8,
}

impl GameOutcome {
    /// The seats that won, in a game with this many seats.
    pub fn winners(&self, seats: usize) -> Vec<usize> {
        match *self {
            Self::Win { winner, .. } => vec![winner],
            Self::LastCard {
                landlord,
                landlord_won,
                ..
            } => (0..seats)
                .filter(|&seat| (seat == landlord) == landlord_won)
                .collect(),
            Self::Drawn | Self::Fault { .. } | Self::Other => Vec::new(),
        }
    }
}

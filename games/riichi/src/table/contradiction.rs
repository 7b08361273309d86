//! Why an event cannot have happened at this table.

use game_core::Seat;
use tiles::{Kind, Tile};

use crate::event::Points;
use crate::hand::{FifthTile, NotHeld};

/// A contradiction between an event and the table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum Contradiction {
    #[error("no round is being played")]
    NoRound,
    #[error("seat {seat} does not exist at a table of {players}")]
    NoSuchSeat { seat: Seat, players: u8 },
    #[error("values for {found} seats at a table of {players}")]
    WrongPlayers { found: u8, players: u8 },
    #[error("seat {actor} cannot do this now: {expected}")]
    OutOfTurn { actor: Seat, expected: &'static str },
    #[error("the own tiles are hidden")]
    OwnTilesHidden,
    #[error("there are no tiles left to draw")]
    WallEmpty,
    #[error("{tile} is not in the own hand")]
    NotHeld { tile: Tile },
    #[error("{kind} would be seen more often than there are tiles of it")]
    FifthTile { kind: Kind },
    #[error("{tile} cannot be the tile just drawn, which is {}", drawn.map_or("none", |tile| tile.name()))]
    NotDrawn { tile: Tile, drawn: Option<Tile> },
    #[error("in riichi only the drawn tile can be discarded")]
    RiichiHandChanged,
    #[error("{tile} of seat {target} was not the last discard")]
    NotOffered { tile: Tile, target: Seat },
    #[error("the tiles do not make this meld")]
    NoMeld,
    #[error("there is no pon of {kind} to add to")]
    NoPon { kind: Kind },
    #[error("a North can be set aside only in a game of three players, and this one has four")]
    KitaOfFour,
    #[error("an open hand or one in riichi cannot do this")]
    HandNotFree,
    #[error("there is no room for another {what}")]
    TooMany { what: &'static str },
    #[error("the last round has not ended")]
    RoundNotEnded,
    #[error("the scores are given as {given:?}, but should be {expected:?}")]
    Scores { given: Points, expected: Points },
}

impl From<FifthTile> for Contradiction {
    fn from(FifthTile(kind): FifthTile) -> Self {
        Self::FifthTile { kind }
    }
}

impl From<NotHeld> for Contradiction {
    fn from(NotHeld(tile): NotHeld) -> Self {
        Self::NotHeld { tile }
    }
}

//! What the lines of a record say besides the events: facts that the rules determine.

use arrayvec::ArrayVec;
use game_core::PerSeat;
use tiles::Tile;

use crate::event::Points;

/// Maximum number of closed tiles of a hand with its winning tile.
const MAX_CLOSED: usize = 14;

/// What a line of a record says besides its event. A fact that it leaves out is no error; one that
/// it has must be true.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedFacts {
    /// Whether a discard after a call is marked as the drawn tile, although nothing was drawn.
    pub tsumogiri_after_call: bool,
    /// Of a win: the winning tile.
    pub tile: Option<Tile>,
    /// Of a win: whether it is a self-draw.
    pub tsumo: Option<bool>,
    /// Of a win: all han, with the name of their field.
    pub han: Option<(&'static str, i64)>,
    /// Of a win: fu.
    pub fu: Option<i64>,
    /// Of a win: the points of the hand, without repeat counters and sticks.
    pub points: Option<i64>,
    /// Of a win: each yaku and sort of dora, with its han.
    pub yaku: Option<ToldYaku>,
    /// Of a win: the closed tiles of the winner, with or without the winning one.
    pub hand: Option<ArrayVec<Tile, MAX_CLOSED>>,
    /// Of a win: the ura dora indicators are left out.
    pub ura_left_out: bool,
    /// Of a riichi that is accepted: what is paid.
    pub deltas: Option<Points>,
    /// Of a draw: who was tenpai.
    pub tenpai: Option<PerSeat<bool>>,
    /// Of a draw: the reason, if it is none of the known ones.
    pub reason: Option<String>,
}

/// The yaku of a win as a record has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldYaku {
    /// The name of their field.
    pub field: &'static str,
    /// Each name with its han.
    pub parts: Vec<(String, i64)>,
}

//! What a person and bots made of the same wall.

use builtin::ValueUnit;

/// A game of a person beside the same game with bots in place of the person.
#[derive(Debug, Clone, PartialEq)]
pub struct SameWall {
    /// Number of the game, from 1.
    pub game: u64,
    /// Number of games in all.
    pub games: u64,
    /// The person, then the bots.
    pub rows: Vec<SameWallRow>,
}

/// The result of the person's seat with this player.
#[derive(Debug, Clone, PartialEq)]
pub struct SameWallRow {
    pub name: String,
    /// Name and version of the policy; none for the person.
    pub policy: Option<String>,
    /// Its place, in a game that compares players by places.
    pub place: Option<u8>,
    pub score: f64,
    /// What the decisions cost by the values of the adviser, a sum for each unit; `None` if it was
    /// not asked.
    pub losses: Option<Vec<(ValueUnit, f64)>>,
}

//! The tiles that the judging seat sees.

use tiles::{Counts, KindSet, Tile};

use riichi::rules::Rules;
use riichi::table::Table;

/// The tiles that a judging seat sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight {
    /// Number of players: hands of three players reach tenpai sooner.
    pub players: u8,
    /// Copies of each kind that it does not see: not in its hand, a meld, a river, or among the
    /// indicators.
    pub unseen: Counts,
    /// The kinds that are dora.
    pub dora: KindSet,
}

impl Sight {
    /// The view with these unseen tiles and these dora indicators.
    pub fn new(
        rules: &Rules,
        unseen: Counts,
        dora_markers: impl IntoIterator<Item = Tile>,
    ) -> Self {
        Self {
            players: rules.players,
            unseen,
            dora: dora_markers
                .into_iter()
                .map(|marker| rules.dora_of(marker.kind()))
                .collect(),
        }
    }

    /// The view of the table's seat.
    pub fn of_table(table: &Table) -> Self {
        Self::new(
            table.rules(),
            table.unseen(),
            table.dora_markers().iter().copied(),
        )
    }
}

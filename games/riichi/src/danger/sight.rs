//! What the seat that judges danger sees of the tiles.

use tiles::{Counts, KindSet, Tile};

use crate::rules::Rules;
use crate::table::Table;

/// What a seat that judges sees of the tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight {
    /// How many play: hands of three come to tenpai sooner.
    pub players: u8,
    /// Copies of each kind that it does not see: not in its hand, a meld, a river, or among the indicators.
    pub unseen: Counts,
    /// The kinds that are dora.
    pub dora: KindSet,
}

impl Sight {
    /// What is seen when these tiles are unseen and these dora indicators lie open.
    pub fn new(rules: &Rules, unseen: Counts, dora_markers: impl IntoIterator<Item = Tile>) -> Self {
        Self {
            players: rules.players,
            unseen,
            dora: dora_markers.into_iter().map(|marker| rules.dora_of(marker.kind())).collect(),
        }
    }

    /// What the seat of a table sees.
    #[must_use]
    pub fn of_table(table: &Table) -> Self {
        Self::new(table.rules(), table.unseen(), table.dora_markers().iter().copied())
    }
}

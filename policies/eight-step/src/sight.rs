//! The knowledge that a level of play uses.

use policy_sdk::View;
use riichi::{Counts, Kind, KindSet};

/// The knowledge that a level of play uses besides its hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SightLevel {
    /// Nothing.
    Hand = 1,
    /// The tiles on the table: rivers, melds, indicators.
    Table = 2,
    /// How others discard as well.
    Others = 3,
}

impl SightLevel {
    pub(crate) const fn new(number: i64) -> Option<Self> {
        match number {
            1 => Some(Self::Hand),
            2 => Some(Self::Table),
            3 => Some(Self::Others),
            _ => None,
        }
    }
}

/// The tiles that may still come, as far as a level sees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TilesLeft {
    left: Counts,
    table: bool,
}

impl TilesLeft {
    pub(crate) fn new(view: &View<'_>, level: SightLevel) -> Self {
        if level >= SightLevel::Table {
            return Self {
                left: view.unseen(),
                table: true,
            };
        }
        let mut own = *view.closed();
        for meld in view.melds() {
            meld.count_into(&mut own);
        }
        let mut left = Counts::EMPTY;
        for kind in view.rules().kinds().iter() {
            left[kind] = 4_u8.saturating_sub(own[kind]);
        }
        Self { left, table: false }
    }

    pub(crate) const fn sees_table(&self) -> bool {
        self.table
    }

    /// Number of tiles of these kinds that may still come.
    pub(crate) fn left(&self, kinds: KindSet) -> u32 {
        self.left.total_of(kinds)
    }

    /// Number of tiles that may still come adjacent to this one, or one place from it, or of its
    /// kind; 0 for a level that ignores the table, for which all are equal.
    pub(crate) fn company(&self, kind: Kind) -> u32 {
        if self.table {
            self.left(around(kind))
        } else {
            0
        }
    }

    /// Number of tiles of this kind that may still come; 0 for a level that ignores the table.
    pub(crate) fn copies(&self, kind: Kind) -> u32 {
        if self.table {
            u32::from(self.left[kind])
        } else {
            0
        }
    }
}

/// The kind, and those of its suit up to two places away.
fn around(kind: Kind) -> KindSet {
    [-2, -1, 1, 2]
        .into_iter()
        .filter_map(|steps| kind.offset(steps))
        .chain([kind])
        .collect()
}

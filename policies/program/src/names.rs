//! Tiles and kinds as a line spells them, by mjai's names, and seats, by their numbers.

use riichi::{Counts, Kind, KindSet, Seat, Tile};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The number of a seat, 0 to 3.
#[derive(Debug, Clone, Copy, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SeatNumber(#[cfg_attr(test, schemars(range(max = 3)))] usize);

impl From<Seat> for SeatNumber {
    fn from(seat: Seat) -> Self {
        Self(seat.index())
    }
}

/// A tile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TileName(pub(crate) Tile);

impl Serialize for TileName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

/// A kind, which is spelled as its plain tile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KindName(pub(crate) Kind);

impl Serialize for KindName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.tile().name())
    }
}

/// Kinds in their order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KindNames(pub(crate) KindSet);

impl Serialize for KindNames {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(KindName))
    }
}

/// Kinds in their order, and how many tiles of each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedKinds {
    pub(crate) kinds: KindSet,
    pub(crate) counts: Counts,
}

impl CountedKinds {
    /// Total number of tiles.
    pub(crate) fn total(&self) -> u32 {
        self.counts.total_of(self.kinds)
    }
}

impl Serialize for CountedKinds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.kinds.len()))?;
        for kind in self.kinds.iter() {
            map.serialize_entry(&KindName(kind), &self.counts.0[kind.index()])?;
        }
        map.end()
    }
}

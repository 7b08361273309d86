//! Dora.

use arrayvec::ArrayVec;
use tiles::{Counts, Kind, Tile};

use crate::event::MAX_DORA;
use crate::rules::Rules;

/// The kinds that indicators name; a kind named twice is there twice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dora(ArrayVec<Kind, MAX_DORA>);

impl Dora {
    /// No indicator, or none known.
    pub const NONE: Self = Self(ArrayVec::new_const());

    /// The dora of these indicators. At most five are used, and the others ignored.
    pub fn named_by(rules: &Rules, markers: impl IntoIterator<Item = Tile>) -> Self {
        Self(
            markers
                .into_iter()
                .map(|marker| rules.dora_of(marker.kind()))
                .take(MAX_DORA)
                .collect(),
        )
    }

    /// How many dora a tile of this kind is.
    pub fn of(&self, kind: Kind) -> u8 {
        self.0.iter().filter(|&&dora| dora == kind).count() as u8
    }

    /// Number of dora among these tiles.
    pub fn among(&self, tiles: &Counts) -> u8 {
        self.0.iter().map(|&kind| tiles[kind]).sum()
    }
}

/// The dora of a win, each worth a han.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DoraCount {
    /// By the indicators.
    pub dora: u8,
    /// Red fives.
    pub red: u8,
    /// By the ura indicators, after a riichi.
    pub ura: u8,
    /// Norths set aside (three players).
    pub kita: u8,
}

impl DoraCount {
    /// All of them.
    pub const fn total(&self) -> u8 {
        self.dora + self.red + self.ura + self.kita
    }
}

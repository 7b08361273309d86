//! The measured figures and how they are looked up.

mod measured;

use super::{Class, Threat, Traits};

pub use measured::{DORA_LOSS, OPEN, OPEN_LOSS, RIICHI, RIICHI_LOSS, TENPAI};

/// Columns of [`DangerFigures::chance`]: 0-2, 3-5, 6-8, 9-11, 12-14, and 15-18 two-sided waits that are not shut.
pub const LINE_COLUMNS: usize = 6;
/// Columns of [`TENPAI`]: 0-3, 4-6, 7-9, 10-12, 13-15, and 16 or more tiles thrown.
pub const TURN_COLUMNS: usize = 6;

/// What tenpai hands, in riichi or open, wait for.
#[derive(Debug, Clone, PartialEq)]
pub struct DangerFigures {
    /// How likely a tenpai hand is to win on a kind: a row for each class, a column by the two-sided waits that are
    /// left.
    pub chance: [[f32; LINE_COLUMNS]; Class::COUNT],
    /// Factors by [`DoraTrait`](super::DoraTrait): far, near, beside, is dora.
    pub dora: [f32; 4],
    /// Factors by [`OutsideTrait`](super::OutsideTrait): no, early five, early, very early.
    pub outside: [f32; 4],
    /// Factors by [`RiichiTrait`](super::RiichiTrait): no, beside, suji.
    pub riichi: [f32; 3],
    /// Factors by [`Copies`](super::Copies): three, two, one, none.
    pub copies: [f32; 4],
    /// Factors by [`SuitTrait`](super::SuitTrait): none collected, honour, the collected one, another.
    pub suit: [f32; 4],
}

impl DangerFigures {
    /// How likely a tenpai hand is to win on a kind, when this many two-sided waits are left in all.
    #[must_use]
    pub fn chance(&self, class: Class, lines: usize, traits: &Traits) -> f32 {
        let Some(class) = class.index() else { return 0.0 };
        let chance = self.chance[class][line_column(lines)]
            * self.dora[traits.dora as usize]
            * self.outside[traits.outside as usize]
            * self.riichi[traits.riichi as usize]
            * self.copies[traits.copies as usize]
            * self.suit[traits.suit as usize];
        chance.min(1.0)
    }
}

/// What a deal-in costs on average, points without honba: to others, and to the dealer.
#[must_use]
pub const fn loss(threat: Threat, dealer: bool, shown_han: u8) -> f32 {
    let row = dealer as usize;
    match threat {
        Threat::Riichi => RIICHI_LOSS[row],
        Threat::Melds { .. } => OPEN_LOSS[row][if shown_han < 4 { shown_han as usize } else { 4 }],
    }
}

/// The column of [`DangerFigures::chance`] for this many two-sided waits.
#[must_use]
pub const fn line_column(lines: usize) -> usize {
    if lines / 3 < LINE_COLUMNS { lines / 3 } else { LINE_COLUMNS - 1 }
}

/// The column of [`TENPAI`] for this many tiles thrown.
#[must_use]
pub const fn turn_column(turns: u8) -> usize {
    let column = turns.saturating_sub(1) as usize / 3;
    if column < TURN_COLUMNS { column } else { TURN_COLUMNS - 1 }
}

/// How likely a hand is to be tenpai.
#[must_use]
pub const fn tenpai(threat: Threat) -> f32 {
    match threat {
        Threat::Riichi => 1.0,
        Threat::Melds { melds, turns } => TENPAI[if melds < 4 { melds as usize } else { 4 }][turn_column(turns)],
    }
}

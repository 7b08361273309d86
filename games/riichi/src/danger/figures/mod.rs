//! The measured figures and how they are looked up.

mod four_players;
mod three_players;

use super::{Class, DoraTrait, Threat, Traits};

/// Columns of [`DangerFigures::chance`]: 0-2, 3-5, 6-8, 9-11, 12-14, and 15-18 two-sided waits that are not shut.
pub const LINE_COLUMNS: usize = 6;
/// Columns of [`MeasuredDanger::tenpai`]: 0-3, 4-6, 7-9, 10-12, 13-15, and 16 or more tiles thrown.
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

/// All that was measured in games of so many players.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredDanger {
    /// How likely a hand without riichi is to be tenpai: a row for each number of melds from 0 to 4, a column by the tiles it has
    /// thrown.
    tenpai: [[f32; TURN_COLUMNS]; 5],
    /// What a deal-in to a riichi costs, points: to others than the dealer, and to the dealer.
    riichi_loss: [f32; 2],
    /// The same to a hand without riichi, a column by the han that its melds show, from 0 to 4 or more.
    open_loss: [[f32; 5]; 2],
    /// Factors to what a deal-in costs by [`DoraTrait`](super::DoraTrait).
    dora_loss: [f32; 4],
    /// What hands in riichi wait for.
    riichi: DangerFigures,
    /// What tenpai hands without riichi wait for.
    open: DangerFigures,
}

static FOUR_PLAYERS: MeasuredDanger = MeasuredDanger {
    tenpai: four_players::TENPAI,
    riichi_loss: four_players::RIICHI_LOSS,
    open_loss: four_players::OPEN_LOSS,
    dora_loss: four_players::DORA_LOSS,
    riichi: four_players::RIICHI,
    open: four_players::OPEN,
};

static THREE_PLAYERS: MeasuredDanger = MeasuredDanger {
    tenpai: three_players::TENPAI,
    riichi_loss: three_players::RIICHI_LOSS,
    open_loss: three_players::OPEN_LOSS,
    dora_loss: three_players::DORA_LOSS,
    riichi: three_players::RIICHI,
    open: three_players::OPEN,
};

/// What was measured in games of so many players: of three where three play, else of four.
#[must_use]
pub const fn measured(players: u8) -> &'static MeasuredDanger {
    if players == 3 { &THREE_PLAYERS } else { &FOUR_PLAYERS }
}

impl MeasuredDanger {
    /// How likely a hand is to be tenpai.
    #[must_use]
    pub const fn tenpai(&self, threat: Threat) -> f32 {
        match threat {
            Threat::Riichi => 1.0,
            Threat::Melds { melds, turns } => {
                self.tenpai[if melds < 4 { melds as usize } else { 4 }][turn_column(turns)]
            }
        }
    }

    /// What a deal-in costs on average, points without honba: to others, and to the dealer.
    #[must_use]
    pub const fn loss(&self, threat: Threat, dealer: bool, shown_han: u8) -> f32 {
        let row = dealer as usize;
        match threat {
            Threat::Riichi => self.riichi_loss[row],
            Threat::Melds { .. } => self.open_loss[row][if shown_han < 4 { shown_han as usize } else { 4 }],
        }
    }

    /// By what factor a deal-in costs more with this trait.
    #[must_use]
    pub const fn dora_loss(&self, dora: DoraTrait) -> f32 {
        self.dora_loss[dora as usize]
    }

    /// What a tenpai hand waits for.
    #[must_use]
    pub const fn waits(&self, threat: Threat) -> &DangerFigures {
        match threat {
            Threat::Riichi => &self.riichi,
            Threat::Melds { .. } => &self.open,
        }
    }
}

/// The column of [`DangerFigures::chance`] for this many two-sided waits.
#[must_use]
pub const fn line_column(lines: usize) -> usize {
    if lines / 3 < LINE_COLUMNS { lines / 3 } else { LINE_COLUMNS - 1 }
}

/// The column of [`MeasuredDanger::tenpai`] for this many tiles thrown.
#[must_use]
pub const fn turn_column(turns: u8) -> usize {
    let column = turns.saturating_sub(1) as usize / 3;
    if column < TURN_COLUMNS { column } else { TURN_COLUMNS - 1 }
}

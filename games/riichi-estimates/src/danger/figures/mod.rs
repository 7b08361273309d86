//! The measured figures, and functions to look them up.

use std::sync::LazyLock;

use super::{Class, DoraTrait, Threat, Traits};
use crate::figures::FiguresReader;

/// Columns of [`DangerFigures::chance`]: 0-2, 3-5, 6-8, 9-11, 12-14, and 15-18 two-sided waits that
/// are not shut.
pub const LINE_COLUMNS: usize = 6;
/// Columns of [`MeasuredDanger::tenpai`]: 0-3, 4-6, 7-9, 10-12, 13-15, and 16 or more discards.
pub const TURN_COLUMNS: usize = 6;

/// The waits of tenpai hands, in riichi or open.
#[derive(Debug, Clone, PartialEq)]
pub struct DangerFigures {
    /// The probability that a tenpai hand wins on a kind: a row for each class, a column by the
    /// two-sided waits that are left.
    pub chance: [[f32; LINE_COLUMNS]; Class::COUNT],
    /// Factors by [`DoraTrait`]: far, near, beside, is dora.
    pub dora: [f32; 4],
    /// Factors by [`OutsideTrait`](super::OutsideTrait): no, early five, early, very early.
    pub outside: [f32; 4],
    /// Factors by [`RiichiTrait`](super::RiichiTrait): no, beside, suji.
    pub riichi: [f32; 3],
    /// Factors by [`Copies`](super::Copies): three, two, one, none.
    pub copies: [f32; 4],
    /// Factors by [`SuitTrait`](super::SuitTrait): none collected, honour, the collected one,
    /// another.
    pub suit: [f32; 4],
}

impl DangerFigures {
    /// The probability that a tenpai hand wins on a kind, when this many two-sided waits are left.
    pub fn chance(&self, class: Class, lines: usize, traits: &Traits) -> f32 {
        let Some(class) = class.index() else {
            return 0.0;
        };
        let chance = self.chance[class][line_column(lines)]
            * self.dora[traits.dora as usize]
            * self.outside[traits.outside as usize]
            * self.riichi[traits.riichi as usize]
            * self.copies[traits.copies as usize]
            * self.suit[traits.suit as usize];
        chance.min(1.0)
    }
}

/// The figures measured in games of one number of players.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredDanger {
    /// The probability that a hand without riichi is tenpai: a row for each number of melds from 0
    /// to 4, a column by its number of discards.
    tenpai: [[f32; TURN_COLUMNS]; 5],
    /// The cost of a deal-in to a riichi in points: to a non-dealer, and to the dealer.
    riichi_loss: [f32; 2],
    /// The same to a hand without riichi, a column by the han that its melds show, from 0 to 4 or
    /// more.
    open_loss: [[f32; 5]; 2],
    /// Factors on the cost of a deal-in by [`DoraTrait`](super::DoraTrait).
    dora_loss: [f32; 4],
    /// The waits of hands in riichi.
    riichi: DangerFigures,
    /// The waits of tenpai hands without riichi.
    open: DangerFigures,
}

static FOUR_PLAYERS: LazyLock<MeasuredDanger> =
    LazyLock::new(|| MeasuredDanger::read(include_str!("four_players.txt")));

static THREE_PLAYERS: LazyLock<MeasuredDanger> =
    LazyLock::new(|| MeasuredDanger::read(include_str!("three_players.txt")));

/// The figures for this many players: those for three, else those for four.
pub fn measured(players: u8) -> &'static MeasuredDanger {
    if players == 3 {
        &THREE_PLAYERS
    } else {
        &FOUR_PLAYERS
    }
}

impl MeasuredDanger {
    /// Reads the text of a file in this folder.
    ///
    /// # Panics
    ///
    /// If it does not have the form of such a file.
    fn read(text: &str) -> Self {
        let mut file = FiguresReader::new(text);
        let measured = Self {
            tenpai: file.section("tenpai").rows(),
            riichi_loss: file.section("riichi loss").row(),
            open_loss: file.section("open loss").rows(),
            dora_loss: file.section("dora loss").row(),
            riichi: DangerFigures {
                chance: file.section("riichi chance").rows(),
                dora: file.section("riichi dora").row(),
                outside: file.section("riichi outside").row(),
                riichi: file.section("riichi riichi").row(),
                copies: file.section("riichi copies").row(),
                suit: file.section("riichi suit").row(),
            },
            open: DangerFigures {
                chance: file.section("open chance").rows(),
                dora: file.section("open dora").row(),
                outside: file.section("open outside").row(),
                riichi: file.section("open riichi").row(),
                copies: file.section("open copies").row(),
                suit: file.section("open suit").row(),
            },
        };
        file.end();
        measured
    }

    /// The probability that a hand is tenpai.
    pub const fn tenpai(&self, threat: Threat) -> f32 {
        match threat {
            Threat::Riichi => 1.0,
            Threat::Melds { melds, turns } => {
                self.tenpai[if melds < 4 { melds as usize } else { 4 }][turn_column(turns)]
            }
        }
    }

    /// The average cost of a deal-in in points without honba: to a non-dealer, and to the dealer.
    pub const fn loss(&self, threat: Threat, dealer: bool, shown_han: u8) -> f32 {
        let row = dealer as usize;
        match threat {
            Threat::Riichi => self.riichi_loss[row],
            Threat::Melds { .. } => {
                self.open_loss[row][if shown_han < 4 { shown_han as usize } else { 4 }]
            }
        }
    }

    /// By what factor a deal-in costs more with this trait.
    pub const fn dora_loss(&self, dora: DoraTrait) -> f32 {
        self.dora_loss[dora as usize]
    }

    /// The waits of a tenpai hand.
    pub const fn waits(&self, threat: Threat) -> &DangerFigures {
        match threat {
            Threat::Riichi => &self.riichi,
            Threat::Melds { .. } => &self.open,
        }
    }
}

/// The column of [`DangerFigures::chance`] for this many two-sided waits.
pub const fn line_column(lines: usize) -> usize {
    if lines / 3 < LINE_COLUMNS {
        lines / 3
    } else {
        LINE_COLUMNS - 1
    }
}

/// The column of [`MeasuredDanger::tenpai`] for this many discards.
pub const fn turn_column(turns: u8) -> usize {
    let column = turns.saturating_sub(1) as usize / 3;
    if column < TURN_COLUMNS {
        column
    } else {
        TURN_COLUMNS - 1
    }
}

//! The figures that traits represent.

use std::sync::LazyLock;

use super::traits::{KEEP_TRAITS, LOSS_TRAITS, TENPAI_TRAITS, TraitList, WAIT_TRAITS};
use crate::figures::FiguresReader;

/// Number of shanten numbers distinguished: 1 to 6; greater distances count as 6.
pub const SHANTEN: usize = 6;
/// Columns of [`BeliefFigures::shanten`]: 0, 1, 2, 3, 4-6, 7-9, 10-12, 13-15, and 16 or more
/// discards. A hand comes nearer fastest in its first turns.
pub const SHANTEN_COLUMNS: usize = 9;

/// The figures behind a belief. A list of traits represents the sum of its figures.
#[derive(Debug, Clone, PartialEq)]
pub struct BeliefFigures {
    /// Log-odds that a hand without riichi is tenpai.
    pub tenpai: [f32; TENPAI_TRAITS],
    /// Log-odds that a tenpai hand wins on a kind: closed, open, in riichi.
    pub waits: [[f32; WAIT_TRAITS]; 3],
    /// Logarithm of the cost of a deal-in, in points.
    pub loss: [f32; LOSS_TRAITS],
    /// Logarithm of how much likelier than by the unseen tiles a kind is used for a hand: one that
    /// is not tenpai, and one that is.
    pub keeps: [[f32; KEEP_TRAITS]; 2],
    /// The probability of a shanten number of 1 to 6 for a hand that is not tenpai, by melds and
    /// discards.
    pub shanten: [[[f32; SHANTEN]; SHANTEN_COLUMNS]; 5],
}

static FOUR_PLAYERS: LazyLock<BeliefFigures> =
    LazyLock::new(|| BeliefFigures::read(include_str!("four_players.txt")));

static THREE_PLAYERS: LazyLock<BeliefFigures> =
    LazyLock::new(|| BeliefFigures::read(include_str!("three_players.txt")));

/// The figures measured in games of this many players: those for three players, else those for
/// four.
pub fn measured(players: u8) -> &'static BeliefFigures {
    if players == 3 {
        &THREE_PLAYERS
    } else {
        &FOUR_PLAYERS
    }
}

impl BeliefFigures {
    /// Reads the text of a file in this folder.
    ///
    /// # Panics
    ///
    /// If it does not have the form of such a file.
    fn read(text: &str) -> Self {
        let mut file = FiguresReader::new(text);
        let figures = Self {
            tenpai: file.section("tenpai").row(),
            waits: ["waits closed", "waits open", "waits riichi"]
                .map(|stance| file.section(stance).row()),
            loss: file.section("loss").row(),
            keeps: ["keeps not tenpai", "keeps tenpai"].map(|hand| file.section(hand).row()),
            shanten: {
                file.section("shanten");
                std::array::from_fn(|_| file.rows())
            },
        };
        file.end();
        figures
    }
}

/// The sum that a list of traits represents.
pub fn sum(figures: &[f32], traits: &TraitList) -> f32 {
    traits
        .iter()
        .map(|&place| figures[usize::from(place)])
        .sum()
}

/// The chance of log-odds.
pub fn chance(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The column of [`BeliefFigures::shanten`] for this many discards.
pub const fn shanten_column(turns: usize) -> usize {
    let column = if turns <= 3 {
        turns
    } else {
        3 + (turns - 1) / 3
    };
    if column < SHANTEN_COLUMNS {
        column
    } else {
        SHANTEN_COLUMNS - 1
    }
}

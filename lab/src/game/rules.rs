//! Each game with its rules, where only the running program knows which game it is.

use doudizhu::CardRules;
use mcr::StandardRules;
use policy_host::GameKind;
use riichi::Rules;

use super::chinese_standard::ChineseStandardGame;
use super::definition::Game;
use super::doudizhu::DouDizhuGame;
use super::measure::Measure;
use super::riichi::RiichiGame;

/// A game with its rules.
#[derive(Debug, Clone, Copy)]
pub enum GameRules {
    /// Riichi mahjong.
    Riichi(Rules),
    /// Chinese Standard mahjong.
    ChineseStandard(StandardRules),
    /// Dou Dizhu.
    DouDizhu(CardRules),
}

impl GameRules {
    /// The rules for so many players, where nothing else is agreed.
    #[must_use]
    pub fn usual(game: GameKind, players: u8) -> Self {
        match game {
            GameKind::Riichi => Self::Riichi(RiichiGame::usual_rules(players)),
            GameKind::ChineseStandard => Self::ChineseStandard(ChineseStandardGame::usual_rules(players)),
            GameKind::DouDizhu => Self::DouDizhu(DouDizhuGame::usual_rules(players)),
        }
    }
}

/// What a game is compared by.
#[must_use]
pub const fn measure_of(game: GameKind) -> Measure {
    match game {
        GameKind::Riichi => RiichiGame::MEASURE,
        GameKind::ChineseStandard => ChineseStandardGame::MEASURE,
        GameKind::DouDizhu => DouDizhuGame::MEASURE,
    }
}

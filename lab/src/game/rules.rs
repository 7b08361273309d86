//! Each game with its rules, where only the running program knows which game it is.

use doudizhu::DouDizhuRules;
use mcr::McrRules;
use policy_host::GameKind;
use riichi::Rules;

use super::definition::Game;
use super::doudizhu::PlayableDouDizhu;
use super::mcr::PlayableMcr;
use super::measure::Measure;
use super::riichi::PlayableRiichi;

/// A game with its rules.
#[derive(Debug, Clone, Copy)]
pub enum GameRules {
    /// Riichi mahjong.
    Riichi(Rules),
    /// Chinese Standard mahjong.
    Mcr(McrRules),
    /// Dou Dizhu.
    DouDizhu(DouDizhuRules),
}

impl GameRules {
    /// The rules for so many players, where nothing else is agreed.
    #[must_use]
    pub fn usual(game: GameKind, players: u8) -> Self {
        match game {
            GameKind::Riichi => Self::Riichi(PlayableRiichi::usual_rules(players)),
            GameKind::Mcr => Self::Mcr(PlayableMcr::usual_rules(players)),
            GameKind::DouDizhu => Self::DouDizhu(PlayableDouDizhu::usual_rules(players)),
        }
    }
}

/// What a game is compared by.
#[must_use]
pub const fn measure_of(game: GameKind) -> Measure {
    match game {
        GameKind::Riichi => PlayableRiichi::MEASURE,
        GameKind::Mcr => PlayableMcr::MEASURE,
        GameKind::DouDizhu => PlayableDouDizhu::MEASURE,
    }
}

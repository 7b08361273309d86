//! Each game with its rules, for code that knows the game only at run time.

use doudizhu::{DouDizhuGame, DouDizhuRules};
use mcr::{McrGame, McrRules};
use policy_host::GameKind;
use riichi::game::RiichiGame;
use riichi::{Rules, WholeGame};

#[derive(Debug, Clone, Copy)]
pub enum GameRules {
    Riichi(Rules),
    /// Chinese Standard mahjong.
    Mcr(McrRules),
    DouDizhu(DouDizhuRules),
}

impl GameRules {
    pub fn usual(game: GameKind, players: u8) -> Self {
        match game {
            GameKind::Riichi => Self::Riichi(RiichiGame::usual_rules(players)),
            GameKind::Mcr => Self::Mcr(McrGame::usual_rules(players)),
            GameKind::DouDizhu => Self::DouDizhu(DouDizhuGame::usual_rules(players)),
        }
    }

    /// The game that is played by them.
    pub const fn kind(&self) -> GameKind {
        match self {
            Self::Riichi(_) => GameKind::Riichi,
            Self::Mcr(_) => GameKind::Mcr,
            Self::DouDizhu(_) => GameKind::DouDizhu,
        }
    }
}

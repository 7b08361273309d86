//! Which games there are.

use std::fmt;
use std::str::FromStr;

use game_core::Measure;
use policy_abi::head::{GAME_CHINESE_STANDARD, GAME_DOUDIZHU, GAME_RIICHI};

/// A game that policies play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum GameKind {
    /// Riichi mahjong, with four players or three.
    #[default]
    Riichi,
    /// Chinese Standard mahjong, with four.
    Mcr,
    /// Dou Dizhu, with three.
    DouDizhu,
}

/// In what the events of a recorded game are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedEvents {
    /// In mjai's format, from which rounds and wins can be counted.
    Mjai,
    /// In the game's own record format, step by step.
    Steps,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not a game; allowed are {allowed}", name = .0, allowed = GameKind::names())]
pub struct UnknownGame(pub String);

impl GameKind {
    pub const ALL: [Self; 3] = [Self::Riichi, Self::Mcr, Self::DouDizhu];

    /// Its name in configs and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Riichi => "riichi",
            Self::Mcr => "chinese-standard",
            Self::DouDizhu => "doudizhu",
        }
    }

    /// Its code in a policy's descriptor.
    pub const fn code(self) -> u32 {
        match self {
            Self::Riichi => GAME_RIICHI,
            Self::Mcr => GAME_CHINESE_STANDARD,
            Self::DouDizhu => GAME_DOUDIZHU,
        }
    }

    pub const fn recorded_events(self) -> RecordedEvents {
        match self {
            Self::Riichi => RecordedEvents::Mjai,
            Self::Mcr | Self::DouDizhu => RecordedEvents::Steps,
        }
    }

    /// In how many units a point is counted where scores are whole numbers, as in records and in
    /// results: points of Dou Dizhu have two decimals at Botzone.
    pub const fn score_units(self) -> i32 {
        match self {
            Self::Riichi | Self::Mcr => 1,
            Self::DouDizhu => 100,
        }
    }

    /// The measure that compares bots in it. Its caps are several standard deviations of the
    /// difference of a wall: 14 points in Chinese Standard between `cs-fan` and `cs-eight-step`,
    /// and 3 in Dou Dizhu between two strengths of `doudizhu-split`, so that few walls reach them.
    pub const fn measure(self) -> Measure {
        match self {
            Self::Riichi => Measure::Places,
            Self::Mcr => Measure::Points { cap: 64 },
            Self::DouDizhu => Measure::Points { cap: 24 },
        }
    }

    /// With how many it may be played.
    pub const fn players(self) -> &'static [u8] {
        match self {
            Self::Riichi => &[4, 3],
            Self::Mcr => &[4],
            Self::DouDizhu => &[3],
        }
    }

    /// The game with this code; `None` if a library knows more games than this runner.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.code() == code)
    }

    /// The names of all, for an error.
    fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameKind {
    type Err = UnknownGame;

    fn from_str(name: &str) -> Result<Self, UnknownGame> {
        Self::ALL
            .into_iter()
            .find(|game| game.name() == name)
            .ok_or_else(|| UnknownGame(name.to_owned()))
    }
}

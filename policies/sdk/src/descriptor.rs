//! What a policy says of itself.

use policy_abi::descriptor::{GAME_FOUR_PLAYERS, GAME_THREE_PLAYERS};

use crate::params::Param;

/// Which games a policy plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Games {
    /// With four players.
    FourPlayers,
    /// With three players.
    ThreePlayers,
    /// With four and with three players.
    Both,
}

impl Games {
    pub(crate) const fn bits(self) -> u32 {
        match self {
            Self::FourPlayers => GAME_FOUR_PLAYERS,
            Self::ThreePlayers => GAME_THREE_PLAYERS,
            Self::Both => GAME_FOUR_PLAYERS | GAME_THREE_PLAYERS,
        }
    }
}

/// What a policy is, for configs and people.
#[derive(Debug, Clone, Copy)]
pub struct Descriptor {
    /// The name used in configs: `a-z`, `0-9` and `-`.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// Its version, for people.
    pub version: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Which games it plays.
    pub games: Games,
    /// The parameters it takes.
    pub params: &'static [Param],
}

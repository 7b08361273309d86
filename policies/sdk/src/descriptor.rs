//! The descriptor of a policy.

use policy_abi::descriptor::{PLAYERS_FOUR, PLAYERS_THREE};

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
            Self::FourPlayers => PLAYERS_FOUR,
            Self::ThreePlayers => PLAYERS_THREE,
            Self::Both => PLAYERS_FOUR | PLAYERS_THREE,
        }
    }
}

/// The description of a policy, for configs and users.
#[derive(Debug, Clone, Copy)]
pub struct Descriptor {
    /// The name used in configs: `a-z`, `0-9` and `-`.
    pub id: &'static str,
    /// The name for users.
    pub name: &'static str,
    /// Its version, for users.
    pub version: &'static str,
    /// A one-sentence summary.
    pub summary: &'static str,
    /// Which games it plays.
    pub games: Games,
    /// The parameters it takes.
    pub params: &'static [Param],
}

//! A bot's account at Botzone, and what it plays there.

use std::fmt;

use policy_host::GameKind;

use crate::address::SiteUrl;

/// Botzone's public address.
pub const BOTZONE_URL: &str = "https://www.botzone.org.cn";

/// An account at Botzone, and what it plays there. `Display` is the site's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotzoneSeat {
    /// The site.
    pub site: SiteUrl,
    /// The game.
    pub game: BotzoneGame,
    /// The user, whose secret is a part of the address and never stands in a config.
    pub user: String,
    /// The opponents of the matches that are made, by the ids of their bots; without any, matches are waited for.
    pub opponents: Vec<String>,
    /// How many matches are on at once, where they are made.
    pub matches_at_once: u32,
}

impl BotzoneSeat {
    /// Matches that are on at once where a config does not say how many.
    pub const MATCHES_AT_ONCE: u32 = 4;
}

impl fmt::Display for BotzoneSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.site.fmt(f)
    }
}

/// A game that is played at Botzone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BotzoneGame {
    /// Chinese Standard mahjong.
    Mcr,
    /// Dou Dizhu without bidding.
    DouDizhu,
    /// Dou Dizhu with bidding.
    DouDizhuBidding,
}

impl BotzoneGame {
    const ALL: [Self; 3] = [Self::Mcr, Self::DouDizhu, Self::DouDizhuBidding];

    /// The words that mean a game in configs: its name, and Botzone's own.
    pub fn words() -> Vec<(&'static str, Self)> {
        let named = Self::ALL.map(|game| (game.name(), game));
        named.into_iter().chain(Self::ALL.map(|game| (game.site_name(), game))).collect()
    }

    /// Its name in configs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mcr => "chinese-standard",
            Self::DouDizhu => "doudizhu",
            Self::DouDizhuBidding => "doudizhu-bidding",
        }
    }

    /// Its name at Botzone.
    #[must_use]
    pub const fn site_name(self) -> &'static str {
        match self {
            Self::Mcr => "Chinese-Standard-Mahjong",
            Self::DouDizhu => "FightTheLandlord",
            Self::DouDizhuBidding => "FightTheLandlord2",
        }
    }

    /// The game as policies know it.
    #[must_use]
    pub const fn kind(self) -> GameKind {
        match self {
            Self::Mcr => GameKind::Mcr,
            Self::DouDizhu | Self::DouDizhuBidding => GameKind::DouDizhu,
        }
    }

    /// How many play it.
    #[must_use]
    pub const fn players(self) -> u8 {
        match self {
            Self::Mcr => 4,
            Self::DouDizhu | Self::DouDizhuBidding => 3,
        }
    }
}

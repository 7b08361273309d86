//! A bot's account at Botzone, and its game there.

use std::fmt;

use policy_host::GameKind;

use crate::address::SiteUrl;

pub const BOTZONE_URL: &str = "https://www.botzone.org.cn";

/// An account at Botzone, and its game there. `Display` is the site's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotzoneSeat {
    pub site: SiteUrl,
    pub game: BotzoneGame,
    /// The user; the secret, which is also a part of the address, is never in a config.
    pub user: String,
    /// The opponents of created matches, by the ids of their bots; without any, the account waits
    /// for matches.
    pub opponents: Vec<String>,
    /// Maximum number of simultaneous matches, if the bot creates them.
    pub matches_at_once: u32,
}

impl BotzoneSeat {
    /// The default number of simultaneous matches.
    pub const MATCHES_AT_ONCE: u32 = 4;
}

impl fmt::Display for BotzoneSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.site.fmt(f)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BotzoneGame {
    pub kind: GameKind,
    /// Whether the landlord of Dou Dizhu is found by bidding; `None` in other games.
    pub bidding: Option<bool>,
    /// Its name in configs.
    pub name: &'static str,
    /// Its name at Botzone.
    pub site_name: &'static str,
}

impl BotzoneGame {
    /// Chinese Standard mahjong.
    pub const MCR: Self = Self {
        kind: GameKind::Mcr,
        bidding: None,
        name: "chinese-standard",
        site_name: "Chinese-Standard-Mahjong",
    };
    /// Dou Dizhu without bidding.
    pub const DOUDIZHU: Self = Self {
        kind: GameKind::DouDizhu,
        bidding: Some(false),
        name: "doudizhu",
        site_name: "FightTheLandlord",
    };
    /// Dou Dizhu with bidding.
    pub const DOUDIZHU_BIDDING: Self = Self {
        kind: GameKind::DouDizhu,
        bidding: Some(true),
        name: "doudizhu-bidding",
        site_name: "FightTheLandlord2",
    };

    const ALL: [Self; 3] = [Self::MCR, Self::DOUDIZHU, Self::DOUDIZHU_BIDDING];

    /// The names of the games in configs: our names and Botzone's.
    pub fn words() -> Vec<(&'static str, Self)> {
        let named = Self::ALL.map(|game| (game.name, game));
        named
            .into_iter()
            .chain(Self::ALL.map(|game| (game.site_name, game)))
            .collect()
    }

    pub const fn players(self) -> u8 {
        self.kind.players()[0]
    }
}

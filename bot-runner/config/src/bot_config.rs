//! The content of a bot's config.

use std::fmt;
use std::path::PathBuf;

use client::records::Retention;
use client::{ArenaUrl, BotzoneGame, BotzoneSeat, RoomUrl};
use ladder::LadderAddress;
use policy_host::{GameKind, PolicyConfig};
use results::DatabaseAddress;
use riichi::rules::Length;

use super::alerts::AlertsConfig;
use super::secret::SecretSource;

pub const RIICHILAB_URL: &str = "wss://game.riichi.dev";

/// The default number of players at a table.
pub const PLAYERS: u8 = 4;

/// Maximum number of characters of a bot's name.
pub const MAX_NAME: usize = 40;

/// Everything one bot's file says.
#[derive(Debug, Clone)]
pub struct BotConfig {
    pub file: PathBuf,
    /// The bot's name, for logs and results.
    pub name: String,
    /// The arena; not needed for embedded games.
    pub arena: Option<ArenaConfig>,
    pub policy: PolicyConfig,
    /// The settings for records of its ranked games; `None` if there are none.
    pub records: Option<RecordsConfig>,
    /// Which database takes the results of its ranked games; `None` when none does.
    pub results: Option<ResultsConfig>,
    /// Where its ranked games are looked for; `None` if they are not.
    pub ladder: Option<LadderConfig>,
    /// The program that is run when something happens to the bot; `None` if none is.
    pub alerts: Option<AlertsConfig>,
}

/// The `[records]` section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordsConfig {
    /// The folder they go to.
    pub folder: PathBuf,
    /// Which of this bot's stay there.
    pub retention: Retention,
}

/// The `[results]` section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultsConfig {
    pub database: DatabaseAddress,
    /// The source of its password, if it wants one.
    pub password: Option<SecretSource>,
    /// The folder in which results wait for it.
    pub spool: PathBuf,
}

/// The `[ladder]` section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LadderConfig {
    /// The bot's number there.
    pub bot_id: u64,
    /// The base address of the interface.
    pub api: LadderAddress,
    /// The base address of the logs.
    pub logs: LadderAddress,
}

/// The `[arena]` section, as far as it could be made out.
#[derive(Debug, Clone)]
pub struct ArenaConfig {
    /// Its address, which implies the dialect; `None` for a program under Botzone's judge, which
    /// needs no account.
    pub address: Option<ArenaAddress>,
    /// The source of the token; `None` if bots log in without one.
    pub token: Option<SecretSource>,
    /// The game that is played there; `None` where several are and the section does not say a right
    /// one.
    pub game: Option<GameKind>,
    /// A file with certificate authorities to trust besides the usual ones.
    pub ca_file: Option<PathBuf>,
    /// Number of players, if the section sets it.
    pub players: Option<u8>,
    /// The length of ranked games, if the section sets it.
    pub length: Option<Length>,
    /// Whether bots of this process may queue there at the same time, if the section sets it.
    pub queue_together: Option<bool>,
    /// The game at Botzone, if the section sets one; it may name no account.
    pub botzone_game: Option<BotzoneGame>,
}

impl ArenaConfig {
    /// The config key that names the source of the token; the section, if bots log in without one.
    pub fn token_key(&self) -> &'static str {
        self.token.as_ref().map_or("arena", SecretSource::key)
    }

    /// The account at Botzone, if the section names one.
    pub fn botzone(&self) -> Option<&BotzoneSeat> {
        match &self.address {
            Some(ArenaAddress::Botzone(seat)) => Some(seat),
            _ => None,
        }
    }

    /// Whether bots of this process may queue there at the same time.
    pub fn queues_together(&self) -> bool {
        self.queue_together
            .unwrap_or_else(|| self.address.as_ref().is_some_and(ArenaAddress::is_loopback))
    }
}

/// An arena's address, with the dialect that is spoken there. `Display` is the address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArenaAddress {
    /// RiichiLab's protocol; bots log in by a token. The address is without a path.
    Riichilab(ArenaUrl),
    /// The original mjai server's protocol; bots log in by their names.
    Mjsonp(RoomUrl),
    /// Botzone's long poll; the secret of the account is a part of the address.
    Botzone(Box<BotzoneSeat>),
}

impl ArenaAddress {
    pub fn is_loopback(&self) -> bool {
        match self {
            Self::Riichilab(url) => url.is_loopback(),
            Self::Mjsonp(room) => room.is_loopback(),
            Self::Botzone(seat) => seat.site.is_loopback(),
        }
    }
}

impl ArenaAddress {
    /// Whether connections are encrypted.
    pub const fn is_encrypted(&self) -> bool {
        match self {
            Self::Riichilab(url) => url.is_encrypted(),
            Self::Mjsonp(_) => false,
            Self::Botzone(seat) => seat.site.is_encrypted(),
        }
    }
}

impl fmt::Display for ArenaAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Riichilab(url) => url.fmt(f),
            Self::Mjsonp(room) => room.fmt(f),
            Self::Botzone(seat) => seat.fmt(f),
        }
    }
}

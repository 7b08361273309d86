//! What a bot's config says.

use std::fmt;
use std::path::{Path, PathBuf};

use client::records::Retention;
use client::{ArenaUrl, BotzoneGame, BotzoneSeat, RoomUrl};
use policy_host::PolicyConfig;
use results::DatabaseAddress;

use super::secret::SecretSource;

/// RiichiLab's public address.
pub const RIICHILAB_URL: &str = "wss://game.riichi.dev";

/// Players at a table where nothing says otherwise.
pub const PLAYERS: u8 = 4;

/// Everything one bot's file says.
#[derive(Debug, Clone)]
pub struct BotConfig {
    /// The file.
    pub file: PathBuf,
    /// The bot's name, for logs and results.
    pub name: String,
    /// Where it plays; not needed for embedded games.
    pub arena: Option<ArenaConfig>,
    /// What it plays at Botzone, as a program under its judge where there is no account.
    pub botzone: Option<BotzoneGame>,
    /// What decides for it.
    pub policy: PolicyConfig,
    /// Where its ranked games are recorded; `None` when they are not.
    pub records: Option<RecordsConfig>,
    /// Which database takes the results of its ranked games; `None` when none does.
    pub results: Option<ResultsConfig>,
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
    /// The database.
    pub database: DatabaseAddress,
    /// Where its password comes from, if it wants one.
    pub password: Option<SecretSource>,
    /// Where results wait for it.
    pub spool: PathBuf,
}

/// The `[arena]` section.
#[derive(Debug, Clone)]
pub struct ArenaConfig {
    /// Where it is, in which dialect.
    pub address: ArenaAddress,
    /// Where the token comes from; `None` where bots log in without one.
    pub token: Option<SecretSource>,
    /// How many play there, 3 or 4.
    pub players: u8,
    /// Whether bots of this process may queue here at the same time.
    pub queue_together: bool,
}

impl ArenaConfig {
    /// The config key that says where the token is; the section where bots log in without one.
    #[must_use]
    pub fn token_key(&self) -> &'static str {
        self.token.as_ref().map_or("arena", SecretSource::key)
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
    /// Whether the arena runs on this machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        match self {
            Self::Riichilab(url) => url.is_loopback(),
            Self::Mjsonp(room) => room.is_loopback(),
            Self::Botzone(seat) => seat.site.is_loopback(),
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

/// The folder that relative paths in a config start from.
#[must_use]
pub fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

/// The same as a complete path, for policies, which are not told where the runner was started.
#[must_use]
pub fn complete_folder_of(file: &Path) -> PathBuf {
    let complete = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    folder_of(&complete).to_owned()
}

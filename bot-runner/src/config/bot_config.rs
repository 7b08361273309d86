//! What a bot's config says.

use std::path::{Path, PathBuf};

use policy_host::PolicyConfig;

use super::address::{ArenaUrl, RoomUrl};
use super::retention::Retention;
use super::token::TokenSource;

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
    /// What decides for it.
    pub policy: PolicyConfig,
    /// Where its ranked games are recorded; `None` when they are not.
    pub records: Option<RecordsConfig>,
}

/// The `[records]` section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordsConfig {
    /// The folder they go to.
    pub folder: PathBuf,
    /// Which of this bot's stay there.
    pub retention: Retention,
}

/// The `[arena]` section.
#[derive(Debug, Clone)]
pub struct ArenaConfig {
    /// The arena, and how the bot logs in.
    pub login: Login,
    /// How many play there, 3 or 4.
    pub players: u8,
    /// Whether bots of this process may queue here at the same time.
    pub queue_together: bool,
}

/// An arena in its own dialect, and how a bot logs in there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Login {
    /// RiichiLab's protocol: with a token.
    Riichilab {
        /// The address, without a path.
        url: ArenaUrl,
        /// Where the token comes from.
        token: TokenSource,
    },
    /// The original mjai server's protocol: with the bot's name.
    Mjsonp(RoomUrl),
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

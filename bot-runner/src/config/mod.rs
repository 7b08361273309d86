//! A bot's config: a TOML file read into what it says, every mistake in it reported at once.
//!
//! Nothing is looked up here: tokens are fetched, libraries found and parameters checked where they are needed.

mod address;
mod digest;
mod problem;
mod raw;
mod read;
mod section;
mod sources;
#[cfg(test)]
mod tests;
mod token;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use address::{ArenaUrl, RoomUrl};
pub use problem::{Problem, Problems};
pub use raw::{RawArena, RawConfig};
pub(crate) use section::{listed, shown};
pub use sources::Sources;
pub use token::{BadToken, Token, TokenError, TokenSource};

use crate::content_hash::ContentHash;
use crate::records::Retention;

/// RiichiLab's public address.
pub const RIICHILAB_URL: &str = "wss://game.riichi.dev";

/// Players at a table where nothing says otherwise.
pub const PLAYERS: u8 = 4;

/// Milliseconds kept back from a request's deadline unless the config says otherwise.
pub const DEFAULT_MARGIN_MS: u32 = 250;

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

/// The `[policy]` section.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyConfig {
    /// Which library.
    pub library: LibraryChoice,
    /// Which policy of the library; `None` when it should hold just one.
    pub id: Option<String>,
    /// Most time for a decision; `None`: the free time of a request less the margin.
    pub think: Option<Duration>,
    /// Time kept back from a request's deadline, at most 2 seconds.
    pub margin: Duration,
    /// When another build or other parameters take over.
    pub reload: ReloadMode,
    /// Where the library's code runs.
    pub isolation: Isolation,
    /// The only content that the library's file may have.
    pub sha256: Option<ContentHash>,
    /// Parameters, as written; the policy's descriptor says what is allowed.
    pub params: toml::Table,
}

impl PolicyConfig {
    /// The section that says no more than which policy.
    #[must_use]
    pub fn of(library: LibraryChoice, id: Option<String>) -> Self {
        Self {
            library,
            id,
            think: None,
            margin: Duration::from_millis(DEFAULT_MARGIN_MS.into()),
            reload: ReloadMode::default(),
            isolation: Isolation::default(),
            sha256: None,
            params: toml::Table::new(),
        }
    }
}

/// When a policy that has changed takes over from the one that plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReloadMode {
    /// At the next decision.
    #[default]
    Decision,
    /// When no game is on.
    Game,
    /// Never.
    Off,
}

/// Where a library's code runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Isolation {
    /// On a thread of the runner.
    #[default]
    Thread,
    /// In a process of its own, without the runner's tokens.
    Process,
}

/// Which library a policy is taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LibraryChoice {
    /// The policies linked into the runner.
    Builtin,
    /// A name to look up beside the runner, then in the config's folder.
    Name(String),
    /// A file.
    Path(PathBuf),
    /// The library named like the id where one is found, else the policies linked into the runner.
    LikeId(String),
}

/// Whether a policy may have this id.
pub(crate) fn is_policy_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
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

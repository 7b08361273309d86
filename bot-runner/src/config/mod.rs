//! A bot's config: a TOML file read into what it says, every mistake in it reported at once.
//!
//! Nothing is looked up here: tokens are fetched, libraries found and parameters checked where they are needed.

mod bot_config;
mod digest;
mod file;
mod limits;
mod password;
mod problem;
mod raw;
mod read;
mod results;
mod section;
mod sources;
#[cfg(test)]
mod tests;
mod token;

pub use self::results::SPOOL;
pub use bot_config::{
    ArenaAddress, ArenaConfig, BotConfig, PLAYERS, RIICHILAB_URL, RecordsConfig, ResultsConfig, complete_folder_of,
    folder_of,
};
pub use password::{NoPassword, PasswordSource};
pub use problem::{Problem, Problems};
pub use raw::{RawArena, RawConfig};
pub use sources::Sources;
pub use token::{TokenError, TokenKeys, TokenSource};

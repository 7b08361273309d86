//! A bot's config: a TOML file read into what it says, every mistake in it reported at once.
//!
//! Nothing is looked up here: tokens are fetched, libraries found and parameters checked where they are needed.

mod arena;
mod bot_config;
mod digest;
mod file;
mod keeping;
mod policy;
mod problem;
mod raw;
mod secret;
mod section;
mod sources;
#[cfg(test)]
mod tests;

pub(crate) use bot_config::MAX_NAME;
pub use bot_config::{ArenaAddress, ArenaConfig, BotConfig, PLAYERS, RIICHILAB_URL, RecordsConfig, ResultsConfig};
pub use keeping::SPOOL;
pub use problem::{Problem, Problems};
pub use raw::RawConfig;
pub(crate) use secret::is_variable_name;
pub use secret::{SecretError, SecretKeys, SecretSource};
pub use sources::{Sources, complete_folder_of, folder_of};

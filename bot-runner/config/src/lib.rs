//! A bot's config: a TOML file; every mistake in it is reported at once.
//!
//! Nothing is looked up here: other modules fetch tokens, find libraries and check parameters when
//! they need them.

mod alerts;
mod arena;
mod bot_config;
mod digest;
mod file;
mod keeping;
mod ladder;
mod problem;
mod raw;
mod secret;
mod sources;
#[cfg(test)]
mod tests;

pub use alerts::{AlertsConfig, UnusableProgram};
pub use bot_config::MAX_NAME;
pub use bot_config::{
    ArenaAddress, ArenaConfig, BotConfig, LadderConfig, PLAYERS, RIICHILAB_URL, RecordsConfig,
    ResultsConfig,
};
pub use file::{ALLOWED_NAMES, is_bot_name};
pub use keeping::SPOOL;
pub use problem::{Problem, Problems};
pub use raw::RawConfig;
pub use secret::{BadVariableName, SecretError, SecretKeys, SecretSource};
pub use sources::Sources;

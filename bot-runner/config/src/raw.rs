//! A parsed config file, with its mistakes.

use std::path::PathBuf;

use client::Token;
use policy_host::PolicyConfig;

use super::alerts::AlertsConfig;
use super::bot_config::{ArenaConfig, BotConfig, LadderConfig, RecordsConfig, ResultsConfig};
use super::problem::{Problem, Problems};
use super::secret::SecretError;

/// The values of a file that could be read, and all its mistakes.
#[derive(Debug, Clone, Default)]
pub struct RawConfig {
    pub file: PathBuf,
    pub name: Option<String>,
    /// The `[arena]` section, if there is one.
    pub arena: Option<ArenaConfig>,
    /// The `[policy]` section.
    pub policy: Option<PolicyConfig>,
    /// The `[records]` section, if there is one.
    pub records: Option<RecordsConfig>,
    /// The `[results]` section, if there is one.
    pub results: Option<ResultsConfig>,
    /// The `[ladder]` section, if there is one.
    pub ladder: Option<LadderConfig>,
    /// The `[alerts]` section, if there is one.
    pub alerts: Option<AlertsConfig>,
    /// Everything except the `[policy]` section, as written, to detect changes.
    pub without_policy: toml::Table,
    pub problems: Vec<Problem>,
}

impl RawConfig {
    /// The bot's token, if its config names a source.
    pub fn token(&self) -> Option<Result<Token, SecretError>> {
        Some(self.arena.as_ref()?.token.as_ref()?.token())
    }

    /// The config, if nothing is wrong with it.
    ///
    /// # Errors
    ///
    /// All mistakes in it.
    pub fn resolve(self) -> Result<BotConfig, Problems> {
        let Self {
            file,
            name,
            arena,
            policy,
            records,
            results,
            ladder,
            alerts,
            without_policy: _,
            problems,
        } = self;
        match (name, policy) {
            (Some(name), Some(policy)) if problems.is_empty() => Ok(BotConfig {
                file,
                name,
                arena,
                policy,
                records,
                results,
                ladder,
                alerts,
            }),
            _ => Err(Problems(problems)),
        }
    }
}

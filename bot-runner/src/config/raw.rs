//! What could be made out of a config's file, with all that is wrong with it.

use std::path::PathBuf;

use client::{BotzoneGame, BotzoneSeat, Token};
use policy_host::{GameKind, PolicyConfig};

use super::bot_config::{ArenaAddress, ArenaConfig, BotConfig, PLAYERS, RecordsConfig, ResultsConfig};
use super::problem::{Problem, Problems};
use super::secret::{SecretError, SecretSource};

/// What a file says, as far as it could be made out, and all that is wrong with it.
#[derive(Debug, Clone)]
pub struct RawConfig {
    /// The file.
    pub file: PathBuf,
    /// The bot's name.
    pub name: Option<String>,
    /// The `[arena]` section, if there is one.
    pub arena: Option<RawArena>,
    /// The `[policy]` section.
    pub policy: Option<PolicyConfig>,
    /// The `[records]` section, if there is one.
    pub records: Option<RecordsConfig>,
    /// The `[results]` section, if there is one.
    pub results: Option<ResultsConfig>,
    /// Everything but the `[policy]` section, as written, to tell whether it has changed.
    pub without_policy: toml::Table,
    /// The mistakes found so far.
    pub problems: Vec<Problem>,
}

/// An `[arena]` section as far as it could be made out.
#[derive(Debug, Clone)]
pub struct RawArena {
    /// Where it is.
    pub(super) address: Option<ArenaAddress>,
    /// Where the token comes from.
    pub token: Option<SecretSource>,
    /// The game that is played there; `None` where several are and the section does not say a right one.
    pub(super) game: Option<GameKind>,
    /// How many play there, where the section says it.
    pub players: Option<u8>,
    /// Whether bots of this process may queue there at the same time, where the section says it.
    pub(super) queue_together: Option<bool>,
    /// The game at Botzone, where the section says one.
    pub(super) botzone_game: Option<BotzoneGame>,
}

impl RawArena {
    /// The config key that says where the token is; the section where there is none.
    pub(crate) fn token_key(&self) -> &'static str {
        self.token.as_ref().map_or("arena", SecretSource::key)
    }

    /// The game that is played there; `None` where several are and the section does not say a right one.
    pub(crate) const fn game(&self) -> Option<GameKind> {
        self.game
    }

    /// The game at Botzone, where the section says one; it may name no account.
    pub(crate) const fn botzone_game(&self) -> Option<BotzoneGame> {
        self.botzone_game
    }

    /// The account at Botzone, where the section names one.
    pub(crate) fn botzone(&self) -> Option<&BotzoneSeat> {
        match &self.address {
            Some(ArenaAddress::Botzone(seat)) => Some(seat),
            _ => None,
        }
    }

    fn resolve(self) -> Option<ArenaConfig> {
        let address = self.address?;
        let queue_together = self.queue_together.unwrap_or_else(|| address.is_loopback());
        Some(ArenaConfig { address, token: self.token, players: self.players.unwrap_or(PLAYERS), queue_together })
    }
}

impl RawConfig {
    /// The bot's token, where its config says where it is.
    pub(crate) fn token(&self) -> Option<Result<Token, SecretError>> {
        Some(self.arena.as_ref()?.token.as_ref()?.token())
    }

    /// The config, if nothing is wrong with it.
    ///
    /// # Errors
    ///
    /// All mistakes in it.
    pub fn resolve(self) -> Result<BotConfig, Problems> {
        let botzone = self.arena.as_ref().and_then(RawArena::botzone_game);
        let arena = self.arena.map(RawArena::resolve);
        let (records, results) = (self.records, self.results);
        match (self.name, arena, self.policy) {
            // An arena that could not be made out has left a problem.
            (Some(name), arena, Some(policy)) if self.problems.is_empty() => {
                Ok(BotConfig { file: self.file, name, arena: arena.flatten(), botzone, policy, records, results })
            }
            _ => Err(Problems(self.problems)),
        }
    }
}

//! Policies that are called without an arena.

use std::path::PathBuf;

use anyhow::Context;

use crate::budget::budget;
use crate::fleet::{Prepared, Purpose, ReadyBot, prepare};
use lab::tournament::Entrant;
use policy_host::Libraries;

/// A bot's policy, to be called directly.
pub(super) fn entrant(bot: &ReadyBot, libraries: &Libraries) -> Entrant {
    Entrant {
        policy: bot.policy.clone(),
        options: bot.start_options(libraries),
        budget: budget(bot.config.policy.think, bot.config.policy.margin, None),
        limit: None,
    }
}

/// The policy of a config, for tables of so many players, and the bot's name.
///
/// # Errors
///
/// When something is wrong with the config.
pub(super) fn entrant_of(config: PathBuf, players: u8) -> anyhow::Result<(Entrant, String)> {
    let Prepared { bots, libraries } = prepare(&[config], Purpose::Policy { players })?;
    let bot = bots.first().context("the config names no bot")?;
    Ok((entrant(bot, &libraries), bot.config.name.clone()))
}

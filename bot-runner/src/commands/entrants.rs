//! Policies that are called without an arena.

use std::path::PathBuf;

use anyhow::Context;

use crate::budget::budget;
use crate::plugin::Libraries;
use crate::setup::{Need, Prepared, ReadyBot, prepare, start_options};
use crate::tournament::Entrant;

/// A bot's policy, to be called directly.
pub(super) fn entrant(bot: &ReadyBot, libraries: &Libraries) -> Entrant {
    Entrant {
        policy: bot.policy.clone(),
        options: start_options(&bot.config, bot.players, libraries),
        budget: budget(bot.config.policy.think, bot.config.policy.margin, None),
    }
}

/// The policy of a config, for tables of so many players, and the bot's name.
///
/// # Errors
///
/// When something is wrong with the config.
pub(super) fn entrant_of(config: PathBuf, players: u8) -> anyhow::Result<(Entrant, String)> {
    let Prepared { bots, libraries } = prepare(&[config], Need::Policy { players })?;
    let bot = bots.first().context("the config names no bot")?;
    Ok((entrant(bot, &libraries), bot.config.name.clone()))
}

//! Who keeps the records of a bot.

use std::io;

use mahjong::Rules;

use crate::bot::Arena;
use crate::config::BotConfig;
use crate::records::{About, Keeper, KeeperOptions, RealDisk};

/// Starts keeping the records that a config asks for; `None` where it asks for none.
///
/// # Errors
///
/// When they cannot be kept there.
pub(super) fn keeper(config: &BotConfig, arena: &Arena, rules: Rules) -> io::Result<Option<Keeper>> {
    let Some(records) = config.records.clone() else { return Ok(None) };
    let about = About {
        runner: env!("CARGO_PKG_VERSION").to_owned(),
        bot: config.name.clone(),
        arena: arena.to_string(),
        protocol: arena.protocol().to_owned(),
        players: rules.players,
        config_sha256: config.digest().to_string(),
    };
    let (folder, retention) = (records.folder, records.retention);
    Keeper::start(KeeperOptions { folder, retention, about, rules, token: arena.token().cloned() }, RealDisk).map(Some)
}

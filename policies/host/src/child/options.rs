//! The bot that a policy is started for.

use std::path::PathBuf;

use crate::child::launch::Launch;
use crate::games::GameKind;

/// The bot that a policy is started for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartOptions {
    /// The bot's name, for the log.
    pub bot: String,
    pub game: GameKind,
    pub players: u8,
    /// The folder of the bot's config, complete; empty when the config is not a file.
    pub config_folder: PathBuf,
    pub launch: Launch,
}

//! The settings for keeping a bot's records.

use std::path::PathBuf;

use riichi::Rules;

use super::manifest::GamesAbout;
use super::retention::Retention;
use crate::Token;

/// The folder and the retention of a bot's records.
#[derive(Debug, Clone)]
pub struct KeeperOptions {
    pub folder: PathBuf,
    pub retention: Retention,
    /// The properties that are the same for all games.
    pub about: GamesAbout,
    pub rules: Rules,
    /// The token, which must not appear in records; `None` if the bot logs in without one.
    pub token: Option<Token>,
}

//! The settings for keeping a bot's records.

use std::path::PathBuf;

use riichi::Rules;

use super::manifest::GamesAbout;
use super::retention::Retention;
use crate::Token;

/// Where and how a bot's records are kept.
#[derive(Debug, Clone)]
pub struct KeeperOptions {
    /// The folder for the records.
    pub folder: PathBuf,
    /// How long this bot's records are kept.
    pub retention: Retention,
    /// The part that is the same for all games.
    pub about: GamesAbout,
    /// The rules of the games.
    pub rules: Rules,
    /// The token, which must be in no record; `None` if the bot logs in without one.
    pub token: Option<Token>,
}

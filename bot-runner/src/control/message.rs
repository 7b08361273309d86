//! What runners are asked, and what they answer.

use client::board::BotStatus;
use serde::{Deserialize, Serialize};

/// What a runner is asked to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum ControlRequest {
    /// Load policies again.
    Reload {
        /// Of this bot only.
        bot: Option<String>,
    },
    /// Say how each bot is doing.
    Status,
}

/// What a runner answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlResponse {
    /// What became of each bot's policy.
    Reloaded(Vec<Reloaded>),
    /// How each bot is doing.
    Status(Vec<BotStatus>),
    /// It could not read the question; why not.
    NotUnderstood(String),
}

impl ControlResponse {
    /// Why this is not the answer that was asked for.
    #[must_use]
    pub fn why_none(self) -> String {
        match self {
            Self::NotUnderstood(why) => why,
            Self::Reloaded(_) | Self::Status(_) => "it answers another question".to_owned(),
        }
    }
}

/// What became of a bot's policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reloaded {
    /// The bot.
    pub bot: String,
    /// What became of it.
    pub outcome: ReloadOutcome,
}

/// What came of loading a policy again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReloadOutcome {
    /// This one decides from now on.
    TookOver(String),
    /// This one is ready, and decides when the bot has a game again.
    Ready(String),
    /// The old one stays, for this reason.
    Kept(String),
}

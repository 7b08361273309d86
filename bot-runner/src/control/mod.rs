//! Talking to runners that are at work: a socket of each process, which only its user can use.
//!
//! A question is a line of JSON, and so is its answer; then the connection is closed.

mod client;
mod folder;
mod server;
mod status;

use serde::{Deserialize, Serialize};

pub use client::{Reached, ask_all};
pub use folder::{FolderError, runtime_folder};
pub use server::{Control, ControlError};
pub use status::{BotState, BotStatus, PolicyStatus};

/// What a runner is asked to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Request {
    /// Load policies anew.
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
pub enum Response {
    /// What became of each bot's policy.
    Reloaded(Vec<Reloaded>),
    /// How each bot is doing.
    Status(Vec<BotStatus>),
    /// It could not make out what it was asked.
    NotUnderstood(String),
}

impl Response {
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
    pub outcome: Outcome,
}

/// What came of loading a policy anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// This one decides from now on.
    TookOver(String),
    /// This one is ready, and decides when the bot has a game again.
    Ready(String),
    /// The old one stays, for this reason.
    Kept(String),
}

//! The requests to runners, and their responses.

use std::fmt;

use client::board::BotStatus;
use serde::{Deserialize, Serialize};

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
    /// Let a person take over the seat of a bot.
    TakeOver { bot: String },
    /// Have a person give the seat of a bot back.
    GiveBack { bot: String },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlResponse {
    /// The outcome for each bot's policy.
    Reloaded(Vec<Reloaded>),
    Status(Vec<BotStatus>),
    /// What has become of a seat; `None` if there is no such bot.
    Seat(Option<SeatOutcome>),
    /// It could not read the question; why not.
    NotUnderstood(String),
}

impl ControlResponse {
    /// Why this is not the answer that was asked for.
    pub fn why_none(self) -> String {
        match self {
            Self::NotUnderstood(why) => why,
            Self::Reloaded(_) | Self::Status(_) | Self::Seat(_) => {
                "it answers another question".to_owned()
            }
        }
    }
}

/// The outcome for a bot's policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reloaded {
    pub bot: String,
    pub outcome: ReloadOutcome,
}

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

/// What has become of a bot's seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatOutcome {
    /// A person takes it by this link.
    Offered(String),
    /// The bot's policy decides again.
    GivenBack,
    /// It stays as it is, for this reason.
    Refused(String),
}

impl fmt::Display for ReloadOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TookOver(policy) => write!(f, "{policy} decides from now on"),
            Self::Ready(policy) => write!(
                f,
                "{policy} is ready and takes over when the bot's game allows it"
            ),
            Self::Kept(why) => write!(f, "the policy stays as it is: {why}"),
        }
    }
}

//! The settings for using a bot's policy.

use std::time::Duration;

use crate::policy_config::{PolicyConfig, ReloadMode};

/// The settings for using a bot's policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Maximum time for a decision; `None`: the free time of a request less the margin.
    pub think: Option<Duration>,
    /// Time kept back from a request's deadline.
    pub margin: Duration,
    /// When another policy takes over.
    pub reload: ReloadMode,
}

impl From<&PolicyConfig> for Pace {
    fn from(config: &PolicyConfig) -> Self {
        Self {
            think: config.think,
            margin: config.margin,
            reload: config.reload,
        }
    }
}

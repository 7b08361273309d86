//! A config with the bot that plays by it, and the one that is going to.

use std::path::Path;
use std::time::Instant;

use client::Token;
use client::bot::Arena;
use client::shutdown::Shutdown;
use policy_host::{Libraries, ReloadMode};
use toml::Table;

use super::prepare::{BotIdentity, Purpose, ReadyBot, check};
use crate::config::{Problem, RawConfig};

/// A bot at work.
#[derive(Debug)]
pub(super) struct PlayingBot {
    pub(super) name: String,
    pub(super) terms: PlayTerms,
    pub(super) shutdown: Shutdown,
}

/// What a bot plays by besides its policy, and how its policy is reloaded.
#[derive(Debug, Clone)]
pub(super) struct PlayTerms {
    /// What its config says besides the `[policy]` section.
    pub(super) without_policy: Table,
    pub(super) arena: Arena,
    pub(super) reload: ReloadMode,
}

impl PlayTerms {
    /// Whether a bot with this config and this token would play by the same.
    fn are(&self, without_policy: &Table, token: Option<&Token>) -> bool {
        self.without_policy == *without_policy && self.arena.token() == token
    }
}

impl PlayingBot {
    /// Whether it is not about to leave.
    pub(super) fn stays(&self) -> bool {
        !self.shutdown.is_finishing()
    }

    /// Whether another bot would play by the same.
    pub(super) fn plays_by(&self, other: &ReadyBot) -> bool {
        other.seat.as_ref().is_some_and(|seat| self.terms.are(&other.without_policy, seat.arena.token()))
    }
}

/// A config, the bot that plays by it, and the one that is going to.
#[derive(Debug, Default)]
pub(super) struct ConfigEntry {
    pub(super) playing: Option<PlayingBot>,
    /// Name of the bot that played by it last.
    pub(super) bot: Option<String>,
    /// Name and token of the bot whose policy is tried out, which no bot of a later config takes meanwhile.
    pub(super) claim: Option<BotIdentity>,
    /// Checked, and waiting for its place.
    pub(super) next: Option<ReadyBot>,
    /// Number of its newest check; the result of an older one does not count.
    pub(super) check: u64,
    /// Whether the config is gone.
    pub(super) gone: bool,
    /// What was told last to be wrong with the config.
    pub(super) told: Option<String>,
}

impl ConfigEntry {
    /// Whether nobody plays by the config nor is going to, since something is wrong with it.
    pub(super) fn is_refused(&self) -> bool {
        self.playing.is_none() && self.next.is_none() && self.told.is_some() && !self.gone
    }

    /// Whether its bot has never played because of what is wrong with it.
    pub(super) fn never_played(&self) -> bool {
        self.bot.is_none() && self.told.is_some() && !self.gone
    }

    /// Says what is wrong with the config, once.
    pub(super) fn tell(&mut self, trouble: &str) {
        if self.told.as_deref() == Some(trouble) {
            return;
        }
        let stays = self.playing.as_ref().is_some_and(|playing| playing.stays() || self.next.is_some());
        let what = if stays { "the bot stays as it is" } else { "the bot does not play" };
        tracing::error!("{what}: {trouble}");
        self.told = Some(trouble.to_owned());
    }
}

/// What came of checking a config that has changed.
#[derive(Debug)]
pub(super) enum ConfigCheck {
    /// The bot that plays by it would play by the same, or all that is wrong is told by whoever looks after its policy.
    Unchanged,
    /// A bot that is ready to begin.
    Ready(Box<ReadyBot>),
    /// What is wrong with it.
    Wrong(Vec<Problem>),
}

/// Checks a config whose bot plays by `playing`, if it does. Nothing is said of what only concerns the policy of a bot that
/// plays: whoever looks after that policy says it.
pub(super) fn check_changed(
    file: &Path,
    playing: Option<PlayTerms>,
    libraries: &Libraries,
    asked: Instant,
) -> ConfigCheck {
    let raw = RawConfig::load(file);
    // A token that cannot be had is reported by the check below.
    if let Some(terms) = &playing
        && let Ok(token) = raw.token().transpose()
        && terms.are(&raw.without_policy, token.as_ref())
    {
        return ConfigCheck::Unchanged;
    }
    match check(raw, Purpose::Arena, libraries, asked).result {
        Ok(ready) => ConfigCheck::Ready(Box::new(ready)),
        Err(mut problems) => {
            if playing.is_some_and(|terms| terms.reload != ReloadMode::Off) {
                problems.retain(|problem| !problem.concerns_policy());
            }
            if problems.is_empty() { ConfigCheck::Unchanged } else { ConfigCheck::Wrong(problems) }
        }
    }
}

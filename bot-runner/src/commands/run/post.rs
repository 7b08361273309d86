//! A config with the bot that plays by it, and the one that is going to.

use std::path::Path;

use toml::Table;

use crate::bot::Arena;
use crate::config::{Problem, Problems, RawConfig, ReloadMode, Token};
use crate::plugin::Libraries;
use crate::setup::{ReadyBot, prepare_another};
use crate::shutdown::Shutdown;

/// A bot that is ready to begin.
#[derive(Debug)]
pub(super) struct Recruit {
    /// The bot.
    pub(super) ready: ReadyBot,
    /// What its config says beside the `[policy]` section.
    pub(super) beside: Table,
}

/// A bot at work.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) terms: Terms,
    pub(super) shutdown: Shutdown,
}

/// What a bot plays by besides its policy, and how its policy is reloaded.
#[derive(Debug, Clone)]
pub(super) struct Terms {
    /// What its config says beside the `[policy]` section.
    pub(super) beside: Table,
    pub(super) arena: Arena,
    pub(super) reload: ReloadMode,
}

impl Terms {
    /// Whether a bot with this config and this token would play by the same.
    fn are(&self, beside: &Table, token: Option<&Token>) -> bool {
        self.beside == *beside && self.arena.token() == token
    }
}

impl Member {
    /// Whether it is not about to leave.
    pub(super) fn stays(&self) -> bool {
        !self.shutdown.is_finishing()
    }

    /// Whether another bot would play by the same.
    pub(super) fn plays_by(&self, other: &Recruit) -> bool {
        other.ready.seat.as_ref().is_some_and(|seat| self.terms.are(&other.beside, seat.arena.token()))
    }
}

/// A config, the bot that plays by it, and the one that is going to.
#[derive(Debug, Default)]
pub(super) struct Post {
    pub(super) member: Option<Member>,
    /// Name of the bot that played by it last.
    pub(super) bot: Option<String>,
    /// Checked, and waiting for its place.
    pub(super) next: Option<Recruit>,
    /// Number of its newest check; what an older one finds does not count.
    pub(super) check: u64,
    /// Whether the config is gone.
    pub(super) gone: bool,
    /// What was told last to be wrong with the config.
    pub(super) told: Option<String>,
}

impl Post {
    /// Whether nobody plays by the config nor is going to, since something is wrong with it.
    pub(super) fn is_refused(&self) -> bool {
        self.member.is_none() && self.next.is_none() && self.told.is_some() && !self.gone
    }

    /// Says what is wrong with the config, once.
    pub(super) fn tell(&mut self, trouble: &str) {
        if self.told.as_deref() == Some(trouble) {
            return;
        }
        let stays = self.member.as_ref().is_some_and(Member::stays) || self.next.is_some();
        let what = if stays { "the bot stays as it is" } else { "the bot does not play" };
        tracing::error!("{what}: {trouble}");
        self.told = Some(trouble.to_owned());
    }
}

/// Checks a config whose bot plays by `playing`, if it does; no problems where it would play by the same. Nothing is said of
/// what only concerns the policy of a bot that plays: whoever looks after that policy says it.
pub(super) fn check(file: &Path, playing: Option<Terms>, libraries: &Libraries) -> Result<Recruit, Vec<Problem>> {
    let raw = RawConfig::load(file);
    let beside = raw.beside_policy.clone();
    let is_told = |problem: &Problem| {
        playing.as_ref().is_some_and(|terms| terms.reload != ReloadMode::Off && problem.concerns_policy())
    };
    // One that cannot be had is told by the check below.
    if let Some(terms) = &playing
        && let Ok(token) = raw.token().transpose()
        && terms.are(&beside, token.as_ref())
    {
        return Err(Vec::new());
    }
    match prepare_another(raw, libraries) {
        Ok(ready) => Ok(Recruit { ready, beside }),
        Err(Problems(problems)) => Err(problems.into_iter().filter(|problem| !is_told(problem)).collect()),
    }
}

//! Policies that are called without an arena.

use std::collections::HashSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, bail};
use config::{PLAYERS, RawConfig};
use fleet::{CommandFiles, Prepared, Purpose, ReadyBot, libraries_for, prepare};

use super::words::free_name;
use lab::game::Entrant;
use lab::tournament::Competitor;
use policy_host::{GameKind, Libraries, Sha256};

/// A bot's policy, to be called directly.
pub(super) fn entrant(bot: &ReadyBot, libraries: &Libraries) -> Entrant {
    Entrant {
        policy: bot.policy.clone(),
        options: bot.start_options(libraries),
        budget: bot.budget(),
        limit: None,
    }
}

/// The policy of one config, for tables with this many players, and the bot's name.
pub(super) fn entrant_of(
    config: PathBuf,
    game: GameKind,
    players: u8,
) -> anyhow::Result<(Entrant, String)> {
    let Prepared { bots, libraries } = prepare(&[config], Purpose::Policy { game, players })?;
    let bot = bots.first().context("the config names no bot")?;
    Ok((entrant(bot, &libraries), bot.config.name.clone()))
}

/// The identity of this program: its content, if results are to be merged with those of other runs.
pub(super) fn program(by_content: bool) -> anyhow::Result<String> {
    let version = env!("CARGO_PKG_VERSION");
    if !by_content {
        return Ok(version.to_owned());
    }
    let own = std::env::current_exe()
        .and_then(fs::read)
        .context("the program's own file cannot be read")?;
    Ok(format!("{version} sha256 {}", Sha256::of(&own)))
}

/// Number of threads: the requested number, or one for each core.
pub(super) fn jobs(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    asked
        .or_else(|| thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN)
}

pub(super) fn competitor(bot: &ReadyBot) -> Competitor {
    let identity = bot.policy.identity();
    Competitor {
        name: bot.config.name.clone(),
        config: bot.config.file.display().to_string(),
        sha256: identity.hash.map(|hash| hash.to_string()),
        policy: identity.id,
        version: identity.version,
        params: serde_json::to_value(&bot.config.policy.params).expect("a table has a JSON form"),
        files: bot.policy.files().map(|hash| hash.to_string()),
        config_think_ms: bot
            .config
            .policy
            .think
            .map(|think| think.as_millis() as u64),
    }
}

/// One config may be given several times: its bots are numbered.
pub(super) fn tell_apart(bots: &mut [ReadyBot]) {
    let mut taken = HashSet::new();
    for bot in bots {
        bot.config.name = free_name(&bot.config.name, "", &mut taken);
    }
}

/// The requested game, else the one that the first config with a known game plays, else riichi.
/// Policies' processes are kept from these files.
pub(super) fn game_of(
    asked: Option<GameKind>,
    configs: &[RawConfig],
    files: CommandFiles,
) -> GameKind {
    let of_configs = || {
        let libraries = libraries_for(configs, files);
        configs
            .iter()
            .find_map(|config| fleet::game_of(config, &libraries))
    };
    asked.or_else(of_configs).unwrap_or_default()
}

/// Number of players at a table: fixed by the game or, in riichi, the requested number, else the
/// configs', else 4.
pub(super) fn players_of(
    game: GameKind,
    configs: &[RawConfig],
    asked: Option<u8>,
) -> anyhow::Result<u8> {
    if let &[players] = game.players() {
        return match asked {
            Some(asked) if asked != players => {
                bail!("{game} has {players} players, but --players is {asked}; leave it out")
            }
            _ => Ok(players),
        };
    }
    // The default is four players.
    let of = |config: &RawConfig| {
        config
            .arena
            .as_ref()
            .map(|arena| arena.players.unwrap_or(PLAYERS))
    };
    let says = |config: &&RawConfig| {
        config
            .arena
            .as_ref()
            .is_some_and(|arena| arena.players.is_some())
    };
    let Some((first, players)) = configs
        .iter()
        .find(says)
        .and_then(|first| Some((first, of(first)?)))
    else {
        return Ok(asked.unwrap_or(PLAYERS));
    };
    let (file, key) = (first.file.display(), "(`players` in [arena])");
    if let Some((other, others)) = configs
        .iter()
        .filter_map(|config| Some((config, of(config)?)))
        .find(|of| of.1 != players)
    {
        bail!(
            "{file} plays with {players} and {} with {others} {key}; a tournament is of bots that play the same game",
            other.file.display()
        );
    }
    match asked {
        Some(asked) if asked != players => {
            bail!("--players is {asked}, but {file} plays with {players} {key}")
        }
        _ => Ok(players),
    }
}

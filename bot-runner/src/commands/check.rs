//! `check`: all checks that need no connection.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use client::place::short;
use config::{Problem, Problems, RawConfig, Sources};
use fleet::{CommandFiles, Prepared, Purpose, ReadyBot, database_words, prepare_raw};
use policy_host::{GameKind, Libraries, Origin, PolicyThread};
use say::output::say;

use super::success;
use super::table::number_of;

/// Checks the configs, and prints their errors or a description of each bot.
pub async fn check(configs: &[PathBuf]) -> ExitCode {
    let files = Sources::new(configs).files();
    let result = match files {
        Ok(files) => {
            checked(
                files.iter().map(|file| RawConfig::load(file)).collect(),
                Purpose::Inspect,
            )
            .await
        }
        Err(problems) => Err(problems),
    };
    tell(&result);
    success(result.is_ok())
}

/// Checks parsed configs.
///
/// # Errors
///
/// All errors in all of them.
pub(super) async fn checked(
    configs: Vec<RawConfig>,
    purpose: Purpose,
) -> Result<Prepared, Problems> {
    let mut prepared = prepare_raw(configs, purpose, CommandFiles::default())?;
    let mut problems = Vec::new();
    for bot in &mut prepared.bots {
        let Err(problem) = start_if_builtin(bot, &prepared.libraries).await else {
            continue;
        };
        match at_another_table(bot, purpose, &prepared.libraries).await {
            Some(other) => *bot = other,
            None => problems.push(problem),
        }
    }
    if problems.is_empty() {
        Ok(prepared)
    } else {
        Err(Problems(problems))
    }
}

/// Prints the result of a check.
pub(super) fn tell(result: &Result<Prepared, Problems>) {
    match result {
        Ok(prepared) => {
            for bot in &prepared.bots {
                let place = match &bot.seat {
                    Some(seat) if seat.arena.exposes_token() => {
                        format!(
                            "plays at {}, unencrypted, so others can read its token on the way (allow_unencrypted)",
                            seat.arena
                        )
                    }
                    Some(seat) if bot.players == 3 => format!("plays with three at {}", seat.arena),
                    Some(seat) => format!("plays at {}", seat.arena),
                    None if let Some(arena) = &bot.config.arena
                        && let Some(game) = arena.botzone_game =>
                    {
                        let lacks = if arena.address.is_some() {
                            "the variable of arena.secret_env, which is not set, too"
                        } else {
                            "arena.user and arena.secret_env too"
                        };
                        format!(
                            "plays {} as a program (`botzone`); `run` needs {lacks}",
                            game.site_name
                        )
                    }
                    None if bot.game == GameKind::Riichi && bot.players == 3 => {
                        "has no [arena], so it is for `play`, `tournament`, `tune` and `stdio`, with `--players 3`: it \
                         does not play with four"
                            .to_owned()
                    }
                    None if bot.game == GameKind::Riichi => {
                        "has no [arena], so it is for `play`, `tournament`, `tune` and `stdio`"
                            .to_owned()
                    }
                    None => {
                        "has no [arena], so it is for `play`, `tournament` and `tune`".to_owned()
                    }
                };
                let records = bot
                    .config
                    .records
                    .as_ref()
                    .map_or_else(String::new, |records| {
                        format!(
                            "; records of its ranked games go to {}",
                            short(&records.folder).display()
                        )
                    });
                let results = bot
                    .config
                    .results
                    .as_ref()
                    .map_or_else(String::new, |results| {
                        format!(
                            "; their results go to {}",
                            database_words(&results.database)
                        )
                    });
                let trial = bot
                    .policy
                    .slowest_in_trial
                    .map_or_else(String::new, |slowest| trial_words(bot, slowest));
                say(format!(
                    "{}: ok: {} decides by {} ({}) and {place}{records}{results}{trial}",
                    bot.config.file.display(),
                    bot.config.name,
                    bot.policy.identity().words(),
                    bot.policy.library.origin,
                ));
            }
        }
        Err(problems) => {
            say(format!("{problems}"));
            let count = problems.0.len();
            say(format!("{} found", number_of(count as u64, "problem")));
        }
    }
}

/// The time of the slowest decision in the trial beside the time of a decision in games.
fn trial_words(bot: &ReadyBot, slowest: Duration) -> String {
    let took = slowest.as_millis();
    match bot.policy.section.think.map(|think| think.as_millis()) {
        None => format!("; in its trial its slowest decision took {took} ms"),
        Some(think) if took > think => {
            format!(
                "; warning: in its trial its slowest decision took {took} ms, and think_ms gives it {think}"
            )
        }
        Some(think) => {
            format!("; in its trial its slowest decision took {took} of the {think} ms of think_ms")
        }
    }
}

/// Starts and ends the built-in policies, which have no trial. A program that one of them asks may
/// be missing, and it gives its name.
///
/// # Errors
///
/// All of them that do not start.
pub(super) async fn start_builtin(prepared: &Prepared) -> Result<(), Problems> {
    let mut problems = Vec::new();
    for bot in &prepared.bots {
        problems.extend(start_if_builtin(bot, &prepared.libraries).await.err());
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Problems(problems))
    }
}

/// The bot with another number of players, with which its policy starts: a program may be made for
/// that.
async fn at_another_table(
    bot: &ReadyBot,
    purpose: Purpose,
    libraries: &Libraries,
) -> Option<ReadyBot> {
    for other in bot.at_other_tables(purpose) {
        if start_if_builtin(&other, libraries).await.is_ok() {
            return Some(other);
        }
    }
    None
}

/// Starts a bot's policy and ends it again, if it is linked into the runner.
async fn start_if_builtin(bot: &ReadyBot, libraries: &Libraries) -> Result<(), Problem> {
    if bot.policy.library.origin != Origin::Builtin {
        return Ok(());
    }
    match PolicyThread::start(bot.policy.clone(), bot.start_options(libraries)).await {
        Ok(policy) => {
            policy.end().await;
            Ok(())
        }
        Err(error) => {
            // A policy with a command starts when its program does.
            let key = if bot.policy.asks_program() {
                "policy.params.command"
            } else {
                "policy"
            };
            Err(Problem::new(&bot.config.file, key, error.to_string()))
        }
    }
}

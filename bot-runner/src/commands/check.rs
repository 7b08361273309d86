//! `check`: everything that can be checked without a connection.

use std::path::PathBuf;
use std::process::ExitCode;

use policy_host::GameKind;

use super::success;
use crate::config::Sources;
use crate::fleet::{Purpose, prepare};
use crate::output::say;

/// Checks the configs and says what is wrong with them, or what each will do.
#[must_use]
pub fn check(configs: &[PathBuf]) -> ExitCode {
    let files = Sources::new(configs).files();
    let result = files.and_then(|files| prepare(&files, Purpose::Inspect));
    match &result {
        Ok(prepared) => {
            for bot in &prepared.bots {
                let policy = bot.policy.info();
                let place = match &bot.seat {
                    Some(seat) if seat.arena.exposes_token() => {
                        format!("plays at {}, where its token can be read on the way (allow_unencrypted)", seat.arena)
                    }
                    Some(seat) if bot.players == 3 => format!("plays with three at {}", seat.arena),
                    Some(seat) => format!("plays at {}", seat.arena),
                    None if let Some(game) = bot.config.botzone => {
                        let lacks = if bot.config.arena.is_some() {
                            "the variable of arena.secret_env, which is not set, too"
                        } else {
                            "arena.user and arena.secret_env too"
                        };
                        format!("plays {} as a program (`botzone`); `run` needs {lacks}", game.site_name())
                    }
                    None if bot.game == GameKind::Riichi => {
                        "has no [arena], so it is for `play` and `stdio`".to_owned()
                    }
                    None => format!("has no [arena], so it is for `play --game {}`", bot.game),
                };
                let records = bot.config.records.as_ref().map_or_else(String::new, |records| {
                    format!("; records of its ranked games go to {}", records.folder.display())
                });
                let results = bot
                    .config
                    .results
                    .as_ref()
                    .map_or_else(String::new, |results| format!("; their results go to {}", results.database));
                say(format!(
                    "{}: ok: {} decides by {} {} ({}) and {place}{records}{results}",
                    bot.config.file.display(),
                    bot.config.name,
                    policy.id,
                    policy.version,
                    bot.policy.library.origin,
                ));
            }
        }
        Err(problems) => {
            say(format!("{problems}"));
            let count = problems.0.len();
            say(format!("{count} problem{} found", if count == 1 { "" } else { "s" }));
        }
    }
    success(result.is_ok())
}

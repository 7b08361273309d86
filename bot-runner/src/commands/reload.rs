//! `reload`: asks running runners to reload policies.

use std::process::ExitCode;

use anyhow::{anyhow, bail};
use fleet::control::{
    ControlRequest, ControlResponse, ReloadOutcome, Reloaded, RunnerAnswer, ask_all, runtime_folder,
};
use foreign_text::{escaped, shown};
use mistakes::{did_you_mean, listed};
use say::output::say;

use super::success;

/// Asks every runner of this user to reload the policy of one bot, or of all its bots.
///
/// # Errors
///
/// If no runner is running, or none has a bot of that name.
pub async fn reload(bot: Option<String>) -> anyhow::Result<ExitCode> {
    let reached = ask_all(&ControlRequest::Reload { bot: bot.clone() }).await?;
    if reached.is_empty() {
        return Err(none_at_work()?);
    }
    let mut good = true;
    let mut told = 0;
    for RunnerAnswer { process, answer } in reached {
        match answer {
            Ok(ControlResponse::Reloaded(bots)) => {
                for Reloaded { bot, outcome } in bots {
                    told += 1;
                    good &= !matches!(outcome, ReloadOutcome::Kept(_));
                    say(format!(
                        "{}: {}",
                        shown(&bot),
                        escaped(outcome.to_string().as_bytes())
                    ));
                }
            }
            other => {
                let why = other.map_or_else(|why| why, ControlResponse::why_none);
                good = false;
                say(format!(
                    "the runner with PID {process} does not answer: {}",
                    shown(&why)
                ));
            }
        }
    }
    match bot {
        Some(bot) if told == 0 && good => bail!(
            "no runner of yours has a bot named {bot:?}{}",
            others(&bot).await?
        ),
        _ => Ok(success(good)),
    }
}

/// The bots that there are, as the end of a sentence.
pub(super) async fn others(wanted: &str) -> anyhow::Result<String> {
    let mut names = Vec::new();
    for RunnerAnswer { answer, .. } in ask_all(&ControlRequest::Status).await? {
        if let Ok(ControlResponse::Status(bots)) = answer {
            names.extend(
                bots.iter()
                    .filter(|bot| bot.is_bot())
                    .map(|bot| escaped(bot.bot.as_bytes())),
            );
        }
    }
    if names.is_empty() {
        return Ok("; no bot plays now".to_owned());
    }
    let like = did_you_mean(wanted, names.iter().map(String::as_str));
    Ok(format!("; there are {}{like}", listed(&names)))
}

/// The error for no running runner, with a hint.
///
/// # Errors
///
/// If there is no folder for sockets.
pub(super) fn none_at_work() -> anyhow::Result<anyhow::Error> {
    let folder = runtime_folder()?;
    Ok(anyhow!(
        "no runner of this user is running (searched in {}). `bot-runner run` and `bot-runner play` start one. If one is \
         running, set the same XDG_RUNTIME_DIR for both.",
        folder.display()
    ))
}

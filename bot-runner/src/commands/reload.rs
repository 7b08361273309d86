//! `reload`: asks running runners to reload policies.

use std::process::ExitCode;

use anyhow::{anyhow, bail};
use fleet::control::{ControlRequest, ControlResponse, ReloadOutcome, Reloaded, RunnerAnswer, ask_all, runtime_folder};
use foreign_text::{escaped, shown};
use view::output::say;

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
                    say(format!("{}: {}", shown(&bot), escaped(outcome.to_string().as_bytes())));
                }
            }
            other => {
                let why = other.map_or_else(|why| why, ControlResponse::why_none);
                good = false;
                say(format!("the runner with PID {process} does not answer: {}", shown(&why)));
            }
        }
    }
    match bot {
        Some(bot) if told == 0 && good => bail!("no runner of yours has a bot named {bot:?}"),
        _ => Ok(success(good)),
    }
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

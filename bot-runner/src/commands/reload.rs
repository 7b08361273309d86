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
    let request = ControlRequest::Reload { bot: bot.clone() };
    ask_about(&request, bot.as_deref(), |response| {
        let ControlResponse::Reloaded(bots) = response else {
            return Err(response);
        };
        let said = bots.into_iter().map(|Reloaded { bot, outcome }| BotNews {
            words: format!(
                "{}: {}",
                shown(&bot),
                escaped(outcome.to_string().as_bytes())
            ),
            is_good: !matches!(outcome, ReloadOutcome::Kept(_)),
        });
        Ok(said.collect())
    })
    .await
}

/// What a runner says of a bot, and whether it is what was asked for.
pub(super) struct BotNews {
    pub(super) words: String,
    pub(super) is_good: bool,
}

/// Asks every runner of this user about a bot, or about all its bots, and says what they answer.
/// `read` gives a response back that is no answer to the request.
///
/// # Errors
///
/// If no runner is running, or none has a bot of that name.
pub(super) async fn ask_about(
    request: &ControlRequest,
    bot: Option<&str>,
    read: impl Fn(ControlResponse) -> Result<Vec<BotNews>, ControlResponse>,
) -> anyhow::Result<ExitCode> {
    let reached = ask_all(request).await?;
    if reached.is_empty() {
        return Err(none_at_work()?);
    }
    let mut good = true;
    let mut told = 0;
    for RunnerAnswer { process, answer } in reached {
        let read = answer.and_then(|response| read(response).map_err(ControlResponse::why_none));
        match read {
            Ok(bots) => {
                for BotNews { words, is_good } in bots {
                    told += 1;
                    good &= is_good;
                    say(words);
                }
            }
            Err(why) => {
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
            others(bot).await?
        ),
        _ => Ok(success(good)),
    }
}

/// The bots that there are, as the end of a sentence.
async fn others(wanted: &str) -> anyhow::Result<String> {
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

//! `status`: the state of the bots of all running runners.

use std::process::ExitCode;

use fleet::control::{ControlRequest, ControlResponse, RunnerAnswer, ask_all};
use say::output::{say, say_data};
use serde_json::json;

use super::reload::none_at_work;
use super::success;
use super::table::{AVERAGE_POINTS, RATING, TextTable, average_place, average_points, rating};
use super::words::shortened;
use client::board::BotStatus;
use foreign_text::{escaped, shown};

/// Maximum number of characters of a state with its reason; `--json` has all of it.
const MAX_STATE: usize = 240;

/// Asks every runner of this user and prints each bot, as a table or as JSON: a list with one
/// object per runner.
///
/// # Errors
///
/// If no runner is running.
pub async fn status(json: bool) -> anyhow::Result<ExitCode> {
    let reached = ask_all(&ControlRequest::Status).await?;
    if reached.is_empty() {
        return Err(none_at_work()?);
    }
    let mut good = true;
    let mut runners = Vec::new();
    for RunnerAnswer { process, answer } in reached {
        let told = match answer {
            Ok(ControlResponse::Status(bots)) => Ok(bots),
            other => Err(other.map_or_else(|why| why, ControlResponse::why_none)),
        };
        good &= told.is_ok();
        runners.push((process, told));
    }
    if json {
        let runners: Vec<_> = runners
            .into_iter()
            .map(|(process, told)| match told {
                Ok(bots) => json!({"process": process, "bots": bots}),
                Err(why) => json!({"process": process, "error": why}),
            })
            .collect();
        say_data(serde_json::to_string_pretty(&runners)?);
        return Ok(success(good));
    }
    for (process, told) in runners {
        match told {
            Ok(bots) => say(format!(
                "The runner with PID {process}:\n{}\n",
                table(&bots).for_output()
            )),
            Err(why) => say(format!(
                "The runner with PID {process} does not answer: {}\n",
                shown(&why)
            )),
        }
    }
    Ok(success(good))
}

/// Prints the names of all bots, for shells.
///
/// # Errors
///
/// If runners cannot be asked.
pub async fn names() -> anyhow::Result<ExitCode> {
    for RunnerAnswer { answer, .. } in ask_all(&ControlRequest::Status).await? {
        if let Ok(ControlResponse::Status(bots)) = answer {
            bots.iter()
                .filter(|bot| bot.is_bot())
                .for_each(|bot| say(shown(&bot.bot)));
        }
    }
    Ok(success(true))
}

fn table(bots: &[BotStatus]) -> TextTable<11> {
    let mut table = TextTable::new(
        [
            "bot",
            "game",
            "avg place",
            AVERAGE_POINTS,
            RATING,
            "decisions",
            "p99 ms",
            "faults",
            "desyncs",
            "policy",
            "state",
        ],
        [
            true, false, false, false, false, false, false, false, false, true, true,
        ],
    );
    for bot in bots {
        table.row([
            escaped(bot.bot.as_bytes()),
            bot.game.to_string(),
            average_place(bot.average_place),
            average_points(bot.average_points),
            rating(bot.rating),
            bot.decisions.to_string(),
            format!("{:.2}", bot.p99_ms),
            bot.faults.to_string(),
            bot.desyncs.to_string(),
            bot.policy.as_ref().map_or_else(
                || "-".to_owned(),
                |policy| format!("{} {}", policy.id, policy.version),
            ),
            shortened(&bot.state_words(), MAX_STATE),
        ]);
    }
    table.hide_unused(AVERAGE_POINTS);
    table.hide_unused(RATING);
    table
}

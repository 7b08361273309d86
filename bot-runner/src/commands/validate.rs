//! `validate`: the arena's test of a bot.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use client::board::Board;
use client::bot::{Bot, LifeEnd, Patience};
use client::shutdown::Shutdown;
use client::token_lock::{NoTokenLock, TokenLock};
use fleet::{FileWatcher, Prepared, Purpose, Reloads, WATCH_EVERY, prepare, start_policies};
use riichi::Rules;
use riichi::rules::Length;
use say::output::say;
use tokio::sync::mpsc;

use super::NOT_PASSED;
use super::run::{print_trouble, stop_words};
use super::table::{number_of, points};

/// Has a bot validated.
///
/// # Errors
///
/// If the config is wrong, the policy does not start, or the arena gives no verdict.
pub async fn validate(config: PathBuf) -> anyhow::Result<ExitCode> {
    let Prepared { bots, libraries } = prepare(std::slice::from_ref(&config), Purpose::Arena)?;
    let arena = bots
        .first()
        .and_then(|bot| bot.seat.as_ref())
        .map(|seat| &seat.arena);
    if let Some(arena) = arena.filter(|arena| !arena.validates()) {
        bail!(
            "{}: arena.kind: {arena} has no validation; use `bot-runner run`",
            config.display()
        );
    }
    let shutdown = Shutdown::new();
    shutdown.listen(|step| say(stop_words(step)))?;
    let reloads = Reloads::new(FileWatcher::start(WATCH_EVERY)?, Board::default());
    let mut bot_policies = start_policies(
        &bots,
        &libraries,
        &reloads,
        |_| fastrand::u64(..),
        &shutdown,
    )
    .await?;
    let (Some(mut bot_policy), Some(ready)) = (bot_policies.pop(), bots.into_iter().next()) else {
        bail!("no config given")
    };
    let Some(seat) = ready.seat else {
        bail!("the config names no arena")
    };
    let (news, _told) = mpsc::unbounded_channel();
    let bot = Bot {
        name: ready.config.name.as_str().into(),
        turn: None,
        permits: None,
        arena: seat.arena,
        rules: Rules::TENHOU_HALF
            .with_players(ready.players)
            .with_length(Length::East),
        records: None,
        results: None,
        patience: Patience::default(),
        plays_while_set_aside: true,
        news,
    };
    let _lock = match TokenLock::ask(&bot.arena).await {
        Ok(lock) => lock,
        Err(error @ NoTokenLock::InUse(_)) => {
            bail!(
                "{}: {error}; stop that one first, or validate with another bot's token",
                bot.name
            )
        }
        Err(error) => bail!("{}: {error}", bot.name),
    };
    say(format!("{}: validating at {}", bot.name, bot.arena));
    let (mut report, end) = bot.validate(&mut bot_policy, &shutdown).await;
    report.faults = bot_policy.end().await;
    print_trouble(&bot.name, &report);
    match end {
        LifeEnd::Validated { passed: true, .. } => {
            let score = report.last_game.as_ref().map_or_else(String::new, |game| {
                let rounds = number_of(game.rounds.into(), "round");
                format!(
                    " (place {} with {} in {rounds})",
                    game.place,
                    points(game.scores[game.seat])
                )
            });
            say(format!("{}: passed{score}", bot.name));
            Ok(ExitCode::SUCCESS)
        }
        LifeEnd::Validated {
            passed: false,
            reason,
        } => {
            say(format!(
                "{}: not passed: {}",
                bot.name,
                reason.as_deref().unwrap_or("the arena gives no reason")
            ));
            Ok(ExitCode::from(NOT_PASSED))
        }
        LifeEnd::WrongTable(why) => {
            say(format!("{}: not passed: {why}", bot.name));
            Ok(ExitCode::from(NOT_PASSED))
        }
        LifeEnd::Refused(why) => bail!("{}: the arena refuses: {why}", bot.name),
        LifeEnd::GaveUp(why) | LifeEnd::NotBegun(why) => {
            bail!("{}: no verdict: {why}", bot.name)
        }
        LifeEnd::Stopped | LifeEnd::Done => bail!("{}: stopped before the verdict", bot.name),
    }
}

//! `validate`: the arena's test of a bot.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use mahjong::Rules;
use mahjong::rules::Length;
use tokio::sync::mpsc;

use super::run::{print_trouble, start_brain, stop_words};
use super::{NOT_PASSED, table::points};
use crate::bot::{Bot, LifeEnd, Patience};
use crate::setup::{Need, prepare};
use crate::shutdown::Shutdown;

/// Has a bot validated.
///
/// # Errors
///
/// When the config is wrong, the policy does not start, or the arena gives no verdict.
pub async fn validate(config: PathBuf) -> anyhow::Result<ExitCode> {
    let bots = prepare(&[config], Need::Arena)?;
    let Some(ready) = bots.into_iter().next() else { bail!("there is no bot to validate") };
    let Some((arena, token)) = ready.seat.clone() else { bail!("the config names no arena") };
    let shutdown = Shutdown::new();
    shutdown.listen(|step| println!("{}", stop_words(step)))?;
    let (news, _told) = mpsc::unbounded_channel();
    let bot = Bot {
        name: ready.config.name.clone(),
        turn: None,
        url: arena.url,
        token,
        rules: Rules::TENHOU_HALF.with_length(Length::East),
        patience: Patience::default(),
        news,
    };
    let mut brain = start_brain(&ready, fastrand::u64(..)).await?;
    println!("{}: validating at {}", bot.name, bot.url);
    let (report, end) = bot.validate(&mut brain, &shutdown).await;
    print_trouble(&bot.name, &report);
    match end {
        LifeEnd::Validated { passed: true, .. } => {
            let score = report.games.last().map_or_else(String::new, |game| {
                format!(" (place {} with {} in {} rounds)", game.place, points(game.scores[game.seat]), game.rounds)
            });
            println!("{}: passed{score}", bot.name);
            Ok(ExitCode::SUCCESS)
        }
        LifeEnd::Validated { passed: false, reason } => {
            println!("{}: not passed: {}", bot.name, reason.as_deref().unwrap_or("the arena gives no reason"));
            Ok(ExitCode::from(NOT_PASSED))
        }
        LifeEnd::Refused(why) => bail!("{}: the arena refuses: {why}", bot.name),
        LifeEnd::GaveUp(why) => bail!("{}: no verdict: {why}", bot.name),
        LifeEnd::Stopped | LifeEnd::Done => bail!("{}: stopped before the verdict", bot.name),
    }
}

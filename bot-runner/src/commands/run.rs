//! `run`: bots at their arenas, all at once in this process.

use std::path::PathBuf;
use std::process::ExitCode;

use mahjong::Rules;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tracing::Instrument;

use super::news::bot_line;
use super::success;
use super::table::TextTable;
use crate::bot::{Bot, BotReport, Brain, LifeEnd, Patience, QueueTurns};
use crate::config::folder_of;
use crate::plugin::{PolicyThread, StartError, StartOptions};
use crate::setup::{Need, PLAYERS, ReadyBot, prepare};
use crate::shutdown::{Shutdown, Step};

/// Plays ranked games with all bots until each has played `games`, or until stopped.
///
/// # Errors
///
/// When a config is wrong or a policy does not start.
pub async fn run(configs: &[PathBuf], games: Option<u32>) -> anyhow::Result<ExitCode> {
    let bots = prepare(configs, Need::Arena)?;
    let shutdown = Shutdown::new();
    shutdown.listen(|step| println!("{}", stop_words(step)))?;
    println!("Ctrl-C lets games that are on end first; a second one stops now.");

    let turns = QueueTurns::default();
    let (news, mut told) = mpsc::unbounded_channel();
    let mut running = JoinSet::new();
    for ready in bots {
        let Some((arena, token)) = ready.seat.clone() else { continue };
        let bot = Bot {
            name: ready.config.name.clone(),
            turn: turns.at(&arena.url, arena.queue_together),
            url: arena.url,
            token,
            rules: Rules::TENHOU_HALF,
            patience: Patience::default(),
            news: news.clone(),
        };
        let mut brain = start_brain(&ready, fastrand::u64(..)).await?;
        let shutdown = shutdown.clone();
        let span = tracing::info_span!("bot", name = bot.name);
        running.spawn(
            async move {
                let (report, end) = bot.play(games, &mut brain, &shutdown).await;
                (bot.name, report, end)
            }
            .instrument(span),
        );
    }
    drop(news);
    let printer = tokio::spawn(async move {
        while let Some((name, event)) = told.recv().await {
            if let Some(line) = bot_line(&name, &event) {
                println!("{line}");
            }
        }
    });
    let mut ends = Vec::new();
    while let Some(ended) = running.join_next().await {
        let (name, report, end) = ended?;
        if let LifeEnd::Refused(why) | LifeEnd::GaveUp(why) = &end {
            println!("{name}: stops: {why}");
        }
        ends.push((name, report, end));
    }
    printer.await?;
    ends.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    print_summary(&ends);
    Ok(success(ends.iter().all(|(_, _, end)| matches!(end, LifeEnd::Done | LifeEnd::Stopped))))
}

/// What follows from a request to stop.
pub(super) const fn stop_words(step: Step) -> &'static str {
    match step {
        Step::Finish => {
            "Stopping: games that are on are played to their end, queued bots stop now. Ctrl-C again stops everything now."
        }
        Step::Now => "Stopping now.",
    }
}

/// Starts a bot's policy.
pub(super) async fn start_brain(ready: &ReadyBot, seed: u64) -> Result<Brain, StartError> {
    let options = StartOptions {
        bot: ready.config.name.clone(),
        players: PLAYERS,
        config_folder: folder_of(&ready.config.file).to_owned(),
    };
    let policy = PolicyThread::start(ready.policy.clone(), options).await?;
    Ok(Brain::new(policy, ready.config.policy.think, ready.config.policy.margin, seed))
}

fn print_summary(ends: &[(String, BotReport, LifeEnd)]) {
    let mut table = TextTable::new(
        ["bot", "games", "avg place", "requests", "accepted", "safe", "defaulted", "rejected", "desyncs"],
        [true, false, false, false, false, false, false, false, false],
    );
    for (name, report, _) in ends {
        table.row([
            name.clone(),
            report.games.len().to_string(),
            report.average_place().map_or_else(|| "-".to_owned(), |place| format!("{place:.2}")),
            report.acks.requests.to_string(),
            report.acks.accepted.to_string(),
            report.safe_answers.to_string(),
            report.acks.defaulted.to_string(),
            (report.acks.rejected + report.acks.unparseable).to_string(),
            report.desyncs.to_string(),
        ]);
    }
    println!("\n{table}");
    for (name, report, _) in ends {
        print_trouble(name, report);
    }
}

/// What should not have been, if anything.
pub(super) fn print_trouble(name: &str, report: &BotReport) {
    if report.abandoned > 0 {
        println!("{name}: {} games were lost from sight by a dropped connection", report.abandoned);
    }
    if report.unreadable > 0 {
        println!("{name}: {} frames could not be read; the log has them", report.unreadable);
    }
    for (kind, details) in &report.first_desyncs {
        println!("{name}: first desync ({kind}): {}", details.chars().take(300).collect::<String>());
    }
}

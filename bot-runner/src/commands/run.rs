//! `run`: bots at their arenas, all at once in this process.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use mahjong::Rules;
use mahjong::rules::Length;
use tokio::sync::mpsc;

use super::crew::{Crew, Ended, listen, start_brains};
use super::news::bot_line;
use super::success;
use super::table::TextTable;
use crate::bot::{Arena, Bot, BotReport, LifeEnd, Patience, QueueTurns};
use crate::config::{BotConfig, RecordsConfig};
use crate::output::say;
use crate::records::{About, Keeper, KeeperOptions, RealDisk, RecordCounts};
use crate::setup::{Need, Prepared, prepare};
use crate::shutdown::{Shutdown, Step};

/// Plays ranked games with all bots until each has played `games`, or until stopped.
///
/// # Errors
///
/// When a config is wrong or a policy does not start.
pub async fn run(configs: &[PathBuf], games: Option<u32>) -> anyhow::Result<ExitCode> {
    let Prepared { bots, libraries } = prepare(configs, Need::Arena)?;
    let shutdown = Shutdown::new();
    shutdown.listen(|step| say(stop_words(step)))?;
    let (brains, reloads) = start_brains(&bots, &libraries, |_| fastrand::u64(..), &shutdown).await?;
    let _control = listen(&reloads);
    say("Ctrl-C lets games that are on end first; a second one stops now.");

    let turns = QueueTurns::default();
    let (news, mut told) = mpsc::unbounded_channel();
    let mut crew = Crew::default();
    for (ready, mut brain) in bots.into_iter().zip(brains) {
        let Some(seat) = ready.seat else { continue };
        let rules = Rules::TENHOU_HALF.with_players(ready.players);
        let records = ready.config.records.as_ref().map(|records| keeper(&ready.config, records, &seat.arena, rules));
        let records = records.transpose().context("records cannot be kept")?;
        if records.is_some() {
            brain.keep_notes();
        }
        let bot = Bot {
            name: ready.config.name,
            turn: turns.at(&seat.arena, seat.queue_together),
            arena: seat.arena,
            rules,
            records,
            patience: Patience::default(),
            plays_on: false,
            news: news.clone(),
        };
        crew.set_off(bot, brain, games, &shutdown);
    }
    drop(news);
    let printer = tokio::spawn(async move {
        while let Some((name, event)) = told.recv().await {
            if let Some(line) = bot_line(&name, &event) {
                say(line);
            }
        }
    });
    let mut ends = Vec::new();
    while let Some(ended) = crew.next_end().await {
        if let LifeEnd::Refused(why) | LifeEnd::GaveUp(why) = &ended.end {
            say(format!("{}: stops: {why}", ended.name));
        }
        ends.push(ended);
    }
    printer.await?;
    ends.sort_by(|one, other| one.name.cmp(&other.name));
    say(format!("\n{}", summary(&ends)));
    for ended in &ends {
        if let Some(records) = &ended.report.records {
            print_records(&ended.name, records);
        }
        print_trouble(&ended.name, &ended.report);
    }
    Ok(success(ends.iter().all(|ended| matches!(ended.end, LifeEnd::Done | LifeEnd::Stopped))))
}

/// Who keeps the records of a bot.
fn keeper(config: &BotConfig, records: &RecordsConfig, arena: &Arena, rules: Rules) -> io::Result<Keeper> {
    let length = match rules.length {
        Length::Single => "single",
        Length::East => "east",
        Length::Half => "hanchan",
    };
    let about = About {
        runner: env!("CARGO_PKG_VERSION").to_owned(),
        bot: config.name.clone(),
        arena: arena.to_string(),
        protocol: arena.protocol().to_owned(),
        players: rules.players,
        length: length.to_owned(),
        config_sha256: config.digest().to_string(),
    };
    let RecordsConfig { folder, retention } = records.clone();
    Keeper::start(KeeperOptions { folder, retention, about, rules, token: arena.token().cloned() }, RealDisk)
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

fn summary(ends: &[Ended]) -> TextTable<10> {
    let mut table = TextTable::new(
        ["bot", "games", "avg place", "requests", "accepted", "safe", "defaulted", "rejected", "desyncs", "p50/p99 ms"],
        [true, false, false, false, false, false, false, false, false, false],
    );
    for Ended { name, report, .. } in ends {
        let milliseconds = |share| report.latency.quantile(share).as_secs_f64() * 1000.0;
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
            format!("{:.2}/{:.2}", milliseconds(0.5), milliseconds(0.99)),
        ]);
    }
    table
}

fn print_records(name: &str, counts: &RecordCounts) {
    let RecordCounts { complete, cut, none, missing, unfinished } = *counts;
    say(format!("{name}: records of {complete} whole games, {cut} cut off"));
    if none > 0 || missing > 0 {
        say(format!(
            "{name}: {none} games have no finished record, {missing} lines are missing from records; the log says why"
        ));
    }
    if unfinished {
        say(format!("{name}: the disk is still busy with records; the next `run` or `records list` finishes them"));
    }
}

/// What should not have been, if anything.
pub(super) fn print_trouble(name: &str, report: &BotReport) {
    if report.safe_answers > 0 {
        say(format!(
            "{name}: {} requests got the safe answer; what was wrong with the policy: {}; the log says more",
            report.safe_answers, report.faults
        ));
    }
    let unwanted = report.acks.rejected + report.acks.unparseable;
    if report.acks.defaulted > 0 || unwanted > 0 {
        say(format!(
            "{name}: the arena answered {} requests itself and rejected {unwanted} answers",
            report.acks.defaulted
        ));
    }
    if report.aborted > 0 {
        say(format!("{name}: {} games were aborted by the arena", report.aborted));
    }
    if report.abandoned > 0 {
        say(format!("{name}: {} games were lost from sight by a dropped connection", report.abandoned));
    }
    if report.unreadable > 0 {
        say(format!("{name}: {} frames could not be read; the log has them", report.unreadable));
    }
    if report.desyncs > 0 {
        say(format!("{name}: {} desyncs: our picture of the game and the arena's differed", report.desyncs));
    }
    for (kind, details) in &report.first_desyncs {
        say(format!("{name}: first desync ({kind}): {}", details.chars().take(300).collect::<String>()));
    }
}

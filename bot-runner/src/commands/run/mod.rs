//! `run`: bots at their arenas, all at once in this process.

mod lines;
mod live;
mod stop;
mod summary;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use client::board::Board;
use client::bot::{BotEvent, PermitPool, QueueTurns};
use client::place::{complete, short};
use client::shutdown::{Shutdown, StopStage};
use foreign_text::shown_path;
use tokio::sync::mpsc;
use tokio::time::{Instant, Interval, interval_at};

use self::lines::BotLines;
pub(super) use self::live::{RunAims, live_table};
pub(super) use self::summary::print_trouble;
use self::summary::{print_absences, print_ladder, print_records, print_results};
use super::judged_log::judged_log;
use super::success;
use super::takeover::LentSeats;
use crate::cli::RunArgs;
use config::Sources;
use fleet::{
    Alerts, FileWatcher, InitialConfigs, RatingLimits, Reloads, Roster, RosterEnd, RunContext,
    config_stamps_of, listen,
};
use say::output::say;
use view::person::PersonSeats;
use view::web::{PageSubject, RecentLog};

/// Plays ranked games with all bots until each has played its games, or until stopped. Bots appear,
/// change and leave with their configs meanwhile.
///
/// # Errors
///
/// If a config that was named is wrong, or all of those in folders.
pub async fn run(args: RunArgs, log: Option<RecentLog>, in_log: bool) -> anyhow::Result<ExitCode> {
    let stop_file = complete(args.stop_file).pop();
    if let Some(file) = &stop_file {
        stop::refuse_present(file)?;
    }
    let sources = Sources::new(&complete(args.configs));
    // Before they are listed and read, so that no change is missed.
    let known = config_stamps_of(sources.files_now().unwrap_or_default());
    let mut kept = args.page.files();
    kept.stored
        .extend(stop_file.clone().map(|file| (file, "--stop-file")));
    let initial = InitialConfigs::read(&sources, kept)?;
    let ratings = RatingLimits {
        until: args.until_rating,
        below: args.stop_below,
    };
    require_ladders(&initial, ratings)?;
    let shutdown = Shutdown::new();
    shutdown.listen(|step| say(stop_words(step)))?;
    let watcher = FileWatcher::start(Duration::from_millis(args.watch_ms))?;
    let board = Board::default();
    let reloads = Reloads::new(watcher.clone(), board.clone());
    let subject = PageSubject::Bots {
        board: board.clone(),
        people: PersonSeats::default(),
    };
    let page = args.page.serve(log.clone(), subject)?;
    let lent = LentSeats::on(page.as_ref(), &board, args.allow_takeover);
    let _control = listen(&reloads, &board, lent);
    say("Ctrl-C finishes the games in progress, then quits; a second Ctrl-C quits now.");
    stop::watch(&shutdown, args.duration, stop_file, &watcher);

    let (news, mut told) = mpsc::unbounded_channel();
    let mut roster = Roster::new(RunContext {
        libraries: Arc::clone(&initial.libraries),
        reloads,
        alerts: Alerts::new(board.clone(), initial.libraries.launch.clone()),
        board: board.clone(),
        shows_rounds: page.is_some(),
        turns: QueueTurns::default(),
        permits: args.games_at_once.map(|most| PermitPool::new(most.get())),
        games: args.games,
        ratings,
        judge: judged_log,
        news,
        shutdown: shutdown.clone(),
    });
    roster.take_in_initial(initial);
    let aims = RunAims {
        games: args.games,
        duration: args.duration,
    };
    let table = live_table(board.clone(), aims);
    let goes_on = sources.has_folder() && args.games.is_none() && args.until_rating.is_none();
    let mut changes = watcher.watch_configs(known, move || sources.files_now());
    let mut lines = BotLines::new(in_log, log);
    let mut status = (args.status_every > 0).then(|| {
        let every = Duration::from_secs(args.status_every);
        interval_at(Instant::now() + every, every)
    });
    while roster.is_busy() || (goes_on && !shutdown.is_finishing()) {
        tokio::select! {
            biased;
            Some(news) = told.recv() => {
                board.note(&news.bot, &news.event);
                if matches!(news.event, BotEvent::Finished(_)) {
                    roster.game_ended(&news.bot);
                }
                lines.take(news);
            }
            () = lines.release(), if lines.is_holding() => {}
            () = roster.step(), if roster.is_busy() || goes_on => {}
            Some(changes) = changes.recv(), if !shutdown.is_finishing() => roster.take_in(changes),
            () = due(&mut status) => say(board.line()),
            () = shutdown.finishing(), if !shutdown.is_finishing() => {}
        }
    }
    while let Ok(news) = told.try_recv() {
        board.note(&news.bot, &news.event);
        lines.take(news);
    }
    while lines.is_holding() {
        lines.release().await;
    }
    drop((table, page));
    let RosterEnd {
        ends,
        refused,
        results,
        ladder,
    } = roster.into_ends().await;
    if ends.is_empty() && !refused.is_empty() {
        print_absences(&ends, &refused);
        bail!("no bot can play; see the reasons above");
    }
    say(format!("\n{}", summary::summary(&ends).for_output()));
    for ended in &ends {
        print_records(&ended.name, &ended.report);
        print_trouble(&ended.name, &ended.report);
    }
    let all_kept = print_results(&results);
    if let Some(counts) = ladder {
        print_ladder(counts);
    }
    let all_play = print_absences(&ends, &refused);
    Ok(success(all_play && all_kept))
}

/// Refuses a limit of ratings for bots whose ratings are not known.
fn require_ladders(initial: &InitialConfigs, ratings: RatingLimits) -> anyhow::Result<()> {
    let option = match ratings {
        RatingLimits { until: Some(_), .. } => "--until-rating",
        RatingLimits { below: Some(_), .. } => "--stop-below",
        RatingLimits {
            until: None,
            below: None,
        } => return Ok(()),
    };
    if let Some(file) = initial.without_ladder().first() {
        bail!(
            "{option}: {} has no section [ladder], so the bot's rating is not known; add the section, or leave the option \
             out",
            shown_path(short(file))
        );
    }
    Ok(())
}

async fn due(interval: &mut Option<Interval>) {
    match interval {
        Some(interval) => drop(interval.tick().await),
        None => std::future::pending().await,
    }
}

pub(super) const fn stop_words(step: StopStage) -> &'static str {
    match step {
        StopStage::Finish => {
            "Stopping: games in progress are played to their end, queued bots stop now. Ctrl-C again stops everything now."
        }
        StopStage::Now => "Stopping now.",
    }
}

//! `results`: what to do with the database of results besides asking it.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use client::kept_game::result_of;
use client::own_thread::on_own_thread;
use client::records::{self, GameRecord, MANIFEST};
use policy_host::escaped;
use results::{LadderRow, ResultRow, SeatLuck, Store, open};
use say::output::say;
use say::screen::note;

use super::database::database;
use super::judged_log::seat_luck;
use super::records::files_of_games;
use super::success;
use super::table::number_of;
use crate::cli::ResultsCommand;

/// Number of games that are written at once.
const AT_ONCE: usize = 256;

/// Runs a subcommand for results.
///
/// # Errors
///
/// If records cannot be read, or the database cannot be written.
pub async fn results(command: ResultsCommand) -> anyhow::Result<ExitCode> {
    let ResultsCommand::Import {
        records,
        database: args,
    } = command;
    let (address, password) = database(&args)?;
    // Before a database is created.
    records.iter().try_for_each(|path| require_records(path))?;
    // A database blocks.
    let imported = on_own_thread(move || -> anyhow::Result<Imported> {
        let mut store = open(&address, password.as_ref())?;
        let mut imported = Imported::default();
        for path in &records {
            imported.import(path, &mut *store)?;
        }
        imported.write(&mut *store)?;
        Ok(imported)
    });
    let imported = imported.await??;
    let Imported {
        games,
        new,
        lucky,
        left_out,
        files,
        bad,
        ..
    } = imported;
    say(format!(
        "{} read, {new} of them new to the database",
        number_of(games, "game")
    ));
    if lucky > 0 {
        say(format!(
            "the luck of {} is known, from records with all hands",
            number_of(lucky, "game")
        ));
    }
    if left_out > 0 {
        let records = number_of(left_out, "record");
        say(format!(
            "left out: {records} of games that were not played to the end, or are still in progress"
        ));
    }
    if files > 0 {
        let files = number_of(files, "file");
        say(format!(
            "left out: {files} of games of `play --record`, since a record without a manifest is not imported"
        ));
    }
    Ok(success(bad == 0))
}

/// Refuses a path that is neither a folder nor a record that can be read.
fn require_records(path: &Path) -> anyhow::Result<()> {
    if path.join(MANIFEST).exists() {
        GameRecord::open(path)?;
    } else {
        fs::read_dir(path).with_context(|| unreadable(path))?;
    }
    Ok(())
}

fn unreadable(folder: &Path) -> String {
    format!(
        "the folder {} cannot be read; is the path right?",
        folder.display()
    )
}

#[derive(Default)]
struct Imported {
    waiting: Vec<ResultRow>,
    /// What the arenas' ladders say about them.
    ladder: Vec<LadderRow>,
    /// Their luck, as far as their records have all hands.
    luck: Vec<(String, SeatLuck)>,
    games: u64,
    new: u64,
    /// Games whose luck is known.
    lucky: u64,
    /// Records of games that have no result.
    left_out: u64,
    /// Files of games that are no records.
    files: u64,
    /// Records that could not be read.
    bad: u64,
}

impl Imported {
    /// Takes in a folder of records, or a single one.
    fn import(&mut self, path: &Path, store: &mut dyn Store) -> anyhow::Result<()> {
        if path.join(MANIFEST).exists() {
            return self.record(&GameRecord::open(path)?, store);
        }
        let (found, bad) = records::list(path, |_| true).with_context(|| unreadable(path))?;
        self.files += files_of_games(path);
        for error in bad {
            self.trouble(format_args!("{error}"));
        }
        for record in &found {
            self.record(record, store)?;
        }
        Ok(())
    }

    fn record(&mut self, record: &GameRecord, store: &mut dyn Store) -> anyhow::Result<()> {
        match result_of(record) {
            Ok(Some(result)) => {
                self.games += 1;
                match record.ladder() {
                    Ok(Some(row)) if row.key == result.key => self.ladder.push(row),
                    Ok(_) => {}
                    Err(why) => self.trouble(format_args!(
                        "{}: what the ladder says cannot be read: {why}",
                        record.path.display()
                    )),
                }
                match record.open_game() {
                    Ok(log) => {
                        let luck = log.and_then(|log| seat_luck(&log, result.seat));
                        self.lucky += u64::from(luck.is_some());
                        self.luck
                            .extend(luck.map(|luck| (result.key.clone(), luck)));
                    }
                    Err(why) => self.trouble(format_args!(
                        "{}: the game with all hands cannot be read: {why}",
                        record.path.display()
                    )),
                }
                self.waiting.push(result);
                if self.waiting.len() >= AT_ONCE {
                    self.write(store)?;
                }
            }
            Ok(None) => self.left_out += 1,
            Err(why) => self.trouble(format_args!("{}: {why}", record.path.display())),
        }
        Ok(())
    }

    fn write(&mut self, store: &mut dyn Store) -> anyhow::Result<()> {
        if !self.waiting.is_empty() {
            self.new += store.write(&std::mem::take(&mut self.waiting))?;
            store.write_ladder(&std::mem::take(&mut self.ladder))?;
            store.write_luck(&std::mem::take(&mut self.luck))?;
        }
        Ok(())
    }

    fn trouble(&mut self, what: std::fmt::Arguments<'_>) {
        self.bad += 1;
        // A record may come from a stranger.
        note(format!(
            "bot-runner: {}",
            escaped(what.to_string().as_bytes())
        ));
    }
}

//! `results`: what to do with the database of results besides asking it.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use client::kept_game::{Decider, GameResult, milliseconds};
use client::own_thread::on_own_thread;
use client::records::{self, GameRecord, MANIFEST, Manifest, RecordState};
use lab_stats::SeatCounter;
use policy_host::{GameKind, RecordedEvents, escaped};
use protocol::lines::{Line, parse_line};
use protocol::{Parsed, parse_event};
use results::{ResultRow, Store, open};
use riichi::{Event, Seat};

use super::database::database;
use super::success;
use super::table::number_of;
use crate::cli::ResultsCommand;
use crate::output::say;

/// Number of games that are written at once.
const AT_ONCE: usize = 256;

/// Runs a subcommand for results.
///
/// # Errors
///
/// If records cannot be read, or the database cannot be written.
pub async fn results(command: ResultsCommand) -> anyhow::Result<ExitCode> {
    let ResultsCommand::Import { records, database: args } = command;
    let (address, password) = database(&args)?;
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
    let imported = imported.await.map_err(anyhow::Error::msg)??;
    let Imported { games, new, left_out, bad, .. } = imported;
    say(format!("{} read, {new} of them new to the database", number_of(games, "game")));
    if left_out > 0 {
        let records = number_of(left_out, "record");
        say(format!("left out: {records} of games that were not played to the end, or are still on"));
    }
    Ok(success(bad == 0))
}

#[derive(Default)]
struct Imported {
    waiting: Vec<ResultRow>,
    games: u64,
    new: u64,
    /// Records of games that have no result.
    left_out: u64,
    /// Records that could not be read.
    bad: u64,
}

impl Imported {
    /// Takes in a folder of records, or a single one.
    fn import(&mut self, path: &Path, store: &mut dyn Store) -> anyhow::Result<()> {
        if path.join(MANIFEST).exists() {
            return self.record(&GameRecord::open(path)?, store);
        }
        let (found, bad) = records::list(path, |_| true)
            .with_context(|| format!("the folder {} cannot be read; is the path right?", path.display()))?;
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
                self.waiting.push(result);
                if self.waiting.len() >= AT_ONCE {
                    self.write(store)?;
                }
            }
            Ok(None) => self.left_out += 1,
            Err(why) => self.trouble(format_args!("{}: {why:#}", record.path.display())),
        }
        Ok(())
    }

    fn write(&mut self, store: &mut dyn Store) -> anyhow::Result<()> {
        if !self.waiting.is_empty() {
            self.new += store.write(&std::mem::take(&mut self.waiting))?;
        }
        Ok(())
    }

    fn trouble(&mut self, what: std::fmt::Arguments<'_>) {
        self.bad += 1;
        // A record may come from a stranger.
        eprintln!("bot-runner: {}", escaped(what.to_string().as_bytes()));
    }
}

/// The game of a record; `None` if it has no result.
fn result_of(record: &GameRecord) -> anyhow::Result<Option<ResultRow>> {
    let Manifest { state, about, started, ended, seat, policies, played, .. } = &record.manifest;
    let (RecordState::Complete, Some(played), Some(ended)) = (state, played, ended) else { return Ok(None) };
    let (Some(scores), Some(place)) = (&played.scores, played.place) else { return Ok(None) };
    let own = u8::try_from(*seat).ok().and_then(Seat::new).filter(|own| own.index() < scores.len());
    let own = own.with_context(|| format!("the manifest has seat {seat} of {}", scores.len()))?;
    anyhow::ensure!(matches!(scores.len(), 3 | 4), "the manifest has {} scores; allowed are 3 and 4", scores.len());
    let place_fits = (1..=scores.len()).contains(&usize::from(place));
    anyhow::ensure!(place_fits, "the manifest has place {place} of {}", scores.len());
    let game = GameKind::ALL.into_iter().find(|game| game.name() == about.game);
    let game =
        game.with_context(|| format!("the manifest has the game {:?}, which is unknown to this runner", about.game))?;
    let counter = match game.recorded_events() {
        RecordedEvents::Mjai => Some(counted(record, scores.len())?),
        RecordedEvents::Steps => None,
    };
    let deciders = policies.iter().map(|policy| Decider {
        policy: &policy.id,
        version: &policy.version,
        content: policy.sha256.clone(),
        decisions: policy.decisions,
    });
    let told = names(record);
    let game = GameResult {
        bot: &about.bot,
        arena: about.arena.clone(),
        game,
        opened_ms: milliseconds(*started),
        ended_ms: milliseconds(*ended),
        seat: own,
        place,
        scores,
        counts: counter.as_ref().map(|counter| &counter.seats[own]),
        deciders: deciders.collect(),
        names: if played.names.is_empty() { &told } else { &played.names },
    };
    Ok(Some(game.result()))
}

/// The counts of each seat in a record.
fn counted(record: &GameRecord, seats: usize) -> anyhow::Result<SeatCounter> {
    let mut counter = SeatCounter::new(seats as u8);
    for (index, line) in record.game().context("the game cannot be read")?.lines().enumerate() {
        let event = parse_event(line).with_context(|| format!("the game's line {} cannot be read", index + 1))?;
        if let Parsed::Event(event) = event {
            let fits = event.actor().is_none_or(|actor| actor.index() < seats);
            anyhow::ensure!(fits, "the game's line {} is about a seat that there is not", index + 1);
            counter.count(&event);
        }
    }
    Ok(counter)
}

/// The names of the players, if the arena sent them.
fn names(record: &GameRecord) -> Vec<String> {
    let told = |frame: String| match parse_line(&frame) {
        Ok(Line::Event(line)) if matches!(line.event, Event::StartGame { .. }) => Some(line.names),
        _ => None,
    };
    record.first_frames().unwrap_or_default().into_iter().find_map(told).unwrap_or_default()
}

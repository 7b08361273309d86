//! `records export`: a game for other tools.

use std::io::{Cursor, ErrorKind, Read};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use client::records::{GameRecord, RecordState};
use foreign_text::{shown, shown_path};
use game_logs::tenhou_form;
use lab::judgement::known_errors;
use lab::record::open_lines;
use lab::replay::whole_courses;
use lab::replayed::ReplayedGame;
use riichi::Event;
use riichi::game::RiichiGame;
use say::output::say_data;
use say::screen::note;
use serde::Deserialize;
use serde_json::Value;

use super::list::first_file_of_games;
use crate::cli::ExportFormat;
use lab::whole_file::create;

pub(super) fn export(
    game: &Path,
    format: ExportFormat,
    out: Option<&Path>,
) -> anyhow::Result<ExitCode> {
    let text = if game.is_file() {
        text_of_file(game)?
    } else {
        text_of_record(game)?
    };
    let name = shown_path(game);
    let text = match format {
        ExportFormat::Mjai => text,
        ExportFormat::Tenhou => {
            tenhou_of(&name.to_string(), text)
                .with_context(|| format!("{name} has no form of Tenhou's"))?
                .to_string()
                + "\n"
        }
    };
    match out {
        Some(out) => write(out, &text)?,
        None => say_data(text.trim_end()),
    }
    Ok(ExitCode::SUCCESS)
}

/// The events of a ranked game, a line each.
fn text_of_record(game: &Path) -> anyhow::Result<String> {
    if let Some(first) = first_file_of_games(game) {
        bail!(
            "{} is a folder of games, and this command takes one; name a file in it, such as {}",
            game.display(),
            first.display()
        );
    }
    let record = GameRecord::open(game)?;
    let text = record.game().with_context(|| {
        format!(
            "{} cannot be read",
            record
                .path
                .join(record.manifest.about.game_file())
                .display()
        )
    })?;
    if let Some(short) = how_short(&record) {
        note(format!("bot-runner: {}: {short}", shown_path(&record.path)));
    }
    Ok(text)
}

/// The events of a file, plain or gzipped.
fn text_of_file(file: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let read = open_lines(file).and_then(|mut lines| lines.read_to_string(&mut text));
    read.with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(text)
}

/// The first game of a record; what is found in it goes to standard error.
pub(super) fn tenhou_of(name: &str, text: String) -> anyhow::Result<Value> {
    #[derive(Deserialize)]
    struct Names {
        names: Vec<String>,
    }
    let names = text
        .lines()
        .next()
        .and_then(|line| serde_json::from_str(line).ok());
    let names = names.map_or_else(Vec::new, |Names { names }| names);
    let courses = whole_courses::<RiichiGame>(Box::new(Cursor::new(text.into_bytes())))?;
    let course = courses.first().context("there is no round in it")?;
    let events: Vec<Event> = course.events.iter().map(|(_, event)| *event).collect();
    let judged = RiichiGame::judged(course, None);
    let line = |place: usize| course.events[place].0;
    let form = tenhou_form(&events, &names).map_err(|none| {
        let found = judged
            .impossible()
            .filter(|found| none.place.is_some_and(|place| found.line <= line(place)));
        match (found, none.place) {
            (Some(found), _) => anyhow!("contradiction at {found}"),
            (None, Some(place)) => anyhow!("line {}: {none}", line(place)),
            (None, None) => anyhow!(none),
        }
    })?;
    for error in known_errors(&judged.findings) {
        note(format!("bot-runner: {name}: known error at {error}"));
    }
    if let Some(found) = judged.impossible() {
        note(format!(
            "bot-runner: {name}: contradiction at {found}; it is written as the record has it"
        ));
    }
    for (place, words) in form.lost {
        note(format!("bot-runner: {name}: line {}: {words}", line(place)));
    }
    Ok(form.game)
}

/// Why a record does not hold the whole game; `None` if it does.
fn how_short(record: &GameRecord) -> Option<String> {
    match record.manifest.state {
        RecordState::Complete => None,
        RecordState::Cut => {
            let why = record.manifest.cut.as_deref().unwrap_or("reason unknown");
            let why = shown(why);
            Some(format!("the record is incomplete: {why}"))
        }
        RecordState::Playing => Some(
            "the game is incomplete, because its record is not finished; \
             `bot-runner records list` finishes what no runner is writing any more"
                .to_owned(),
        ),
    }
}

/// Writes a new file atomically.
pub(super) fn write(out: &Path, text: &str) -> anyhow::Result<()> {
    // As readable as any other new file.
    match create(out, text.as_bytes(), 0o666) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!(
                "{} already exists and is not overwritten; name another file",
                out.display()
            )
        }
        written => written.with_context(|| format!("{} cannot be written", out.display())),
    }
}

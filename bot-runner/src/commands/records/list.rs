//! `records list`: lists the recorded games.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use client::records::{GameRecord, MANIFEST, Manifest, RecordState, settle_leftovers};
use foreign_text::shown_path;
use serde_json::json;
use view::output::{say, say_data};
use view::screen::note;

use super::{mib, records_in};
use crate::commands::success;
use crate::commands::table::{TextTable, number_of, score};

pub(super) fn list(folders: &[PathBuf], as_json: bool) -> anyhow::Result<ExitCode> {
    let (mut records, mut files, mut all_readable) = (Vec::new(), 0, true);
    for folder in folders {
        files += files_of_games(folder);
        settle_leftovers(folder, |path, error| {
            tracing::warn!(
                "{}: the record cannot be finished: {error}",
                shown_path(path)
            );
        });
        let (mut found, readable) = records_in(folder)?;
        records.append(&mut found);
        all_readable &= readable;
    }
    if files > 0 {
        let files = number_of(files, "file");
        note(format!(
            "bot-runner: {files} of games of `play --record` have no manifest; `bot-runner view` shows such games."
        ));
    }
    if as_json {
        for record in &records {
            say_data(json_line(record)?);
        }
        return Ok(success(all_readable));
    }
    let mut table = TextTable::new(
        [
            "began (UTC)",
            "bot",
            "policy",
            "game",
            "place",
            "score",
            "rounds",
            "record",
            "MiB",
            "name",
        ],
        [
            true, true, true, true, false, false, false, true, false, true,
        ],
    );
    for record in &records {
        let Manifest {
            started,
            about,
            played,
            ..
        } = &record.manifest;
        let of_played = |cell: Option<String>| cell.unwrap_or_else(|| "-".to_owned());
        table.row([
            began(*started),
            about.bot.clone(),
            policies(&record.manifest),
            about.game.clone(),
            of_played(
                played
                    .as_ref()
                    .and_then(|played| played.place)
                    .map(|place| place.to_string()),
            ),
            of_played(own_score(&record.manifest).map(|units| score(&about.game, units))),
            of_played(played.as_ref().map(|played| played.rounds.to_string())),
            state_word(record.manifest.state).to_owned(),
            mib(record.bytes),
            record.name(),
        ]);
    }
    say(table.for_output());
    let bytes = records.iter().map(|record| record.bytes).sum();
    say(format!(
        "{}, {} MiB",
        number_of(records.len() as u64, "record"),
        mib(bytes)
    ));
    Ok(success(all_readable))
}

/// Number of games in a folder that are files.
pub(in crate::commands) fn files_of_games(folder: &Path) -> u64 {
    games_as_files(folder).count() as u64
}

/// The first game of a folder in which games are files; `None` if it has none, or is a record
/// itself.
pub(super) fn first_file_of_games(folder: &Path) -> Option<PathBuf> {
    if folder.join(MANIFEST).exists() {
        None
    } else {
        games_as_files(folder).min()
    }
}

/// The games in a folder that are files, as `play --record` writes them.
fn games_as_files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
}

/// The policies that decided in a game, with their versions.
fn policies(manifest: &Manifest) -> String {
    let names: Vec<String> = manifest
        .policies
        .iter()
        .map(|policy| format!("{} {}", policy.id, policy.version))
        .collect();
    if names.is_empty() {
        "-".to_owned()
    } else {
        names.join(", ")
    }
}

fn json_line(record: &GameRecord) -> anyhow::Result<String> {
    let mut line = serde_json::to_value(&record.manifest)?;
    line["path"] = json!(record.path);
    line["bytes"] = json!(record.bytes);
    Ok(line.to_string())
}

pub(super) fn own_score(manifest: &Manifest) -> Option<i32> {
    manifest
        .played
        .as_ref()?
        .scores
        .as_ref()?
        .get(manifest.seat)
        .copied()
}

/// A time, to the second.
pub(in crate::commands) fn began(started: time::OffsetDateTime) -> String {
    let (hour, minute, second) = started.to_hms();
    format!("{} {hour:02}:{minute:02}:{second:02}", started.date())
}

pub(super) const fn state_word(state: RecordState) -> &'static str {
    match state {
        RecordState::Playing => "playing",
        RecordState::Complete => "complete",
        RecordState::Cut => "cut",
    }
}

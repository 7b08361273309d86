//! `records list`: lists the recorded games.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use client::records::{GameRecord, MANIFEST, Manifest, RecordState, settle_leftovers};
use foreign_text::{shown, shown_path};
use game_logs::LogFacts;
use lab::record::{STANDARD_INPUT, looks_like_games, names_of};
use policy_host::GameKind;
use protocol::game_record::RecordStart;
use say::output::{say, say_data};
use say::screen::note;
use serde_json::{Value, json};

use super::{mib, records_in};
use crate::commands::logs::{NamedLog, each_named_log, games_of};
use crate::commands::success;
use crate::commands::table::{TextTable, number_of, score};

pub(super) fn list(folders: &[PathBuf], as_json: bool) -> anyhow::Result<ExitCode> {
    let (mut records, mut files, mut all_readable) = (Vec::new(), 0, true);
    let mut logs = Vec::new();
    for folder in folders {
        let is_log = folder.is_file() || folder.as_os_str() == STANDARD_INPUT;
        if is_log || folder.is_dir() {
            all_readable &= logs_in(folder, &mut logs)?;
        }
        if is_log {
            continue;
        }
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
        for log in &logs {
            say_data(log.json_line());
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
    if !logs.is_empty() {
        say(table_of_logs(&logs).for_output());
        say(number_of(logs.len() as u64, "game"));
        if records.is_empty() {
            return Ok(success(all_readable));
        }
        say("");
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

/// A game of a log that is no record of a bot.
struct ListedLog {
    name: String,
    facts: LogFacts,
    game: String,
    players: usize,
    rounds: usize,
}

impl ListedLog {
    fn of(log: &NamedLog, game: &str) -> Self {
        let first = game.lines().find(|line| !line.trim().is_empty());
        let start = first.and_then(RecordStart::read);
        let mut listed = Self {
            name: log.name.clone(),
            facts: first
                .and_then(LogFacts::of_line)
                .unwrap_or_else(|| LogFacts::unknown(log.form)),
            game: start.map_or_else(|| GameKind::Riichi.name().to_owned(), |start| start.game),
            players: 0,
            rounds: 0,
        };
        if listed.facts.names.is_empty() {
            listed.facts.names = names_of(&mut game.as_bytes());
        }
        for line in game.lines() {
            let deal = ["\"start_kyoku\"", "\"deal\""];
            if deal.iter().any(|deal| line.contains(deal)) {
                listed.rounds += 1;
                let line: Value = serde_json::from_str(line).unwrap_or_default();
                let hands = line.get("tehais").or_else(|| line.get("hands"));
                let hands = hands.and_then(Value::as_array).map_or(0, Vec::len);
                listed.players = listed.players.max(hands);
            }
        }
        listed
    }

    fn json_line(&self) -> String {
        let LogFacts {
            names,
            rules,
            red_fives,
            open_tanyao,
            began,
            ..
        } = &self.facts;
        let log = json!({
            "form": self.facts.form.to_string(), "rules": rules, "red_fives": red_fives,
            "open_tanyao": open_tanyao, "began": began,
        });
        let (game, players, rounds) = (&self.game, self.players, self.rounds);
        json!({
            "path": self.name, "log": log, "game": game, "names": names, "players": players,
            "rounds": rounds,
        })
        .to_string()
    }
}

/// Adds the games of a log, or of the logs in a folder; whether all can be read.
fn logs_in(path: &Path, listed: &mut Vec<ListedLog>) -> anyhow::Result<bool> {
    let files = if path.is_dir() {
        logs_of_folder(path)
    } else {
        vec![path.to_owned()]
    };
    let mut all_readable = true;
    for file in files {
        each_named_log(&file, &mut |log| {
            match log {
                Ok(log) => listed.extend(
                    games_of(&log.lines)
                        .into_iter()
                        .map(|game| ListedLog::of(&log, game)),
                ),
                Err(why) => {
                    tracing::warn!("{why}");
                    all_readable = false;
                }
            }
            Ok(())
        })?;
    }
    Ok(all_readable)
}

/// The files of a folder that are logs and no records.
fn logs_of_folder(folder: &Path) -> Vec<PathBuf> {
    if folder.join(MANIFEST).exists() {
        return Vec::new();
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_log = |path: &PathBuf| path.is_file() && looks_like_games(path);
    let mut logs: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_log).collect();
    logs.sort();
    logs
}

fn table_of_logs(logs: &[ListedLog]) -> TextTable<7> {
    let mut table = TextTable::new(
        ["log", "form", "game", "rules", "players", "rounds", "names"],
        [true, true, true, true, false, false, true],
    );
    for log in logs {
        let names = match log.facts.names.is_empty() {
            true => "unknown".to_owned(),
            false => shown(&log.facts.names.join(", ")),
        };
        table.row([
            log.name.clone(),
            log.facts.form.to_string(),
            shown(&log.game),
            shown(&log.facts.rules_in_words()),
            log.players.to_string(),
            log.rounds.to_string(),
            names,
        ]);
    }
    table
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

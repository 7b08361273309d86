//! `records convert`: logs of any form in another.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use say::output::{say, say_data};
use say::screen::note;

use super::export::{tenhou_of, write};
use crate::cli::ExportFormat;
use crate::commands::logs::{NamedLog, each_named_log, files_of_logs, games_of};
use crate::commands::success;
use crate::commands::table::number_of;
use crate::commands::words::free_name;

/// Where converted games go.
enum ConvertOutput<'a> {
    /// To standard output, or to this file: one game.
    One(Option<&'a Path>),
    Folder(&'a Path, HashSet<String>),
}

/// What has been done.
#[derive(Default)]
struct Converted {
    games: u64,
    bad: u64,
}

/// Writes each game of the logs in a form. Logs that cannot be read, and games that have no such
/// form, are named and left out; the exit code says so.
pub(super) fn convert(
    inputs: &[PathBuf],
    to: ExportFormat,
    out: Option<&Path>,
) -> anyhow::Result<ExitCode> {
    let files = files_of_logs(inputs)?;
    let is_one = matches!(inputs, [one] if !one.is_dir());
    let mut output = match out {
        None => ConvertOutput::One(None),
        Some(out) if is_one && !out.is_dir() && out.extension().is_some() => {
            ConvertOutput::One(Some(out))
        }
        Some(out) => {
            fs::create_dir_all(out)
                .with_context(|| format!("the folder {} cannot be made", out.display()))?;
            ConvertOutput::Folder(out, HashSet::new())
        }
    };
    let mut done = Converted::default();
    for file in files {
        each_named_log(&file, &mut |log| match log {
            Ok(log) => of_log(&log, to, &mut output, &mut done),
            Err(why) => {
                note(format!("bot-runner: {why}"));
                done.bad += 1;
                Ok(())
            }
        })?;
    }
    if let ConvertOutput::Folder(folder, _) = output {
        say(format!(
            "{} written to {}",
            number_of(done.games, "game"),
            folder.display()
        ));
    }
    if done.bad > 0 {
        note(format!(
            "bot-runner: {} not converted",
            number_of(done.bad, "log or game")
        ));
    }
    Ok(success(done.bad == 0 && done.games > 0))
}

fn of_log(
    log: &NamedLog,
    to: ExportFormat,
    output: &mut ConvertOutput<'_>,
    done: &mut Converted,
) -> anyhow::Result<()> {
    for game in games_of(&log.lines) {
        let text = match to {
            ExportFormat::Mjai => Ok(game.to_owned()),
            ExportFormat::Tenhou => {
                tenhou_of(&log.name, game.to_owned()).map(|form| form.to_string() + "\n")
            }
        };
        let text = match text {
            Ok(text) => text,
            Err(why) => {
                note(format!("bot-runner: {}: {why:#}", log.name));
                done.bad += 1;
                continue;
            }
        };
        match output {
            ConvertOutput::One(_) if done.games > 0 => {
                bail!(
                    "{} has several games; name a folder for them with --out FOLDER",
                    log.name
                )
            }
            ConvertOutput::One(None) => say_data(text.trim_end()),
            ConvertOutput::One(Some(file)) => write(file, &text)?,
            ConvertOutput::Folder(folder, taken) => {
                let ending = match to {
                    ExportFormat::Mjai => ".jsonl",
                    ExportFormat::Tenhou => ".json",
                };
                write(&folder.join(free_name(&log.stem, ending, taken)), &text)?;
            }
        }
        done.games += 1;
    }
    Ok(())
}

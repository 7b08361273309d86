//! Logs that a command is given: files, folders of files, archives, and standard input.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use client::records::{GameRecord, MANIFEST};
use foreign_text::{shown, shown_path};
use game_logs::{Log, LogForm};
use lab::record::{STANDARD_INPUT, each_log, looks_like_games};

/// Maximum number of folders below one that is given.
const MAX_DEPTH: usize = 16;
/// The folder of the decisions that `play --record` stores next to games.
const DECISIONS: &str = super::play::DECISIONS;

/// A log with its name, as it is shown, and the form and lines of its games.
pub(super) struct NamedLog {
    /// The file, and the name in it if it is an archive.
    pub(super) name: String,
    /// The last part of the name, without the ending of a form.
    pub(super) stem: String,
    pub(super) form: LogForm,
    pub(super) lines: String,
}

/// The files of games: those that are named, and in folders those that seem to hold games, in order
/// of their names.
///
/// # Errors
///
/// If a path does not exist, a folder cannot be read, or a folder that is named has no game.
pub(super) fn files_of_logs(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.as_os_str() == STANDARD_INPUT || !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        in_folder(path, MAX_DEPTH, &mut files)?;
        if files.len() == before {
            bail!("{}: no game in this folder", shown_path(path));
        }
    }
    Ok(files)
}

fn in_folder(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let cannot = || format!("the folder {} cannot be read", shown_path(folder));
    if folder.join(MANIFEST).exists() {
        let record = GameRecord::open(folder)?;
        files.push(record.path.join(record.manifest.about.game_file()));
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        entries.push(entry.with_context(cannot)?.path());
    }
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default();
        if name.to_string_lossy().starts_with('.') || name == DECISIONS {
            continue;
        }
        if entry.is_dir() && depth > 0 {
            in_folder(&entry, depth - 1, files)?;
        } else if entry.is_file() && looks_like_games(&entry) {
            files.push(entry);
        }
    }
    Ok(())
}

/// Why a file of games cannot be opened. A path that may be wrong is told apart from a log that is.
pub(super) fn cannot_open(name: &str, why: io::Error) -> anyhow::Error {
    match why.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied => {
            anyhow::Error::new(why).context(format!("{name} cannot be opened; is the path right?"))
        }
        _ => anyhow!("{name} cannot be read: {}", shown(&why.to_string())),
    }
}

/// Calls `visit` with each log of a file, or with the reason why one cannot be read.
///
/// # Errors
///
/// The first error of `visit`.
pub(super) fn each_named_log(
    file: &Path,
    visit: &mut dyn FnMut(Result<NamedLog, String>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    /// Which of the two failed.
    enum Failed {
        Read(io::Error),
        Visit(anyhow::Error),
    }
    impl From<io::Error> for Failed {
        fn from(error: io::Error) -> Self {
            Self::Read(error)
        }
    }
    let file_name = if file.as_os_str() == STANDARD_INPUT {
        "standard input".to_owned()
    } else {
        shown_path(file).to_string()
    };
    let walked = each_log::<Failed>(file, &mut |Log { member, read }| {
        let name = match &member {
            Some(member) => format!("{file_name}: {}", shown(member)),
            None => file_name.clone(),
        };
        let path = member.as_ref().map_or(file, |member| Path::new(member));
        let log = read
            .map(|(form, lines)| NamedLog {
                stem: stem_of(path),
                form,
                lines,
                name: name.clone(),
            })
            .map_err(|why| format!("{name}: {}", shown(&why.to_string())));
        visit(log).map_err(Failed::Visit)
    });
    match walked {
        Ok(()) => Ok(()),
        Err(Failed::Visit(error)) => Err(error),
        Err(Failed::Read(why)) => {
            let hint = if why.kind() == ErrorKind::NotFound {
                "; is the path right?"
            } else {
                ""
            };
            visit(Err(format!(
                "{file_name}: {}{hint}",
                shown(&why.to_string())
            )))
        }
    }
}

/// The name of a file without its folder and the endings of games.
fn stem_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut name = name.trim_matches('-');
    for ending in [
        ".gz", ".jsonl", ".json", ".mjson", ".mjlog", ".mjai", ".xml", ".txt",
    ] {
        name = name.strip_suffix(ending).unwrap_or(name);
    }
    if name.is_empty() {
        "game".to_owned()
    } else {
        name.to_owned()
    }
}

/// The games of a log, each with its lines.
pub(super) fn games_of(lines: &str) -> Vec<&str> {
    let mut starts = vec![0];
    let mut place = 0;
    for line in lines.split_inclusive('\n') {
        let begins = line.contains("\"start_game\"");
        if begins && lines[..place].lines().any(|line| !line.trim().is_empty()) {
            starts.push(place);
        }
        place += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let ends: Vec<usize> = ends.collect();
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| &lines[start..end])
        .filter(|game| !game.trim().is_empty())
        .collect()
}

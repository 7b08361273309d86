//! The folder of a ladder: a journal of bots and games, and a log for each game.
//!
//! The log of a game is complete and on the disk before the journal has the game, and gets its own
//! name afterwards. A line of the journal that a kill has cut is no line, and the next start gives
//! a log its name or removes it. So a kill loses at most the game that was being written.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use time::Date;

use super::game::KeptGame;

const JOURNAL: &str = "games.jsonl";
const LOGS: &str = "logs";
/// The ending of a file that is being written.
const UNFINISHED: &str = ".part";

/// The format of the folder.
const FORMAT: u32 = 1;

/// Why a folder cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LadderFolderError {
    #[error("{path} cannot be {task}: {why}")]
    File {
        path: String,
        task: &'static str,
        why: String,
    },
    #[error("{path}, line {line}: {why}; move the file away, or take another folder")]
    Line {
        path: String,
        line: usize,
        why: String,
    },
    #[error("{path} is in use by another arena; stop it, or take another folder")]
    InUse { path: String },
    #[error(
        "{path} holds games of {kept} players, and this arena plays with {players}; say --players {kept}, or take another folder"
    )]
    OtherPlayers { path: String, kept: u8, players: u8 },
}

impl LadderFolderError {
    pub(super) fn file(path: &Path, task: &'static str, error: &io::Error) -> Self {
        Self::File {
            path: path.display().to_string(),
            task,
            why: error.to_string(),
        }
    }
}

/// A line of the journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum JournalEntry {
    /// The first line.
    Ladder {
        format: u32,
        players: u8,
    },
    /// A bot appears.
    Bot {
        id: u64,
        name: String,
    },
    Game(Box<KeptGame>),
}

/// The folder, which no other process uses.
#[derive(Debug)]
pub(super) struct LadderFolder {
    path: PathBuf,
    journal: File,
    /// The size of the journal, in bytes.
    length: u64,
}

impl LadderFolder {
    /// Opens a folder, or makes it; returns its entries.
    pub(super) fn open(
        path: &Path,
        players: u8,
    ) -> Result<(Self, Vec<JournalEntry>), LadderFolderError> {
        fs::create_dir_all(path)
            .map_err(|error| LadderFolderError::file(path, "created", &error))?;
        let file = path.join(JOURNAL);
        let mut journal = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&file)
            .map_err(|error| LadderFolderError::file(&file, "opened", &error))?;
        match journal.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LadderFolderError::InUse {
                    path: path.display().to_string(),
                });
            }
            Err(TryLockError::Error(error)) => {
                return Err(LadderFolderError::file(&file, "locked", &error));
            }
        }
        let mut text = Vec::new();
        journal
            .read_to_end(&mut text)
            .map_err(|error| LadderFolderError::file(&file, "read", &error))?;
        let whole = text
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        let mut folder = Self {
            path: path.to_owned(),
            journal,
            length: whole as u64,
        };
        folder
            .cut()
            .map_err(|error| LadderFolderError::file(&file, "written", &error))?;
        let entries = read_entries(&file, &text[..whole], path, players)?;
        folder
            .settle(&entries)
            .map_err(|error| LadderFolderError::file(&path.join(LOGS), "settled", &error))?;
        if entries.is_empty() {
            folder
                .append(&JournalEntry::Ladder {
                    format: FORMAT,
                    players,
                })
                .map_err(|error| LadderFolderError::file(&file, "written", &error))?;
        }
        Ok((folder, entries))
    }

    /// Adds a line to the journal. If that fails, the journal is as before.
    pub(super) fn append(&mut self, entry: &JournalEntry) -> io::Result<()> {
        let line = serde_json::to_string(entry)? + "\n";
        let written = self
            .journal
            .write_all(line.as_bytes())
            .and_then(|()| self.journal.sync_data());
        match written {
            Ok(()) => self.length += line.len() as u64,
            // What was written of the line goes.
            Err(_) => self.cut()?,
        }
        written
    }

    /// Ends the journal after its last whole line.
    fn cut(&mut self) -> io::Result<()> {
        self.journal.set_len(self.length)?;
        self.journal.seek(SeekFrom::Start(self.length)).map(|_| ())
    }

    /// Writes the log of a game whose line is not in the journal yet.
    pub(super) fn prepare_log(&self, id: &str, log: &[u8]) -> io::Result<()> {
        fs::create_dir_all(self.path.join(LOGS))?;
        let part = self.unfinished_log(id);
        let written = File::create(&part).and_then(|mut unfinished| {
            unfinished.write_all(log)?;
            unfinished.sync_all()
        });
        if written.is_err() {
            self.drop_log(id);
        }
        written
    }

    /// Gives the log of a game whose line is in the journal its own name.
    pub(super) fn place_log(&self, id: &str, date: Date) -> io::Result<()> {
        let file = self.log(id, date);
        fs::create_dir_all(file.parent().expect("a log is in a folder"))?;
        fs::rename(self.unfinished_log(id), file)
    }

    /// Removes the log of a game that is not kept.
    pub(super) fn drop_log(&self, id: &str) {
        _ = fs::remove_file(self.unfinished_log(id));
    }

    /// Finishes what a kill has interrupted: a log gets its own name if the journal has the game,
    /// and is removed if not.
    fn settle(&self, entries: &[JournalEntry]) -> io::Result<()> {
        let files = match fs::read_dir(self.path.join(LOGS)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            files => files?,
        };
        for file in files {
            let name = file?.file_name();
            let Some(id) = name.to_str().and_then(|name| name.strip_suffix(UNFINISHED)) else {
                continue;
            };
            let kept = entries.iter().rev().find_map(|entry| match entry {
                JournalEntry::Game(game) if game.id == id => Some(game.played_at.date()),
                _ => None,
            });
            match kept {
                Some(date) => self.place_log(id, date)?,
                None => self.drop_log(id),
            }
        }
        Ok(())
    }

    fn unfinished_log(&self, id: &str) -> PathBuf {
        self.path.join(LOGS).join(format!("{id}{UNFINISHED}"))
    }

    /// The file of a game's log.
    pub(super) fn log(&self, id: &str, date: Date) -> PathBuf {
        self.path.join(LOGS).join(log_path(id, date))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The path of a log below the folder of all logs: `YYYY/MM/DD/ID.jsonl.gz`.
pub(super) fn log_path(id: &str, date: Date) -> String {
    let (year, month, day) = date.to_calendar_date();
    format!("{year:04}/{:02}/{day:02}/{id}.jsonl.gz", u8::from(month))
}

fn read_entries(
    file: &Path,
    text: &[u8],
    folder: &Path,
    players: u8,
) -> Result<Vec<JournalEntry>, LadderFolderError> {
    let mut entries = Vec::new();
    let lines = text.split(|&byte| byte == b'\n').enumerate();
    for (index, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let wrong = |why: String| LadderFolderError::Line {
            path: file.display().to_string(),
            line: index + 1,
            why,
        };
        let entry: JournalEntry =
            serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
        match (&entry, entries.is_empty()) {
            (&JournalEntry::Ladder { format, .. }, true) if format != FORMAT => {
                return Err(wrong(format!(
                    "found format {format}, which is not of this version; {FORMAT} is allowed"
                )));
            }
            (&JournalEntry::Ladder { players: kept, .. }, true) if kept != players => {
                return Err(LadderFolderError::OtherPlayers {
                    path: folder.display().to_string(),
                    kept,
                    players,
                });
            }
            (JournalEntry::Ladder { .. }, true) => {}
            (_, true) => return Err(wrong("the first line is not of a ladder".to_owned())),
            (JournalEntry::Ladder { .. }, false) => {
                return Err(wrong("a second ladder begins".to_owned()));
            }
            (_, false) => {}
        }
        entries.push(entry);
    }
    Ok(entries)
}

//! A tournament's results, written as they arrive: only the games in progress can be lost.
//!
//! The results file is replaced as a whole. Once the file is long, new walls are first appended to
//! a journal next to it, and the file is replaced when the journal has reached a certain share of
//! its size: the bytes written stay proportional to the walls played. A resumed run reads both.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::Value;

use super::super::whole_file::{beside, open_alone, read, replace};
use lab::part::{Shard, differences};
use lab::tournament::{Arguments, BadTournamentFile, TournamentFile, WallLine, WallResult, line};
use policy_host::{Measure, Sha256};

/// What is appended to the name of the results file for the name of its journal.
pub(super) const JOURNAL: &str = ".journal";

/// Maximum size of a file that is replaced after every wall, in bytes.
const SMALL: u64 = 16 * 1024;
/// A larger file is replaced when the journal has reached this part of its size.
const PART: u64 = 8;

/// The results of a running tournament.
#[derive(Debug)]
pub(super) struct RunningResults {
    pub(super) file: TournamentFile,
    /// `None` if they are not written.
    written: Option<WrittenResults>,
}

/// The files of results.
#[derive(Debug)]
struct WrittenResults {
    path: PathBuf,
    beside: PathBuf,
    /// Open and locked to the end.
    journal: File,
    /// Size of the results file when it was last replaced.
    size: u64,
    journal_size: u64,
}

impl RunningResults {
    /// Results that are written nowhere.
    pub(super) fn unwritten(arguments: Arguments, shard: Shard) -> Self {
        Self {
            file: TournamentFile::new(arguments, shard),
            written: None,
        }
    }

    /// Opens the results file of a tournament, including earlier results, or creates one.
    ///
    /// # Errors
    ///
    /// If another process uses it, it belongs to another tournament or is incomplete, or it cannot
    /// be written.
    pub(super) fn open(path: &Path, arguments: Arguments, shard: Shard) -> anyhow::Result<Self> {
        // Check first, so that no file is created next to one that cannot be a results file.
        read(path).with_context(|| format!("{} cannot be used for results", path.display()))?;
        let beside = beside(path, JOURNAL);
        let cannot_write = || format!("the results cannot be written to {}", path.display());
        let Some(mut journal) = open_alone(&beside).with_context(cannot_write)? else {
            bail!(
                "{} is being written by another tournament; wait for it, or name another file",
                path.display()
            )
        };
        let mut text = Vec::new();
        journal
            .read_to_end(&mut text)
            .with_context(|| format!("{} cannot be read", beside.display()))?;
        match Self::begin(path, arguments, shard, &text) {
            Ok(file) => {
                let mut written = WrittenResults {
                    path: path.to_owned(),
                    beside,
                    journal,
                    size: 0,
                    journal_size: 0,
                };
                written.replace(file.content_so_far())?;
                Ok(Self {
                    file,
                    written: Some(written),
                })
            }
            Err(error) => {
                // It was created in vain.
                if text.is_empty() {
                    let _ = fs::remove_file(&beside);
                }
                Err(error)
            }
        }
    }

    /// The earlier results.
    fn begin(
        path: &Path,
        arguments: Arguments,
        shard: Shard,
        journal: &[u8],
    ) -> anyhow::Result<TournamentFile> {
        let name = path.display();
        let Some(content) = read(path).with_context(|| format!("{name} cannot be read"))? else {
            return Ok(TournamentFile::new(arguments, shard));
        };
        let mut file = read_file(path, &content)?;
        let mut differing = differences(&json(&file.arguments), &json(&arguments));
        if file.shard != shard {
            differing.insert(0, format!("shard is {} and {shard}", file.shard));
        }
        if !differing.is_empty() {
            bail!(
                "{name} holds the results of another tournament: {} (first there, then here); name another file, or \
                 remove that one to begin anew",
                differing.join("; ")
            );
        }
        // The last line may have been cut while it was written; the wall is played again.
        let whole = journal
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(&[][..], |end| &journal[..end]);
        let mut lines = whole
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty());
        if lines
            .next()
            .is_some_and(|first| first != head(&file).as_bytes())
        {
            bail!(
                "{name}.journal belongs to another tournament than {name}; remove it to continue without it"
            );
        }
        for text in lines {
            let added = JournalLine::read(text).and_then(|line| Ok(file.add(&[line])?));
            added.with_context(|| {
                format!("{name}.journal, which belongs to {name}, was changed; remove it to continue without it")
            })?;
        }
        Ok(file)
    }

    pub(super) const fn is_written(&self) -> bool {
        self.written.is_some()
    }

    /// Adds a wall, and writes it.
    ///
    /// # Errors
    ///
    /// If it cannot be written; earlier results remain in the file.
    pub(super) fn add(&mut self, wall: u64, result: WallResult) -> anyhow::Result<()> {
        self.file.walls.insert(wall, result);
        match &mut self.written {
            Some(written) => written.add(&self.file, wall),
            None => Ok(()),
        }
    }

    /// Writes the results, and ends the journal.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub(super) fn finish(mut self) -> anyhow::Result<TournamentFile> {
        self.file.finish()?;
        if let Some(mut written) = self.written {
            written.replace(self.file.content()?)?;
            fs::remove_file(&written.beside).with_context(|| written.cannot_write())?;
        }
        Ok(self.file)
    }
}

impl WrittenResults {
    /// Writes this wall of the file, which is new.
    fn add(&mut self, file: &TournamentFile, wall: u64) -> anyhow::Result<()> {
        if self.size + self.journal_size < SMALL || self.journal_size * PART >= self.size {
            return self.replace(file.content_so_far());
        }
        let mut line = JournalLine::text(wall, &file.walls[&wall], file.arguments.measure());
        if self.journal_size == 0 {
            line.insert_str(0, &(head(file) + "\n"));
        }
        self.journal
            .write_all(line.as_bytes())
            .with_context(|| self.cannot_write())?;
        self.journal_size += line.len() as u64;
        Ok(())
    }

    fn replace(&mut self, content: Vec<u8>) -> anyhow::Result<()> {
        replace(&self.path, &content).with_context(|| self.cannot_write())?;
        // The file now includes the journal. If the process is killed before this, both hold the
        // same results.
        self.journal
            .set_len(0)
            .with_context(|| self.cannot_write())?;
        (self.size, self.journal_size) = (content.len() as u64, 0);
        Ok(())
    }

    fn cannot_write(&self) -> String {
        format!(
            "the results cannot be written to {}; it keeps its walls, so run the same command again to resume",
            self.path.display()
        )
    }
}

/// A wall in the journal, with a checksum.
#[derive(Deserialize)]
struct JournalLine {
    #[serde(flatten)]
    wall: WallLine,
    sha256: String,
}

impl JournalLine {
    fn text(wall: u64, result: &WallResult, measure: Measure) -> String {
        let line = line(wall, result, measure);
        let sum = Sha256::of(line.as_bytes());
        format!("{},\"sha256\":\"{sum}\"}}\n", line.trim_end_matches('}'))
    }

    fn read(text: &[u8]) -> anyhow::Result<WallLine> {
        let Self { wall, sha256 } = serde_json::from_slice(text)?;
        let sum = Sha256::of(serde_json::to_string(&wall)?.as_bytes()).to_string();
        if sum != sha256 {
            bail!("the checksum of wall {} does not fit", wall.wall);
        }
        Ok(wall)
    }
}

/// The first line of the journal, which identifies the tournament.
fn head(file: &TournamentFile) -> String {
    let which = format!("{} {}", json(&file.arguments), file.shard);
    format!("\"{}\"", Sha256::of(which.as_bytes()))
}

pub(super) fn read_file(path: &Path, content: &[u8]) -> anyhow::Result<TournamentFile> {
    TournamentFile::read(content).map_err(|error| {
        let next_step = match error {
            BadTournamentFile::Other => "name another file",
            _ => "restore it, or remove it and play its walls again",
        };
        anyhow::Error::from(error)
            .context(format!("{} cannot be used; {next_step}", path.display()))
    })
}

fn json(arguments: &Arguments) -> Value {
    serde_json::to_value(arguments).expect("its keys are texts")
}

#[cfg(test)]
mod tests {
    use lab_stats::SeatCounts;

    use super::*;

    #[test]
    fn a_line_of_which_any_byte_was_changed_is_refused() {
        let counts = vec![
            SeatCounts {
                places: [1, 0, 1, 0],
                points: 48_700,
                rounds: 17,
                ..SeatCounts::default()
            };
            2
        ];
        let result = WallResult {
            games: Vec::new(),
            counts,
            first_fault: Some((1, "a \"fault\"".to_owned())),
        };
        let text = JournalLine::text(7, &result, Measure::Places);
        let text = text.trim_end();
        assert_eq!(
            JournalLine::read(text.as_bytes())
                .expect("it is whole")
                .wall,
            7
        );
        for place in 0..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            bytes[place] ^= 1;
            assert!(
                JournalLine::read(&bytes).is_err(),
                "byte {place}: {}",
                String::from_utf8_lossy(&bytes)
            );
        }
    }
}

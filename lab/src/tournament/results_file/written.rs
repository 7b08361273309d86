//! A results file on disk, written as walls arrive: only the games in progress can be lost.
//!
//! The file is replaced as a whole. Once it is long, new walls are first appended to a journal next
//! to it, and the file is replaced when the journal has reached a certain share of its size: the
//! bytes written stay proportional to the walls played. A resumed run reads both.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::{ResultsFile, ResultsFileError, form};
use crate::whole_file::{beside, open_alone, replace};

/// Maximum size of a file that is replaced after every wall, in bytes.
const SMALL: u64 = 16 * 1024;
/// A larger file is replaced when the journal has reached this part of its size.
const PART: u64 = 8;

/// The journal of a results file.
pub fn journal_of(path: &Path) -> PathBuf {
    beside(path, ".journal")
}

#[derive(Debug)]
pub(super) struct WrittenFile {
    path: PathBuf,
    /// Open and locked to the end.
    journal: File,
    /// Size of the results file when it was last replaced.
    size: u64,
    journal_size: u64,
}

impl WrittenFile {
    /// Takes a results file for this process alone; with the content of its journal.
    pub(super) fn open(path: &Path) -> Result<(Self, Vec<u8>), ResultsFileError> {
        let beside = journal_of(path);
        let opened = open_alone(&beside).map_err(|source| ResultsFileError::Unwritable {
            path: path.to_owned(),
            source,
        })?;
        let Some(mut journal) = opened else {
            return Err(ResultsFileError::InUse(path.to_owned()));
        };
        let mut content = Vec::new();
        journal
            .read_to_end(&mut content)
            .map_err(|source| ResultsFileError::Unreadable {
                path: beside,
                source,
            })?;
        let written = Self {
            path: path.to_owned(),
            journal,
            size: 0,
            journal_size: 0,
        };
        Ok((written, content))
    }

    /// Removes a journal that was created in vain.
    pub(super) fn remove_journal(self) {
        let _ = fs::remove_file(journal_of(&self.path));
    }

    /// Whether the next wall belongs in the journal.
    pub(super) const fn takes_journal_line(&self) -> bool {
        self.size + self.journal_size >= SMALL && self.journal_size * PART < self.size
    }

    /// Appends this wall of the file to the journal.
    pub(super) fn append(&mut self, file: &ResultsFile, wall: u64) -> Result<(), ResultsFileError> {
        let mut line = form::journal_line(wall, &file.walls[&wall], file.arguments.measure());
        if self.journal_size == 0 {
            line.insert_str(0, &(form::journal_head(file) + "\n"));
        }
        self.journal
            .write_all(line.as_bytes())
            .map_err(|error| self.unwritten(error))?;
        self.journal_size += line.len() as u64;
        Ok(())
    }

    pub(super) fn replace(&mut self, content: &[u8]) -> Result<(), ResultsFileError> {
        replace(&self.path, content).map_err(|error| self.unwritten(error))?;
        // The file now includes the journal. If the process is killed before this, both hold the
        // same results.
        self.journal
            .set_len(0)
            .map_err(|error| self.unwritten(error))?;
        (self.size, self.journal_size) = (content.len() as u64, 0);
        Ok(())
    }

    /// Writes the final content, and ends the journal.
    pub(super) fn finish(mut self, content: &[u8]) -> Result<(), ResultsFileError> {
        self.replace(content)?;
        fs::remove_file(journal_of(&self.path)).map_err(|error| self.unwritten(error))
    }

    fn unwritten(&self, source: io::Error) -> ResultsFileError {
        ResultsFileError::Unwritten {
            path: self.path.clone(),
            source,
        }
    }
}

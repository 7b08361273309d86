//! The results file of a tournament: the only reader and the only writer of results on disk.
//!
//! A tournament that resumes, a shard, a merge and a tournament that is written nowhere have one
//! type. [`form`] is the content of the file as bytes, [`written`] the file and its journal.

mod form;
#[cfg(test)]
mod tests;
mod written;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use serde_json::Value;

pub use form::BadResultsFile;
pub use written::journal_of;

use super::arguments::Arguments;
use super::result::TournamentResult;
use super::run::{Plan, Walls, counting};
use super::seating::CannotSeat;
use super::wall::WallResult;
use crate::part::{CannotMerge, Shard, ShardPart, check_parts, differences};
use crate::whole_file;
use written::WrittenFile;

/// The arguments and the walls of a tournament, in memory and, once opened, on disk.
#[derive(Debug)]
pub struct ResultsFile {
    pub arguments: Arguments,
    /// The walls that are played here.
    pub shard: Shard,
    pub walls: Walls,
    /// `None` if it is not written.
    written: Option<WrittenFile>,
}

/// Why a results file cannot be read, written or merged.
#[derive(Debug, thiserror::Error)]
pub enum ResultsFileError {
    #[error("{} cannot be used for results", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{} cannot be used; {}", .path.display(), .source.next_step())]
    Bad {
        path: PathBuf,
        source: BadResultsFile,
    },
    #[error("{} does not exist; is the path right?", .0.display())]
    Missing(PathBuf),
    #[error(
        "{} is being written by another tournament; wait for it, or name another file",
        .0.display()
    )]
    InUse(PathBuf),
    #[error(
        "{} holds the results of another tournament: {} (first there, then here); name another file, or remove that \
         one to begin anew",
        .path.display(),
        .differences.join("; ")
    )]
    OtherTournament {
        path: PathBuf,
        differences: Vec<String>,
    },
    #[error(
        "{journal} belongs to another tournament than {}; remove it to continue without it",
        .path.display(),
        journal = journal_of(.path).display()
    )]
    OtherJournal { path: PathBuf },
    #[error(
        "{journal}, which belongs to {}, was changed; remove it to continue without it",
        .path.display(),
        journal = journal_of(.path).display()
    )]
    ChangedJournal {
        path: PathBuf,
        source: BadResultsFile,
    },
    /// Nothing was written.
    #[error("the results cannot be written to {}", .path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    /// Earlier results are in the file.
    #[error(
        "the results cannot be written to {}; it keeps its walls, so run the same command again to resume",
        .path.display()
    )]
    Unwritten { path: PathBuf, source: io::Error },
    #[error("{} is one of the parts; choose another file for the result", .0.display())]
    OntoPart(PathBuf),
    #[error(
        "{} already exists, and is not of this tournament; name another file, or remove it",
        .0.display()
    )]
    OntoOther(PathBuf),
    #[error(transparent)]
    Merge(#[from] CannotMerge),
    #[error(transparent)]
    Seating(#[from] CannotSeat),
}

impl ResultsFile {
    /// A tournament before its first game, which is not written.
    pub fn unwritten(arguments: Arguments, shard: Shard) -> Self {
        Self {
            arguments,
            shard,
            walls: Walls::new(),
            written: None,
        }
    }

    /// Reads a file; `None` if it does not exist. Walls in its journal are not included, and new
    /// ones will not be written.
    ///
    /// # Errors
    ///
    /// If it is incomplete, or its content is impossible.
    pub fn read(path: &Path) -> Result<Option<Self>, ResultsFileError> {
        content_of(path)?
            .map(|content| {
                form::read(&content).map_err(|source| ResultsFileError::Bad {
                    path: path.to_owned(),
                    source,
                })
            })
            .transpose()
    }

    /// Reads the content of a file.
    ///
    /// # Errors
    ///
    /// If it is incomplete, or impossible.
    pub fn of_content(content: &[u8]) -> Result<Self, BadResultsFile> {
        form::read(content)
    }

    /// Opens the file of a tournament, including earlier results, or creates one. From now on
    /// [`add`](Self::add) writes it.
    ///
    /// # Errors
    ///
    /// If another process uses it, it belongs to another tournament or is incomplete, or it cannot
    /// be written.
    pub fn open(path: &Path, arguments: Arguments, shard: Shard) -> Result<Self, ResultsFileError> {
        // Check first, so that no journal is created next to one that cannot be a results file.
        content_of(path)?;
        let (mut written, journal) = WrittenFile::open(path)?;
        let mut file = match Self::earlier(path, arguments, shard, &journal) {
            Ok(file) => file,
            Err(error) => {
                if journal.is_empty() {
                    written.remove_journal();
                }
                return Err(error);
            }
        };
        written.replace(&form::content(&file, None))?;
        file.written = Some(written);
        Ok(file)
    }

    /// The earlier results of this tournament, in the file and its journal.
    fn earlier(
        path: &Path,
        arguments: Arguments,
        shard: Shard,
        journal: &[u8],
    ) -> Result<Self, ResultsFileError> {
        let Some(mut file) = Self::read(path)? else {
            return Ok(Self::unwritten(arguments, shard));
        };
        let mut differences = differences(&json(&file.arguments), &json(&arguments));
        if file.shard != shard {
            differences.insert(0, format!("shard is {} and {shard}", file.shard));
        }
        let path = path.to_owned();
        if !differences.is_empty() {
            return Err(ResultsFileError::OtherTournament { path, differences });
        }
        match form::read_journal(&mut file, journal) {
            Ok(true) => Ok(file),
            Ok(false) => Err(ResultsFileError::OtherJournal { path }),
            Err(source) => Err(ResultsFileError::ChangedJournal { path, source }),
        }
    }

    /// Puts the files of all shards together. The result is not written.
    ///
    /// # Errors
    ///
    /// If a part cannot be read, or parts do not belong together, overlap or are missing.
    pub fn merge(parts: &[PathBuf]) -> Result<Self, ResultsFileError> {
        let mut checked = Vec::new();
        let mut files = Vec::new();
        for path in parts {
            let file = Self::read(path)?.ok_or_else(|| ResultsFileError::Missing(path.clone()))?;
            checked.push(file.part(path.display().to_string())?);
            files.push(file);
        }
        check_parts(&checked)?;
        let whole = files.into_iter().reduce(|mut whole, part| {
            whole.walls.extend(part.walls);
            whole
        });
        let mut whole = whole.ok_or(CannotMerge::None)?;
        whole.shard = Shard::WHOLE;
        Ok(whole)
    }

    /// The data needed to merge it with others. `name` is its name in messages.
    fn part(&self, name: String) -> Result<ShardPart, CannotSeat> {
        let plan = self.plan()?;
        let of = self.shard.len(plan.walls);
        // A part that ended with a verdict is complete.
        let (_, verdict) = counting(&plan, self.walls.clone());
        let done = if verdict.is_some() {
            of
        } else {
            self.walls.len() as u64
        };
        Ok(ShardPart {
            name,
            arguments: json(&self.arguments),
            shard: self.shard,
            done: (done, of),
        })
    }

    /// Writes the result of a merge.
    ///
    /// # Errors
    ///
    /// If the file is one of the parts or of another tournament, or cannot be written.
    pub fn write_merged(&self, path: &Path, parts: &[PathBuf]) -> Result<(), ResultsFileError> {
        if let Some(there) = content_of(path)? {
            let complete = path.canonicalize().ok();
            if parts
                .iter()
                .any(|part| part.canonicalize().ok() == complete)
            {
                return Err(ResultsFileError::OntoPart(path.to_owned()));
            }
            let is_same = form::read(&there).is_ok_and(|there| there.arguments == self.arguments);
            if !is_same {
                return Err(ResultsFileError::OntoOther(path.to_owned()));
            }
        }
        whole_file::replace(path, &self.content()?).map_err(|source| ResultsFileError::Unwritable {
            path: path.to_owned(),
            source,
        })
    }

    /// The games to play, on one thread.
    ///
    /// # Errors
    ///
    /// If the configs cannot be seated.
    pub fn plan(&self) -> Result<Plan, CannotSeat> {
        self.arguments.plan(self.shard, NonZeroUsize::MIN)
    }

    /// The results of the walls that count; `None` if no wall is complete.
    ///
    /// # Errors
    ///
    /// If the configs cannot be seated.
    pub fn result(&self) -> Result<Option<TournamentResult>, CannotSeat> {
        let plan = self.plan()?;
        let (walls, verdict) = counting(&plan, self.walls.clone());
        Ok(TournamentResult::of(
            &plan,
            &self.arguments,
            &walls,
            verdict,
        ))
    }

    /// The final content of the file.
    ///
    /// # Errors
    ///
    /// If the configs cannot be seated.
    pub fn content(&self) -> Result<Vec<u8>, CannotSeat> {
        Ok(form::content(self, self.result()?))
    }

    pub const fn is_written(&self) -> bool {
        self.written.is_some()
    }

    /// Adds a wall, and writes it if the file is open.
    ///
    /// # Errors
    ///
    /// If it cannot be written; earlier results remain in the file.
    pub fn add(&mut self, wall: u64, result: WallResult) -> Result<(), ResultsFileError> {
        self.walls.insert(wall, result);
        let Some(mut written) = self.written.take() else {
            return Ok(());
        };
        let added = if written.takes_journal_line() {
            written.append(self, wall)
        } else {
            // Without the results, which would take longer with every wall.
            written.replace(&form::content(self, None))
        };
        self.written = Some(written);
        added
    }

    /// Removes walls that do not count because they were played after the verdict; writes the
    /// results and ends the journal if the file is open.
    ///
    /// # Errors
    ///
    /// If the configs cannot be seated, or the file cannot be written.
    pub fn finish(&mut self) -> Result<(), ResultsFileError> {
        let plan = self.plan()?;
        let (walls, verdict) = counting(&plan, self.walls.clone());
        if verdict.is_some() {
            self.walls = walls;
        }
        match self.written.take() {
            Some(written) => written.finish(&self.content()?),
            None => Ok(()),
        }
    }
}

fn content_of(path: &Path) -> Result<Option<Vec<u8>>, ResultsFileError> {
    whole_file::read(path).map_err(|source| ResultsFileError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

fn json(arguments: &Arguments) -> Value {
    serde_json::to_value(arguments).expect("its keys are texts")
}

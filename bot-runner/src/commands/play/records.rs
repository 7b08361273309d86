//! The records of `play`.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use client::place::short;

/// The folder for decisions within the folder of records.
pub(in crate::commands) const DECISIONS: &str = "decisions";

/// A folder of records: `game-0001.jsonl` is the game, in mjai for riichi and in its own format for
/// other games, and `decisions/game-0001.jsonl` holds each decision of it with the build of the
/// policy that made it, and why.
pub(in crate::commands) struct Records {
    folder: PathBuf,
}

impl Records {
    pub(in crate::commands) fn open(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder).with_context(|| {
            format!(
                "the record folder {} cannot be made",
                short(folder).display()
            )
        })?;
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// Writes the lines of a game under this number, or the next free one. A number is not free
    /// while decisions have it: those of a removed game would be mixed with those of this one. The
    /// name appears only when the record is complete.
    pub(in crate::commands) fn write(
        &self,
        number: u64,
        lines: &[impl AsRef<str>],
    ) -> anyhow::Result<PathBuf> {
        let context = || format!("a record cannot be written to {}", self.folder.display());
        let mut file = tempfile::NamedTempFile::new_in(&self.folder).with_context(context)?;
        let lines = lines.iter().map(|line| line.as_ref().to_owned() + "\n");
        file.write_all(lines.collect::<String>().as_bytes())
            .with_context(context)?;
        fs::set_permissions(file.path(), PermissionsExt::from_mode(0o644)).with_context(context)?;
        for number in number.. {
            let path = self.folder.join(format!("game-{number:04}.jsonl"));
            if self.decisions_of(&path).exists() {
                continue;
            }
            match file.persist_noclobber(&path) {
                Ok(_) => return Ok(path),
                Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => {
                    file = error.file
                }
                Err(error) => return Err(error.error).with_context(context),
            }
        }
        bail!(
            "no number is left for a record in {}",
            self.folder.display()
        )
    }

    pub(in crate::commands) fn write_decisions(
        &self,
        record: &Path,
        lines: String,
    ) -> anyhow::Result<()> {
        let path = self.decisions_of(record);
        fs::create_dir_all(self.folder.join(DECISIONS))
            .and_then(|()| OpenOptions::new().append(true).create(true).open(&path))
            .and_then(|mut file| file.write_all(lines.as_bytes()))
            .with_context(|| format!("decisions cannot be written to {}", path.display()))
    }

    fn decisions_of(&self, record: &Path) -> PathBuf {
        self.folder
            .join(DECISIONS)
            .join(record.file_name().unwrap_or_default())
    }
}

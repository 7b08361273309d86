//! Records that have been published, to be read.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::manifest::{FORMAT, Manifest};

/// What a record says of itself.
pub const MANIFEST: &str = "manifest.json";
/// What was read and sent.
pub const FRAMES: &str = "frames.jsonl";
/// The game as the own seat saw it, as an mjai record.
pub const GAME: &str = "game.mjai.jsonl";
/// What the policies decided.
pub const DECISIONS: &str = "decisions.jsonl";

/// A record.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// Its folder.
    pub path: PathBuf,
    /// What it says of itself.
    pub manifest: Manifest,
    /// Size of its files, bytes.
    pub bytes: u64,
}

/// Why a folder is no record.
#[derive(Debug, thiserror::Error)]
pub enum NoRecord {
    /// There is nothing to read.
    #[error("{path} is no record of a game: {error}; `bot-runner records list FOLDER` shows which there are", path = .path.display())]
    Unreadable {
        /// The manifest.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The manifest is none.
    #[error("{path} is no manifest of a record: {error}", path = .path.display())]
    Malformed {
        /// The manifest.
        path: PathBuf,
        /// Why not.
        error: serde_json::Error,
    },
    /// The manifest is of another version.
    #[error("{path} has format {found}, and this runner reads format {FORMAT}", path = .path.display())]
    OtherFormat {
        /// The manifest.
        path: PathBuf,
        /// Its format.
        found: u64,
    },
}

impl Published {
    /// Reads a record.
    ///
    /// # Errors
    ///
    /// When the folder is none.
    pub fn open(path: &Path) -> Result<Self, NoRecord> {
        let manifest = read_manifest(path)?;
        let sizes = fs::read_dir(path).into_iter().flatten().flatten();
        let bytes = sizes.filter_map(|entry| entry.metadata().ok()).map(|found| found.len()).sum();
        Ok(Self { path: path.to_owned(), manifest, bytes })
    }

    /// The game's name, which is that of its folder.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

pub(super) fn read_manifest(folder: &Path) -> Result<Manifest, NoRecord> {
    let path = folder.join(MANIFEST);
    let text = fs::read_to_string(&path).map_err(|error| NoRecord::Unreadable { path: path.clone(), error })?;
    let malformed = |error| NoRecord::Malformed { path: path.clone(), error };
    let value: serde_json::Value = serde_json::from_str(&text).map_err(malformed)?;
    match value["format"].as_u64() {
        Some(found) if found != u64::from(FORMAT) => Err(NoRecord::OtherFormat { path, found }),
        _ => serde_json::from_value(value).map_err(malformed),
    }
}

/// The records in a folder, the oldest first, and what looks like a record and cannot be read. Whatever else lies there is
/// passed over.
///
/// # Errors
///
/// When the folder cannot be read.
pub fn list(folder: &Path) -> io::Result<(Vec<Published>, Vec<NoRecord>)> {
    let (mut records, mut broken) = (Vec::new(), Vec::new());
    read_each(
        folder,
        |name| !name.starts_with('.'),
        |read| match read {
            Ok(record) => records.push(record),
            Err(error) => broken.push(error),
        },
    )?;
    records.sort_by(|one, other| (one.manifest.started, &one.path).cmp(&(other.manifest.started, &other.path)));
    Ok((records, broken))
}

/// Hears of each record in a folder whose name is wanted, in no order, one at a time.
///
/// # Errors
///
/// When the folder cannot be read.
pub(super) fn read_each(
    folder: &Path,
    wanted: impl Fn(&str) -> bool,
    mut heard: impl FnMut(Result<Published, NoRecord>),
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if !wanted(&entry.file_name().to_string_lossy()) || !path.join(FRAMES).is_file() {
            continue;
        }
        match Published::open(&path) {
            // It was removed in this moment.
            Err(NoRecord::Unreadable { error, .. }) if error.kind() == ErrorKind::NotFound && !path.exists() => {}
            read => heard(read),
        }
    }
    Ok(())
}

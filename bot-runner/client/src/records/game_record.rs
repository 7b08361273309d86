//! Reads finished records.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use policy_host::{ForeignFolder, escaped};
use results::LadderRow;
use rustix::fs::OFlags;
use serde::Deserialize;
use time::OffsetDateTime;

use super::manifest::Manifest;
use super::names::{DECISIONS, FRAMES, LADDER, MANIFEST, OPEN_GAME, is_of_between};

/// Maximum size of a file of a record that is read, in bytes.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// Maximum size of what a ladder says about a game, in bytes.
const MAX_LADDER_BYTES: u64 = 1 << 20;

/// Number of frames at the beginning of a connection; at most this many of their bytes are read.
const FIRST_FRAMES: usize = 64;
const MAX_FRAMES_BYTES: u64 = 4 << 20;

#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// Its folder.
    pub path: PathBuf,
    pub manifest: Manifest,
    /// Size of its files, bytes.
    pub bytes: u64,
}

/// The reason why a folder is not a readable record.
#[derive(Debug, thiserror::Error)]
#[error("{path} {why}", path = escaped(.path.as_os_str().as_encoded_bytes()), why = escaped(.why.as_bytes()))]
pub struct NotARecord {
    path: PathBuf,
    why: String,
    /// Whether it is only skipped, because it belongs to another user.
    pub is_foreign: bool,
}

impl GameRecord {
    /// Reads a record.
    ///
    /// # Errors
    ///
    /// If it is not a folder.
    pub fn open(path: &Path) -> Result<Self, NotARecord> {
        // A link that the user names is followed.
        let folder = path
            .canonicalize()
            .and_then(|complete| ForeignFolder::open(&complete));
        let why = |error| {
            format!(
                "is not a record of a game: {error}; `bot-runner records list FOLDER` shows which there are"
            )
        };
        let folder = folder.map_err(|error| NotARecord {
            path: path.to_owned(),
            why: why(error),
            is_foreign: false,
        })?;
        Self::read(path, &folder)
    }

    fn read(path: &Path, folder: &ForeignFolder) -> Result<Self, NotARecord> {
        let manifest = Manifest::read(folder).map_err(|why| NotARecord {
            path: path.join(MANIFEST),
            why,
            is_foreign: false,
        })?;
        let sizes = fs::read_dir(path).into_iter().flatten().flatten();
        let bytes = sizes
            .filter_map(|entry| entry.metadata().ok())
            .map(|found| found.len())
            .sum();
        Ok(Self {
            path: path.to_owned(),
            manifest,
            bytes,
        })
    }

    /// The name of the record, which is also the name of its folder.
    pub fn name(&self) -> String {
        self.path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    /// The game as complete lines: an mjai record, or for other games that game's own format.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn game(&self) -> io::Result<String> {
        self.whole_lines(self.manifest.about.game_file())
    }

    /// The policies' decisions, one complete line for each.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn decisions(&self) -> io::Result<String> {
        self.whole_lines(DECISIONS)
    }

    /// The game with the hands of all seats, as an mjai record; `None` unless the arena's ladder has
    /// given it.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open_game(&self) -> io::Result<Option<String>> {
        match self.whole_lines(OPEN_GAME) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            text => text.map(Some),
        }
    }

    /// What the arena's ladder says about the game; `None` if nothing is known.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn ladder(&self) -> io::Result<Option<LadderRow>> {
        let folder = ForeignFolder::open(&self.path.canonicalize()?)?;
        let text = match folder.open_file(LADDER, OFlags::RDONLY) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?.read_text(MAX_LADDER_BYTES)?,
        };
        Ok(Some(serde_json::from_str(&text)?))
    }

    fn whole_lines(&self, file: &str) -> io::Result<String> {
        let folder = ForeignFolder::open(&self.path.canonicalize()?)?;
        let mut text = folder
            .open_file(file, OFlags::RDONLY)?
            .read_text(MAX_FILE_BYTES)?;
        // A runner that was killed leaves a torn line.
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        Ok(text)
    }

    /// The first frames of the connection, as they arrived.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn first_frames(&self) -> io::Result<Vec<String>> {
        #[derive(Deserialize)]
        struct WireFrameLine {
            dir: String,
            frame: String,
        }
        let folder = ForeignFolder::open(&self.path.canonicalize()?)?;
        let file = folder.open_file(FRAMES, OFlags::RDONLY)?.into_file();
        let lines = BufReader::new(file.take(MAX_FRAMES_BYTES))
            .lines()
            .take(FIRST_FRAMES)
            .map_while(Result::ok);
        let frames = lines.filter_map(|line| serde_json::from_str::<WireFrameLine>(&line).ok());
        Ok(frames
            .filter(|line| line.dir == "in")
            .map(|line| line.frame)
            .collect())
    }
}

/// The records in a folder with the wanted names, oldest first, and the entries that look like a
/// record but cannot be read. Links and other entries are skipped.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn list(
    among: &Path,
    wanted: impl Fn(&str) -> bool,
) -> io::Result<(Vec<GameRecord>, Vec<NotARecord>)> {
    let owner = fs::metadata(among)?.uid();
    let (mut records, mut bad) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(among)? {
        let entry = entry?;
        let (name, path) = (entry.file_name(), entry.path());
        let has_frames =
            || fs::symlink_metadata(path.join(FRAMES)).is_ok_and(|found| found.is_file());
        if name.as_encoded_bytes().starts_with(b".")
            || !wanted(&name.to_string_lossy())
            || !has_frames()
        {
            continue;
        }
        let Ok(folder) = ForeignFolder::open(&path) else {
            continue;
        };
        // The owner of the surrounding folder can put anything there anyway.
        if !folder.is_own() && folder.owner() != owner {
            let why = format!(
                "is skipped: it belongs to another user ({})",
                folder.owner()
            );
            bad.push(NotARecord {
                path,
                why,
                is_foreign: true,
            });
            continue;
        }
        match GameRecord::read(&path, &folder) {
            Ok(record) => records.push(record),
            // Otherwise it has just been removed.
            Err(error) if path.exists() => bad.push(error),
            Err(_) => {}
        }
    }
    records.sort_by(|one, other| {
        (one.manifest.started, &one.path).cmp(&(other.manifest.started, &other.path))
    });
    Ok((records, bad))
}

/// The records of a bot that began between these moments, oldest first; those that cannot be read
/// are left out.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn of_bot_between(
    among: &Path,
    bot: &str,
    moments: (OffsetDateTime, OffsetDateTime),
) -> io::Result<Vec<GameRecord>> {
    let (mut records, _) = list(among, |name| is_of_between(name, bot, moments))?;
    records.retain(|record| record.manifest.about.bot == bot);
    Ok(records)
}

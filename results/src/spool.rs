//! The spool: a folder in which results wait until the database has them, so that a process that is killed loses none.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::process::geteuid;
use serde::{Deserialize, Serialize};

use crate::kept::KeptResult;
use crate::usable::usable_folder;

/// Version of the format of the files.
const FORMAT: u32 = 1;
/// How the name of a file ends that is whole.
const WHOLE: &str = "json";
/// Largest file that is read, bytes; ours have some hundred bytes for each result.
const LARGEST: u64 = 16 << 20;

#[derive(Serialize, Deserialize)]
struct SpoolFile {
    format: u32,
    results: Vec<KeptResult>,
}

/// What becomes of a file that is read.
pub(crate) enum SpoolEntry {
    /// These results wait.
    Waiting(Vec<KeptResult>),
    /// Another process has written them to the database.
    Gone,
    /// It cannot be used, and was set aside under another name where that was possible; why, in words.
    Bad(String),
    /// A newer runner wrote it, and is needed to read it.
    Newer,
}

#[derive(Debug)]
pub(crate) struct Spool {
    pub(crate) folder: PathBuf,
}

impl Spool {
    /// Puts results that belong together into a file: all of them or none, there when this returns.
    pub(crate) fn put(&self, results: &[KeptResult]) -> io::Result<()> {
        let Some(first) = results.first() else { return Ok(()) };
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        // The keys are ours and can stand in a name.
        let path = self.folder.join(format!("{:016x}-{}.{WHOLE}", first.ended_ms, first.key));
        let new = path.with_extension("new");
        let text = serde_json::to_vec(&SpoolFile { format: FORMAT, results: results.to_vec() })?;
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        let written = file.write_all(&text).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&new, &path));
        if let Err(error) = written {
            let _ = fs::remove_file(&new);
            return Err(error);
        }
        File::open(&self.folder)?.sync_all()
    }

    /// The files that wait, the oldest first.
    pub(crate) fn waiting(&self) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry?.path();
            if path.extension() == Some(OsStr::new(WHOLE)) {
                files.push(path);
            }
        }
        files.sort_unstable();
        Ok(files)
    }

    /// Reads a file.
    pub(crate) fn read(path: &Path) -> io::Result<SpoolEntry> {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
        let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(SpoolEntry::Gone),
            file => file?,
        };
        let found = file.metadata()?;
        if !found.is_file() || found.len() > LARGEST {
            return Ok(set_aside(path, "it is not a file that the runner has written"));
        }
        let text = io::read_to_string(file);
        let read = text.map_err(|error| error.to_string()).and_then(|text| {
            let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            if value["format"].as_u64().is_some_and(|format| format > FORMAT.into()) {
                return Ok(SpoolEntry::Newer);
            }
            let file: SpoolFile = serde_json::from_value(value).map_err(|error| error.to_string())?;
            Ok(SpoolEntry::Waiting(file.results))
        });
        Ok(read.unwrap_or_else(|why| set_aside(path, &why)))
    }

    /// Removes a file whose results the database has.
    pub(crate) fn remove(path: &Path) -> io::Result<()> {
        match fs::remove_file(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

fn set_aside(path: &Path, why: &str) -> SpoolEntry {
    let aside = path.with_extension("bad");
    let where_to = match fs::rename(path, &aside) {
        Ok(()) => format!("it lies now as {}", aside.display()),
        Err(error) => format!("it cannot be set aside: {error}"),
    };
    SpoolEntry::Bad(format!("{why}; {where_to}"))
}

/// Whether results can wait in a folder, which need not be there yet.
///
/// # Errors
///
/// Why not, and what to do, as a sentence.
pub fn usable_spool(folder: &Path) -> Result<(), String> {
    usable_folder(folder)?;
    let Ok(found) = fs::metadata(folder) else { return Ok(()) };
    if found.uid() != geteuid().as_raw() {
        return Err(format!("{} belongs to another user; name another folder", folder.display()));
    }
    if found.mode() & 0o022 != 0 {
        return Err(format!(
            "others may write to {}, and so could add results: chmod go-w FOLDER, or name another",
            folder.display()
        ));
    }
    Ok(())
}

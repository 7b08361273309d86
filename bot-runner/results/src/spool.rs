//! The spool: a folder in which results wait for databases, so that a killed process loses none.
//! Each database has its own folder in it. Earlier runners left files in the spool itself; the
//! first runner that finds them writes them.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::geteuid;
use serde::{Deserialize, Serialize};

use crate::address::{DatabaseAddress, is_folder_name};
use crate::kept::ResultRow;
use crate::usable::{UnusablePlace, usable_folder};

/// Version of the format of the files.
const FORMAT: u32 = 1;
/// The extension of a complete file.
const WHOLE: &str = "json";
/// The extension of a file that is being written.
const NEW: &str = "new";
/// Maximum number of attempts to write a file that another process removes meanwhile.
const MAX_WRITES: u32 = 3;
/// Maximum size of a file in bytes; a result takes some hundred bytes.
const LARGEST: u64 = 16 << 20;

#[derive(Serialize, Deserialize)]
struct SpoolFile {
    format: u32,
    results: Vec<ResultRow>,
}

/// The outcome of reading a file.
pub(crate) enum SpoolEntry {
    Waiting(Vec<ResultRow>),
    /// Another process has written them to the database.
    Gone,
    /// It is unusable, and was renamed; the text says why.
    Bad(String),
    /// A newer runner wrote it.
    Newer,
}

#[derive(Debug, Clone)]
pub(crate) struct Spool {
    pub(crate) folder: PathBuf,
    /// The folder in it for the results of one database.
    pub(crate) own: PathBuf,
}

impl Spool {
    /// The spool in this folder, for one of its databases.
    pub(crate) fn new(folder: &Path, database: &DatabaseAddress) -> Self {
        Self {
            folder: folder.to_owned(),
            own: folder.join(database.folder_name(folder)),
        }
    }

    /// Writes results that belong together into a file: all of them or none, on the disk when this
    /// returns.
    pub(crate) fn put(&self, results: &[ResultRow]) -> io::Result<()> {
        let Some(first) = results.first() else {
            return Ok(());
        };
        // The keys are ours and valid in a name.
        let path = self
            .own
            .join(format!("{:016x}-{}.{WHOLE}", first.ended_ms, first.key));
        let text = serde_json::to_vec(&SpoolFile {
            format: FORMAT,
            results: results.to_vec(),
        })?;
        let mut writes = 1;
        loop {
            match self.write(&path, &text) {
                // A starting process took the file for an abandoned one, or the folder was removed.
                Err(error) if error.kind() == ErrorKind::NotFound && writes < MAX_WRITES => {
                    writes += 1
                }
                written => return written,
            }
        }
    }

    fn write(&self, path: &Path, text: &[u8]) -> io::Result<()> {
        self.make()?;
        let new = path.with_extension(NEW);
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&new)?;
        let written = file
            .write_all(text)
            .and_then(|()| file.sync_all())
            .and_then(|()| fs::rename(&new, path));
        if let Err(error) = written {
            let _ = fs::remove_file(&new);
            return Err(error);
        }
        [&self.own, &self.folder]
            .into_iter()
            .try_for_each(|folder| File::open(folder)?.sync_all())
    }

    /// Creates the database's folder, if it is missing.
    pub(crate) fn make(&self) -> io::Result<()> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.own)
    }

    /// Adopts files that a killed process had written and not renamed yet; returns their number.
    /// Incomplete ones remain: their results were never reported.
    pub(crate) fn adopt(&self) -> io::Result<usize> {
        let mut adopted = 0;
        for new in self.files(NEW)? {
            let Ok(file) = open(&new) else { continue };
            if !is_ours(&file)? {
                continue;
            }
            let whole = file.sync_all().and_then(|()| io::read_to_string(file));
            if whole.is_ok_and(|text| serde_json::from_str::<SpoolFile>(&text).is_ok()) {
                match fs::rename(&new, new.with_extension(WHOLE)) {
                    // Another process was faster.
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    renamed => {
                        renamed?;
                        adopted += 1;
                    }
                }
            }
        }
        Ok(adopted)
    }

    /// The waiting files, oldest first.
    pub(crate) fn waiting(&self) -> io::Result<Vec<PathBuf>> {
        self.files(WHOLE)
    }

    /// The folders in which results wait for other databases, with the numbers of their files.
    pub(crate) fn others(&self) -> io::Result<Vec<(PathBuf, usize)>> {
        let mut others = Vec::new();
        for folder in entries(&self.folder)?
            .into_iter()
            .filter(|folder| *folder != self.own)
        {
            if folder
                .file_name()
                .and_then(OsStr::to_str)
                .is_some_and(is_folder_name)
                && folder.is_dir()
            {
                let files = files_in(&folder, WHOLE)?.len();
                others.extend((files > 0).then_some((folder, files)));
            }
        }
        Ok(others)
    }

    /// The files with this extension, those of earlier runners first.
    fn files(&self, extension: &str) -> io::Result<Vec<PathBuf>> {
        Ok([
            files_in(&self.folder, extension)?,
            files_in(&self.own, extension)?,
        ]
        .concat())
    }

    pub(crate) fn read(path: &Path) -> io::Result<SpoolEntry> {
        let file = match open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(SpoolEntry::Gone),
            Err(error) if is_about_the_file(&error) => return set_aside(path, &error.to_string()),
            file => file?,
        };
        if !is_ours(&file)? {
            return set_aside(path, "it is not a file that the runner has written");
        }
        let text = io::read_to_string(file);
        let read = text.map_err(|error| error.to_string()).and_then(|text| {
            let value: serde_json::Value =
                serde_json::from_str(&text).map_err(|error| error.to_string())?;
            if value["format"]
                .as_u64()
                .is_some_and(|format| format > FORMAT.into())
            {
                return Ok(SpoolEntry::Newer);
            }
            let file: SpoolFile =
                serde_json::from_value(value).map_err(|error| error.to_string())?;
            Ok(SpoolEntry::Waiting(file.results))
        });
        read.or_else(|why| set_aside(path, &why))
    }

    /// Removes a file whose results are in the database.
    pub(crate) fn remove(path: &Path) -> io::Result<()> {
        match fs::remove_file(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

/// The files of a folder with this extension, sorted by name.
fn files_in(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut files = entries(folder)?;
    files.retain(|path| path.extension() == Some(OsStr::new(extension)));
    files.sort_unstable();
    Ok(files)
}

/// The entries of a folder, which need not exist.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries?.map(|entry| Ok(entry?.path())).collect(),
    }
}

/// Opens a file of the spool for reading; does not follow a link or wait for a pipe.
fn open(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

fn is_ours(file: &File) -> io::Result<bool> {
    let found = file.metadata()?;
    Ok(found.is_file() && found.len() <= LARGEST)
}

/// Whether a file cannot be opened because of its kind: a link, a socket, a file that belongs to
/// another user.
fn is_about_the_file(error: &io::Error) -> bool {
    let kinds = [
        Errno::LOOP,
        Errno::NXIO,
        Errno::NODEV,
        Errno::ACCESS,
        Errno::PERM,
    ];
    Errno::from_io_error(error).is_some_and(|errno| kinds.contains(&errno))
}

fn set_aside(path: &Path, why: &str) -> io::Result<SpoolEntry> {
    let aside = path.with_extension("bad");
    match fs::rename(path, &aside) {
        Ok(()) => Ok(SpoolEntry::Bad(format!(
            "{why}; it is now named {}",
            aside.display()
        ))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(SpoolEntry::Gone),
        Err(error) => Err(io::Error::new(
            error.kind(),
            format!("{why}; it cannot be set aside: {error}"),
        )),
    }
}

/// Whether results can wait in a folder, which need not exist yet.
///
/// # Errors
///
/// If not.
pub fn usable_spool(folder: &Path) -> Result<(), UnusablePlace> {
    usable_folder(folder)?;
    let Ok(found) = fs::metadata(folder) else {
        return Ok(());
    };
    if found.uid() != geteuid().as_raw() {
        return Err(UnusablePlace::OfAnotherUser(folder.to_owned()));
    }
    if found.mode() & 0o022 != 0 {
        return Err(UnusablePlace::WritableByOthers(folder.to_owned()));
    }
    Ok(())
}

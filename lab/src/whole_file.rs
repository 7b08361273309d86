//! Files that are written atomically, and that one process at a time works on.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use policy_host::ForeignFile;
use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use tempfile::Builder;

/// Maximum size of a file that is read, in bytes: a tournament of a hundred million games.
const MAX_BYTES: u64 = 4 << 30;

/// A temporary file next to another.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Replaces a file atomically: a reader, a killed process or a machine that loses power finds the
/// old content or the new. The new is on the disk when it takes the file's name, so another copy of
/// it may be removed afterwards.
///
/// # Errors
///
/// If it cannot be written; the old content is there then.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let new = beside(path, ".new");
    let written = write_new(&new, content).and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written
}

/// Creates a file that does not exist yet, with this mode less the process's umask. It appears
/// whole.
///
/// # Errors
///
/// If it exists already, or cannot be written.
pub fn create(path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    let among = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut file = Builder::new()
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(among)?;
    file.write_all(content)
        .and_then(|()| file.as_file().sync_all())?;
    file.persist_noclobber(path)
        .map(drop)
        .map_err(|failed| failed.error)
}

fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    // Left behind by a killed process, or put there by another user.
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(content)?;
    file.sync_data()
}

/// The file's content; `None` when there is none.
///
/// # Errors
///
/// If it cannot be read, or is not an ordinary file.
pub fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match ForeignFile::open(path).and_then(|mut file| file.read(MAX_BYTES)) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Opens a file for this process alone, to read and to append, and creates it if it is missing.
/// `None` when another process has it.
///
/// # Errors
///
/// If it cannot be opened.
pub fn open_alone(path: &Path) -> io::Result<Option<File>> {
    loop {
        let mut options = OpenOptions::new();
        options
            .read(true)
            .append(true)
            .create(true)
            .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
        let file = options.open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is not an ordinary file"));
        }
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => return Ok(None),
            // File systems of clusters often know no locks: then it is the user's affair.
            Err(Errno::NOTSUP | Errno::NOSYS | Errno::NOLCK) => {}
            Err(error) => return Err(error.into()),
        }
        // The one who had it may have removed it meanwhile.
        let own = file.metadata()?;
        if fs::metadata(path)
            .is_ok_and(|there| (there.dev(), there.ino()) == (own.dev(), own.ino()))
        {
            return Ok(Some(file));
        }
    }
}

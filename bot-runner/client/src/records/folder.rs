//! A record's folder, which only the process that holds the lock on its frames may change.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use policy_host::ForeignFolder;
use rustix::fs::{AtFlags, FlockOperation, OFlags, flock, fsync, renameat, unlinkat};
use rustix::io::Errno;
use time::OffsetDateTime;

use super::line_file::LineFile;
use super::manifest::Manifest;
use super::names::{CUT, FRAMES, MANIFEST, TRIES, UNFINISHED, new_stem};

/// The manifest's name until it is complete.
const NEW_MANIFEST: &str = "manifest.json.new";

#[derive(Debug)]
pub(super) struct LockedFolder {
    pub(super) path: PathBuf,
    folder: ForeignFolder,
    /// Received and sent frames; its lock also locks the folder.
    pub(super) frames: LineFile,
}

impl LockedFolder {
    /// Creates a folder for a new record, with its file of frames.
    pub(super) fn create(among: &Path, began: OffsetDateTime, bot: &str) -> io::Result<Self> {
        fs::create_dir_all(among)?;
        let mut tries = 0..TRIES;
        loop {
            let path = among.join(format!("{UNFINISHED}{}", new_stem(began, bot)));
            fs::create_dir(&path)?;
            match Self::begin(&path) {
                // A cleaner of leftovers removed it while it was empty.
                Ok(None) if tries.next().is_some() => {}
                Err(error) if error.kind() == ErrorKind::NotFound && tries.next().is_some() => {}
                begun => {
                    let begun = begun.and_then(|begun| {
                        begun.ok_or_else(|| io::Error::other("another process removes it"))
                    });
                    return begun.inspect_err(|_| drop(fs::remove_dir_all(&path)));
                }
            }
        }
    }

    fn begin(path: &Path) -> io::Result<Option<Self>> {
        let folder = ForeignFolder::open(path)?;
        let frames = new_file(&folder, FRAMES)?;
        let is_ours = lock(&frames.file)? && path.join(FRAMES).exists();
        Ok(is_ours.then(|| Self {
            path: path.to_owned(),
            folder,
            frames,
        }))
    }

    /// Takes the lock of a record; `None` if there is no record, or another process holds the lock.
    pub(super) fn open(path: &Path) -> io::Result<Option<Self>> {
        let Some(folder) = unless_gone(ForeignFolder::open(path))? else {
            return Ok(None);
        };
        let Some(frames) = unless_gone(folder.open_file(FRAMES, OFlags::RDWR))? else {
            return Ok(None);
        };
        let frames = LineFile::new(frames.into_file())?;
        Ok(lock(&frames.file)?.then(|| Self {
            path: path.to_owned(),
            folder,
            frames,
        }))
    }

    /// Whether this user may finish and remove the record.
    pub(super) fn is_own(&self) -> bool {
        self.folder.is_own()
    }

    /// Creates another file of the record.
    pub(super) fn new_file(&self, name: &str) -> io::Result<LineFile> {
        new_file(&self.folder, name)
    }

    /// Opens a file of the record for reading and truncation; `None` if there is none.
    pub(super) fn file(&self, name: &str) -> io::Result<Option<LineFile>> {
        unless_gone(self.folder.open_file(name, OFlags::RDWR))?
            .map(|file| LineFile::new(file.into_file()))
            .transpose()
    }

    /// Whether the record has its manifest. The record is empty before that.
    pub(super) fn has_manifest(&self) -> bool {
        self.path.join(MANIFEST).exists()
    }

    pub(super) fn manifest(&self) -> io::Result<Manifest> {
        Manifest::read(&self.folder).map_err(io::Error::other)
    }

    /// Writes a manifest atomically.
    pub(super) fn write_manifest(&self, manifest: &Manifest) -> io::Result<()> {
        let text = serde_json::to_string_pretty(manifest)? + "\n";
        self.write_whole((NEW_MANIFEST, MANIFEST), text.as_bytes())
    }

    /// Writes a file atomically: under the first name, until it is complete.
    fn write_whole(&self, (new, name): (&str, &str), content: &[u8]) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
        let mut file = self.folder.open_file(new, flags)?.into_file();
        file.write_all(content)?;
        file.sync_all()?;
        renameat(&self.folder, new, &self.folder, name)?;
        Ok(fsync(&self.folder)?)
    }

    /// Gives a finished record its final name; returns its path.
    pub(super) fn publish(&self, cut: bool) -> io::Result<PathBuf> {
        let _ = unlinkat(&self.folder, NEW_MANIFEST, AtFlags::empty());
        let name = self
            .path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let stem = name.strip_prefix(UNFINISHED).unwrap_or(&name);
        let stem = stem.strip_suffix(CUT).unwrap_or(stem);
        let path = self
            .path
            .with_file_name(format!("{stem}{}", if cut { CUT } else { "" }));
        // The name ends in random digits, so it is free. A folder can only replace an empty folder.
        fs::rename(&self.path, &path)?;
        if let Some(among) = self.path.parent() {
            File::open(among)?.sync_all()?;
        }
        Ok(path)
    }

    /// Removes the folder, the manifest first: without it the rest is not a record.
    pub(super) fn remove(self) -> io::Result<()> {
        let _ = unlinkat(&self.folder, MANIFEST, AtFlags::empty());
        fs::remove_dir_all(&self.path)
    }
}

/// Puts a file into a finished record, in place of an earlier one of its name; `false` if the
/// record no longer exists. Another process never sees half of it.
///
/// # Errors
///
/// If it cannot be written.
pub fn put_file(record: &Path, name: &str, content: &[u8]) -> io::Result<bool> {
    match LockedFolder::open(record)? {
        Some(folder) => folder
            .write_whole((&format!("{name}.new"), name), content)
            .map(|()| true),
        None if record.join(FRAMES).exists() => {
            Err(io::Error::other("another process changes the record"))
        }
        None => Ok(false),
    }
}

/// Removes a record so that no reader ever sees half of it; `false` if it no longer exists.
///
/// # Errors
///
/// If it cannot be removed.
pub fn remove(record: &Path) -> io::Result<bool> {
    let Some(mut folder) = LockedFolder::open(record)? else {
        return Ok(false);
    };
    let name = record.file_name().unwrap_or_default().to_string_lossy();
    // If the process is killed here, a later one with this name finishes or removes the record.
    folder.path = record.with_file_name(format!("{UNFINISHED}{name}"));
    fs::rename(record, &folder.path)?;
    folder.remove()?;
    Ok(true)
}

fn new_file(folder: &ForeignFolder, name: &str) -> io::Result<LineFile> {
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::EXCL;
    LineFile::new(folder.open_file(name, flags)?.into_file())
}

/// Takes the lock of a record by its frames; `false` if another process holds it.
fn lock(frames: &File) -> io::Result<bool> {
    match flock(frames, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(io::Error::other(format!(
            "files cannot be locked there ({error}), and records need that; name a folder on another file system"
        ))),
    }
}

/// `None` if it does not exist or is not a folder.
fn unless_gone<T>(opened: io::Result<T>) -> io::Result<Option<T>> {
    match opened {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        opened => opened.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder can be made")
    }

    fn created(among: &Path) -> LockedFolder {
        LockedFolder::create(among, OffsetDateTime::UNIX_EPOCH, "kuma").expect("it begins")
    }

    #[test]
    fn a_folder_that_has_the_name_already_is_not_replaced() {
        let among = folder();
        let folder = created(among.path());
        let taken = among.path().join("game");
        fs::create_dir(&taken).expect("it can be made");
        fs::write(taken.join("notes"), "mine").expect("it can be written");
        let path = among.path().join(format!("{UNFINISHED}game"));
        fs::rename(&folder.path, &path).expect("it can be renamed");
        let folder = LockedFolder {
            path: path.clone(),
            ..folder
        };
        folder.publish(false).expect_err("the name is taken");
        assert!(taken.join("notes").exists() && path.join(FRAMES).exists());
        assert_eq!(
            folder.publish(true).expect("another name"),
            among.path().join("game.cut")
        );
    }

    #[test]
    fn a_new_record_is_locked_against_all_other_processes() {
        let among = folder();
        let folder = created(&among.path().join("new/folder"));
        let path = folder.path.clone();
        assert!(LockedFolder::open(&path).expect("it is there").is_none());
        drop(folder);
        assert!(LockedFolder::open(&path).expect("it is there").is_some());
    }

    #[test]
    fn a_record_is_removed_once_and_not_while_another_process_removes_it() {
        let among = folder();
        let folder = created(among.path());
        let path = folder.path.clone();
        assert!(!remove(&path).expect("another process holds it"));
        drop(folder);
        assert!(remove(&path).expect("it can be removed"));
        assert!(!remove(&path).expect("it is gone"));
        assert_eq!(fs::read_dir(among.path()).expect("it is there").count(), 0);
    }

    #[test]
    fn what_a_link_leads_to_is_neither_opened_nor_removed() {
        let (among, elsewhere) = (folder(), folder());
        drop(created(elsewhere.path()));
        let [record] = &fs::read_dir(elsewhere.path())
            .expect("it is there")
            .flatten()
            .collect::<Vec<_>>()[..]
        else {
            panic!("one record")
        };
        let link = among.path().join(record.file_name());
        std::os::unix::fs::symlink(record.path(), &link).expect("it can be linked");
        assert!(
            LockedFolder::open(&link)
                .expect("it is passed over")
                .is_none()
        );
        assert!(!remove(&link).expect("it is passed over"));
        assert!(record.path().join(FRAMES).exists());
    }

    #[test]
    fn a_file_that_cannot_be_locked_at_all_is_distinguished_from_one_that_is_locked() {
        let among = folder();
        // A file opened with `O_PATH` has no locks, like files on some file systems.
        let flags = rustix::fs::OFlags::PATH;
        let place =
            rustix::fs::open(among.path(), flags, rustix::fs::Mode::empty()).expect("it is there");
        let error = lock(&place.into()).expect_err("it has no locks");
        assert!(
            error
                .to_string()
                .contains("name a folder on another file system"),
            "{error}"
        );
    }
}

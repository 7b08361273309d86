//! Private copies of libraries: the user's own file is never loaded.
//!
//! A mapped file that is overwritten kills the process, and the same path loads the old code again.
//! So each library is loaded from its own copy, in a folder that only this process uses.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use tempfile::TempDir;

use crate::files::foreign_file::ForeignFile;
use crate::files::sha256::Sha256;
use crate::find::child_library::ChildLibrary;

const PREFIX: &str = "bot-runner-policies-";
const LOCK: &str = "in-use";

/// Maximum number of folders that other processes may take for abandoned ones before this one gives
/// up.
const MAX_ATTEMPTS: u32 = 100;

/// Whether a path is such a folder or lies in one.
pub(crate) fn holds_copies(path: &Path) -> bool {
    path.components().any(|part| {
        part.as_os_str()
            .as_encoded_bytes()
            .starts_with(PREFIX.as_bytes())
    })
}

/// The folder of one process for its copies, removed with it: when it ends normally, or else at the
/// next start.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    folder: TempDir,
    /// Held as long as the process lives, however it ends.
    _lock: File,
    copies: AtomicU64,
}

impl PrivateFolder {
    /// Creates the folder among the temporary files, and removes those of ended processes.
    pub(crate) fn new(among: &Path) -> io::Result<Arc<Self>> {
        clear_abandoned(among);
        for _ in 0..MAX_ATTEMPTS {
            let only_ours = fs::Permissions::from_mode(0o700);
            let folder = tempfile::Builder::new()
                .prefix(PREFIX)
                .permissions(only_ours)
                .tempdir_in(among)?;
            let lock = File::create(folder.path().join(LOCK))?;
            // Another process that starts in this moment may have taken the folder for an abandoned
            // one.
            match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) if folder.path().join(LOCK).exists() => {
                    return Ok(Arc::new(Self {
                        folder,
                        _lock: lock,
                        copies: AtomicU64::new(0),
                    }));
                }
                Ok(()) | Err(Errno::WOULDBLOCK) => {}
                Err(error) => {
                    let words = format!(
                        "the file system of {} has no locks ({error})",
                        among.display()
                    );
                    return Err(io::Error::new(io::Error::from(error).kind(), words));
                }
            }
        }
        Err(io::Error::other(format!(
            "other processes take each folder in {} away",
            among.display()
        )))
    }

    /// Begins the copy of a library, at a path that no other copy has had. The caller writes its
    /// content to the file.
    pub(crate) fn copy(self: &Arc<Self>, hash: &Sha256) -> io::Result<(PrivateCopy, File)> {
        let number = self.copies.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}{}", hash.short(), std::env::consts::DLL_SUFFIX);
        let path = self.folder.path().join(name);
        let file = File::create_new(&path)?;
        Ok((
            PrivateCopy {
                path,
                _folder: Arc::clone(self),
            },
            file,
        ))
    }
}

/// A private copy, removed when it is dropped.
#[derive(Debug)]
pub(crate) struct PrivateCopy {
    path: PathBuf,
    _folder: Arc<PrivateFolder>,
}

impl PrivateCopy {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The library for a child process; `file` is the user's own.
    pub(crate) fn for_child(&self, file: &Path) -> ChildLibrary {
        ChildLibrary::File {
            copy: self.path.clone(),
            file: file.to_owned(),
        }
    }
}

impl Drop for PrivateCopy {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.path) {
            tracing::debug!("{}: {error}", self.path.display());
        }
    }
}

fn clear_abandoned(among: &Path) {
    let Ok(entries) = fs::read_dir(among) else {
        return;
    };
    let user = rustix::process::geteuid().as_raw();
    for entry in entries.flatten() {
        let ours = entry
            .metadata()
            .is_ok_and(|found| found.is_dir() && found.uid() == user);
        if !ours || !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        // One without a lock is being made. Anything but an ordinary file comes from elsewhere.
        let Ok(lock) = ForeignFile::open(&entry.path().join(LOCK)) else {
            continue;
        };
        if flock(lock.file(), FlockOperation::NonBlockingLockExclusive).is_ok() {
            tracing::debug!(
                "clearing {}, left behind by a process that has ended",
                entry.path().display()
            );
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: &[u8] = b"a library";

    fn copy_in(folder: &Arc<PrivateFolder>) -> PrivateCopy {
        let (copy, mut file) = folder.copy(&Sha256::of(BYTES)).expect("it can be copied");
        std::io::Write::write_all(&mut file, BYTES).expect("it can be written");
        copy
    }

    fn names(folder: &Path) -> Vec<PathBuf> {
        fs::read_dir(folder)
            .expect("it is there")
            .flatten()
            .map(|entry| entry.path())
            .collect()
    }

    #[test]
    fn two_copies_of_the_same_content_have_different_paths() {
        let among = tempfile::tempdir().expect("a folder can be made");
        let folder = PrivateFolder::new(among.path()).expect("it can be made");
        let (one, two) = (copy_in(&folder), copy_in(&folder));
        assert_ne!(one.path(), two.path());
        assert_eq!(fs::read(two.path()).expect("it is there"), BYTES);
    }

    #[test]
    fn no_other_can_reach_a_copy() {
        let among = tempfile::tempdir().expect("a folder can be made");
        let folder = PrivateFolder::new(among.path()).expect("it can be made");
        assert_eq!(
            fs::metadata(folder.folder.path())
                .expect("it is there")
                .mode()
                & 0o777,
            0o700
        );
    }

    #[test]
    fn nothing_is_left_when_the_last_copy_and_the_folder_are_dropped() {
        let among = tempfile::tempdir().expect("a folder can be made");
        let folder = PrivateFolder::new(among.path()).expect("it can be made");
        let copy = copy_in(&folder);
        drop(folder);
        assert!(copy.path().is_file());
        drop(copy);
        assert_eq!(names(among.path()), Vec::<PathBuf>::new());
    }

    #[test]
    fn the_folder_of_an_ended_process_is_cleared_and_that_of_a_living_one_is_not() {
        let among = tempfile::tempdir().expect("a folder can be made");
        let living = PrivateFolder::new(among.path()).expect("it can be made");
        let gone = among.path().join(format!("{PREFIX}gone"));
        fs::create_dir(&gone).expect("it can be made");
        fs::write(gone.join(LOCK), "").expect("it can be written");
        fs::write(gone.join("abc-0.so"), "a library").expect("it can be written");
        let strange = among.path().join(format!("{PREFIX}strange"));
        fs::create_dir(&strange).expect("it can be made");
        rustix::fs::mkfifoat(
            rustix::fs::CWD,
            strange.join(LOCK),
            rustix::fs::Mode::from(0o600),
        )
        .expect("it can be made");
        let other = among.path().join("of-another-user");
        fs::create_dir(&other).expect("it can be made");
        let _second = PrivateFolder::new(among.path()).expect("it can be made");
        assert!(
            !gone.exists() && strange.exists() && other.exists() && living.folder.path().exists()
        );
    }
}

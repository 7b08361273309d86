//! Locks of other systems: files in the folder that runners share, each with the number of the process that holds it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::control::runtime_folder;
use policy_host::Sha256;

/// A token that is held.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes hold of a token; `None` where somebody else has it.
    pub(super) fn hold(fingerprint: &Sha256) -> io::Result<Option<Self>> {
        hold_in(&runtime_folder().map_err(io::Error::other)?, fingerprint)
    }
}

/// The process that holds a token, as far as is known.
pub(super) async fn holder(fingerprint: &Sha256) -> Option<u32> {
    holder_in(&runtime_folder().ok()?, fingerprint)
}

fn path_in(folder: &Path, fingerprint: &Sha256) -> PathBuf {
    folder.join(format!("token-{fingerprint}.lock"))
}

fn holder_in(folder: &Path, fingerprint: &Sha256) -> Option<u32> {
    fs::read_to_string(path_in(folder, fingerprint)).ok()?.parse().ok()
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still held: whoever opens it in this moment sees that it is no longer the file of that name.
        let _ = fs::remove_file(&self.path);
    }
}

fn hold_in(folder: &Path, fingerprint: &Sha256) -> io::Result<Option<Lock>> {
    let path = path_in(folder, fingerprint);
    loop {
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {
                let named = fs::metadata(&path).ok().map(|metadata| metadata.ino());
                if named != Some(file.metadata()?.ino()) {
                    continue;
                }
                file.set_len(0)?;
                write!(file, "{}", std::process::id())?;
                return Ok(Some(Lock { path, _file: file }));
            }
            Err(Errno::WOULDBLOCK) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(text: &str) -> Sha256 {
        Sha256::of(text.as_bytes())
    }

    #[test]
    fn a_token_is_held_once_and_its_holder_is_named() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let hold = |text| hold_in(folder.path(), &hash(text)).expect("the folder is there");
        let _one = hold("one").expect("it is free");
        assert!(hold("one").is_none());
        assert_eq!(holder_in(folder.path(), &hash("one")), Some(std::process::id()));
        let _other = hold("other").expect("it is another");
    }

    #[test]
    fn nothing_is_left_of_a_lock_that_is_let_go_and_the_token_is_free_again() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for _ in 0..2 {
            drop(hold_in(folder.path(), &hash("one")).expect("the folder is there").expect("it is free"));
            assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 0);
        }
    }

    #[test]
    fn the_file_of_a_process_that_was_killed_is_taken_over() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        fs::write(path_in(folder.path(), &hash("one")), "2147483647").expect("it can be written");
        let _held = hold_in(folder.path(), &hash("one")).expect("the folder is there").expect("it is free");
        assert_eq!(holder_in(folder.path(), &hash("one")), Some(std::process::id()));
    }
}

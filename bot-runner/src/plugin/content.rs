//! A library's file as it was at one moment.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::executable;
use super::load::LoadError;
use crate::content_hash::ContentHash;

/// A library's file as it was when it was read, with nothing against using it.
#[derive(Debug)]
pub(super) struct Content {
    /// The user's file, complete and without links.
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
    pub(super) hash: ContentHash,
}

impl Content {
    /// Reads a library's file.
    ///
    /// # Errors
    ///
    /// When there is none, when anybody else could have written it, or when it cannot be a whole library of this machine.
    pub(super) fn read(path: &Path) -> Result<Self, LoadError> {
        let io = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => LoadError::NoFile(path.to_owned()),
            _ => LoadError::Io(path.to_owned(), error),
        };
        let complete = path.canonicalize().map_err(io)?;
        let mut file = File::open(&complete).map_err(io)?;
        let before = file.metadata().map_err(io)?;
        if !before.is_file() {
            return Err(LoadError::NoFile(path.to_owned()));
        }
        refuse_writable(&complete, &before).map_err(|reason| LoadError::Writable(path.to_owned(), reason))?;
        let mut bytes = Vec::with_capacity(usize::try_from(before.len()).unwrap_or(0));
        file.read_to_end(&mut bytes).map_err(io)?;
        let after = file.metadata().map_err(io)?;
        if before.len() != bytes.len() as u64 || FileStamp::of(&before) != FileStamp::of(&after) {
            return Err(LoadError::Incomplete(path.to_owned(), "it was being written while it was read".to_owned()));
        }
        executable::check(&bytes).map_err(|unfit| unfit.of(path))?;
        Ok(Self { path: complete, hash: ContentHash::of(&bytes), bytes })
    }
}

/// What changes when a file is written or replaced, as the file system tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileStamp {
    device: u64,
    inode: u64,
    length: u64,
    modified: (i64, i64),
    /// When its permissions changed, among other things.
    changed: (i64, i64),
}

impl FileStamp {
    /// The stamp of a file; `None` when there is none.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().as_ref().map(Self::of)
    }

    fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// Whoever can write a library, or put another in its place, runs code with the rights of this process.
fn refuse_writable(file: &Path, metadata: &Metadata) -> Result<(), String> {
    const EVERYBODY_WRITES: u32 = 0o002;
    const ONLY_OWN_FILES: u32 = 0o1000;
    let folder = file.parent().unwrap_or(Path::new("/"));
    let around = fs::metadata(folder).map_err(|error| format!("its folder cannot be looked at: {error}"))?;
    let keeps_files = around.mode() & ONLY_OWN_FILES != 0;
    if metadata.mode() & EVERYBODY_WRITES != 0 {
        return Err(format!("everybody may write to it; chmod o-w {}", file.display()));
    }
    if around.mode() & EVERYBODY_WRITES != 0 && !keeps_files {
        return Err(format!("everybody may replace the files of its folder; chmod o-w {}", folder.display()));
    }
    if is_somebody_elses(metadata) {
        return Err(format!("it belongs to the user {}; copy it, so that it is yours", metadata.uid()));
    }
    if is_somebody_elses(&around) && !keeps_files {
        let owner = around.uid();
        return Err(format!("its folder {} belongs to the user {owner}; copy it to one of yours", folder.display()));
    }
    Ok(())
}

/// Root may use what others own: in a container it is root that does what a user does elsewhere.
fn is_somebody_elses(metadata: &Metadata) -> bool {
    let user = rustix::process::geteuid().as_raw();
    user != 0 && metadata.uid() != user && metadata.uid() != 0
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder can be made")
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("its mode can be set");
    }

    /// The program that runs this test: a whole file of this machine.
    fn whole_file(folder: &Path) -> PathBuf {
        let file = folder.join("libmine.so");
        fs::copy(std::env::current_exe().expect("it has a file"), &file).expect("it can be copied");
        file
    }

    #[test]
    fn a_file_that_everybody_may_write_is_refused() {
        let folder = folder();
        let file = whole_file(folder.path());
        set_mode(&file, 0o666);
        let error = Content::read(&file).expect_err("it is writable");
        assert!(matches!(error, LoadError::Writable(..)), "{error}");
        assert!(error.to_string().contains("chmod o-w"), "{error}");
        set_mode(&file, 0o664);
        assert!(Content::read(&file).is_ok());
    }

    #[test]
    fn a_folder_whose_files_everybody_may_replace_is_refused() {
        let folder = folder();
        let file = whole_file(folder.path());
        set_mode(folder.path(), 0o777);
        assert!(matches!(Content::read(&file), Err(LoadError::Writable(..))));
        // As in /tmp, where everybody may write, but replace their own files only.
        set_mode(folder.path(), 0o1777);
        assert!(Content::read(&file).is_ok());
    }

    #[test]
    fn a_link_is_followed_to_the_file_that_counts() {
        let (folder, elsewhere) = (folder(), folder());
        let file = whole_file(elsewhere.path());
        let link = folder.path().join("libmine.so");
        std::os::unix::fs::symlink(&file, &link).expect("it can be linked");
        assert_eq!(Content::read(&link).expect("it is fine").path, file.canonicalize().expect("it is there"));
        set_mode(&file, 0o666);
        assert!(matches!(Content::read(&link), Err(LoadError::Writable(..))));
    }
}

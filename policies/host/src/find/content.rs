//! A snapshot of a library's file.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use policy_sdk::MAX_FILE_BYTES;

use crate::files::foreign_file::ForeignFile;
use crate::files::sha256::{Sha256, Sha256Stream};
use crate::files::stamp::FileStamp;
use crate::find::load::LoadError;

/// The identity of a library's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContentId {
    /// The user's file, complete and without links.
    pub(crate) path: PathBuf,
    pub(crate) hash: Sha256,
}

/// The content of a usable library's file at the time of reading.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) id: ContentId,
    stamp: FileStamp,
}

impl Content {
    /// Reads a library's file.
    ///
    /// # Errors
    ///
    /// If it does not exist, others could have written it, or it was being written.
    pub(crate) fn read(path: &Path) -> Result<Self, LoadError> {
        Self::read_parts(path, |_| Ok(()))
    }

    /// As [`read`](Self::read), and calls `each` with each part. The file may be large, so it is
    /// never in memory as a whole.
    pub(crate) fn read_parts(
        path: &Path,
        mut each: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<Self, LoadError> {
        let io = |error: io::Error| io_error(path, error);
        let complete = path.canonicalize().map_err(io)?;
        let mut file = ForeignFile::open(&complete).map_err(io)?;
        refuse_writable(&complete, file.metadata())
            .map_err(|reason| LoadError::Writable(path.to_owned(), reason))?;
        let stamp = FileStamp::of(file.metadata());
        let mut hash = Sha256Stream::default();
        let length = file.read_parts(MAX_FILE_BYTES, |part| {
            hash.push(part);
            each(part)
        });
        let length = length.map_err(io)?;
        let after = file.metadata_now().map_err(io)?;
        if after.len() != length || FileStamp::of(&after) != stamp {
            return Err(LoadError::Incomplete(
                path.to_owned(),
                "it was being written while it was read".to_owned(),
            ));
        }
        if length == 0 {
            return Err(LoadError::Incomplete(
                path.to_owned(),
                "it is empty".to_owned(),
            ));
        }
        Ok(Self {
            id: ContentId {
                path: complete,
                hash: hash.finish(),
            },
            stamp,
        })
    }
}

type KnownFile = Arc<Mutex<Option<(FileStamp, ContentId)>>>;

/// The contents of files that have been read, so that an unchanged file is not read again. Each has
/// its own lock: a file system that does not answer delays no user of another file.
#[derive(Debug, Default)]
pub(crate) struct ContentCache(Mutex<HashMap<PathBuf, KnownFile>>);

impl ContentCache {
    /// The content of a library's file, which is read if it is unknown.
    ///
    /// # Errors
    ///
    /// As for [`Content::read`].
    pub(crate) fn look_up(&self, path: &Path) -> Result<ContentId, LoadError> {
        let complete = path.canonicalize().map_err(|error| io_error(path, error))?;
        let metadata = fs::metadata(&complete).map_err(|error| io_error(path, error))?;
        let stamp = FileStamp::of(&metadata);
        let file = Arc::clone(
            self.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(complete.clone())
                .or_default(),
        );
        // Held while the file is read: bots that share it wait instead of reading it again.
        let mut known = file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, id)) = known.as_ref().filter(|(known, _)| *known == stamp) {
            // The folder also determines whether others may replace the file, and the stamp does
            // not cover the folder.
            refuse_writable(&complete, &metadata)
                .map_err(|reason| LoadError::Writable(path.to_owned(), reason))?;
            return Ok(id.clone());
        }
        let Content { id, stamp } = Content::read(path)?;
        *known = Some((stamp, id.clone()));
        Ok(id)
    }
}

fn io_error(path: &Path, error: io::Error) -> LoadError {
    match error.kind() {
        ErrorKind::NotFound => LoadError::NoFile(path.to_owned()),
        ErrorKind::InvalidInput if path.is_dir() => LoadError::NoFile(path.to_owned()),
        _ => LoadError::Io(path.to_owned(), error),
    }
}

/// A user who can write or replace a library runs code with the rights of this process.
pub(crate) fn refuse_writable(file: &Path, metadata: &Metadata) -> Result<(), String> {
    const WRITABLE_BY_ALL: u32 = 0o002;
    const ONLY_OWN_FILES: u32 = 0o1000;
    let folder = file.parent().unwrap_or(Path::new("/"));
    let around =
        fs::metadata(folder).map_err(|error| format!("its folder cannot be read: {error}"))?;
    let keeps_files = around.mode() & ONLY_OWN_FILES != 0;
    if metadata.mode() & WRITABLE_BY_ALL != 0 {
        return Err(format!(
            "all users may write to it; chmod o-w {}",
            file.display()
        ));
    }
    if around.mode() & WRITABLE_BY_ALL != 0 && !keeps_files {
        return Err(format!(
            "all users may replace the files of its folder; chmod o-w {}",
            folder.display()
        ));
    }
    if is_of_another_owner(metadata) {
        return Err(format!(
            "it belongs to the user {}; copy it, so that it is yours",
            metadata.uid()
        ));
    }
    if is_of_another_owner(&around) && !keeps_files {
        let owner = around.uid();
        return Err(format!(
            "its folder {} belongs to the user {owner}; copy it to one of yours",
            folder.display()
        ));
    }
    Ok(())
}

/// Root may use files of other owners, because in a container root is the normal user.
fn is_of_another_owner(metadata: &Metadata) -> bool {
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

    fn library_in(folder: &Path) -> PathBuf {
        let file = folder.join("libmine.so");
        fs::write(&file, "a library").expect("it can be written");
        file
    }

    #[test]
    fn a_file_that_all_users_may_write_is_refused() {
        let folder = folder();
        let file = library_in(folder.path());
        set_mode(&file, 0o666);
        let error = Content::read(&file).expect_err("it is writable");
        assert!(matches!(error, LoadError::Writable(..)), "{error}");
        assert!(error.to_string().contains("chmod o-w"), "{error}");
        set_mode(&file, 0o664);
        assert!(Content::read(&file).is_ok());
    }

    #[test]
    fn a_folder_whose_files_all_users_may_replace_is_refused_whether_or_not_the_file_was_read_before()
     {
        let folder = folder();
        let file = library_in(folder.path());
        let cache = ContentCache::default();
        cache.look_up(&file).expect("nothing is wrong yet");
        set_mode(folder.path(), 0o777);
        assert!(matches!(Content::read(&file), Err(LoadError::Writable(..))));
        assert!(matches!(cache.look_up(&file), Err(LoadError::Writable(..))));
        // As in /tmp, where all users may write, but replace only their own files.
        set_mode(folder.path(), 0o1777);
        assert!(Content::read(&file).is_ok());
    }

    #[test]
    fn a_link_is_followed_to_the_file_that_counts() {
        let (folder, elsewhere) = (folder(), folder());
        let file = library_in(elsewhere.path());
        let link = folder.path().join("libmine.so");
        std::os::unix::fs::symlink(&file, &link).expect("it can be linked");
        assert_eq!(
            Content::read(&link).expect("it is fine").id.path,
            file.canonicalize().expect("it is there")
        );
        set_mode(&file, 0o666);
        assert!(matches!(Content::read(&link), Err(LoadError::Writable(..))));
    }

    #[test]
    fn a_file_that_changes_has_other_content() {
        let folder = folder();
        let file = library_in(folder.path());
        let cache = ContentCache::default();
        let first = cache.look_up(&file).expect("it is there");
        assert_eq!(cache.look_up(&file).expect("it is there"), first);
        fs::write(&file, "another").expect("it can be written");
        let second = cache.look_up(&file).expect("it is there");
        assert_ne!(first.hash, second.hash);
    }

    #[test]
    fn an_empty_file_and_one_beyond_the_limit_are_refused() {
        let folder = folder();
        let file = folder.path().join("libmine.so");
        fs::write(&file, "").expect("it can be written");
        assert!(matches!(
            Content::read(&file),
            Err(LoadError::Incomplete(..))
        ));
        fs::File::create(&file)
            .and_then(|file| file.set_len(1 << 40))
            .expect("a sparse file can be made");
        let error = Content::read(&file)
            .expect_err("it is too large")
            .to_string();
        assert!(
            error.ends_with("it has 1099511627776 bytes; at most 1073741824 are read"),
            "{error}"
        );
    }
}

//! Reads foreign files: those that a user names, and folders that several users share.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, fstat, openat};

use crate::files::sha256::{Sha256, Sha256Stream};

/// Number of bytes per read, for a file that is not wanted as a whole.
const PART: usize = 64 << 10;

/// An ordinary file that is open.
#[derive(Debug)]
pub struct ForeignFile {
    file: File,
    metadata: Metadata,
}

impl ForeignFile {
    /// Opens an ordinary file for reading. Links are followed, for the user may name one.
    ///
    /// # Errors
    ///
    /// If it cannot be opened. Anything but an ordinary file is [`ErrorKind::InvalidInput`];
    /// opening it never blocks.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::open_at(CWD, path, OFlags::RDONLY)
    }

    fn open_at(folder: BorrowedFd<'_>, path: &Path, flags: OFlags) -> io::Result<Self> {
        // Without O_NONBLOCK a FIFO blocks until another process opens its other end.
        let flags = flags | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = File::from(openat(folder, path, flags, Mode::from_raw_mode(0o666))?);
        let metadata = file.metadata()?;
        if metadata.is_file() {
            Ok(Self { file, metadata })
        } else {
            Err(io::Error::new(
                ErrorKind::InvalidInput,
                "it is not an ordinary file",
            ))
        }
    }

    pub(crate) const fn file(&self) -> &File {
        &self.file
    }

    /// The metadata at the time the file was opened.
    pub const fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The current metadata, to detect writes in the meantime.
    ///
    /// # Errors
    ///
    /// If the file system does not say.
    pub fn metadata_now(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }

    /// Reads the whole file, of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// If it cannot be read. A larger file is [`ErrorKind::FileTooLarge`], before memory is taken
    /// for it.
    pub fn read(&mut self, limit: u64) -> io::Result<Vec<u8>> {
        let length = self.metadata.len();
        self.refuse_beyond(limit, length)?;
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(length as usize)
            .map_err(|_| ErrorKind::OutOfMemory)?;
        self.file.by_ref().take(limit + 1).read_to_end(&mut bytes)?;
        // It has grown since it was opened.
        self.refuse_beyond(limit, bytes.len() as u64)
            .map(|()| bytes)
    }

    /// Reads the whole file, of at most `limit` bytes, part by part. Returns how many bytes there
    /// were.
    ///
    /// # Errors
    ///
    /// As for [`Self::read`], and the errors of `each`.
    pub fn read_parts(
        &mut self,
        limit: u64,
        mut each: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<u64> {
        let mut part = vec![0; PART];
        let mut length = 0;
        self.refuse_beyond(limit, self.metadata.len())?;
        loop {
            match self.file.read(&mut part) {
                Ok(0) => return Ok(length),
                Ok(count) => {
                    length += count as u64;
                    self.refuse_beyond(limit, length)?;
                    each(&part[..count])?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The hash of the whole file, of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// As for [`Self::read`].
    pub(crate) fn hash(&mut self, limit: u64) -> io::Result<Sha256> {
        let mut hash = Sha256Stream::default();
        self.read_parts(limit, |part| {
            hash.push(part);
            Ok(())
        })?;
        Ok(hash.finish())
    }

    fn refuse_beyond(&self, limit: u64, length: u64) -> io::Result<()> {
        if length <= limit {
            return Ok(());
        }
        Err(io::Error::new(
            ErrorKind::FileTooLarge,
            format!("it has {length} bytes; at most {limit} are read"),
        ))
    }

    /// Reads the whole file, a text of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// As for [`Self::read`]. Text that is not UTF-8 is [`ErrorKind::InvalidData`].
    pub fn read_text(&mut self, limit: u64) -> io::Result<String> {
        String::from_utf8(self.read(limit)?)
            .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
    }

    pub fn into_file(self) -> File {
        self.file
    }
}

/// A folder that is open, so that it cannot be replaced by another. It may lie among the folders of
/// other users.
#[derive(Debug)]
pub struct ForeignFolder {
    folder: OwnedFd,
    owner: u32,
}

impl ForeignFolder {
    /// Opens a folder.
    ///
    /// # Errors
    ///
    /// If it cannot be opened. A link is [`ErrorKind::NotADirectory`], whatever its target.
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = openat(CWD, path, flags, Mode::empty())?;
        let owner = fstat(&folder)?.st_uid;
        Ok(Self { folder, owner })
    }

    pub const fn owner(&self) -> u32 {
        self.owner
    }

    /// Whether the folder belongs to the user of this process.
    pub fn is_own(&self) -> bool {
        self.owner == rustix::process::geteuid().as_raw()
    }

    /// Opens an ordinary file in the folder, or makes one where `flags` say so. The file has to
    /// belong to the folder's owner: anything else was put there by a link to a file of another
    /// user.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, when it is a link, and as for [`ForeignFile::open`].
    pub fn open_file(&self, name: &str, flags: OFlags) -> io::Result<ForeignFile> {
        let file = ForeignFile::open_at(self.as_fd(), Path::new(name), flags | OFlags::NOFOLLOW)?;
        match file.metadata().uid() {
            owner if owner == self.owner => Ok(file),
            owner => {
                let message = format!(
                    "it belongs to the user {owner} and its folder to the user {}",
                    self.owner
                );
                Err(io::Error::new(ErrorKind::PermissionDenied, message))
            }
        }
    }
}

impl AsFd for ForeignFolder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifo_is_refused_without_waiting_for_a_writer() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("fifo");
        let status = std::process::Command::new("mkfifo")
            .arg(&path)
            .status()
            .expect("mkfifo runs");
        assert!(status.success());
        assert_eq!(
            ForeignFile::open(&path).expect_err("it is a FIFO").kind(),
            ErrorKind::InvalidInput
        );
    }

    #[test]
    fn a_sparse_file_beyond_the_limit_is_refused_before_memory_is_taken() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("sparse");
        File::create(&path)
            .and_then(|file| file.set_len(1 << 40))
            .expect("a sparse file can be made");
        let error = ForeignFile::open(&path)
            .and_then(|mut file| file.read(1 << 30))
            .expect_err("it is too large");
        assert_eq!(
            error.to_string(),
            "it has 1099511627776 bytes; at most 1073741824 are read"
        );
    }

    #[test]
    fn a_text_that_is_not_utf_8_is_distinguished_from_one_that_cannot_be_read() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("latin");
        std::fs::write(&path, b"b\xe4r").expect("it can be written");
        let error = ForeignFile::open(&path)
            .and_then(|mut file| file.read_text(10))
            .expect_err("it is Latin-1");
        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }

    #[test]
    fn in_a_shared_folder_neither_links_nor_files_of_other_users_are_opened() {
        use std::os::unix::fs::{chown, symlink};
        let shared = tempfile::tempdir().expect("a folder can be made");
        let path = shared.path().join("mine");
        std::fs::create_dir(&path).expect("it can be made");
        std::fs::write(shared.path().join("secret"), "secret").expect("it can be written");
        symlink("../secret", path.join("link")).expect("it can be linked");
        symlink("mine", shared.path().join("link")).expect("it can be linked");
        let linked = ForeignFolder::open(&shared.path().join("link")).expect_err("it is a link");
        assert_eq!(linked.kind(), ErrorKind::NotADirectory);
        let folder = ForeignFolder::open(&path).expect("it is a folder");
        assert!(folder.is_own());
        folder
            .open_file("link", OFlags::RDONLY)
            .expect_err("it is a link");
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        drop(folder.open_file("new", flags).expect("it can be made"));
        folder
            .open_file("new", flags)
            .expect_err("it is there already");
        folder
            .open_file("new", OFlags::RDONLY)
            .expect("it is there");
        if chown(path.join("new"), Some(65_534), None).is_err() {
            eprintln!("SKIPPED in part: only root can give a file to another user");
            return;
        }
        let error = folder
            .open_file("new", OFlags::RDONLY)
            .expect_err("it belongs to another user");
        assert!(
            error.to_string().contains("it belongs to the user 65534"),
            "{error}"
        );
        chown(&path, Some(65_534), None).expect("root can");
        assert!(!ForeignFolder::open(&path).expect("root can").is_own());
    }
}

//! Reading a file that somebody else provides.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

/// An ordinary file, open for reading.
#[derive(Debug)]
pub(crate) struct ForeignFile {
    file: File,
    metadata: Metadata,
}

impl ForeignFile {
    /// Opens an ordinary file; opening anything else is an error and never blocks.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        // Without O_NONBLOCK a FIFO blocks until somebody writes to it.
        let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
        let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_file() {
            Ok(Self { file, metadata })
        } else {
            Err(io::Error::new(ErrorKind::InvalidInput, "it is not an ordinary file"))
        }
    }

    pub(crate) const fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The metadata as it is now, to tell whether the file was written meanwhile.
    pub(crate) fn metadata_now(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }

    /// Reads the whole file, of at most `limit` bytes.
    pub(crate) fn read(&mut self, limit: u64) -> io::Result<Vec<u8>> {
        let length = self.metadata.len();
        if length > limit {
            let message = format!("it has {length} bytes; at most {limit} are read");
            return Err(io::Error::new(ErrorKind::FileTooLarge, message));
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length as usize).map_err(|_| ErrorKind::OutOfMemory)?;
        self.file.by_ref().take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifo_is_refused_without_waiting_for_a_writer() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("fifo");
        let status = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
        assert!(status.success());
        assert_eq!(ForeignFile::open(&path).expect_err("it is a FIFO").kind(), ErrorKind::InvalidInput);
    }

    #[test]
    fn a_sparse_file_beyond_the_limit_is_refused_before_memory_is_taken() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("sparse");
        File::create(&path).and_then(|file| file.set_len(1 << 40)).expect("a sparse file can be made");
        let error = ForeignFile::open(&path).and_then(|mut file| file.read(1 << 30)).expect_err("it is too large");
        assert_eq!(error.to_string(), "it has 1099511627776 bytes; at most 1073741824 are read");
    }
}

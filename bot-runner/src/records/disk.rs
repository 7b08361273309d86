//! Where the bytes of records go.

use std::fs::File;
use std::io::{self, Write};

/// What takes the bytes of records, so that tests can have one that is full, or slow.
pub trait Disk: Send + 'static {
    /// Appends to a file.
    ///
    /// # Errors
    ///
    /// When not all of it could be written; a part of it may have been.
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<()>;
}

/// The disk that there is.
#[derive(Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }
}

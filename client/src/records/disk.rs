//! The disk as records see it.

use std::fs::File;
use std::io::{self, Write};

/// Where the bytes of records go; tests have one that is full or slow.
pub trait Disk: Send + 'static {
    /// Appends to a file.
    ///
    /// # Errors
    ///
    /// When not all of it could be written; a part of it may have been.
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<()>;
}

/// The disk of this machine.
#[derive(Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }
}

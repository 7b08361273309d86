//! A file of a record: complete JSON lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

use serde::de::IgnoredAny;

/// A file of JSON lines with a single writer.
#[derive(Debug)]
pub(super) struct LineFile {
    pub(super) file: File,
    bytes: u64,
}

impl LineFile {
    pub(super) fn new(file: File) -> io::Result<Self> {
        let bytes = file.metadata()?.len();
        Ok(Self { file, bytes })
    }

    /// Appends a line, completely or not at all.
    pub(super) fn append(&mut self, mut line: String) -> io::Result<()> {
        line.push('\n');
        let written = self.file.write_all(line.as_bytes());
        match written {
            Ok(()) => self.bytes += line.len() as u64,
            Err(_) => drop(self.file.set_len(self.bytes)),
        }
        written
    }

    /// Cuts the file off before its first incomplete line; returns the number of lines left. `kept`
    /// is called with each of them.
    pub(super) fn keep_whole_lines(&mut self, mut kept: impl FnMut(&[u8])) -> io::Result<u64> {
        let (mut lines, mut line) = (0, Vec::new());
        let mut reader = BufReader::new(&self.file);
        self.bytes = 0;
        while reader.read_until(b'\n', &mut line)? > 0
            && line.ends_with(b"\n")
            && serde_json::from_slice::<IgnoredAny>(&line).is_ok()
        {
            kept(&line);
            lines += 1;
            self.bytes += line.len() as u64;
            line.clear();
        }
        self.file.set_len(self.bytes)?;
        self.file.sync_all()?;
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_ends_before_its_first_line_that_is_not_whole() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("lines");
        for (text, whole) in [
            ("{}\n[1]\n", "{}\n[1]\n"),
            ("{}\n[1", "{}\n"),
            // Valid, although more may have been meant to follow.
            ("{}\n12", "{}\n"),
            ("{}\n\0\0\0\n[1]\n", "{}\n"),
            ("", ""),
        ] {
            fs::write(&path, text).expect("it can be written");
            let file = File::options()
                .read(true)
                .write(true)
                .open(&path)
                .expect("it is there");
            let mut kept = Vec::new();
            let mut file = LineFile::new(file).expect("it is a file");
            let lines = file
                .keep_whole_lines(|line| kept.extend_from_slice(line))
                .expect("it can be read");
            assert_eq!(lines as usize, whole.matches('\n').count(), "{text:?}");
            assert_eq!(
                fs::read(&path).expect("it is there"),
                whole.as_bytes(),
                "{text:?}"
            );
            assert_eq!(kept, whole.as_bytes());
        }
    }

    #[test]
    fn a_line_that_does_not_fit_leaves_nothing_behind() {
        let file = File::options()
            .write(true)
            .open("/dev/full")
            .expect("every system has it");
        let mut full = LineFile::new(file).expect("it is a file");
        let error = full.append("{}".to_owned()).expect_err("it is full");
        assert_eq!((error.kind(), full.bytes), (io::ErrorKind::StorageFull, 0));
    }
}

//! Files of JSON, one value a line, of which the last may be torn.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::Path;

use serde::de::IgnoredAny;

/// Cuts a file off before its first line that is not whole and hears of every line that stays; how many there are. A file
/// that is not there has none.
pub(super) fn cut_at_torn_line(path: &Path, mut heard: impl FnMut(&[u8])) -> io::Result<u64> {
    let file = match File::options().read(true).write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let (mut lines, mut whole) = (0, 0);
    let mut reader = BufReader::new(&file);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        if !line.ends_with(b"\n") || serde_json::from_slice::<IgnoredAny>(&line).is_err() {
            break;
        }
        heard(&line);
        lines += 1;
        whole += line.len() as u64;
        line.clear();
    }
    if whole < file.metadata()?.len() {
        file.set_len(whole)?;
    }
    file.sync_all()?;
    Ok(lines)
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
            // Valid without its end, and yet it may not be all that was to be written.
            ("{}\n12", "{}\n"),
            ("{}\n\0\0\0\n[1]\n", "{}\n"),
            ("", ""),
        ] {
            fs::write(&path, text).expect("it can be written");
            let mut heard = Vec::new();
            let lines = cut_at_torn_line(&path, |line| heard.extend_from_slice(line)).expect("it can be read");
            assert_eq!(lines as usize, whole.matches('\n').count(), "{text:?}");
            assert_eq!(fs::read(&path).expect("it is there"), whole.as_bytes(), "{text:?}");
            assert_eq!(heard, whole.as_bytes());
        }
        assert_eq!(cut_at_torn_line(&folder.path().join("none"), |_| {}).expect("there is none"), 0);
    }
}

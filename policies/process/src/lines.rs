//! Lines out of the bytes of a pipe.

/// Maximum length of a line that is kept whole, in bytes. An answer has some hundred; Mortal's with
/// all its values a few thousand.
pub(crate) const MAX_BYTES: usize = 1 << 20;

/// Cuts bytes into lines as they come.
#[derive(Debug, Default)]
pub(crate) struct LineSplitter {
    /// The line that has not ended yet.
    begun: Vec<u8>,
}

impl LineSplitter {
    /// Reads bytes and passes on every line that ends in them, without its line break; blank ones
    /// are skipped. A line longer than [`MAX_BYTES`] comes in pieces, and invalid UTF-8 is
    /// replaced.
    pub(crate) fn take(&mut self, bytes: &[u8], mut each: impl FnMut(String)) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.begun.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.begun.len() >= MAX_BYTES {
                self.end(&mut each);
            }
        }
    }

    /// Passes on the last line without a line break at the end of the input.
    pub(crate) fn end(&mut self, mut each: impl FnMut(String)) {
        let line = String::from_utf8_lossy(&self.begun);
        // A byte order mark, which some systems write before their first line, is no part of it.
        let line = line.trim_start_matches('\u{feff}').trim();
        if !line.is_empty() {
            each(line.to_owned());
        }
        self.begun.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(pieces: &[&[u8]]) -> Vec<String> {
        let (mut lines, mut cut) = (LineSplitter::default(), Vec::new());
        for piece in pieces {
            lines.take(piece, |line| cut.push(line));
        }
        lines.end(|line| cut.push(line));
        cut
    }

    #[test]
    fn lines_come_whole_however_the_bytes_are_cut() {
        assert_eq!(
            cut(&[b"one\ntw", b"o\r\n", b"\n  \nthr", b"ee"]),
            ["one", "two", "three"]
        );
        assert_eq!(cut(&["\u{feff}one\r\n\u{feff}\r\n".as_bytes()]), ["one"]);
    }

    #[test]
    fn invalid_utf_8_is_still_a_line() {
        assert_eq!(cut(&[b"\xff\xfe!\n"]), ["\u{fffd}\u{fffd}!"]);
    }

    #[test]
    fn a_line_without_an_end_is_cut() {
        let endless = vec![b'x'; MAX_BYTES + 10];
        assert_eq!(
            cut(&[&endless]).iter().map(String::len).collect::<Vec<_>>(),
            [MAX_BYTES + 10]
        );
        assert_eq!(cut(&[&endless, b"y"]).len(), 2);
    }
}

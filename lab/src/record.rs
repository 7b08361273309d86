//! The lines of records of games, plain or gzipped.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use policy_host::ForeignFile;
use protocol::game_record::{EarlierLines, LineForm, RecordStart, RecordedEntry, RiichiLineForm};
use protocol::{ReadError, text_of};
use riichi::Event;

/// Maximum size of a record that is read, in bytes, unpacked.
pub const MAX_BYTES: u64 = 64 << 20;

/// The first two bytes of every gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// In how many of the first lines the names are looked for.
const HEAD_LINES: usize = 8;

/// The reason why the rest of a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("the record cannot be read")]
    Io(#[from] io::Error),
    /// A line that is not a text.
    #[error("line {line}: {error}")]
    Text {
        /// Number of the line, from 1.
        line: u64,
        error: ReadError,
    },
    /// A line that is wrong, in words that name it.
    #[error("{0}")]
    Line(String),
    /// The deal shows no hand.
    #[error("no hand of the deal is known")]
    NothingDealt,
}

#[must_use]
pub fn gzipped(events: &[Event]) -> Vec<u8> {
    let mut file = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory cannot fail.
    for event in events {
        let _ = writeln!(file, "{}", protocol::event_json(event));
    }
    file.finish().unwrap_or_default()
}

/// Opens a file, plain or gzipped, for reading line by line. Reading fails behind [`MAX_BYTES`] of
/// its content.
///
/// # Errors
///
/// If it cannot be read, or is not an ordinary file.
pub fn open_lines(path: &Path) -> io::Result<Box<dyn BufRead>> {
    lines_of(ForeignFile::open(path)?)
}

/// The same for a file that is open.
///
/// # Errors
///
/// If it cannot be read.
pub fn lines_of(file: ForeignFile) -> io::Result<Box<dyn BufRead>> {
    let mut file = file.into_file();
    let mut head = Vec::with_capacity(GZIP.len());
    (&mut file).take(GZIP.len() as u64).read_to_end(&mut head)?;
    let whole = io::Cursor::new(head.clone()).chain(file);
    Ok(if head == GZIP {
        Box::new(BufReader::new(Bounded {
            content: MultiGzDecoder::new(whole),
            left: MAX_BYTES,
        }))
    } else {
        Box::new(BufReader::new(Bounded {
            content: whole,
            left: MAX_BYTES,
        }))
    })
}

/// Content of which only so many bytes can be read; more is an error.
struct Bounded<R> {
    content: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.left).map_or(bytes.len(), |left| left.min(bytes.len()));
        if room == 0 && !bytes.is_empty() {
            return match self.content.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(io::Error::new(
                    ErrorKind::FileTooLarge,
                    format!(
                        "it has more than {} MiB, and at most that is read",
                        MAX_BYTES >> 20
                    ),
                )),
            };
        }
        let count = self.content.read(&mut bytes[..room])?;
        self.left -= count as u64;
        Ok(count)
    }
}

/// The lines of a record as texts.
pub(crate) struct TextLines {
    lines: Box<dyn BufRead>,
    /// Number of the last line, from 1.
    number: u64,
    buffer: Vec<u8>,
}

impl TextLines {
    pub(crate) fn new(lines: Box<dyn BufRead>) -> Self {
        Self {
            lines,
            number: 0,
            buffer: Vec::new(),
        }
    }

    /// The next line with its number; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, &str)>, RecordError> {
        self.buffer.clear();
        // One line more than the maximum length shows that a frame is too long.
        let mut limited = (&mut self.lines).take(protocol::MAX_FRAME as u64 + 1);
        if limited.read_until(b'\n', &mut self.buffer)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let line = self.number;
        let text = text_of(&self.buffer).map_err(|error| RecordError::Text { line, error })?;
        Ok(Some((line, text.trim())))
    }
}

/// The events of a record of riichi with their line numbers; events of unknown types and empty
/// lines are skipped.
pub struct Record {
    lines: TextLines,
    earlier: EarlierLines,
}

impl Record {
    /// Opens a record.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            lines: TextLines::new(open_lines(path)?),
            earlier: EarlierLines::default(),
        })
    }

    fn next_event(&mut self) -> Result<Option<(u64, Event)>, RecordError> {
        while let Some((line, text)) = self.lines.next()? {
            if text.is_empty() {
                continue;
            }
            let entry = RiichiLineForm::read(text, &mut self.earlier)
                .map_err(|why| RecordError::Line(format!("line {line}: {why}")))?;
            if let Some(
                RecordedEntry::Started(_, Some(event)) | RecordedEntry::Happened(event, _),
            ) = entry
            {
                return Ok(Some((line, event)));
            }
        }
        Ok(None)
    }
}

impl Iterator for Record {
    type Item = Result<(u64, Event), RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_event().transpose()
    }
}

/// The names of the players in a record, if it has them.
#[must_use]
pub fn names_of_record(path: &Path) -> Vec<String> {
    open_lines(path)
        .map(|mut lines| names_of(&mut lines))
        .unwrap_or_default()
}

/// The names of the players, where `start_game` has them.
pub fn names_of(lines: &mut dyn BufRead) -> Vec<String> {
    let mut line = Vec::new();
    for _ in 0..HEAD_LINES {
        line.clear();
        let read = lines
            .take(protocol::MAX_FRAME as u64)
            .read_until(b'\n', &mut line);
        if !read.is_ok_and(|read| read > 0) {
            break;
        }
        if let Some(start) = RecordStart::read_any(&String::from_utf8_lossy(&line)) {
            return start.names;
        }
    }
    Vec::new()
}

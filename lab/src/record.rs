//! Records of games: one mjai event a line, plain or gzipped, or what a log of another form says in
//! such lines.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use game_logs::Log;
use policy_host::ForeignFile;
use protocol::game_record::{EarlierLines, LineForm, RecordStart, RecordedEntry, RiichiLineForm};
use protocol::{ReadError, text_of};
use riichi::Event;

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

pub fn gzipped(events: &[Event]) -> Vec<u8> {
    let mut file = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory cannot fail.
    for event in events {
        let _ = writeln!(file, "{}", protocol::event_json(event));
    }
    file.finish().unwrap_or_default()
}

/// Opens a file for reading line by line: a record, plain or gzipped, a log of any form that
/// [`game_logs`] reads, or an archive of them. `-` is standard input. Reading fails behind
/// [`game_logs::MAX_BYTES`] of its content.
///
/// # Errors
///
/// If it cannot be read, is not an ordinary file, or is a malformed log of a known form.
pub fn open_lines(path: &Path) -> io::Result<Box<dyn BufRead>> {
    if path.as_os_str() == STANDARD_INPUT {
        return game_logs::log_lines(standard_input()?);
    }
    lines_of(ForeignFile::open(path)?)
}

/// The path that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// What standard input has, up to the largest log. It is read once, so that a command may open it
/// again.
fn standard_input() -> io::Result<io::Cursor<&'static [u8]>> {
    static CONTENT: OnceLock<Vec<u8>> = OnceLock::new();
    if let Some(content) = CONTENT.get() {
        return Ok(io::Cursor::new(content));
    }
    let mut content = Vec::new();
    io::stdin()
        .lock()
        .take(game_logs::MAX_BYTES + 1)
        .read_to_end(&mut content)?;
    Ok(io::Cursor::new(CONTENT.get_or_init(|| content)))
}

/// Whether a file seems to hold games, by its first bytes.
pub fn looks_like_games(path: &Path) -> bool {
    ForeignFile::open(path)
        .and_then(|file| game_logs::looks_like_logs(file.into_file()))
        .unwrap_or(false)
}

/// Calls `visit` with each log of a file, as [`open_lines`] opens it.
///
/// # Errors
///
/// If the file cannot be read, or with the first error of `visit`.
pub fn each_log<E: From<io::Error>>(
    path: &Path,
    visit: &mut dyn FnMut(Log) -> Result<(), E>,
) -> Result<(), E> {
    if path.as_os_str() == STANDARD_INPUT {
        return game_logs::each_log(standard_input()?, visit);
    }
    game_logs::each_log(ForeignFile::open(path)?.into_file(), visit)
}

/// The same as [`open_lines`] for a file that is open.
///
/// # Errors
///
/// If it cannot be read, or is a malformed log.
pub fn lines_of(file: ForeignFile) -> io::Result<Box<dyn BufRead>> {
    game_logs::log_lines(file.into_file())
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

//! Records of games: one mjai event a line, plain or gzipped.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use policy_host::{GameKind, RecordedEvents};
use protocol::game_record::RecordStart;
use protocol::{EventError, Parsed, ReadError, parse_event, text_of, without_empty_slot};
use riichi::{Event, MAX_PLAYERS};
use serde_json::Value;

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
    /// A line that is not an event.
    #[error("line {line}: {error}")]
    Event {
        /// Number of the line, from 1.
        line: u64,
        error: EventError,
    },
    #[error("line {line}: this is the record of a game of {game}, and records of riichi are read here")]
    OtherGame {
        /// Number of the line, from 1.
        line: u64,
        game: GameKind,
    },
    /// A line of a game other than riichi.
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

/// Opens a file, plain or gzipped, for reading line by line.
///
/// # Errors
///
/// If it cannot be read.
pub fn open_lines(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = File::open(path)?;
    let mut head = Vec::with_capacity(GZIP.len());
    (&mut file).take(GZIP.len() as u64).read_to_end(&mut head)?;
    let whole = io::Cursor::new(head.clone()).chain(file);
    Ok(if head == GZIP {
        Box::new(BufReader::new(MultiGzDecoder::new(whole)))
    } else {
        Box::new(BufReader::new(whole))
    })
}

/// The events of a record with their line numbers; events of unknown types and empty lines are skipped.
pub struct Record {
    lines: Box<dyn BufRead>,
    line: u64,
    buffer: Vec<u8>,
    /// Players of the last round that began.
    players: u8,
}

impl Record {
    /// Opens a record.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self::new(open_lines(path)?))
    }

    #[must_use]
    pub fn new(lines: Box<dyn BufRead>) -> Self {
        Self { lines, line: 0, buffer: Vec::new(), players: MAX_PLAYERS as u8 }
    }

    fn next_event(&mut self) -> Result<Option<(u64, Event)>, RecordError> {
        loop {
            self.buffer.clear();
            // One line more than the maximum length shows that a frame is too long.
            let mut limited = (&mut self.lines).take(protocol::MAX_FRAME as u64 + 1);
            if limited.read_until(b'\n', &mut self.buffer)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            let line = self.line;
            let text = text_of(&self.buffer).map_err(|error| RecordError::Text { line, error })?.trim();
            if text.is_empty() {
                continue;
            }
            match parse_event(text).map_err(|error| RecordError::Event { line, error })? {
                Parsed::Event(event) => {
                    if let (Event::StartGame { .. }, Some(game)) = (event, other_game(text)) {
                        return Err(RecordError::OtherGame { line, game });
                    }
                    if let Event::StartKyoku(start) = event {
                        self.players = start.tehais.players();
                    }
                    return Ok(Some((line, without_empty_slot(event, self.players))));
                }
                Parsed::Unknown(_) => {}
            }
        }
    }
}

/// The game of a record with this first line, unless it contains mjai events.
fn other_game(line: &str) -> Option<GameKind> {
    let game: GameKind = RecordStart::read(line)?.game.parse().ok()?;
    (game.recorded_events() == RecordedEvents::Steps).then_some(game)
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
    open_lines(path).map(|mut lines| names_of(&mut lines)).unwrap_or_default()
}

/// The names of the players, where `start_game` has them.
pub fn names_of(lines: &mut dyn BufRead) -> Vec<String> {
    let mut line = Vec::new();
    for _ in 0..HEAD_LINES {
        line.clear();
        let read = lines.take(protocol::MAX_FRAME as u64).read_until(b'\n', &mut line);
        if !read.is_ok_and(|read| read > 0) {
            break;
        }
        let Ok(event) = serde_json::from_slice::<Value>(&line) else { continue };
        if event["type"] == "start_game" {
            let names = event["names"].as_array().into_iter().flatten();
            let mut names: Vec<String> =
                names.map(|name| name.as_str().unwrap_or("?").to_owned()).take(MAX_PLAYERS).collect();
            // Programs that write a game of three in four slots leave the name of the fourth empty.
            if let [_, _, _, fourth] = names.as_slice()
                && fourth.is_empty()
            {
                names.pop();
            }
            return names;
        }
    }
    Vec::new()
}

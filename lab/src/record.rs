//! Records of games: one mjai event a line, plain or gzipped, or what a log of another form says in
//! such lines.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use game_logs::Log;
use policy_host::{ForeignFile, GameKind, RecordedEvents};
use protocol::game_record::RecordStart;
use protocol::{
    EventError, OmittedFields, Parsed, ReadError, RecordedLine, parse_recorded, text_of,
    without_empty_slot,
};
use riichi::referee::RecordedFacts;
use riichi::{Event, MAX_PLAYERS, Seat, Tile};
use serde_json::Value;

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
    #[error(
        "line {line}: this is the record of a game of {game}, and records of riichi are read here"
    )]
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
#[must_use]
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

/// The events of a record with their line numbers; events of unknown types and empty lines are
/// skipped.
///
/// What a record leaves out or has in another way is as in any other: three players without a
/// fourth slot, riichi sticks counted, and a discard marked as the drawn tile only if it can be
/// that.
pub struct Record {
    lines: Box<dyn BufRead>,
    line: u64,
    buffer: Vec<u8>,
    so_far: SoFar,
}

/// An event of a record, and what its line says besides.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedEvent {
    /// Number of the line, from 1.
    pub line: u64,
    pub event: Event,
    pub told: RecordedFacts,
}

/// The facts of a record that later lines need.
#[derive(Debug)]
struct SoFar {
    /// Players of the last round that began.
    players: u8,
    /// Riichi sticks on the table.
    sticks: u8,
    /// The seat that has just drawn, and the tile if it is visible.
    drawn: Option<(Seat, Option<Tile>)>,
    /// The seat that has just called.
    called: Option<Seat>,
    in_riichi: [bool; MAX_PLAYERS],
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
        Self {
            lines,
            line: 0,
            buffer: Vec::new(),
            so_far: SoFar::default(),
        }
    }

    /// The next event; `None` at the end.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn next_event(&mut self) -> Result<Option<RecordedEvent>, RecordError> {
        loop {
            self.buffer.clear();
            // One line more than the maximum length shows that a frame is too long.
            let mut limited = (&mut self.lines).take(protocol::MAX_FRAME as u64 + 1);
            if limited.read_until(b'\n', &mut self.buffer)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            let line = self.line;
            let text = text_of(&self.buffer)
                .map_err(|error| RecordError::Text { line, error })?
                .trim();
            if text.is_empty() {
                continue;
            }
            let RecordedLine {
                parsed,
                told,
                left_out,
            } = parse_recorded(text).map_err(|error| RecordError::Event { line, error })?;
            match parsed {
                Parsed::Event(event) => {
                    if let (Event::StartGame { .. }, Some(game)) = (event, other_game(text)) {
                        return Err(RecordError::OtherGame { line, game });
                    }
                    let mut recorded = RecordedEvent { line, event, told };
                    self.so_far.complete(&mut recorded, left_out);
                    return Ok(Some(recorded));
                }
                Parsed::Unknown(_) => {}
            }
        }
    }
}

impl Default for SoFar {
    fn default() -> Self {
        Self {
            players: MAX_PLAYERS as u8,
            sticks: 0,
            drawn: None,
            called: None,
            in_riichi: [false; MAX_PLAYERS],
        }
    }
}

impl SoFar {
    /// Takes the event in, and gives it what its line leaves out.
    fn complete(&mut self, recorded: &mut RecordedEvent, left_out: OmittedFields) {
        if let Event::StartKyoku(start) = &recorded.event {
            self.players = start.tehais.players();
        }
        recorded.event = without_empty_slot(recorded.event, self.players);
        let called = self.called.take();
        match &mut recorded.event {
            Event::StartGame { .. } => *self = Self::default(),
            Event::StartKyoku(start) => {
                if left_out.sticks {
                    start.kyotaku = self.sticks;
                }
                self.sticks = start.kyotaku;
                (self.drawn, self.in_riichi) = (None, [false; MAX_PLAYERS]);
            }
            Event::Tsumo { actor, tile } => self.drawn = Some((*actor, *tile)),
            Event::Chi { actor, .. } | Event::Pon { actor, .. } => {
                (self.called, self.drawn) = (Some(*actor), None);
            }
            Event::Dahai {
                actor,
                tile,
                tsumogiri,
            } => {
                let drawn = self.drawn.take().filter(|(seat, _)| seat == actor);
                if left_out.tsumogiri {
                    *tsumogiri = match drawn {
                        Some((_, Some(drawn))) => drawn == *tile,
                        Some((_, None)) => self.in_riichi[actor.index()],
                        None => false,
                    };
                }
                recorded.told.tsumogiri_after_call = *tsumogiri && called == Some(*actor);
                *tsumogiri &= called != Some(*actor);
            }
            Event::ReachAccepted { actor, .. } => {
                self.sticks = self.sticks.saturating_add(1);
                self.in_riichi[actor.index()] = true;
            }
            Event::Hora(_) => self.sticks = 0,
            _ => {}
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
        self.next_event()
            .map(|next| next.map(|RecordedEvent { line, event, .. }| (line, event)))
            .transpose()
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
        let Ok(event) = serde_json::from_slice::<Value>(&line) else {
            continue;
        };
        if event["type"] == "start_game" {
            let names = event["names"].as_array().into_iter().flatten();
            let mut names: Vec<String> = names
                .map(|name| name.as_str().unwrap_or("?").to_owned())
                .take(MAX_PLAYERS)
                .collect();
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

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use riichi::Tile;

    use super::*;

    const HANDS: &str = r#"[["?","?","?","?","?","?","?","?","?","?","?","?","?"],
        ["?","?","?","?","?","?","?","?","?","?","?","?","?"],["?","?","?","?","?","?","?","?","?","?","?","?","?"],
        ["?","?","?","?","?","?","?","?","?","?","?","?","?"]]"#;

    fn start(rest: &str) -> String {
        let start = r#"{"type":"start_kyoku","bakaze":"S","kyoku":1,"honba":0,"oya":0,"dora_marker":"1m","tehais":"#;
        format!("{start}{}{rest}}}", HANDS.replace('\n', ""))
    }

    fn read(lines: &[String]) -> Vec<RecordedEvent> {
        let mut record = Record::new(Box::new(Cursor::new(lines.join("\n"))));
        std::iter::from_fn(|| record.next_event().expect("it can be read")).collect()
    }

    #[test]
    fn sticks_that_a_record_leaves_out_are_counted() {
        let accepted = r#"{"type":"reach_accepted","actor":1}"#.to_owned();
        let drawn = r#"{"type":"ryukyoku"}"#.to_owned();
        let won = r#"{"type":"hora","actor":1,"target":0}"#.to_owned();
        let lines = [
            start(""),
            accepted.clone(),
            accepted,
            drawn.clone(),
            start(""),
            won,
            start(""),
            start(r#","kyotaku":3"#),
        ];
        let sticks: Vec<u8> = read(&lines)
            .iter()
            .filter_map(|recorded| match &recorded.event {
                Event::StartKyoku(start) => Some(start.kyotaku),
                _ => None,
            })
            .collect();
        assert_eq!(sticks, [0, 2, 0, 3]);
        let again = [
            start(""),
            r#"{"type":"reach_accepted","actor":0}"#.to_owned(),
            r#"{"type":"start_game"}"#.to_owned(),
        ];
        let [.., Event::StartKyoku(first)] = read(&[&again[..], &[start("")]].concat())
            .iter()
            .map(|recorded| recorded.event)
            .collect::<Vec<_>>()[..]
        else {
            panic!("a round begins");
        };
        assert_eq!(first.kyotaku, 0, "another game begins without sticks");
    }

    #[test]
    fn a_discard_is_the_drawn_tile_only_if_it_can_be_that() {
        let lines = [
            start(r#","kyotaku":0"#),
            r#"{"type":"tsumo","actor":0,"pai":"5p"}"#.to_owned(),
            r#"{"type":"dahai","actor":0,"pai":"5p"}"#.to_owned(),
            r#"{"type":"pon","actor":1,"target":0,"pai":"5p","consumed":["5p","5p"]}"#.to_owned(),
            r#"{"type":"dahai","actor":1,"pai":"E","tsumogiri":true}"#.to_owned(),
            r#"{"type":"tsumo","actor":2,"pai":"1s"}"#.to_owned(),
            r#"{"type":"dahai","actor":2,"pai":"2s"}"#.to_owned(),
            r#"{"type":"tsumo","actor":3,"pai":"1s"}"#.to_owned(),
            r#"{"type":"dahai","actor":3,"pai":"1s","tsumogiri":false}"#.to_owned(),
        ];
        let discards: Vec<(Tile, bool, bool)> = read(&lines)
            .iter()
            .filter_map(|recorded| match recorded.event {
                Event::Dahai {
                    tile, tsumogiri, ..
                } => Some((tile, tsumogiri, recorded.told.tsumogiri_after_call)),
                _ => None,
            })
            .collect();
        let tile = |name: &str| name.parse::<Tile>().expect("a tile");
        let right = [
            ("5p", true, false),
            ("E", false, true),
            ("2s", false, false),
            ("1s", false, false),
        ];
        assert_eq!(
            discards,
            right.map(|(name, drawn, after_call)| (tile(name), drawn, after_call))
        );
    }
}

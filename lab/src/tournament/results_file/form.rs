//! The content of a results file as bytes: its arguments, its results for programs, and the walls
//! from which the results are computed; and the lines of its journal.
//!
//! Each wall is a line of whole numbers, and all results follow from the walls. So a tournament
//! resumes where it was cut, and parts of it that were played elsewhere make up exactly the file
//! that one run would have written. The last line is a checksum of all before it; files of earlier
//! versions have none.

use foreign_text::{check_text, check_texts};
use lab_stats::SeatCounts;
use policy_host::{Measure, Sha256};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::super::arguments::{Arguments, MAX_GAMES};
use super::super::result::TournamentResult;
use super::super::seating::CannotSeat;
use super::super::wall::{WallLine, WallResult};
use super::{ResultsFile, json};
use crate::part::Shard;

/// Version of the form of the file.
const FORM: u32 = 1;

/// The beginning of the file, without white space.
const BEGIN: &[u8] = b"{\"form\":";

/// The reason why the content of a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadResultsFile {
    /// It is not a tournament's file.
    #[error("it is not a results file of a tournament")]
    Other,
    /// It is incomplete.
    #[error("it is not the whole results file of a tournament; it may have been cut or changed")]
    Form(#[from] serde_json::Error),
    /// It was written by another version.
    #[error("its form is {0}, and this version of the program reads form {FORM}")]
    Version(u32),
    /// Its tournament is impossible.
    #[error("its configs cannot be seated")]
    Seating(#[from] CannotSeat),
    /// Its checksum does not match the content.
    #[error(
        "it was changed after it was written, for its checksum does not fit; if that was on purpose, take the key \
         \"sha256\" out"
    )]
    Changed,
    /// One of its arguments cannot be one.
    #[error("{0}; the file was changed")]
    Argument(String),
    /// One of its walls cannot belong to the tournament.
    #[error("its results for wall {0} are impossible; the file was changed")]
    Wall(u64),
    /// A line of its journal is not a wall.
    #[error("one of its lines is not a wall")]
    Line(#[source] serde_json::Error),
    /// A line of its journal does not match its checksum.
    #[error("the checksum of wall {0} does not fit")]
    LineChanged(u64),
}

impl BadResultsFile {
    /// What the user can do.
    pub(super) const fn next_step(&self) -> &'static str {
        match self {
            Self::Other => "name another file",
            _ => "restore it, or remove it and play its walls again",
        }
    }
}

/// The part of the file before the walls, in its written form.
#[derive(Serialize)]
struct Head<'f> {
    form: u32,
    arguments: &'f Arguments,
    shard: Option<Shard>,
    #[serde(flatten)]
    result: Option<TournamentResult>,
    counted: &'static [&'static str],
}

/// The part of the file that is read; the rest is computed.
#[derive(Deserialize)]
struct ReadFile {
    form: u32,
    arguments: Arguments,
    shard: Option<Shard>,
    played: Vec<WallLine>,
    /// Missing in files of earlier versions.
    sha256: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct ReadForm {
    form: u32,
}

/// Reads the content of a file.
pub(super) fn read(bytes: &[u8]) -> Result<ResultsFile, BadResultsFile> {
    let read: ReadFile = match serde_json::from_slice(bytes) {
        Ok(read) => read,
        Err(error) => match serde_json::from_slice::<ReadForm>(bytes) {
            Ok(ReadForm { form }) if form != FORM => {
                return Err(BadResultsFile::Version(form));
            }
            Err(_) if !is_begun(bytes) => return Err(BadResultsFile::Other),
            _ => return Err(error.into()),
        },
    };
    if read.form != FORM {
        return Err(BadResultsFile::Version(read.form));
    }
    if read.sha256.is_some() && !fits_checksum(bytes) {
        return Err(BadResultsFile::Changed);
    }
    check_arguments(&read.arguments)?;
    let mut file = ResultsFile::unwritten(read.arguments, read.shard.unwrap_or_default());
    add(&mut file, &read.played)?;
    Ok(file)
}

/// Adds walls from lines.
fn add(file: &mut ResultsFile, lines: &[WallLine]) -> Result<(), BadResultsFile> {
    let plan = file.plan()?;
    for line in lines {
        if let Some(fault) = line.fault() {
            check_text(&format!("the fault of wall {}", line.wall), fault)
                .map_err(|why| BadResultsFile::Argument(why.to_string()))?;
        }
        let own = file.shard.holds(line.wall) && line.wall <= plan.walls;
        let result = line
            .read(&plan.schedule)
            .filter(|result| own && result.luck.is_empty() == file.arguments.luck.is_none())
            .ok_or(BadResultsFile::Wall(line.wall))?;
        file.walls.insert(line.wall, result);
    }
    Ok(())
}

/// The content of a file, with its result once it has one.
pub(super) fn content(file: &ResultsFile, result: Option<TournamentResult>) -> Vec<u8> {
    let measure = file.arguments.measure();
    let head = Head {
        form: FORM,
        arguments: &file.arguments,
        shard: (!file.shard.is_whole()).then_some(file.shard),
        result,
        counted: SeatCounts::counted(measure),
    };
    let head = serde_json::to_string_pretty(&head).expect("its keys are texts");
    let mut text = head.trim_end().trim_end_matches('}').trim_end().to_owned();
    text.push_str(",\n  \"played\": [");
    for (place, (&wall, result)) in file.walls.iter().enumerate() {
        text.push_str(if place == 0 { "\n    " } else { ",\n    " });
        text.push_str(&line(wall, result, measure));
    }
    text.push_str("\n  ]");
    let end = end(text.as_bytes());
    text.push_str(&end);
    text.into_bytes()
}

/// Refuses arguments that no tournament of ours has.
fn check_arguments(arguments: &Arguments) -> Result<(), BadResultsFile> {
    let Arguments {
        games,
        players,
        uma,
        ..
    } = arguments;
    let uma = uma.as_ref().map_or(usize::from(*players), Vec::len);
    let checked = check_texts(&json(arguments))
        .map_err(|why| format!("arguments.{why}"))
        .and_then(|()| match uma {
            // They are rounded up to whole walls.
            _ if *games > 2 * MAX_GAMES => Err(format!(
                "arguments.games is {games}; at most {MAX_GAMES} are read"
            )),
            values if values != usize::from(*players) => Err(format!(
                "arguments.uma has {values} values for the places of {players} players"
            )),
            _ => Ok(()),
        });
    checked.map_err(BadResultsFile::Argument)
}

/// Whether a text begins as a results file does, which may have been cut.
fn is_begun(bytes: &[u8]) -> bool {
    let text = bytes.iter().filter(|byte| !byte.is_ascii_whitespace());
    text.take(BEGIN.len()).eq(BEGIN)
}

/// The last line of a file: the checksum of the lines before it.
fn end(before: &[u8]) -> String {
    format!(",\n  \"sha256\": \"{}\"\n}}\n", Sha256::of(before))
}

/// Whether a file ends with the checksum of the lines before it.
fn fits_checksum(bytes: &[u8]) -> bool {
    // All checksum lines have the same length.
    let before = bytes.len().checked_sub(end(&[]).len());
    before.is_some_and(|length| bytes[length..] == *end(&bytes[..length]).as_bytes())
}

/// A wall as a line, without its end.
fn line(wall: u64, result: &WallResult, measure: Measure) -> String {
    written(&WallLine::of(wall, result, measure))
}

fn written(line: &WallLine) -> String {
    serde_json::to_string(line).expect("its keys are texts")
}

/// A wall in the journal, with a checksum.
#[derive(Deserialize)]
struct JournalLine {
    #[serde(flatten)]
    wall: WallLine,
    sha256: String,
}

/// The first line of the journal, which identifies the tournament.
pub(super) fn journal_head(file: &ResultsFile) -> String {
    let which = format!("{} {}", json(&file.arguments), file.shard);
    format!("\"{}\"", Sha256::of(which.as_bytes()))
}

/// A wall as a line of the journal.
pub(super) fn journal_line(wall: u64, result: &WallResult, measure: Measure) -> String {
    let line = line(wall, result, measure);
    let sum = Sha256::of(line.as_bytes());
    format!("{},\"sha256\":\"{sum}\"}}\n", line.trim_end_matches('}'))
}

fn read_journal_line(text: &[u8]) -> Result<WallLine, BadResultsFile> {
    let JournalLine { wall, sha256 } =
        serde_json::from_slice(text).map_err(BadResultsFile::Line)?;
    let sum = Sha256::of(written(&wall).as_bytes()).to_string();
    if sum == sha256 {
        Ok(wall)
    } else {
        Err(BadResultsFile::LineChanged(wall.wall))
    }
}

/// Adds the walls of a journal to its file; `false` if it belongs to another tournament.
pub(super) fn read_journal(file: &mut ResultsFile, journal: &[u8]) -> Result<bool, BadResultsFile> {
    // The last line may have been cut while it was written; the wall is played again.
    let whole = journal
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(&[][..], |end| &journal[..end]);
    let mut lines = whole
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    if lines
        .next()
        .is_some_and(|first| first != journal_head(file).as_bytes())
    {
        return Ok(false);
    }
    let walls: Vec<WallLine> = lines.map(read_journal_line).collect::<Result<_, _>>()?;
    add(file, &walls)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_which_any_byte_was_changed_is_refused() {
        let counts = vec![
            SeatCounts {
                places: [1, 0, 1, 0],
                points: 48_700,
                rounds: 17,
                ..SeatCounts::default()
            };
            2
        ];
        let result = WallResult {
            games: Vec::new(),
            luck: Vec::new(),
            counts,
            first_fault: Some((1, "a \"fault\"".to_owned())),
        };
        let text = journal_line(7, &result, Measure::Places);
        let text = text.trim_end();
        assert_eq!(
            read_journal_line(text.as_bytes())
                .expect("it is whole")
                .wall,
            7
        );
        for place in 0..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            bytes[place] ^= 1;
            assert!(
                read_journal_line(&bytes).is_err(),
                "byte {place}: {}",
                String::from_utf8_lossy(&bytes)
            );
        }
    }
}

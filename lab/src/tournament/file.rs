//! A tournament's file: its arguments, its results for programs, and the walls from which the
//! results are computed.
//!
//! Each wall is a line of whole numbers, and all results follow from the walls. So a tournament
//! resumes where it was cut, and parts of it that were played elsewhere make up exactly the file
//! that one run would have written. The last line is a checksum of all before it; files of earlier
//! versions have none.

use std::num::NonZeroUsize;

use foreign_text::{check_text, check_texts};
use lab_stats::SeatCounts;
use policy_host::{Measure, Sha256};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::arguments::{Arguments, MAX_GAMES};
use super::result::TournamentResult;
use super::run::{Plan, Walls, counting};
use super::seating::CannotSeat;
use super::wall::{WallLine, WallResult};
use crate::part::{Shard, ShardPart};

/// Version of the form of the file.
const FORM: u32 = 1;

/// The beginning of the file, without white space.
const BEGIN: &[u8] = b"{\"form\":";

/// The arguments and the results.
#[derive(Debug, Clone)]
pub struct TournamentFile {
    pub arguments: Arguments,
    /// The walls that are played here.
    pub shard: Shard,
    pub walls: Walls,
}

/// The reason why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadTournamentFile {
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
    #[error("its configs cannot be seated: {0}")]
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

impl TournamentFile {
    /// A tournament before its first game.
    pub fn new(arguments: Arguments, shard: Shard) -> Self {
        Self {
            arguments,
            shard,
            walls: Walls::new(),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it is incomplete, or its content is impossible.
    pub fn read(bytes: &[u8]) -> Result<Self, BadTournamentFile> {
        let read: ReadFile = match serde_json::from_slice(bytes) {
            Ok(read) => read,
            Err(error) => match serde_json::from_slice::<ReadForm>(bytes) {
                Ok(ReadForm { form }) if form != FORM => {
                    return Err(BadTournamentFile::Version(form));
                }
                Err(_) if !is_begun(bytes) => return Err(BadTournamentFile::Other),
                _ => return Err(error.into()),
            },
        };
        if read.form != FORM {
            return Err(BadTournamentFile::Version(read.form));
        }
        if read.sha256.is_some() && !fits_checksum(bytes) {
            return Err(BadTournamentFile::Changed);
        }
        check_arguments(&read.arguments)?;
        let mut file = Self::new(read.arguments, read.shard.unwrap_or_default());
        file.add(&read.played)?;
        Ok(file)
    }

    /// Adds walls from lines.
    ///
    /// # Errors
    ///
    /// If one cannot be a wall of this tournament.
    pub fn add(&mut self, lines: &[WallLine]) -> Result<(), BadTournamentFile> {
        let plan = self.plan()?;
        for line in lines {
            if let Some(fault) = line.fault() {
                check_text(&format!("the fault of wall {}", line.wall), fault)
                    .map_err(BadTournamentFile::Argument)?;
            }
            let own = self.shard.holds(line.wall) && line.wall <= plan.walls;
            let result = line
                .read(&plan.schedule)
                .filter(|_| own)
                .ok_or(BadTournamentFile::Wall(line.wall))?;
            self.walls.insert(line.wall, result);
        }
        Ok(())
    }

    /// The games to play, on one thread.
    ///
    /// # Errors
    ///
    /// If the configs cannot be seated.
    pub fn plan(&self) -> Result<Plan, CannotSeat> {
        self.arguments.plan(self.shard, NonZeroUsize::MIN)
    }

    /// The results of the walls that count; `None` if no wall is complete.
    ///
    /// # Errors
    ///
    /// If the configs cannot be seated.
    pub fn result(&self) -> Result<Option<TournamentResult>, CannotSeat> {
        let plan = self.plan()?;
        let (walls, verdict) = counting(&plan, self.walls.clone());
        Ok(TournamentResult::of(
            &plan,
            &self.arguments,
            &walls,
            verdict,
        ))
    }

    /// Removes walls that do not count because they were played after the verdict.
    ///
    /// # Errors
    ///
    /// If the configs cannot be seated.
    pub fn finish(&mut self) -> Result<(), CannotSeat> {
        let plan = self.plan()?;
        let (walls, verdict) = counting(&plan, self.walls.clone());
        if verdict.is_some() {
            self.walls = walls;
        }
        Ok(())
    }

    /// The final content of the file.
    ///
    /// # Errors
    ///
    /// If the configs cannot be seated.
    pub fn content(&self) -> Result<Vec<u8>, CannotSeat> {
        Ok(self.content_with(self.result()?))
    }

    /// The content of the file while games continue: without the results, which would take longer
    /// with every wall.
    pub fn content_so_far(&self) -> Vec<u8> {
        self.content_with(None)
    }

    fn content_with(&self, result: Option<TournamentResult>) -> Vec<u8> {
        let head = Head {
            form: FORM,
            arguments: &self.arguments,
            shard: (!self.shard.is_whole()).then_some(self.shard),
            result,
            counted: SeatCounts::counted(self.arguments.measure()),
        };
        let head = serde_json::to_string_pretty(&head).expect("its keys are texts");
        let mut text = head.trim_end().trim_end_matches('}').trim_end().to_owned();
        text.push_str(",\n  \"played\": [");
        for (place, (&wall, result)) in self.walls.iter().enumerate() {
            text.push_str(if place == 0 { "\n    " } else { ",\n    " });
            text.push_str(&line(wall, result, self.arguments.measure()));
        }
        text.push_str("\n  ]");
        let end = end(text.as_bytes());
        text.push_str(&end);
        text.into_bytes()
    }

    /// The data needed to merge it with others. `name` is its name in messages.
    ///
    /// # Errors
    ///
    /// If the configs cannot be seated.
    pub fn part(&self, name: &str) -> Result<ShardPart, CannotSeat> {
        let plan = self.plan()?;
        let of = self.shard.len(plan.walls);
        // A part that ended with a verdict is complete.
        let (_, verdict) = counting(&plan, self.walls.clone());
        let done = if verdict.is_some() {
            of
        } else {
            self.walls.len() as u64
        };
        Ok(ShardPart {
            name: name.to_owned(),
            arguments: serde_json::to_value(&self.arguments).expect("its keys are texts"),
            shard: self.shard,
            done: (done, of),
        })
    }
}

/// Refuses arguments that no tournament of ours has.
fn check_arguments(arguments: &Arguments) -> Result<(), BadTournamentFile> {
    let value = serde_json::to_value(arguments)?;
    let Arguments {
        games,
        players,
        uma,
        ..
    } = arguments;
    let uma = uma.as_ref().map_or(usize::from(*players), Vec::len);
    let checked = check_texts(&value)
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
    checked.map_err(BadTournamentFile::Argument)
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
pub fn line(wall: u64, result: &WallResult, measure: Measure) -> String {
    serde_json::to_string(&WallLine::of(wall, result, measure)).expect("its keys are texts")
}

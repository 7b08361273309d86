//! What is found in recorded games by their rules.

use std::fmt;

use policy_host::escaped;
use riichi::rules::Length;
use riichi::{Finding, FindingKind};

/// Maximum number of characters of an event that are shown; the deal of a round has some 600.
const MAX_SHOWN: usize = 1_000;

/// A finding about a line of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordFinding {
    /// Number of the line, from 1.
    pub line: u64,
    pub finding: Finding,
    /// The event, in the form of records.
    pub event: String,
}

/// What is found in one game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JudgedGame {
    /// The findings in order of lines. An impossible event is the last: what follows is not judged.
    pub findings: Vec<RecordFinding>,
    /// The moment in which the record ends, if that is before the end of the game.
    pub cut: Option<String>,
    /// The length of a game of riichi, if its rounds fit only one.
    pub length: Option<Length>,
}

impl RecordFinding {
    pub fn is_impossible(&self) -> bool {
        self.finding.kind == FindingKind::Impossible
    }

    /// The finding in words for people, on one line.
    pub fn words(&self) -> String {
        shown(&self.finding.to_string())
    }
}

/// Words of a record, as they may be shown.
fn shown(words: &str) -> String {
    let cut = words
        .char_indices()
        .nth(MAX_SHOWN)
        .map_or(words, |(end, _)| &words[..end]);
    escaped(cut.as_bytes()) + if cut.len() < words.len() { "…" } else { "" }
}

impl fmt::Display for RecordFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}: {}; the event is {}",
            self.line,
            self.words(),
            shown(&self.event)
        )
    }
}

impl JudgedGame {
    /// The first impossible event.
    pub fn impossible(&self) -> Option<&RecordFinding> {
        self.findings.iter().find(|found| found.is_impossible())
    }
}

/// A record that ends before its game, in words; the moment may be empty.
pub fn cut_in(moment: &str) -> String {
    let moment = if moment.is_empty() {
        String::new()
    } else {
        format!(", in {moment}")
    };
    format!("the record ends before the game does{moment}")
}

/// The errors that arenas and programs are known to make, in words: each sort once, with its lines.
pub fn known_errors(findings: &[RecordFinding]) -> Vec<String> {
    let mut sorts: Vec<(&RecordFinding, u64)> = Vec::new();
    for found in findings.iter().filter(|found| !found.is_impossible()) {
        // The reason follows the right value.
        let reason = |found: &RecordFinding| {
            found
                .finding
                .right
                .split_once(": ")
                .map(|(_, reason)| reason.to_owned())
        };
        match sorts
            .iter_mut()
            .find(|(first, _)| reason(first) == reason(found))
        {
            Some((_, times)) => *times += 1,
            None => sorts.push((found, 1)),
        }
    }
    let words = |(first, times): (&RecordFinding, u64)| match times {
        1 => format!("line {}: {}", first.line, first.words()),
        2 => format!("line {} and one more: {}", first.line, first.words()),
        times => format!(
            "line {} and {} more: {}",
            first.line,
            times - 1,
            first.words()
        ),
    };
    sorts.into_iter().map(words).collect()
}

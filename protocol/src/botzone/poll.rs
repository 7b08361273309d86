//! The long poll `localai`: the content of its body, and the ids of matches.

use std::fmt;

use serde::Deserialize;

use crate::field::quoted;
use crate::json::MAX_FRAME;

/// A match: 24 hexadecimal digits. It appears in the names of headers, so no other text is
/// accepted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchId(String);

impl MatchId {
    /// The match with these digits.
    pub fn new(text: &str) -> Option<Self> {
        const DIGITS: usize = 24;
        let is_id = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_id.then(|| Self(text.to_ascii_lowercase()))
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct PollBody<'a> {
    /// Requests of matches, in their order.
    pub requests: Vec<MatchRequest<'a>>,
    pub results: Vec<MatchResult>,
    /// The first line that cannot be read, after which there are no requests. Lines that can be
    /// read count, because the site sends each of them once.
    pub fault: Option<PollError>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchRequest<'a> {
    pub id: MatchId,
    /// The request, one line.
    pub text: &'a str,
}

/// A match that is over.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchResult {
    pub id: MatchId,
    /// The own seat in it.
    pub slot: usize,
    /// The scores of all seats; none when the match was aborted.
    pub scores: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PollError {
    #[error("{0} bytes are too many: at most {MAX_FRAME} are read")]
    TooLong(usize),
    #[error("line {line} is {found}; allowed is {allowed}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// The text found, shortened.
        found: String,
        allowed: &'static str,
    },
}

/// An empty body has no requests; a line break at the end, and `\r` before one, are optional.
pub fn parse_poll(text: &str) -> PollBody<'_> {
    let mut body = PollBody::default();
    if let Err(fault) = body.read(text) {
        body.fault.get_or_insert(fault);
    }
    body
}

impl<'a> PollBody<'a> {
    fn read(&mut self, text: &'a str) -> Result<(), PollError> {
        if text.len() > MAX_FRAME {
            return Err(PollError::TooLong(text.len()));
        }
        if text.trim().is_empty() {
            return Ok(());
        }
        let mut lines = PollLines {
            lines: text.lines(),
            number: 0,
        };
        let counts = lines.parsed("two numbers, of requests and of results", |line| {
            let mut words = line.split_ascii_whitespace().map(str::parse::<usize>);
            match (words.next()?, words.next()?, words.next()) {
                (Ok(requests), Ok(results), None) => Some((requests, results)),
                _ => None,
            }
        })?;
        for _ in 0..counts.0 {
            let id = lines.parsed("the id of a match, 24 hexadecimal digits", MatchId::new)?;
            self.requests.push(MatchRequest {
                id,
                text: lines.next("a request")?,
            });
        }
        for _ in 0..counts.1 {
            const RESULT: &str = "a result: match, seat, number of scores, scores";
            let line = lines.next(RESULT)?;
            match parse_result(line) {
                Some(result) => self.results.push(result),
                None => _ = self.fault.get_or_insert_with(|| lines.fault(line, RESULT)),
            }
        }
        Ok(())
    }
}

fn parse_result(line: &str) -> Option<MatchResult> {
    let mut words = line.split_ascii_whitespace();
    let (id, slot) = (MatchId::new(words.next()?)?, words.next()?.parse().ok()?);
    let count: usize = words.next()?.parse().ok()?;
    let scores: Vec<f64> = words
        .map(|word| word.parse().ok().filter(|score: &f64| score.is_finite()))
        .collect::<Option<_>>()?;
    (scores.len() == count).then_some(MatchResult { id, slot, scores })
}

/// The id in the answer to `runmatch`, plain or in `{"matchid": …}`.
pub fn parse_created_match(text: &str) -> Option<MatchId> {
    #[derive(Deserialize)]
    struct Created {
        matchid: String,
    }
    let text = text.trim();
    MatchId::new(text)
        .or_else(|| MatchId::new(&serde_json::from_str::<Created>(text).ok()?.matchid))
}

struct PollLines<'a> {
    lines: std::str::Lines<'a>,
    /// Number of the last line read, from 1.
    number: usize,
}

impl<'a> PollLines<'a> {
    fn next(&mut self, allowed: &'static str) -> Result<&'a str, PollError> {
        self.number += 1;
        let line = self.lines.next().map(str::trim);
        line.ok_or_else(|| PollError::Line {
            line: self.number,
            found: "missing".to_owned(),
            allowed,
        })
    }

    fn parsed<T>(
        &mut self,
        allowed: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, PollError> {
        let line = self.next(allowed)?;
        parse(line).ok_or_else(|| self.fault(line, allowed))
    }

    /// The last line read is not an allowed one.
    fn fault(&self, line: &str, allowed: &'static str) -> PollError {
        PollError::Line {
            line: self.number,
            found: quoted(line),
            allowed,
        }
    }
}

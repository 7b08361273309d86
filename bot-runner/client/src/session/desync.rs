//! Differences between our picture of the game and the arena's: counted, marked, and logged once
//! for each kind.

use std::fmt;

use policy_host::log_text;
use riichi::Event;
use serde::{Deserialize, Serialize};

/// Maximum number of differences marked in a game; after a missed event there is one at each
/// request.
const MAX_MARKS: usize = 200;

/// The kind of difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DesyncKind {
    /// An event is impossible at our table, or could not be read.
    Event,
    /// The lists of legal actions differ.
    Legal,
    /// The arena's observation differs from our table.
    Observation,
    /// We could claim a tile and were not asked.
    NotAsked,
}

impl DesyncKind {
    const ALL: [Self; 4] = [Self::Event, Self::Legal, Self::Observation, Self::NotAsked];
}

impl fmt::Display for DesyncKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Event => "event",
            Self::Legal => "legal actions",
            Self::Observation => "observation",
            Self::NotAsked => "not asked",
        })
    }
}

/// The place of a difference, for the game's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DesyncMark {
    pub kind: String,
    /// The round, from 0.
    pub round: usize,
    /// Number of events of the round after its `start_kyoku`.
    pub step: usize,
}

/// The differences of one game.
#[derive(Debug, Clone, Default)]
pub struct Desyncs {
    counts: [u32; DesyncKind::ALL.len()],
    first: Vec<(DesyncKind, String)>,
    marks: Vec<DesyncMark>,
    /// The current round and step, for marks; `None` before the first.
    now: Option<(usize, usize)>,
}

impl Desyncs {
    /// Notes an event of the game, to which later differences belong.
    pub(super) const fn happened(&mut self, event: &Event) {
        self.now = match (self.now, event) {
            (None, Event::StartKyoku(_)) => Some((0, 0)),
            (Some((round, _)), Event::StartKyoku(_)) => Some((round + 1, 0)),
            (Some((round, step)), _) => Some((round, step + 1)),
            (None, _) => None,
        };
    }

    /// Counts and marks a difference; the first of each kind is logged and kept, up to some
    /// thousand bytes.
    pub fn report(&mut self, kind: DesyncKind, details: impl FnOnce() -> String) {
        if let Some((round, step)) = self.now
            && self.marks.len() < MAX_MARKS
        {
            self.marks.push(DesyncMark {
                kind: kind.to_string(),
                round,
                step,
            });
        }
        let count = &mut self.counts[kind as usize];
        *count += 1;
        if *count == 1 {
            let details = log_text(details().as_bytes());
            tracing::warn!(%kind, "desync: {details}");
            self.first.push((kind, details));
        }
    }

    pub fn total(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// The places of the first 200 differences.
    pub fn marks(&self) -> &[DesyncMark] {
        &self.marks
    }

    pub fn first_of_each(&self) -> &[(DesyncKind, String)] {
        &self.first
    }
}

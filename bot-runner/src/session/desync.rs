//! Where our picture of the game and the arena's differ: counted, and logged once of each sort.

use std::fmt;

use policy_host::log_text;

/// In what respect the two pictures differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DesyncKind {
    /// An event cannot have happened at our table, or could not be read.
    Event,
    /// The lists of legal actions differ.
    Legal,
    /// The arena's observation differs from our table.
    Observation,
    /// We held a claim and were not asked.
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

/// The differences of one game.
#[derive(Debug, Clone, Default)]
pub struct Desyncs {
    counts: [u32; DesyncKind::ALL.len()],
    first: Vec<(DesyncKind, String)>,
}

impl Desyncs {
    /// Counts a difference; the first of its sort is logged and kept, up to some thousand bytes of it.
    pub fn report(&mut self, kind: DesyncKind, details: impl FnOnce() -> String) {
        let count = &mut self.counts[kind as usize];
        *count += 1;
        if *count == 1 {
            let details = log_text(details().as_bytes());
            tracing::warn!(%kind, "desync: {details}");
            self.first.push((kind, details));
        }
    }

    /// How many differences of all sorts.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// The first difference of each sort that there was.
    #[must_use]
    pub fn first_of_each(&self) -> &[(DesyncKind, String)] {
        &self.first
    }
}

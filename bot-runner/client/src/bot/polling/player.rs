//! The player of an account's matches, and the events that it receives.

use std::time::{Duration, Instant};

use policy_host::SeatEvent;
use protocol::botzone::MatchId;

use crate::decision_note::DecisionOutcome;
use crate::session::botzone::{Match, MatchDialect};

/// Whether a player takes another match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    Ready,
    /// Its policy is set aside, or is replaced as soon as no match is in progress.
    NotYet,
}

/// Decides in matches of one game, one question at a time, and receives their events.
pub trait MatchPlayer<D: MatchDialect> {
    /// Asks the open question of a match, to be decided by this moment.
    ///
    /// # Errors
    ///
    /// If no policy can be asked; the text says why, and the safe answer is due.
    fn ask(&mut self, id: &MatchId, played: &Match<D>, until: Instant) -> Result<(), String>;

    /// The outcome of the last question. Without an open question this may stay pending forever,
    /// and uses the time for work between two questions. Dropping the future loses nothing.
    fn next(&mut self, in_match: bool) -> impl Future<Output = SeatEvent>;

    /// Withdraws the question, because its answer is no longer needed.
    fn withdraw(&mut self);

    /// Whether another match may begin. Matches in progress are played to their end.
    fn readiness(&mut self) -> Readiness {
        Readiness::Ready
    }

    /// No match is in progress, and the next one waits for a permit or has just got it.
    fn awaits_permit(&mut self, _waits: bool) {}

    fn happened(&mut self, id: &MatchId, what: MatchEvent<'_, D>);
}

/// An event of a match, with the match after it.
#[derive(Debug)]
pub enum MatchEvent<'a, D: MatchDialect> {
    /// It was created, with these players; its first request may have arrived earlier.
    Made {
        /// The ids of the bots, and `None` at the own seat.
        players: &'a [Option<String>],
    },
    /// Its first message arrived.
    Began,
    /// A request arrived and was applied.
    Heard {
        text: &'a str,
        at: Instant,
        played: &'a Match<D>,
    },
    /// The open question was decided, and is about to be answered.
    Decided {
        /// The index of the action; `None` for the safe answer.
        choice: Option<usize>,
        outcome: DecisionOutcome,
        played: &'a Match<D>,
    },
    /// A response was sent, this long after its request arrived.
    Answered {
        text: &'a str,
        took: Duration,
        played: &'a Match<D>,
    },
    /// The response was accepted.
    Taken { played: &'a Match<D> },
    /// It has ended.
    Ended { played: &'a Match<D>, end: MatchEnd },
}

#[derive(Debug, Clone, PartialEq)]
pub enum MatchEnd {
    Finished {
        /// The own seat.
        slot: usize,
        /// The scores of all seats.
        scores: Vec<f64>,
    },
    /// The site aborted it.
    BrokenOff,
    /// It ended before one of our answers was accepted. It is neither stored nor counted.
    Unanswered,
    /// It was abandoned here, for this reason.
    GivenUp(String),
}

//! The player of an account's matches, and the events that it hears of.

use std::time::{Duration, Instant};

use protocol::botzone::MatchId;

/// Decides in matches of one game, one question at a time, and hears what happens in them.
pub trait MatchPlayer<M> {
    /// Puts the open question of a match, to be decided by this moment. `false` when no policy can be asked: the safe answer is due.
    fn ask(&mut self, id: &MatchId, dialect: &M, arrived: Instant, until: Instant) -> bool;

    /// What comes of the question that was put last. While none is put there is nothing to come, and it may wait for ever; it does then
    /// what can be done between two questions. Dropping the future loses nothing.
    fn next(&mut self, in_match: bool) -> impl Future<Output = MatchDecision>;

    /// The answer to the question is no longer wanted.
    fn withdraw(&mut self);

    /// No match is on, and the next one waits for a permit, or has it now.
    fn awaits_permit(&mut self, _waits: bool) {}

    /// Something happened in a match.
    fn happened(&mut self, id: &MatchId, what: MatchEvent<'_, M>);
}

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchDecision {
    /// The action with this index was chosen; the safe answer without one.
    Chosen(Option<usize>),
    /// The question is to be put again.
    AskAgain,
}

/// What happens in a match.
#[derive(Debug)]
pub enum MatchEvent<'a, M> {
    /// It was made, with these players; its first request may have come before.
    Made {
        /// The ids of the bots, and `None` at the own seat.
        players: &'a [Option<String>],
    },
    /// It was heard of for the first time.
    Began,
    /// A request came and was taken in.
    Heard {
        /// The request.
        text: &'a str,
        /// When it came.
        at: Instant,
        /// The match after it.
        dialect: &'a M,
    },
    /// A response was sent, so long after its request had come.
    Answered {
        /// The response.
        text: &'a str,
        /// How long it took.
        took: Duration,
        /// The match with it.
        dialect: &'a M,
    },
    /// The response was taken.
    Taken {
        /// The match with it.
        dialect: &'a M,
    },
    /// It is over.
    Ended {
        /// The match, as far as it was heard.
        dialect: &'a M,
        /// How it ended.
        end: MatchEnd,
    },
}

/// How a match ended.
#[derive(Debug, Clone, PartialEq)]
pub enum MatchEnd {
    /// It was played to its end.
    Finished {
        /// The own seat.
        slot: usize,
        /// The scores of all seats.
        scores: Vec<f64>,
    },
    /// It was broken off over there.
    BrokenOff,
    /// It was over before one of our answers was taken. Nothing of it is kept or counted.
    Unanswered,
    /// It was given up here, for this reason.
    GivenUp(String),
}

//! Botzone's matches as state machines: requests in, responses out.
//!
//! Each request of a match wants one response. What leaves nothing to decide is answered here.

mod doudizhu;
mod mcr;
mod request_game;

use std::borrow::Cow;
use std::fmt;

use policy_host::{Asked, ViewBuffer};
use protocol::game_record::RecordForm;
use riichi::Seat;

pub use doudizhu::{BiddingMatch, DouDizhuMatch, DouDizhuMatchOf};
pub use mcr::McrMatch;
pub use request_game::pass_to;
use request_game::wrong_game;

use crate::decision_note::NotedAction;

/// What becomes of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestOutcome {
    /// It came before: nothing is owed for it a second time.
    Repeated,
    /// It leaves nothing to decide: this is the response.
    Forced(String),
    /// Something is to be decided.
    Open {
        /// Whether it may be a repetition of the last request, which a little patience tells: the answer to that was delivered, and
        /// an equal request may honestly follow.
        may_be_repeated: bool,
    },
}

/// A match whose past is not known, and that cannot be played without it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LostMatch(pub String);

/// A match as its seat hears of it.
pub trait MatchDialect: fmt::Debug + Send {
    /// How its game is recorded.
    type Record: RecordForm<Event: 'static, Action: NotedAction> + 'static;

    /// Takes in a request.
    ///
    /// # Errors
    ///
    /// When the match cannot be played: its beginning was never heard.
    fn hear(&mut self, request: &str) -> Result<RequestOutcome, LostMatch>;

    /// The response to the open request that carries out the choice with this index; the safe answer without one, or when the index is
    /// beyond the legal actions. `None` when no request is open.
    fn answer(&mut self, choice: Option<usize>) -> Option<String>;

    /// Takes in a request of earlier with the response that was given to it: what happened before this process began.
    ///
    /// # Errors
    ///
    /// When the response is none of this game, in words.
    fn recall(&mut self, request: &str, response: &str) -> Result<(), String>;

    /// The last response counts, and no request comes twice: another one is new even where it is equal.
    fn counts(&mut self);

    /// The last response is on its way.
    fn sent(&mut self);

    /// The last response was taken.
    fn taken(&mut self);

    /// What may be chosen from in answer to the open request.
    fn legal(&self) -> Option<&[ActionOf<Self>]>;

    /// The index of the safe answer to the open request.
    fn safe(&self) -> Option<usize>;

    /// What is sure to have happened, from the deal on: what is added later comes after it. When the match is over, what is most
    /// likely too.
    fn happened(&self, over: bool) -> Cow<'_, [EventOf<Self>]>;

    /// Fills a view for the open request.
    fn fill(&self, view: &mut ViewBuffer, asked: &Asked);

    /// The own seat, once it is known.
    fn seat(&self) -> Option<Seat>;

    /// How often a request did not fit what came before, or could not be read; the first time in words.
    fn desyncs(&self) -> (u32, Option<&str>);

    /// The last time in words.
    fn latest_desync(&self) -> Option<&str>;
}

/// What may be done in a match.
pub type ActionOf<M> = <<M as MatchDialect>::Record as RecordForm>::Action;
/// What happens in a match.
pub type EventOf<M> = <<M as MatchDialect>::Record as RecordForm>::Event;

/// What happened in a match as records have it, but for the events that they have already, so many; with these they have all.
pub fn record_lines<M: MatchDialect>(dialect: &M, kept: &mut usize, over: bool) -> Vec<String> {
    let happened = dialect.happened(over);
    let line = |event: &EventOf<M>| {
        if !M::Record::is_deal(event) {
            return M::Record::event_line(event);
        }
        let mut deals = vec![None; M::Record::SEATS];
        *deals.get_mut(dialect.seat()?.index())? = Some(event.clone());
        Some(M::Record::deal_line(&deals))
    };
    let lines = happened.iter().skip(*kept).filter_map(line).collect();
    *kept = happened.len().max(*kept);
    lines
}

/// Requests that do not fit what was known, or cannot be read.
#[derive(Debug, Clone, Default)]
struct MatchDesyncs {
    count: u32,
    first: Option<String>,
    latest: Option<String>,
}

impl MatchDesyncs {
    fn report(&mut self, what: impl fmt::Display) {
        self.count += 1;
        let words = what.to_string();
        self.first.get_or_insert_with(|| words.clone());
        self.latest = Some(words);
    }

    fn told(&self) -> (u32, Option<&str>) {
        (self.count, self.first.as_deref())
    }
}

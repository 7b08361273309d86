//! Botzone's matches as state machines: requests in, responses out.
//!
//! Each request of a match requires one response. A request without a choice is answered here.

mod doudizhu;
mod mcr;
mod request_game;

use std::borrow::Cow;
use std::fmt;
use std::time::Instant;

use policy_host::{Asked, ViewBuffer};
use protocol::FieldError;
use protocol::botzone::doudizhu::DouDizhuTextError;
use protocol::game_record::{LineForm, RecordEnd, RecordForm, RecordedGame};
use riichi::Seat;

pub use doudizhu::DouDizhuDialect;
pub use mcr::McrDialect;
pub use request_game::pass_to;
use request_game::wrong_game;

/// A match of Chinese Standard mahjong.
pub type McrMatch = Match<McrDialect>;
/// A match of Dou Dizhu without bidding (`FightTheLandlord`).
pub type DouDizhuMatch = Match<DouDizhuDialect<false>>;
/// A match of Dou Dizhu with bidding (`FightTheLandlord2`).
pub type BiddingMatch = Match<DouDizhuDialect<true>>;

/// Maximum length of a request in bytes: requests of our games are not a tenth as long.
const MAX_REQUEST: usize = 4 << 10;

/// Maximum number of requests in a match: three times the number in the longest match.
const MAX_REQUESTS: u32 = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestOutcome {
    /// It repeats an earlier one, and needs no second response.
    Repeated,
    /// There is no choice: this is the response.
    Forced(String),
    /// A decision is needed.
    Open {
        /// Whether it may repeat the last request, whose answer was delivered. An equal new request
        /// is possible too; a short wait distinguishes the two.
        may_be_repeated: bool,
    },
}

/// A request that requires a response, decoded by a dialect. If it is certainly new and has one
/// legal action, there is nothing to decide.
#[derive(Debug)]
pub struct HeardRequest<A> {
    pub legal: Vec<A>,
    pub may_be_repeated: bool,
}

/// A match with an unknown past that it cannot be played without.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LostMatch(pub String);

/// A response that is not one of the match's game.
#[derive(Debug, thiserror::Error)]
pub enum BadMatchResponse {
    #[error(transparent)]
    Mcr(#[from] FieldError),
    #[error(transparent)]
    DouDizhu(#[from] DouDizhuTextError),
}

/// A limit that the requests of a match exceed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestLimit {
    #[error("a request has {0} bytes, and none has more than {MAX_REQUEST}")]
    Bytes(usize),
    #[error("more than {MAX_REQUESTS} requests came, and no match has that many")]
    Requests,
}

/// The requests and responses of a game, and the resulting state of the seat.
pub trait MatchDialect: fmt::Debug + Default + Send {
    type Record: RecordForm<Event: 'static, Action: fmt::Debug + Clone> + 'static;

    /// Applies a request; `None` for a repeated one. `taken` tells whether the last response is
    /// known to have been accepted.
    ///
    /// # Errors
    ///
    /// If the match cannot be played, because its beginning is missing.
    fn hear(
        &mut self,
        request: &str,
        taken: bool,
    ) -> Result<Option<HeardRequest<DialectAction<Self>>>, LostMatch>;

    fn respond(&mut self, action: DialectAction<Self>) -> Option<String>;

    /// Applies the response to the last request that was given before this process began.
    ///
    /// # Errors
    ///
    /// If the response is not one of this game.
    fn recall(&mut self, response: &str) -> Result<(), BadMatchResponse>;

    /// Notes that the last response was sent.
    fn sent(&mut self);

    /// Notes that no earlier request is repeated from here on: the next one is new even if it
    /// equals the last.
    fn forget_request(&mut self);

    /// The index of the safe action.
    fn safe(&self, legal: &[DialectAction<Self>]) -> Option<usize>;

    /// Fills a view for the open request.
    fn fill(&self, view: &mut ViewBuffer, legal: &[DialectAction<Self>], asked: &Asked);

    /// The events that are certain, from the deal on; later ones are only appended. After the
    /// match, the most likely events are included as well.
    fn happened(&self, over: bool) -> Cow<'_, [DialectEvent<Self>]>;

    /// The own seat, once it is known.
    fn seat(&self) -> Option<Seat>;

    /// The requests that contradicted the known state, or could not be read.
    fn desyncs(&self) -> &MatchDesyncs;
}

pub type DialectAction<D> = <<D as MatchDialect>::Record as LineForm>::Action;
pub type DialectEvent<D> = <<D as MatchDialect>::Record as LineForm>::Event;

/// A match from the point of view of its seat: its last request, and the question or the answer to
/// it. Polls only pass it requests and carry its responses.
#[derive(Debug)]
pub struct Match<D: MatchDialect> {
    /// The state of its seat.
    pub dialect: D,
    response: ResponseState<DialectAction<D>>,
    /// The time of its last message.
    pub(crate) last_news: Option<Instant>,
    /// Whether one of our responses was accepted.
    pub(crate) was_answered: bool,
    requests: u32,
}

/// The state of the response to the last request.
#[derive(Debug, Default)]
enum ResponseState<A> {
    /// The match begins with this request as soon as another match may begin.
    Waiting { first: String },
    /// No response is due.
    #[default]
    Idle,
    /// A decision is pending.
    Open(OpenRequest<A>),
    /// It waits for the next poll, from this time on; `is_resent` if it was in an earlier one.
    Ready {
        text: String,
        arrived: Instant,
        from: Instant,
        is_resent: bool,
    },
    /// It is in a poll whose outcome is not known yet.
    Sent {
        text: String,
        arrived: Instant,
        poll: u64,
    },
}

/// A request with a pending decision.
#[derive(Debug)]
pub struct OpenRequest<A> {
    pub legal: Vec<A>,
    pub(crate) arrived: Instant,
    /// Its answer is held back until this time.
    pub(crate) held_until: Instant,
    /// Whether the policy has got the question.
    pub(crate) is_put: bool,
}

/// A response that is sent with a poll.
#[derive(Debug)]
pub struct SentResponse {
    pub text: String,
    /// The arrival of its request.
    pub arrived: Instant,
    /// Whether it was in an earlier poll.
    pub is_resent: bool,
}

impl<D: MatchDialect> Default for Match<D> {
    fn default() -> Self {
        let response = ResponseState::default();
        Self {
            dialect: D::default(),
            response,
            last_news: None,
            was_answered: false,
            requests: 0,
        }
    }
}

impl<D: MatchDialect> Match<D> {
    /// A match that must wait, with its first request.
    pub fn waiting(first: &str, at: Instant) -> Self {
        let response = ResponseState::Waiting {
            first: first.to_owned(),
        };
        Self {
            response,
            last_news: Some(at),
            ..Self::default()
        }
    }

    /// Takes the first request of a waiting match, to apply it.
    pub fn begin(&mut self) -> Option<String> {
        let ResponseState::Waiting { first } = &mut self.response else {
            return None;
        };
        let first = std::mem::take(first);
        self.response = ResponseState::Idle;
        Some(first)
    }

    /// Counts a request before it is applied.
    ///
    /// # Errors
    ///
    /// If the request is too long or there were too many.
    pub fn count(&mut self, request: &str) -> Result<(), RequestLimit> {
        self.requests += 1;
        if !is_short(request) {
            return Err(RequestLimit::Bytes(request.len()));
        }
        if self.requests > MAX_REQUESTS {
            return Err(RequestLimit::Requests);
        }
        Ok(())
    }

    /// Applies a request that arrived at this time.
    ///
    /// # Errors
    ///
    /// If the match cannot be played, because its beginning is missing.
    pub fn hear(&mut self, request: &str, at: Instant) -> Result<RequestOutcome, LostMatch> {
        self.last_news = Some(at);
        // Polls may arrive in another order than they were sent; by now all that were not lost have
        // been read.
        let taken = matches!(
            self.response,
            ResponseState::Idle | ResponseState::Sent { .. }
        );
        let HeardRequest {
            legal,
            may_be_repeated,
        } = match self.dialect.hear(request, taken) {
            Ok(None) => return Ok(RequestOutcome::Repeated),
            Ok(Some(heard)) => heard,
            Err(lost) => {
                self.leave_response();
                return Err(lost);
            }
        };
        self.leave_response();
        let is_forced = legal.len() == 1 && !may_be_repeated;
        self.response = ResponseState::Open(OpenRequest {
            legal,
            arrived: at,
            held_until: at,
            is_put: false,
        });
        if is_forced && let Some(response) = self.answer(Some(0)) {
            return Ok(RequestOutcome::Forced(response));
        }
        Ok(RequestOutcome::Open { may_be_repeated })
    }

    /// Ends the wait for the last response to be taken: an unanswered request is never followed by
    /// another one.
    fn leave_response(&mut self) {
        self.was_answered |= self.was_sent();
        self.response = ResponseState::Idle;
    }

    /// Applies an earlier request with its response, from before this process began.
    ///
    /// # Errors
    ///
    /// If the response is not one of this game.
    pub fn recall(&mut self, request: &str, response: &str) -> Result<(), BadMatchResponse> {
        let _ = self.dialect.hear(request, true);
        let recalled = self.dialect.recall(response);
        if recalled.is_ok() {
            self.counts();
        }
        recalled
    }

    /// The last response was accepted, and its request cannot be repeated: the next one is new even
    /// if it equals the last.
    pub fn counts(&mut self) {
        self.response = ResponseState::Idle;
        self.dialect.sent();
        self.dialect.forget_request();
    }

    /// The response to the open request for the choice with this index; the safe answer without an
    /// index, or if it is beyond the legal actions. `None` if no request is open.
    pub fn answer(&mut self, choice: Option<usize>) -> Option<String> {
        let OpenRequest {
            legal,
            arrived,
            held_until,
            ..
        } = self.open()?;
        let (arrived, from) = (*arrived, *held_until);
        let safe = || legal.get(self.dialect.safe(legal)?);
        let chosen = choice
            .and_then(|index| legal.get(index))
            .or_else(safe)
            .cloned();
        self.response = ResponseState::Idle;
        let text = self.dialect.respond(chosen?)?;
        self.response = ResponseState::Ready {
            text: text.clone(),
            arrived,
            from,
            is_resent: false,
        };
        Some(text)
    }

    pub const fn open(&self) -> Option<&OpenRequest<DialectAction<D>>> {
        match &self.response {
            ResponseState::Open(open) => Some(open),
            _ => None,
        }
    }

    pub(crate) const fn open_mut(&mut self) -> Option<&mut OpenRequest<DialectAction<D>>> {
        match &mut self.response {
            ResponseState::Open(open) => Some(open),
            _ => None,
        }
    }

    /// Whether the policy has got the question.
    pub(crate) fn is_put(&self) -> bool {
        self.open().is_some_and(|open| open.is_put)
    }

    /// The legal answers to the open request.
    pub fn legal(&self) -> Option<&[DialectAction<D>]> {
        self.open().map(|open| open.legal.as_slice())
    }

    /// The index of the safe answer to the open request.
    pub fn safe(&self) -> Option<usize> {
        self.dialect.safe(self.legal()?)
    }

    /// Fills a view for the open request.
    pub fn fill(&self, view: &mut ViewBuffer, asked: &Asked) {
        if let Some(legal) = self.legal() {
            self.dialect.fill(view, legal, asked);
        }
    }

    /// The time from which on a response waits to be sent.
    pub const fn ready_from(&self) -> Option<Instant> {
        match self.response {
            ResponseState::Ready { from, .. } => Some(from),
            _ => None,
        }
    }

    /// Notes that the waiting response is in the poll of this number.
    pub fn sent(&mut self, poll: u64) -> Option<SentResponse> {
        let ResponseState::Ready {
            text,
            arrived,
            is_resent,
            ..
        } = &self.response
        else {
            return None;
        };
        let sent = SentResponse {
            text: text.clone(),
            arrived: *arrived,
            is_resent: *is_resent,
        };
        self.response = ResponseState::Sent {
            text: sent.text.clone(),
            arrived: sent.arrived,
            poll,
        };
        self.dialect.sent();
        Some(sent)
    }

    /// Notes that the response was accepted if it is in this poll; returns whether it was.
    pub fn taken(&mut self, number: u64) -> bool {
        let taken = matches!(self.response, ResponseState::Sent { poll, .. } if poll == number);
        if taken {
            self.response = ResponseState::Idle;
            self.was_answered = true;
        }
        taken
    }

    /// Sends the response again, from this time on, if it is in this poll, which may not have been
    /// read.
    pub fn send_again(&mut self, poll: u64, from: Instant) {
        if let ResponseState::Sent {
            text,
            arrived,
            poll: sent_in,
        } = &mut self.response
            && *sent_in == poll
        {
            let (text, arrived) = (std::mem::take(text), *arrived);
            self.response = ResponseState::Ready {
                text,
                arrived,
                from,
                is_resent: true,
            };
        }
    }

    /// Whether its response was in a poll, which may have been read.
    pub(crate) const fn was_sent(&self) -> bool {
        matches!(
            self.response,
            ResponseState::Sent { .. }
                | ResponseState::Ready {
                    is_resent: true,
                    ..
                }
        )
    }

    /// Whether it has not begun.
    pub(crate) const fn waits(&self) -> bool {
        matches!(self.response, ResponseState::Waiting { .. })
    }
}

/// Whether the length of a request is allowed.
pub const fn is_short(request: &str) -> bool {
    request.len() <= MAX_REQUEST
}

/// The lines of a match's record that are not written yet. `kept` is the number of written events;
/// it is updated to the number of all events.
pub fn record_lines<D: MatchDialect>(dialect: &D, kept: &mut usize, over: bool) -> Vec<String> {
    let happened = dialect.happened(over);
    let line = |event: &DialectEvent<D>| {
        if D::Record::is_deal(event) {
            D::Record::deal_line(&deals_with(dialect, event)?)
        } else {
            D::Record::event_line(event)
        }
    };
    let lines = happened.iter().skip(*kept).filter_map(line).collect();
    *kept = happened.len().max(*kept);
    lines
}

/// The deal of the own seat among those of all.
fn deals_with<D: MatchDialect>(
    dialect: &D,
    deal: &DialectEvent<D>,
) -> Option<Vec<Option<DialectEvent<D>>>> {
    let mut deals = vec![None; D::Record::SEATS];
    *deals.get_mut(dialect.seat()?.index())? = Some(deal.clone());
    Some(deals)
}

pub fn end_line<D: MatchDialect>(dialect: &D, scores: Vec<f64>) -> String {
    let happened = dialect.happened(true);
    let outcome = happened.split_first().and_then(|(deal, events)| {
        let deals = deals_with(dialect, deal)?;
        D::Record::outcome(&RecordedGame::so_far(deals, events.to_vec()), &scores)
    });
    RecordEnd { scores, outcome }.line()
}

/// Requests that contradicted the known state or could not be read.
#[derive(Debug, Clone, Default)]
pub struct MatchDesyncs {
    pub count: u32,
    /// The description of the first one.
    pub first: Option<String>,
    /// The description of the last one.
    pub latest: Option<String>,
}

impl MatchDesyncs {
    fn report(&mut self, what: impl fmt::Display) {
        self.count += 1;
        let words = what.to_string();
        self.first.get_or_insert_with(|| words.clone());
        self.latest = Some(words);
    }
}

//! A match of Dou Dizhu.

use std::borrow::Cow;

use doudizhu::table::DouDizhuContradiction;
use doudizhu::{
    CardSet, DouDizhuAction, DouDizhuEvent, DouDizhuRules, DouDizhuSeat, DouDizhuSeatState,
    safe_action,
};
use policy_host::{Asked, PolicyTable, ViewBuffer};
use protocol::botzone::{
    BidRequest, BiddingEnd, DouDizhuRequest, DouDizhuResponse, PlayRequest, bid_response,
    doudizhu_response, parse_doudizhu_request, parse_doudizhu_response,
};
use protocol::game_record::DouDizhuRecordForm;
use riichi::Seat;

use super::{BadMatchResponse, HeardRequest, LostMatch, MatchDesyncs, MatchDialect, wrong_game};
use crate::BotzoneGame;

const MAX_COURSES: usize = 8;

/// Dou Dizhu from the point of view of a seat.
///
/// A request does not repeat the own hand, and one that both others pass before is equal to the one
/// before it. So the seat cannot always recognise a repetition at once: then both courses of the
/// game are kept until a later request rules one out. The answer is chosen in the course with more
/// plays; an answer that is legal there is legal in the other.
///
/// With bidding, a seat that bids sees the bids before its own, and later each seat sees the
/// highest one with its bidder. A bid that the seat does not see counts as none.
#[derive(Debug, Default)]
pub struct DouDizhuDialect<const BIDDING: bool> {
    /// The possible courses of the game, the most likely last. Empty before the deal, and if
    /// nothing fits any more.
    courses: Vec<DouDizhuCourse>,
    last: Option<DouDizhuRequest>,
    desyncs: MatchDesyncs,
}

#[derive(Debug, Clone)]
struct DouDizhuCourse {
    table: PolicyTable<DouDizhuSeatState>,
    /// The events that led to the table.
    events: Vec<DouDizhuEvent>,
    /// The answer of this seat since then.
    answer: Option<DouDizhuEvent>,
    /// Whether the answer was sent to Botzone.
    sent: bool,
}

impl DouDizhuCourse {
    fn begin(
        rules: DouDizhuRules,
        events: impl IntoIterator<Item = DouDizhuEvent>,
    ) -> Result<Self, DouDizhuContradiction> {
        let mut course = Self {
            table: PolicyTable::new(DouDizhuSeatState::new(rules)),
            events: Vec::new(),
            answer: None,
            sent: false,
        };
        course.take_in(events)?;
        Ok(course)
    }

    fn take_in(
        &mut self,
        events: impl IntoIterator<Item = DouDizhuEvent>,
    ) -> Result<(), DouDizhuContradiction> {
        for event in events {
            self.table.apply(&event)?;
            self.events.push(event);
        }
        Ok(())
    }

    /// The course after our answer and the plays of the two others; `None` if that is impossible.
    fn after(mut self, history: [CardSet; 2]) -> Option<Self> {
        let seat = self.table.seat()?;
        let answer = self.answer.take().filter(|_| self.sent)?;
        self.sent = false;
        self.take_in(std::iter::once(answer).chain(played_from(seat.next(), history)))
            .ok()?;
        self.table.is_asked().then_some(self)
    }

    /// The course of the bidding, extended by the later bids.
    fn after_bidding(mut self, end: BiddingEnd) -> Result<Self, String> {
        let own = self.answer.take().filter(|_| self.sent);
        self.sent = false;
        let words = |error: DouDizhuContradiction| error.to_string();
        self.take_in(own).map_err(words)?;
        while self.table.round().landlord_by_bids().is_none() {
            let Some(seat) = self.table.round().turn() else {
                break;
            };
            let is_the_highest = seat == end.landlord && end.bid > self.table.round().highest_bid();
            self.take_in([DouDizhuEvent::Bid {
                seat,
                bid: if is_the_highest { end.bid } else { 0 },
            }])
            .map_err(words)?;
        }
        match self.table.round().highest_bid().max(1) {
            highest if highest == end.bid => Ok(self),
            highest => Err(format!(
                "`finalbid` is {}, and the highest bid known is {highest}",
                end.bid
            )),
        }
    }
}

/// Consecutive plays, starting with this seat.
fn played_from(
    seat: DouDizhuSeat,
    plays: impl IntoIterator<Item = CardSet>,
) -> impl Iterator<Item = DouDizhuEvent> {
    plays
        .into_iter()
        .enumerate()
        .map(move |(turns, cards)| DouDizhuEvent::Play {
            seat: seat.after(turns),
            cards,
        })
}

impl<const BIDDING: bool> DouDizhuDialect<BIDDING> {
    const RULES: DouDizhuRules = if BIDDING {
        DouDizhuRules::BIDDING
    } else {
        DouDizhuRules::FIXED
    };
    const GAME: BotzoneGame = if BIDDING {
        BotzoneGame::DOUDIZHU_BIDDING
    } else {
        BotzoneGame::DOUDIZHU
    };

    /// The seat's view, once it has cards.
    pub fn table(&self) -> Option<&DouDizhuSeatState> {
        self.courses.last().map(|course| &*course.table)
    }

    /// A request to bid: the deal and the earlier bids.
    fn begin_bidding(&mut self, request: &BidRequest) -> Result<(), String> {
        let seat = DouDizhuSeat::FIRST.after(request.bids.len());
        let bids = request.bids.iter().enumerate();
        let bids = bids.map(|(turns, &bid)| DouDizhuEvent::Bid {
            seat: DouDizhuSeat::FIRST.after(turns),
            bid,
        });
        let dealt = [DouDizhuEvent::Deal {
            seat,
            hand: request.own,
        }];
        self.begin(dealt.into_iter().chain(bids))
    }

    /// The first request to play: the deal or, with bidding, its result, and the earlier plays.
    fn begin_playing(&mut self, request: &PlayRequest, own: CardSet) -> Result<(), String> {
        let [earlier, last] = request.history;
        let public = request
            .public
            .ok_or("the first request has no `publiccard`")?;
        let (landlord, seat) = match request.bidding {
            Some(end) => (end.landlord, end.seat),
            // Only the landlord has the public cards; the one after it comes when one play was
            // made.
            None => match (own.len(), earlier.is_empty()) {
                (20, _) => (DouDizhuSeat::FIRST, DouDizhuSeat::FIRST),
                (_, true) => (DouDizhuSeat::FIRST, DouDizhuSeat::FIRST.after(1)),
                (_, false) => (DouDizhuSeat::FIRST, DouDizhuSeat::FIRST.after(2)),
            },
        };
        let plays = match seat {
            seat if seat == landlord => vec![],
            seat if seat == landlord.next() => vec![last],
            _ => vec![earlier, last],
        };
        let dealt = DouDizhuEvent::Deal { seat, hand: own };
        let begins = DouDizhuEvent::Landlord {
            seat: landlord,
            public,
        };
        let rest = std::iter::once(begins).chain(played_from(landlord, plays));
        let Some(end) = request.bidding else {
            return self.begin(std::iter::once(dealt).chain(rest));
        };
        let known = self
            .courses
            .pop()
            .filter(|course| course.events.first() == Some(&dealt));
        let course = match known {
            Some(known) => known,
            None => {
                DouDizhuCourse::begin(Self::RULES, [dealt]).map_err(|error| error.to_string())?
            }
        };
        let mut course = course.after_bidding(end)?;
        course.take_in(rest).map_err(|error| error.to_string())?;
        self.go_on_by(course)
    }

    fn begin(&mut self, events: impl IntoIterator<Item = DouDizhuEvent>) -> Result<(), String> {
        let course =
            DouDizhuCourse::begin(Self::RULES, events).map_err(|error| error.to_string())?;
        self.go_on_by(course)
    }

    /// Sets the only possible course.
    fn go_on_by(&mut self, course: DouDizhuCourse) -> Result<(), String> {
        if !course.table.is_asked() {
            let seat = course.table.seat().map_or(0, DouDizhuSeat::index);
            return Err(format!("it is not the turn of seat {seat}"));
        }
        self.courses = vec![course];
        Ok(())
    }

    /// The legal answers in the most likely course.
    fn ask(&self, may_be_repeated: bool) -> HeardRequest<DouDizhuAction> {
        let legal = self
            .courses
            .last()
            .map(|course| course.table.legal_actions())
            .unwrap_or_default();
        HeardRequest {
            legal,
            may_be_repeated,
        }
    }

    /// The answer in all courses that wait for one.
    fn said(&mut self, response: DouDizhuResponse) {
        for course in &mut self.courses {
            let Some(seat) = course.table.seat() else {
                continue;
            };
            course.answer.get_or_insert(match response {
                DouDizhuResponse::Bid(bid) => DouDizhuEvent::Bid { seat, bid },
                DouDizhuResponse::Cards(cards) => DouDizhuEvent::Play { seat, cards },
            });
        }
    }

    /// Handles a request that does not fit. If a bid is requested, bidding nothing is always legal;
    /// if there is a play to beat, a pass is.
    fn out_of_step(
        &mut self,
        request: &DouDizhuRequest,
        why: String,
    ) -> Result<Option<HeardRequest<DouDizhuAction>>, LostMatch> {
        self.desyncs.report(&why);
        self.courses.clear();
        let only = match request {
            DouDizhuRequest::Bid(_) => DouDizhuAction::Bid(0),
            DouDizhuRequest::Play(PlayRequest {
                history: [CardSet::EMPTY, CardSet::EMPTY],
                ..
            }) => {
                return Err(LostMatch(format!(
                    "it is our turn to lead, and our cards are not known: {why}"
                )));
            }
            DouDizhuRequest::Play(_) => DouDizhuAction::Pass,
        };
        Ok(Some(HeardRequest {
            legal: vec![only],
            may_be_repeated: false,
        }))
    }

    /// Applies a request of this game that does not repeat the last one.
    fn take_in(
        &mut self,
        request: &DouDizhuRequest,
        repeats: bool,
    ) -> Result<Option<HeardRequest<DouDizhuAction>>, LostMatch> {
        let begun = match request {
            DouDizhuRequest::Bid(bid) => self.begin_bidding(bid),
            DouDizhuRequest::Play(play @ PlayRequest { own: Some(own), .. }) => {
                self.begin_playing(play, *own)
            }
            DouDizhuRequest::Play(play) => return self.go_on(request, play, repeats),
        };
        match begun {
            Ok(()) => Ok(Some(self.ask(false))),
            Err(why) => self.out_of_step(request, why),
        }
    }

    /// Applies the plays of the other two seats.
    fn go_on(
        &mut self,
        request: &DouDizhuRequest,
        play: &PlayRequest,
        repeats: bool,
    ) -> Result<Option<HeardRequest<DouDizhuAction>>, LostMatch> {
        if self.courses.is_empty() {
            return self.out_of_step(request, "the match was joined in its middle".to_owned());
        }
        // A course in which the last request was not answered cannot continue.
        let before = if repeats {
            self.courses.clone()
        } else {
            Vec::new()
        };
        let mut next: Vec<DouDizhuCourse> = self
            .courses
            .drain(..)
            .filter_map(|course| course.after(play.history))
            .collect();
        if repeats && next.is_empty() {
            self.courses = before;
            return Ok(None);
        }
        next.splice(0..0, before);
        let excess = next.len().saturating_sub(MAX_COURSES);
        next.drain(..excess);
        if next.is_empty() {
            let [earlier, last] = play.history.map(doudizhu_response);
            return self.out_of_step(
                request,
                format!("`history` [{earlier},{last}] does not fit the cards played before"),
            );
        }
        self.courses = next;
        Ok(Some(self.ask(repeats)))
    }
}

impl<const BIDDING: bool> MatchDialect for DouDizhuDialect<BIDDING> {
    type Record = DouDizhuRecordForm;

    fn hear(
        &mut self,
        text: &str,
        taken: bool,
    ) -> Result<Option<HeardRequest<DouDizhuAction>>, LostMatch> {
        if let Some(other) = wrong_game(text, Self::GAME) {
            self.desyncs.report(&other);
            return Err(LostMatch(other));
        }
        let request = parse_doudizhu_request(text).map_err(|error| {
            self.desyncs.report(&error);
            LostMatch(format!("a request cannot be read: {error}"))
        })?;
        let repeats = self.last.as_ref() == Some(&request);
        let leads = matches!(
            request,
            DouDizhuRequest::Play(PlayRequest {
                own: None,
                history: [CardSet::EMPTY, CardSet::EMPTY],
                ..
            })
        );
        if repeats && !(leads && taken) {
            return Ok(None);
        }
        let heard = self.take_in(&request, repeats);
        self.last = Some(request);
        heard
    }

    fn respond(&mut self, action: DouDizhuAction) -> Option<String> {
        let response = match action {
            DouDizhuAction::Bid(bid) => DouDizhuResponse::Bid(bid),
            DouDizhuAction::Pass => DouDizhuResponse::Cards(CardSet::EMPTY),
            DouDizhuAction::Play(play) => DouDizhuResponse::Cards(self.table()?.cards_for(&play)?),
        };
        self.said(response);
        Some(match response {
            DouDizhuResponse::Bid(bid) => bid_response(bid),
            DouDizhuResponse::Cards(cards) => doudizhu_response(cards),
        })
    }

    fn recall(&mut self, response: &str) -> Result<(), BadMatchResponse> {
        self.said(parse_doudizhu_response(response)?);
        Ok(())
    }

    fn sent(&mut self) {
        for course in &mut self.courses {
            course.sent = course.answer.is_some();
        }
    }

    fn forget_request(&mut self) {
        self.last = None;
    }

    fn safe(&self, legal: &[DouDizhuAction]) -> Option<usize> {
        let safe = safe_action(legal)?;
        legal.iter().position(|&action| action == safe)
    }

    fn fill(&self, view: &mut ViewBuffer, legal: &[DouDizhuAction], asked: &Asked) {
        if let Some(course) = self.courses.last() {
            course.table.fill(view, legal, asked);
        }
    }

    fn happened(&self, over: bool) -> Cow<'_, [DouDizhuEvent]> {
        let Some((likely, others)) = self.courses.split_last() else {
            return Cow::Borrowed(&[]);
        };
        if !over {
            // Whichever course turns out to be right, it continues from here.
            let shared = |other: &DouDizhuCourse| {
                other
                    .events
                    .iter()
                    .zip(&likely.events)
                    .take_while(|(one, other)| one == other)
                    .count()
            };
            let sure = others
                .iter()
                .map(shared)
                .min()
                .unwrap_or(likely.events.len());
            return Cow::Borrowed(&likely.events[..sure]);
        }
        let last = likely.answer.filter(|_| likely.sent);
        let fits = |event: &DouDizhuEvent| (*likely.table).clone().apply(event).is_ok();
        match last.filter(fits) {
            Some(last) => Cow::Owned(likely.events.iter().copied().chain([last]).collect()),
            None => Cow::Borrowed(&likely.events),
        }
    }

    fn seat(&self) -> Option<Seat> {
        Seat::new(self.table()?.seat()?.index() as u8)
    }

    fn desyncs(&self) -> &MatchDesyncs {
        &self.desyncs
    }
}

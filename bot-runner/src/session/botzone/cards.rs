//! A match of Dou Dizhu.

use std::borrow::Cow;

use doudizhu::table::CardContradiction;
use doudizhu::{CardAction, CardEvent, CardRules, CardSeat, CardSet, CardTable, safe_action};
use mahjong::Seat;
use policy_host::{Asked, DouDizhuTable, SeatTable, ViewBuffer};
use protocol::botzone::{CardRequest, card_response, parse_card_request, parse_card_response};
use protocol::game_record::CardRecordForm;

use super::{HeardRequest, LostMatch, MatchDesyncs, MatchDialect};

/// Most courses of the game that are kept apart.
const MOST_COURSES: usize = 8;

/// A match of Dou Dizhu as a seat hears of it.
///
/// A request does not repeat the own hand, and one that both others pass before is equal to the one before it. So whether it is the
/// old one told again cannot always be seen at once: then both courses of the game are kept until something tells them apart. The
/// answer is chosen by the course in which more was played; what is legal in it is legal in the other.
#[derive(Debug, Default)]
pub struct CardMatch {
    /// What the game may have been, the most likely course last. Empty before the deal, and when nothing fits any more.
    courses: Vec<CardCourse>,
    last: Option<CardRequest>,
    open: Option<Vec<CardAction>>,
    /// Whether the last answer is known to have been taken.
    taken: bool,
    desyncs: MatchDesyncs,
}

/// A course of the game.
#[derive(Debug, Clone)]
struct CardCourse {
    table: CardTable,
    /// What made the table what it is.
    events: Vec<CardEvent>,
    /// What this seat has answered since.
    answer: Option<CardSet>,
    /// Whether the answer has left for Botzone.
    sent: bool,
}

impl CardCourse {
    fn begin(events: impl IntoIterator<Item = CardEvent>) -> Result<Self, CardContradiction> {
        let table = CardTable::new(CardRules::FIXED);
        let mut course = Self { table, events: Vec::new(), answer: None, sent: false };
        course.take_in(events)?;
        Ok(course)
    }

    fn take_in(&mut self, events: impl IntoIterator<Item = CardEvent>) -> Result<(), CardContradiction> {
        for event in events {
            self.table.apply(&event)?;
            self.events.push(event);
        }
        Ok(())
    }

    /// The course after our answer and the plays of the two others; `None` when it cannot have been so.
    fn after(&self, history: [CardSet; 2]) -> Option<Self> {
        let seat = self.table.seat()?;
        let plays = [self.answer.filter(|_| self.sent)?, history[0], history[1]];
        let mut next = Self { answer: None, sent: false, ..self.clone() };
        next.take_in(played_from(seat, plays)).ok()?;
        next.table.is_asked().then_some(next)
    }
}

/// Plays of one seat after the other.
fn played_from(seat: CardSeat, plays: impl IntoIterator<Item = CardSet>) -> impl Iterator<Item = CardEvent> {
    plays.into_iter().enumerate().map(move |(turns, cards)| CardEvent::Play { seat: seat.after(turns), cards })
}

impl CardMatch {
    /// What the seat knows, once it has its cards.
    #[must_use]
    pub fn table(&self) -> Option<&CardTable> {
        self.courses.last().map(|course| &course.table)
    }

    /// The first request: the deal, and what was played before.
    fn begin(request: &CardRequest, own: CardSet) -> Result<CardCourse, String> {
        let [earlier, last] = request.history;
        let landlord = CardSeat::FIRST;
        let public = request.public.ok_or("the first request has no `publiccard`")?;
        // Only the landlord has the public cards; the one after it comes when one play was made.
        let (seat, plays) = match (own.len(), earlier.is_empty()) {
            (20, _) => (landlord, vec![]),
            (_, true) => (landlord.after(1), vec![last]),
            (_, false) => (landlord.after(2), vec![earlier, last]),
        };
        let dealt = [CardEvent::Deal { seat, hand: own }, CardEvent::Landlord { seat: landlord, public }];
        let course = CardCourse::begin(dealt.into_iter().chain(played_from(landlord, plays)));
        let course = course.map_err(|error| error.to_string())?;
        if !course.table.is_asked() {
            return Err(format!("it is not the turn of seat {}", seat.index()));
        }
        Ok(course)
    }

    /// Puts the request to be answered: the legal actions of the last course.
    fn ask(&mut self, may_be_repeated: bool) -> Option<HeardRequest> {
        let table = &self.courses.last()?.table;
        self.taken = false;
        let legal = table.legal_actions();
        if let [CardAction::Pass] = legal[..] {
            self.said(CardSet::EMPTY);
            return Some(HeardRequest::Settled(card_response(CardSet::EMPTY)));
        }
        self.open = Some(legal);
        Some(HeardRequest::Open { may_be_repeated })
    }

    /// The answer in all courses that wait for one.
    fn said(&mut self, cards: CardSet) {
        for course in &mut self.courses {
            course.answer.get_or_insert(cards);
        }
    }

    /// Something does not fit. A pass is right where there is something to beat.
    fn out_of_step(&mut self, request: &CardRequest, why: String) -> Result<HeardRequest, LostMatch> {
        self.desyncs.report(&why);
        self.courses.clear();
        self.open = None;
        if request.history == [CardSet::EMPTY; 2] {
            return Err(LostMatch(format!("it is our turn to lead, and our cards are not known: {why}")));
        }
        Ok(HeardRequest::Settled(card_response(CardSet::EMPTY)))
    }
}

impl MatchDialect for CardMatch {
    type Record = CardRecordForm;

    fn hear(&mut self, text: &str) -> Result<HeardRequest, LostMatch> {
        let request = parse_card_request(text).map_err(|error| {
            self.desyncs.report(&error);
            LostMatch(format!("a request cannot be read: {error}"))
        })?;
        let repeats = self.last == Some(request);
        let leads = request.own.is_none() && request.history == [CardSet::EMPTY; 2];
        if repeats && !(leads && self.taken) {
            return Ok(HeardRequest::Repeated);
        }
        self.last = Some(request);
        if let Some(own) = request.own {
            return match Self::begin(&request, own) {
                Ok(course) => {
                    self.courses = vec![course];
                    self.ask(false).ok_or_else(|| LostMatch("there is nothing to do".to_owned()))
                }
                Err(why) => self.out_of_step(&request, why),
            };
        }
        if self.courses.is_empty() {
            return self.out_of_step(&request, "the match was joined in its middle".to_owned());
        }
        // Courses in which the last request was not answered cannot go on: no other follows it.
        let mut next: Vec<CardCourse> =
            self.courses.iter().filter_map(|course| course.after(request.history)).collect();
        if repeats {
            if next.is_empty() {
                return Ok(HeardRequest::Repeated);
            }
            next.splice(0..0, self.courses.drain(..));
        }
        let excess = next.len().saturating_sub(MOST_COURSES);
        next.drain(..excess);
        if next.is_empty() {
            return self.out_of_step(&request, format!("what is told cannot follow on what was: {text}"));
        }
        self.courses = next;
        self.open = None;
        self.ask(repeats).ok_or_else(|| LostMatch("there is nothing to do".to_owned()))
    }

    fn answer(&mut self, choice: Option<usize>) -> Option<String> {
        let legal = self.open.take()?;
        let chosen = choice.and_then(|index| legal.get(index).copied());
        let cards = match chosen.or_else(|| safe_action(&legal))? {
            CardAction::Play(play) => self.table()?.cards_for(&play)?,
            CardAction::Pass | CardAction::Bid(_) => CardSet::EMPTY,
        };
        self.said(cards);
        Some(card_response(cards))
    }

    fn recall(&mut self, request: &str, response: &str) -> Result<(), String> {
        let _ = self.hear(request);
        self.open = None;
        self.said(parse_card_response(response).map_err(|error| error.to_string())?);
        self.counts();
        Ok(())
    }

    fn counts(&mut self) {
        self.sent();
        self.last = None;
    }

    fn legal(&self) -> Option<&[CardAction]> {
        self.open.as_deref()
    }

    fn safe(&self) -> Option<usize> {
        let legal = self.open.as_deref()?;
        let safe = safe_action(legal)?;
        legal.iter().position(|&action| action == safe)
    }

    fn happened(&self, over: bool) -> Cow<'_, [CardEvent]> {
        let Some((likely, others)) = self.courses.split_last() else { return Cow::Borrowed(&[]) };
        if !over {
            // Whatever course it turns out to be, it goes on from here.
            let shared = |other: &CardCourse| {
                other.events.iter().zip(&likely.events).take_while(|(one, other)| one == other).count()
            };
            let sure = others.iter().map(shared).min().unwrap_or(likely.events.len());
            return Cow::Borrowed(&likely.events[..sure]);
        }
        let answer = likely.answer.filter(|_| likely.sent).zip(likely.table.seat());
        let last = answer.map(|(cards, seat)| CardEvent::Play { seat, cards });
        let fits = |event: &CardEvent| likely.table.clone().apply(event).is_ok();
        match last.filter(fits) {
            Some(last) => Cow::Owned(likely.events.iter().copied().chain([last]).collect()),
            None => Cow::Borrowed(&likely.events),
        }
    }

    fn fill(&self, view: &mut ViewBuffer, asked: &Asked) {
        let (Some(course), Some(legal)) = (self.courses.last(), &self.open) else { return };
        let mut table = DouDizhuTable::new(CardRules::FIXED);
        for event in &course.events {
            table.apply(event).expect("it was taken in before");
        }
        table.fill(view, legal, asked);
    }

    fn seat(&self) -> Option<Seat> {
        Seat::new(self.table()?.seat()?.index() as u8)
    }

    fn sent(&mut self) {
        for course in &mut self.courses {
            course.sent = course.answer.is_some();
        }
    }

    fn taken(&mut self) {
        self.taken = true;
    }

    fn desyncs(&self) -> (u32, Option<&str>) {
        self.desyncs.told()
    }
}

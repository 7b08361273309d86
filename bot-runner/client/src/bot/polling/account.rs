//! The loop of an account: polls, questions, and matches that begin and end.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use policy_host::{Decided, SeatEvent};
use protocol::botzone::{MatchId, MatchResult, parse_poll};
use protocol::game_record::RecordForm;
use tokio::time::sleep_until;

use super::pace::{Bucket, PAUSE_PER_BYTE, PollPace, PollPatience};
use super::past::{EarlyResults, OverMatches};
use super::permits::MatchPermits;
use super::player::{MatchEnd, MatchEvent, MatchPlayer, Readiness};
use crate::bot::backoff::Backoff;
use crate::bot::fault::{ConnectionFault, RetryRule};
use crate::bot::turns::PermitPool;
use crate::decision_note::DecisionOutcome;
use crate::session::botzone::{Match, MatchDialect, RequestOutcome, SentResponse, is_short};
use crate::shutdown::Shutdown;
use crate::transport::botzone::{BotzoneSite, MAX_RESPONSES, PollEnd, SiteFault, WantedMatch};

/// Maximum number of polls in progress: one, and those that it and others before it displaced.
const MAX_POLLS: usize = 4;

/// Maximum number of matches in progress or to be aborted. The site asks for answers to all of them
/// in one poll. The same number may begin at once, and later ones at a limited rate, so that a site
/// that begins and ends matches endlessly fills no disk and no database.
const MAX_MATCHES: usize = MAX_RESPONSES;

/// Maximum number of requests read in one poll: a match that waits for an answer has one.
const MAX_POLL_REQUESTS: usize = 4 * MAX_MATCHES;

/// Maximum wait for matches that are still to be aborted when the account has nothing else to do.
const ABORTS_TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, Default)]
pub struct AccountGoal {
    /// Number of matches to play to their end; `None`: until a stop is requested.
    pub games: Option<u32>,
    /// How matches are created; without it the account waits for matches.
    pub matchmaking: Option<Matchmaking>,
}

#[derive(Debug, Clone)]
pub struct Matchmaking {
    /// The match to create; the own seat advances by one each time.
    pub wanted: WantedMatch,
    /// Maximum number of simultaneous matches.
    pub at_once: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountEnd {
    /// It has played all its matches.
    Done,
    /// It was asked to stop.
    Stopped,
    /// The site does not accept it.
    Refused(SiteFault),
    /// The site does not create such a match.
    NoMatches(SiteFault),
}

struct EndedPoll {
    number: u64,
    began: Instant,
    end: Result<PollEnd, SiteFault>,
}

/// The outcome of creating a match with these players.
type MadeMatch = (Vec<Option<String>>, Result<MatchId, SiteFault>);

/// An account at Botzone, with its matches in progress.
pub struct BotzoneAccount<D: MatchDialect, P> {
    site: BotzoneSite,
    pub player: P,
    patience: PollPatience,
    goal: AccountGoal,
    matches: HashMap<MatchId, Match<D>>,
    /// Matches that were created, but have not sent a request yet.
    expected: HashMap<MatchId, Instant>,
    over: OverMatches,
    early: EarlyResults,
    polls: FuturesUnordered<BoxFuture<'static, EndedPoll>>,
    /// Number of the poll that was sent last.
    newest: u64,
    is_polling: bool,
    /// No poll is sent before this moment, because one failed or had a long body.
    paused_until: Instant,
    pace: PollPace,
    /// A poll waits for answers until this moment.
    linger_until: Instant,
    failures: Backoff,
    making: Option<BoxFuture<'static, MadeMatch>>,
    make_from: Instant,
    making_failures: Backoff,
    made: u32,
    finished: u32,
    /// Whether the player takes another match now.
    readiness: Readiness,
    permits: MatchPermits,
    /// The rate limit of matches that others begin.
    begins: Bucket,
    /// Whether no more matches are started.
    is_closing: bool,
    /// Matches that still have to be aborted, one after the other.
    to_abort: VecDeque<MatchId>,
    aborting: Option<BoxFuture<'static, ()>>,
    /// Whether the log has reported that the site sends more than is read.
    told_too_much: bool,
    /// Whether the log has reported that the site ends matches that were never answered.
    told_unanswered: bool,
    end: Option<AccountEnd>,
}

impl<D: MatchDialect, P: MatchPlayer<D>> BotzoneAccount<D, P> {
    /// An account before its first poll.
    pub fn new(site: BotzoneSite, player: P, patience: PollPatience, goal: AccountGoal) -> Self {
        let now = Instant::now();
        Self {
            site,
            player,
            patience,
            goal,
            matches: HashMap::new(),
            expected: HashMap::new(),
            over: OverMatches::default(),
            early: EarlyResults::default(),
            polls: FuturesUnordered::new(),
            newest: 0,
            is_polling: false,
            paused_until: now,
            pace: PollPace::new(now, patience.shortest_poll),
            linger_until: now,
            failures: Backoff::default(),
            making: None,
            make_from: now,
            making_failures: Backoff::default(),
            made: 0,
            finished: 0,
            readiness: Readiness::Ready,
            permits: MatchPermits::default(),
            begins: Bucket::new(now, MAX_MATCHES as u32, patience.begin_every),
            is_closing: false,
            to_abort: VecDeque::new(),
            aborting: None,
            told_too_much: false,
            told_unanswered: false,
            end: None,
        }
    }

    /// As [`new`](Self::new), with the number of simultaneous matches also limited by a pool that
    /// other bots share.
    #[must_use]
    pub fn with_permits(self, places: Option<PermitPool>) -> Self {
        let wanted = self
            .goal
            .matchmaking
            .as_ref()
            .map_or(1, |matchmaking| matchmaking.at_once);
        Self {
            permits: MatchPermits::of(places, wanted),
            ..self
        }
    }

    /// Plays until the goal is reached or a stop is requested; matches in progress are played to
    /// their end.
    pub async fn play(&mut self, shutdown: &Shutdown) -> AccountEnd {
        loop {
            let now = Instant::now();
            self.begin_waiting_matches();
            self.put_question();
            self.give_up_silent_matches();
            let finishing = shutdown.is_finishing();
            self.is_closing = finishing || self.has_played_all();
            self.readiness = self.player.readiness();
            if let Some(end) = self.end_of_life(finishing) {
                self.abort_all(shutdown).await;
                return end;
            }
            self.make_match(finishing);
            self.send_poll();
            self.abort_next();
            let wake = self.next_wake(now);
            tokio::select! {
                biased;
                () = shutdown.immediately() => return AccountEnd::Stopped,
                event = self.player.next(!self.matches.is_empty()) => self.on_decision(event),
                // Before its first request, if both have arrived.
                made = async { self.making.as_mut().expect("it is only polled when there is one").await },
                    if self.making.is_some() => self.on_made(made),
                Some(ended) = self.polls.next() => self.on_poll(ended),
                () = async { self.aborting.as_mut().expect("it is only polled when there is one").await },
                    if self.aborting.is_some() => self.aborting = None,
                () = self.permits.granted(), if self.permits.is_awaited() => self.player.awaits_permit(false),
                () = shutdown.finishing(), if !finishing => {}
                () = sleep_until(wake.into()) => {}
            }
        }
    }

    fn has_played_all(&self) -> bool {
        self.goal.games.is_some_and(|games| self.finished >= games)
    }

    fn is_idle(&self) -> bool {
        self.matches.is_empty() && self.expected.is_empty() && self.making.is_none()
    }

    fn end_of_life(&mut self, finishing: bool) -> Option<AccountEnd> {
        if let Some(AccountEnd::Refused(_)) = self.end {
            return self.end.take();
        }
        if !self.is_idle() {
            return None;
        }
        if self.has_played_all() {
            return Some(AccountEnd::Done);
        }
        if finishing {
            return Some(AccountEnd::Stopped);
        }
        self.end.take()
    }

    /// Creates the next match, if one is wanted and due.
    fn make_match(&mut self, finishing: bool) {
        let Some(matchmaking) = &self.goal.matchmaking else {
            return;
        };
        let on = self.matches.len() + self.expected.len();
        let wanted = self
            .goal
            .games
            .is_none_or(|games| (self.finished as usize) + on < games as usize);
        let is_ready = self.end.is_none() && self.readiness == Readiness::Ready;
        let may =
            !finishing && is_ready && self.making.is_none() && Instant::now() >= self.make_from;
        if !may || !wanted || on >= matchmaking.at_once {
            if self.making.is_none() {
                self.permits.let_go();
            }
            return;
        }
        if !self.ask_permit() {
            return;
        }
        let Some(matchmaking) = &self.goal.matchmaking else {
            return;
        };
        let mut wanted = matchmaking.wanted.clone();
        let seats = wanted.players.len();
        wanted
            .players
            .rotate_right(self.made as usize % seats.max(1));
        self.made += 1;
        let site = self.site.clone();
        let making = async move {
            let made = site.run_match(&wanted).await;
            (wanted.players, made)
        };
        self.making = Some(making.boxed());
    }

    /// Whether another match may begin.
    fn ask_permit(&mut self) -> bool {
        let waited = self.permits.is_awaited();
        let may = self.permits.ask();
        if !may && !waited && self.matches.is_empty() {
            self.player.awaits_permit(true);
        }
        may
    }

    fn on_made(&mut self, (players, made): MadeMatch) {
        self.making = None;
        if made.is_err() {
            self.early.clear();
        }
        let now = Instant::now();
        self.make_from = now + self.patience.between_matches;
        match made {
            Ok(id) => {
                self.making_failures.reset();
                let result = self.early.take(&id);
                if !self.over.contains(&id) {
                    self.player
                        .happened(&id, MatchEvent::Made { players: &players });
                    // Its first request may have arrived earlier.
                    if !self.matches.contains_key(&id) {
                        self.expected.insert(id, now);
                    }
                    self.hold_permits();
                }
                if let Some(result) = result {
                    self.on_result(result);
                }
            }
            // An impossible match is not requested again.
            Err(fault @ SiteFault::Impossible(_)) => self.end = Some(AccountEnd::NoMatches(fault)),
            Err(fault) => {
                let at_site = ConnectionFault::at_site(&fault);
                if matches!(at_site.rule, RetryRule::Stop) {
                    self.end = Some(AccountEnd::Refused(fault));
                    return;
                }
                let longest = self.patience.longest_wait;
                let wait = self.making_failures.next(
                    self.patience.between_matches,
                    longest,
                    fastrand::f64(),
                );
                let wait = wait.max(at_site.asked_wait(fastrand::f64()));
                tracing::warn!(
                    "no match was made: {fault}; the next attempt in {} s",
                    wait.as_secs()
                );
                self.make_from = now + wait;
            }
        }
    }

    // -- polls ----------------------------------------------------------------------------

    /// Sends a poll if none is in progress, or if there is an answer that no poll in progress
    /// carries.
    fn send_poll(&mut self) {
        let now = Instant::now();
        let is_due = |from: Instant| from <= now;
        let ready = self
            .matches
            .values()
            .filter_map(Match::ready_from)
            .any(is_due);
        let waits_for_matches = self.goal.matchmaking.is_none() && self.matches.is_empty();
        let rests = self.is_idle() && self.readiness != Readiness::Ready;
        if !self.is_polling && (rests || waits_for_matches && !self.ask_permit()) {
            return;
        }
        let thinking =
            now < self.linger_until && self.matches.values().any(|played| played.open().is_some());
        let too_soon = now < self.paused_until.max(self.pace.due(ready));
        if too_soon || thinking || (self.is_polling && !ready) || self.polls.len() >= MAX_POLLS {
            return;
        }
        self.pace.sent(now, ready);
        self.newest += 1;
        let number = self.newest;
        let mut responses = Vec::new();
        for (id, played) in &mut self.matches {
            if responses.len() == MAX_RESPONSES {
                // The next poll carries the others.
                break;
            }
            if !played.ready_from().is_some_and(is_due) {
                continue;
            }
            let Some(SentResponse {
                text,
                arrived,
                is_resent,
            }) = played.sent(number)
            else {
                continue;
            };
            if !is_resent {
                self.player.happened(
                    id,
                    MatchEvent::Answered {
                        text: &text,
                        took: arrived.elapsed(),
                        played,
                    },
                );
            }
            responses.push((id.clone(), text));
        }
        let site = self.site.clone();
        self.is_polling = true;
        let poll = async move {
            EndedPoll {
                number,
                began: now,
                end: site.poll(&responses).await,
            }
        };
        self.polls.push(poll.boxed());
    }

    fn on_poll(&mut self, ended: EndedPoll) {
        let EndedPoll { number, began, end } = ended;
        let is_newest = number == self.newest;
        self.is_polling = !self.polls.is_empty();
        match end {
            Ok(PollEnd::News(text)) => self.on_news(&text, number, began),
            Ok(PollEnd::NothingNew) => {
                self.failures.reset();
                self.brought_nothing(number, began);
            }
            // Its content was read even though it was displaced.
            Err(SiteFault::Displaced) => {
                self.taken(number);
                // Two polls of this account may also arrive in the reverse order.
                if is_newest && !self.is_polling {
                    self.on_fault(SiteFault::Displaced);
                }
            }
            Err(fault) => {
                self.send_again(number, began);
                self.on_fault(fault);
            }
        }
        if self.matches.is_empty() && self.permits.is_overdue(self.patience.turn) {
            self.permits.let_go();
        }
    }

    fn on_fault(&mut self, fault: SiteFault) {
        let longest = self.patience.longest_wait;
        let at_site = ConnectionFault::at_site(&fault);
        if matches!(at_site.rule, RetryRule::Stop) {
            self.end = Some(AccountEnd::Refused(fault));
            return;
        }
        let is_closed = matches!(fault, SiteFault::Closed { .. } | SiteFault::TooOften { .. });
        let first = if is_closed {
            self.patience.closed_wait
        } else {
            self.patience.first_wait
        };
        let wait = self.failures.next(first, longest, fastrand::f64());
        let wait = wait.max(at_site.asked_wait(fastrand::f64()));
        // Occasional failures are not worth a message.
        if self.failures.failures() > 2
            || matches!(fault, SiteFault::Closed { .. } | SiteFault::Displaced)
        {
            tracing::warn!(
                "{fault}; failure {} in a row, the next poll in {:.1} s",
                self.failures.failures(),
                wait.as_secs_f64()
            );
        } else {
            tracing::debug!("{fault}; the next poll in {:.1} s", wait.as_secs_f64());
        }
        self.paused_until = Instant::now() + wait;
    }

    /// Sends the contents of a poll again, and delays the next poll that has no new answer.
    fn brought_nothing(&mut self, number: u64, began: Instant) {
        let until = began + self.patience.shortest_poll;
        self.pace.brought_nothing(until);
        self.send_again(number, until);
    }

    /// The answers in this poll were read. Those in an earlier poll that still waits may yet be
    /// lost with it.
    fn taken(&mut self, number: u64) {
        for (id, played) in &mut self.matches {
            if played.taken(number) {
                self.player.happened(id, MatchEvent::Taken { played });
            }
        }
    }

    fn send_again(&mut self, number: u64, from: Instant) {
        self.matches
            .values_mut()
            .for_each(|played| played.send_again(number, from));
    }

    // -- news -----------------------------------------------------------------------------

    fn on_news(&mut self, text: &str, number: u64, began: Instant) {
        let arrived = Instant::now();
        let pause = PAUSE_PER_BYTE * text.len() as u32;
        let body = parse_poll(text);
        let is_empty = body.requests.is_empty() && body.results.is_empty();
        if let Some(fault) = &body.fault {
            let fault = self.site.excerpt(text, fault);
            let what = if is_empty {
                "the body"
            } else {
                "a part of the body"
            };
            tracing::warn!("{what} of a poll cannot be read: {fault}");
            if is_empty {
                // It may come from the site's proxy, which has not passed the answers on.
                self.send_again(number, began);
                let PollPatience {
                    first_wait,
                    longest_wait,
                    ..
                } = self.patience;
                let wait = self
                    .failures
                    .next(first_wait, longest_wait, fastrand::f64());
                self.paused_until = arrived + wait.max(pause);
                return;
            }
        }
        self.paused_until = self.paused_until.max(arrived + pause);
        self.failures.reset();
        if is_empty {
            return self.brought_nothing(number, began);
        }
        self.taken(number);
        if body.requests.len() > MAX_POLL_REQUESTS {
            self.tell_too_much();
        }
        for request in body.requests.iter().take(MAX_POLL_REQUESTS) {
            self.on_request(&request.id, request.text, arrived);
        }
        for result in body.results {
            self.on_result(result);
        }
        self.linger_until = arrived + self.patience.linger;
    }

    fn on_request(&mut self, id: &MatchId, text: &str, arrived: Instant) {
        if self.over.contains(id) {
            return;
        }
        if !self.matches.contains_key(id) {
            let is_expected = self.expected.contains_key(id);
            if !is_short(text) || self.is_full() && !is_expected {
                return self.tell_too_much();
            }
            self.expected.remove(id);
            let is_ours = is_expected || self.making.is_some();
            if self.is_closing && !is_ours {
                return self.give_up(id, "no more matches are wanted".to_owned());
            }
            let waits = !is_expected && self.begins.due() > arrived;
            let played = if waits {
                Match::waiting(text, arrived)
            } else {
                Match::default()
            };
            self.matches.insert(id.clone(), played);
            self.hold_permits();
            if waits {
                return self.tell_too_much();
            }
            if !is_expected {
                self.begins.take(arrived);
            }
            self.player.happened(id, MatchEvent::Began);
        }
        self.take_in(id, text, arrived);
    }

    /// Begins waiting matches, as far as more may begin.
    fn begin_waiting_matches(&mut self) {
        let now = Instant::now();
        while self.begins.due() <= now {
            let waiting = self.matches.iter_mut().filter(|(_, played)| played.waits());
            let Some((id, played)) = waiting.min_by_key(|(_, played)| played.last_news) else {
                return;
            };
            let (Some(first), Some(arrived)) = (played.begin(), played.last_news) else {
                return;
            };
            let id = id.clone();
            self.begins.take(now);
            self.player.happened(&id, MatchEvent::Began);
            self.take_in(&id, &first, arrived);
        }
    }

    /// Applies a request of a match in progress.
    fn take_in(&mut self, id: &MatchId, text: &str, arrived: Instant) {
        let Some(played) = self.matches.get_mut(id).filter(|played| !played.waits()) else {
            return;
        };
        if let Err(limit) = played.count(text) {
            return self.give_up(id, limit.to_string());
        }
        let (was_sent, was_put) = (played.was_sent(), played.is_put());
        let heard = played.hear(text, arrived);
        if heard != Ok(RequestOutcome::Repeated) {
            if was_sent {
                self.player.happened(id, MatchEvent::Taken { played });
            }
            if was_put {
                self.player.withdraw();
            }
        }
        self.player.happened(
            id,
            MatchEvent::Heard {
                text,
                at: arrived,
                played,
            },
        );
        match heard {
            Ok(RequestOutcome::Open {
                may_be_repeated: true,
            }) => {
                if let Some(open) = played.open_mut() {
                    open.held_until = arrived + self.patience.repeat;
                }
            }
            Ok(
                RequestOutcome::Open { .. } | RequestOutcome::Repeated | RequestOutcome::Forced(_),
            ) => {}
            Err(lost) => {
                let why = self.site.excerpt(text, &lost).to_string();
                self.give_up(id, why);
            }
        }
    }

    /// Whether no more matches can be accepted.
    fn is_full(&self) -> bool {
        self.matches.len() + self.to_abort.len() + usize::from(self.aborting.is_some())
            >= MAX_MATCHES
    }

    fn tell_too_much(&mut self) {
        if !std::mem::replace(&mut self.told_too_much, true) {
            tracing::warn!(
                "Botzone sends more than an account takes: {MAX_MATCHES} matches at once, then one more every {:?}, and \
                 {MAX_POLL_REQUESTS} requests in a poll; what is beyond that waits or is left alone (the log says this once)",
                self.patience.begin_every
            );
        }
    }

    fn tell_unanswered(&mut self) {
        if !std::mem::replace(&mut self.told_unanswered, true) {
            tracing::warn!(
                "Botzone ended a match before it took an answer; such a match does not count and leaves no record (the log says \
                 this once)"
            );
        }
    }

    fn hold_permits(&mut self) {
        self.permits
            .hold_for(self.matches.len() + self.expected.len());
    }

    fn on_result(&mut self, result: MatchResult) {
        let is_known =
            self.expected.remove(&result.id).is_some() || self.matches.contains_key(&result.id);
        if !is_known {
            // A match of another account or an ended program, or one whose creation has not been
            // answered yet.
            if self.making.is_some() {
                self.early.keep(result);
            }
            return;
        }
        let MatchResult { id, slot, scores } = result;
        self.over.insert(&id);
        let mut played = self.remove(&id);
        if played.was_sent() {
            // The site read the answer: then the match counts.
            played.was_answered = true;
            self.player
                .happened(&id, MatchEvent::Taken { played: &played });
        }
        let seats = D::Record::SEATS;
        let end = if !played.was_answered {
            self.tell_unanswered();
            MatchEnd::Unanswered
        } else if scores.is_empty() {
            MatchEnd::BrokenOff
        } else if scores.len() == seats && slot < seats {
            self.finished += 1;
            MatchEnd::Finished { slot, scores }
        } else {
            MatchEnd::GivenUp("its result cannot be read".to_owned())
        };
        self.player.happened(
            &id,
            MatchEvent::Ended {
                played: &played,
                end,
            },
        );
    }

    /// Removes an ended match and returns it; an empty one if the id is unknown.
    fn remove(&mut self, id: &MatchId) -> Match<D> {
        let played = self.matches.remove(id).unwrap_or_default();
        if played.is_put() {
            self.player.withdraw();
        }
        self.hold_permits();
        played
    }

    /// Aborts a match that cannot be played or has gone silent.
    fn give_up(&mut self, id: &MatchId, why: String) {
        tracing::warn!(%id, "a match is given up: {why}");
        self.over.insert(id);
        self.expected.remove(id);
        let played = self.remove(id);
        self.player.happened(
            id,
            MatchEvent::Ended {
                played: &played,
                end: MatchEnd::GivenUp(why),
            },
        );
        if self.to_abort.len() < MAX_MATCHES {
            self.to_abort.push_back(id.clone());
        }
    }

    /// Starts the next abort, if none is in progress.
    fn abort_next(&mut self) {
        if self.aborting.is_some() {
            return;
        }
        let Some(id) = self.to_abort.pop_front() else {
            return;
        };
        let site = self.site.clone();
        let abort = async move {
            if let Err(fault) = site.abort_match(&id).await {
                tracing::debug!(%id, "it could not be aborted: {fault}");
            }
        };
        self.aborting = Some(abort.boxed());
    }

    /// Aborts the remaining matches, unless that takes too long or the program must stop at once.
    async fn abort_all(&mut self, shutdown: &Shutdown) {
        let aborts = async {
            loop {
                self.abort_next();
                let Some(aborting) = &mut self.aborting else {
                    return;
                };
                aborting.await;
                self.aborting = None;
            }
        };
        tokio::select! {
            biased;
            () = shutdown.immediately() => {}
            () = tokio::time::sleep(ABORTS_TIMEOUT) => {}
            () = aborts => {}
        }
    }

    fn give_up_silent_matches(&mut self) {
        let patience = self.patience.silent_match;
        let played = self
            .matches
            .iter()
            .filter_map(|(id, played)| Some((id, played.last_news?)));
        let expected = self.expected.iter().map(|(id, since)| (id, *since));
        let silent: Vec<MatchId> = played
            .chain(expected)
            .filter(|(_, since)| since.elapsed() >= patience)
            .map(|(id, _)| id.clone())
            .collect();
        for id in silent {
            self.give_up(&id, format!("it was silent for {} s", patience.as_secs()));
        }
    }

    // -- questions ------------------------------------------------------------------------

    /// Asks the question that has been open for longest, if none is being asked.
    fn put_question(&mut self) {
        while !self.matches.values().any(Match::is_put) {
            let open = self
                .matches
                .iter_mut()
                .filter_map(|(id, played)| Some((played.open()?.arrived, id, played)));
            let Some((arrived, id, played)) = open.min_by_key(|(arrived, id, _)| (*arrived, *id))
            else {
                return;
            };
            let until = arrived + self.patience.answer;
            let asked = if Instant::now() < until {
                self.player.ask(id, played, until)
            } else {
                Err("there was no time for it".to_owned())
            };
            if let Err(why) = asked {
                let id = id.clone();
                self.answer(&id, None, DecisionOutcome::SafeAnswer(why));
            } else if let Some(open) = played.open_mut() {
                open.is_put = true;
            }
        }
    }

    fn on_decision(&mut self, event: SeatEvent) {
        let mut open = self
            .matches
            .iter_mut()
            .filter_map(|(id, played)| Some((id, played.open_mut()?)));
        let Some((id, open)) = open.find(|(_, open)| open.is_put) else {
            return;
        };
        let (choice, outcome) = match event {
            SeatEvent::AskAgain => {
                open.is_put = false;
                return;
            }
            SeatEvent::Decided {
                decided:
                    Decided {
                        index,
                        values,
                        reason,
                    },
                took,
            } => (
                Some(index),
                DecisionOutcome::Decided {
                    took,
                    values,
                    reason,
                },
            ),
            SeatEvent::Undecided(why) => (None, DecisionOutcome::SafeAnswer(why.to_string())),
        };
        let id = id.clone();
        self.answer(&id, choice, outcome);
    }

    fn answer(&mut self, id: &MatchId, choice: Option<usize>, outcome: DecisionOutcome) {
        let Some(played) = self.matches.get_mut(id) else {
            return;
        };
        self.player.happened(
            id,
            MatchEvent::Decided {
                choice,
                outcome,
                played,
            },
        );
        if played.answer(choice).is_none() {
            self.give_up(id, "a request has no answer".to_owned());
        }
    }

    /// When the next timed action is due, ignoring those due at `done`, which have been carried out
    /// since. Actions that became due after that may still be open.
    fn next_wake(&self, done: Instant) -> Instant {
        let held = self.matches.values().filter_map(Match::ready_from);
        let silent = self.matches.values().filter_map(|played| played.last_news);
        let silent = silent
            .chain(self.expected.values().copied())
            .map(|since| since + self.patience.silent_match);
        let others = [
            self.paused_until,
            self.linger_until,
            self.make_from,
            self.pace.due(false),
            self.pace.due(true),
        ];
        let waits = self
            .matches
            .values()
            .any(Match::waits)
            .then(|| self.begins.due());
        let due = held
            .chain(silent)
            .chain(others)
            .chain(waits)
            .filter(|&at| at > done)
            .min();
        due.unwrap_or(done + Duration::from_secs(60))
    }
}

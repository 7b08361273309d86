//! RiichiLab's protocol, version 2, from the bot's side.
//!
//! Text frames go in, and what follows from them comes out: something happened, something is asked, something is to be
//! sent, or the game is over. Time is the caller's affair, and so is deciding.

use mahjong::action::LegalActions;
use mahjong::event::{Points, StartKyoku};
use mahjong::table::{Contradiction, Phase};
use mahjong::{Action, Event, Rules, Seat, Table, Tile, safe_answer};
use protocol::reply::{entry_reply_json, reply_json};
use protocol::riichilab::{
    AckStatus, ActionAck, FrameError, RequestAction, RequestTime, ServerFrame, parse_frame, parse_observation,
};
use protocol::{EventError, PossibleAction};

use super::choice::{ListDifference, choices, safe_entry};
use super::desync::{DesyncKind, Desyncs};
use super::observed::snapshot;
use crate::config::Token;

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// One ranked game.
    Ranked,
    /// The arena's test of a bot.
    Validation,
}

impl Goal {
    /// The path it is reached at.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Ranked => "/ws/ranked",
            Self::Validation => "/ws/validate",
        }
    }
}

/// What follows from a frame.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// Nothing to do.
    Nothing,
    /// Something happened, and the table shows it.
    Happened(Event),
    /// Something is to be decided: see [`Session::question`].
    Ask,
    /// This answers a request at once.
    Reply(String),
    /// A request was settled without us; a decision that is being made is not wanted any more.
    Settled,
    /// Nothing more will come.
    Ended(End),
}

/// How a connection came to its end by the arena's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The ranked game is over.
    Game,
    /// The validation is over.
    Validation {
        /// Whether the bot passed.
        passed: bool,
        /// Why not, where the arena says so.
        reason: Option<String>,
    },
    /// The arena does not want us, now or at all; in its own words.
    Refused(String),
}

/// An open request.
#[derive(Debug)]
pub struct Question {
    /// The number to answer with.
    pub request_id: u64,
    /// What to choose from, at least two actions.
    pub legal: LegalActions,
    /// What the arena says of the time there is.
    pub time: Option<RequestTime>,
}

/// How the requests of a game ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AckCounts {
    /// Requests received.
    pub requests: u32,
    /// Replies taken.
    pub accepted: u32,
    /// Replies refused as illegal: a chombo each.
    pub rejected: u32,
    /// Replies that could not be read.
    pub unparseable: u32,
    /// Replies that came too late.
    pub stale: u32,
    /// Requests the arena answered for us.
    pub defaulted: u32,
    /// Acks of a status we do not know.
    pub other: u32,
}

impl AckCounts {
    /// Adds the counts of another game.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.accepted += other.accepted;
        self.rejected += other.rejected;
        self.unparseable += other.unparseable;
        self.stale += other.stale;
        self.defaulted += other.defaulted;
        self.other += other.other;
    }
}

/// One connection: a game, from queueing to its end.
#[derive(Debug)]
pub struct Session {
    goal: Goal,
    rules: Rules,
    /// What must not be shown although an arena may repeat it.
    token: Option<Token>,
    seat: Option<Seat>,
    table: Option<Table>,
    /// The tile we have just drawn, whatever the table makes of it.
    drawn: Option<Tile>,
    /// An event was missed: the table is not to be relied on until the next round, or an observation sets it right.
    out_of_step: bool,
    /// The discard that a declared riichi will be completed with.
    planned: Option<Action>,
    open: Option<Question>,
    /// The last request, until it has been compared with our own picture.
    unreviewed: Option<Unreviewed>,
    /// Whether a request came since the last event that could be claimed.
    asked: bool,
    in_game: bool,
    finished: bool,
    final_scores: Option<Points>,
    /// How requests ended.
    pub acks: AckCounts,
    /// Where our picture and the arena's differ.
    pub desyncs: Desyncs,
    /// Frames that could not be read.
    pub unreadable: u32,
}

/// What the arena said with a request.
#[derive(Debug)]
struct Unreviewed {
    request_id: u64,
    list: Option<Vec<PossibleAction>>,
    observation: Option<String>,
}

impl Session {
    /// A connection just opened.
    #[must_use]
    pub fn new(goal: Goal, rules: Rules) -> Self {
        Self {
            goal,
            rules,
            token: None,
            seat: None,
            table: None,
            drawn: None,
            out_of_step: false,
            planned: None,
            open: None,
            unreviewed: None,
            asked: false,
            in_game: false,
            finished: false,
            final_scores: None,
            acks: AckCounts::default(),
            desyncs: Desyncs::default(),
            unreadable: 0,
        }
    }

    /// The same, and nothing that is logged or kept as a desync shows the token, whatever the arena says.
    #[must_use]
    pub fn hiding(self, token: Token) -> Self {
        Self { token: Some(token), ..self }
    }

    /// Whether a game has begun and not yet ended.
    #[must_use]
    pub const fn in_game(&self) -> bool {
        self.in_game
    }

    /// Whether the game has been played to its end, whatever becomes of the connection.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.finished
    }

    /// The table, once a game has begun.
    #[must_use]
    pub const fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// The open request, if there is something to decide.
    #[must_use]
    pub const fn question(&self) -> Option<&Question> {
        self.open.as_ref()
    }

    /// The scores at the end of the game.
    #[must_use]
    pub const fn final_scores(&self) -> Option<&Points> {
        self.final_scores.as_ref()
    }

    /// Takes in a frame.
    pub fn on_frame(&mut self, text: &str) -> Step {
        match parse_frame(text) {
            Ok(ServerFrame::Event(event)) => self.on_event(event),
            Ok(ServerFrame::Request(request)) => self.on_request(request, text),
            Ok(ServerFrame::Ack(ack)) => self.on_ack(&ack, text),
            Ok(ServerFrame::ValidationResult { passed, reason }) if self.goal == Goal::Validation => {
                self.in_game = false;
                self.finished = true;
                Step::Ended(End::Validation { passed, reason: reason.map(|reason| reason.into_owned()) })
            }
            Ok(ServerFrame::ValidationResult { .. }) => {
                tracing::warn!("the arena gives a verdict on a validation, and this is none");
                Step::Nothing
            }
            // Refusals come instead of a game. In one, words alone do not end it; the arena closes if it means it.
            Ok(ServerFrame::Error { message }) if self.in_game => {
                tracing::warn!("the arena reports: {}", self.shown(text, &message));
                Step::Nothing
            }
            Ok(ServerFrame::Error { message }) => Step::Ended(End::Refused(message.into_owned())),
            Ok(ServerFrame::Unknown { kind }) => {
                tracing::debug!("ignored a frame of unknown type {:?}", self.shown(text, &kind));
                Step::Nothing
            }
            Err(error) => self.on_unreadable(&error, text),
        }
    }

    /// Words out of a frame, for people. An error may hold just a part of the token, so it is the frame that decides.
    fn shown(&self, frame: &str, words: &dyn std::fmt::Display) -> String {
        let words = words.to_string();
        if self.token.as_ref().is_some_and(|token| token.is_in(frame) || token.is_in(&words)) {
            return "(not shown, for it repeats the token)".to_owned();
        }
        words
    }

    fn on_unreadable(&mut self, error: &FrameError, frame: &str) -> Step {
        self.unreadable += 1;
        let error_shown = self.shown(frame, error);
        match error {
            // Something happened, and we do not know what. Whatever is not even an event can be done without.
            FrameError::Event(EventError::Field { .. }) if self.in_game => {
                self.desyncs.report(DesyncKind::Event, || format!("an event cannot be read: {error_shown}"));
                self.out_of_step = true;
            }
            _ => tracing::warn!("a frame cannot be read: {error_shown}"),
        }
        Step::Nothing
    }

    fn on_event(&mut self, event: Event) -> Step {
        self.review();
        self.notice_unasked(&event);
        if let Event::StartGame { seat } = event {
            self.begin(seat);
            return Step::Happened(event);
        }
        if let Event::StartKyoku(start) = &event {
            self.sit_down(start);
        }
        match event {
            Event::Tsumo { actor, tile } if Some(actor) == self.seat => self.drawn = tile,
            Event::Dora { .. } | Event::Reach { .. } => {}
            _ => self.drawn = None,
        }
        if let Event::EndGame { .. } = event {
            self.final_scores = self.table.as_ref().map(Table::final_scores);
            self.in_game = false;
            self.finished = true;
        }
        self.apply(&event);
        if !matches!(event, Event::Dora { .. }) {
            self.asked = false;
            self.open = None;
        }
        if !matches!(event, Event::Reach { .. } | Event::Dora { .. }) {
            self.planned = None;
        }
        match event {
            Event::EndGame { scores } => {
                self.final_scores = scores.or(self.final_scores);
                if self.goal == Goal::Ranked { Step::Ended(End::Game) } else { Step::Happened(event) }
            }
            _ => Step::Happened(event),
        }
    }

    fn begin(&mut self, seat: Option<Seat>) {
        self.seat = seat;
        self.table = seat.map(|seat| Table::new(self.rules, seat));
        self.out_of_step = false;
        self.drawn = None;
        self.in_game = true;
        self.planned = None;
        self.open = None;
    }

    /// An arena that did not say our seat shows it by whose tiles it deals openly. A connection that joins a game
    /// without its start plays on from the first round it sees.
    fn sit_down(&mut self, start: &StartKyoku) {
        self.in_game = true;
        if self.table.is_none() {
            let mut open = start.tehais.iter().filter(|(_, hand)| hand.is_some()).map(|(seat, _)| seat);
            if let (Some(seat), None) = (open.next(), open.next()) {
                self.seat = Some(seat);
                self.table = Some(Table::new(self.rules, seat));
            }
        }
    }

    fn apply(&mut self, event: &Event) {
        let Some(table) = &mut self.table else { return };
        let begins = matches!(event, Event::StartKyoku(_));
        if self.out_of_step && !begins {
            return;
        }
        let was_lost = self.out_of_step;
        match table.apply(event) {
            Ok(()) => self.out_of_step = false,
            Err(contradiction) => {
                // A round that begins, and scores that are told, take effect even where they were not expected.
                let healed = matches!(contradiction, Contradiction::Scores { .. } | Contradiction::RoundNotEnded);
                self.out_of_step = !healed;
                // That the end of a round was missed is no news where the thread was lost in it.
                if !(was_lost && healed) {
                    self.desyncs.report(DesyncKind::Event, || format!("{contradiction}: {event:?}"));
                }
            }
        }
    }

    /// A claim we held, and were not asked about before it was over.
    fn notice_unasked(&mut self, event: &Event) {
        let Some(table) = &self.table else { return };
        if self.asked || self.out_of_step || matches!(event, Event::Dora { .. } | Event::EndGame { .. }) {
            return;
        }
        let by = match table.phase() {
            Phase::Discarded { by, .. } | Phase::Kan { by, .. } => by,
            _ => return,
        };
        if by == table.seat() {
            return;
        }
        let legal = table.legal_actions();
        if !legal.is_empty() {
            self.desyncs
                .report(DesyncKind::NotAsked, || format!("we held {legal:?} and were not asked before {event:?}"));
        }
    }

    fn on_request(&mut self, request: RequestAction<'_>, frame: &str) -> Step {
        self.acks.requests += 1;
        self.asked = true;
        self.open = None;
        for warning in &request.warnings {
            let warning = self.shown(frame, warning);
            tracing::warn!(request_id = request.request_id, "a request is malformed: {warning}");
        }
        let request_id = request.request_id;
        let list = request.possible_actions;
        self.recover(request.observation.as_deref());
        let step = match &self.table {
            Some(table) if !self.out_of_step => {
                let legal = list.as_deref().map_or_else(|| table.legal_actions(), |list| choices(table, list));
                Self::choose(&mut self.open, self.planned.take(), table.seat(), request_id, legal, request.time)
            }
            _ => None,
        };
        let step = step.unwrap_or_else(|| match list.as_deref().and_then(|list| safe_entry(list, self.drawn)) {
            Some(entry) => Step::Reply(entry_reply_json(&entry, request_id)),
            None => Step::Nothing,
        });
        let comparable = self.table.is_some() && !self.out_of_step;
        self.unreviewed = comparable.then(|| Unreviewed {
            request_id,
            list,
            observation: request.observation.map(|observation| observation.into_owned()),
        });
        step
    }

    /// A planned discard, the only action there is, or a question; `None` when there is nothing to choose from.
    fn choose(
        open: &mut Option<Question>,
        planned: Option<Action>,
        seat: Seat,
        request_id: u64,
        legal: LegalActions,
        time: Option<RequestTime>,
    ) -> Option<Step> {
        if let Some(discard) = planned
            && legal.contains(&discard)
        {
            return Some(Step::Reply(reply_json(&discard, seat, request_id)));
        }
        match legal.as_slice() {
            [] => None,
            [only] if !matches!(only, Action::Reach { .. }) => Some(Step::Reply(reply_json(only, seat, request_id))),
            _ => {
                *open = Some(Question { request_id, legal, time });
                Some(Step::Ask)
            }
        }
    }

    /// Takes the arena's observation over when our table has lost the thread.
    fn recover(&mut self, observation: Option<&str>) {
        if !self.out_of_step {
            return;
        }
        let (Some(table), Some(observation)) = (&mut self.table, observation) else { return };
        match parse_observation(observation) {
            Ok(observation) => {
                if let Some(theirs) = snapshot(&observation, table.seat(), table.rules()) {
                    table.rebuild(&theirs);
                    self.out_of_step = false;
                    tracing::info!("the table was rebuilt from the arena's observation");
                }
            }
            Err(error) => tracing::warn!("the observation cannot be read: {error}"),
        }
    }

    fn on_ack(&mut self, ack: &ActionAck<'_>, frame: &str) -> Step {
        let count = match &ack.status {
            AckStatus::Accepted => &mut self.acks.accepted,
            AckStatus::Rejected => &mut self.acks.rejected,
            AckStatus::Unparseable => &mut self.acks.unparseable,
            AckStatus::Stale => &mut self.acks.stale,
            AckStatus::Defaulted => &mut self.acks.defaulted,
            AckStatus::Other(_) => &mut self.acks.other,
        };
        *count += 1;
        let request_id = ack.request_id;
        match &ack.status {
            AckStatus::Accepted => return Step::Nothing,
            AckStatus::Rejected | AckStatus::Unparseable => tracing::error!(
                request_id,
                "{}: {} (sent {})",
                ack.status.name(),
                self.shown(frame, &ack.reason.as_deref().unwrap_or("no reason given")),
                self.shown(frame, &ack.attempted.unwrap_or("?")),
            ),
            status => tracing::warn!(request_id, "{}: {:?}", self.shown(frame, &status.name()), ack.action),
        }
        if self.open.as_ref().is_some_and(|open| Some(open.request_id) == request_id)
            && ack.status == AckStatus::Defaulted
        {
            self.open = None;
            return Step::Settled;
        }
        Step::Nothing
    }

    /// The reply that carries out the choice with this index, or the safe answer when there is none or it is no choice.
    ///
    /// `None` when the request is no longer open, or when nothing safe is to be said: then nothing is sent.
    pub fn answer(&mut self, request_id: u64, choice: Option<usize>) -> Option<String> {
        let question = self.open.take_if(|open| open.request_id == request_id)?;
        let seat = self.seat?;
        let action =
            choice.and_then(|index| question.legal.get(index).copied()).or_else(|| safe_answer(&question.legal))?;
        if let Action::Reach { tile, tsumogiri } = action {
            self.planned = Some(Action::Dahai { tile, tsumogiri });
        }
        Some(reply_json(&action, seat, request_id))
    }

    /// Compares the last request with our own picture of the game. To be called when its reply has been written; it is
    /// called by itself before the next event otherwise.
    pub fn review(&mut self) {
        let Some(request) = self.unreviewed.take() else { return };
        let Some(table) = &self.table else { return };
        if let Some(list) = &request.list {
            let ours = table.legal_actions();
            let difference = ListDifference::between(&ours, list);
            if !difference.is_empty() {
                self.desyncs.report(DesyncKind::Legal, || {
                    format!(
                        "request {}: only ours {:?}, only the arena's {:?}; table: {table:?}",
                        request.request_id, difference.only_ours, difference.only_theirs
                    )
                });
            }
        }
        let Some(observation) = &request.observation else { return };
        let observation = match parse_observation(observation) {
            Ok(observation) => observation,
            Err(error) => {
                tracing::warn!(request_id = request.request_id, "the observation cannot be read: {error}");
                return;
            }
        };
        let Some(theirs) = snapshot(&observation, table.seat(), table.rules()) else { return };
        let differences = table.differences(&theirs);
        if !differences.is_empty() {
            self.desyncs.report(DesyncKind::Observation, || {
                let differences: Vec<String> = differences.iter().map(ToString::to_string).collect();
                format!("request {}: {}", request.request_id, differences.join("; "))
            });
        }
    }
}

//! RiichiLab's protocol, version 2, from the bot's side.

use foreign_text::ForeignText;
use protocol::reply::{entry_reply_json, reply_json};
use protocol::riichilab::{
    AckStatus, ActionAck, FrameError, RequestAction, ServerFrame, parse_frame, parse_observation,
};
use protocol::{ActionKind, EventError, PossibleAction, event_json};
use riichi::table::{Phase, Snapshot};
use riichi::{Event, Rules};

use super::choice::{actions_json, choices, safe_entry};
use super::desync::DesyncKind;
use super::game::{GameState, RequestChoice};
use super::observed::snapshot;
use super::{Dialect, SessionEnd, SessionStep, SessionSteps};
use crate::Token;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionGoal {
    /// One ranked game.
    Ranked,
    /// The arena's test of a bot.
    Validation,
}

impl ConnectionGoal {
    pub const fn path(self) -> &'static str {
        match self {
            Self::Ranked => "/ws/ranked",
            Self::Validation => "/ws/validate",
        }
    }
}

/// One connection: a game, from queueing to its end.
#[derive(Debug)]
pub struct RiichilabSession {
    goal: ConnectionGoal,
    /// Must never be shown, even if an arena repeats it.
    token: Option<Token>,
    /// The last request, until it is compared with our own picture.
    unreviewed: Option<Unreviewed>,
    /// Whether a request has arrived since the last claimable event.
    asked: bool,
    /// The last answered request, if there was no event since.
    answered: Option<u64>,
    pub game: GameState,
}

/// The arena's information in a request.
#[derive(Debug)]
struct Unreviewed {
    request_id: u64,
    list: Option<Vec<PossibleAction>>,
    observation: Option<String>,
}

impl RiichilabSession {
    pub fn new(goal: ConnectionGoal, rules: Rules) -> Self {
        Self {
            goal,
            token: None,
            unreviewed: None,
            asked: false,
            answered: None,
            game: GameState::new(rules),
        }
    }

    /// As [`new`](Self::new), with a token that never appears in logs or desyncs, even if the arena
    /// repeats it.
    #[must_use]
    pub fn hiding(self, token: Token) -> Self {
        Self {
            token: Some(token),
            ..self
        }
    }

    /// Words of the arena that are a whole field.
    fn words(&self, words: &str) -> ForeignText {
        ForeignText::new(words, self.token.as_ref().map(Token::secret))
    }

    /// A text about a frame, which may quote any part of the frame.
    fn shown(&self, frame: &str, words: &dyn std::fmt::Display) -> ForeignText {
        ForeignText::excerpt(frame, words, self.token.as_ref().map(Token::secret))
    }

    fn on_unreadable(&mut self, error: &FrameError, frame: &str) -> SessionSteps {
        self.game.unreadable += 1;
        let error_shown = self.shown(frame, error);
        match error {
            // An event was missed. Other unreadable frames do not affect the table.
            FrameError::Event(EventError::Field { .. }) if self.game.in_game() => {
                self.game
                    .miss(|| format!("an event cannot be read: {error_shown}"));
            }
            _ if self.game.in_game() => self
                .game
                .log
                .warn(|| format!("a frame cannot be read: {error_shown}")),
            // In the queue it may be a refusal in an unknown form.
            _ => {
                let frame = self.shown(frame, &frame);
                self.game
                    .log
                    .warn(|| format!("a frame cannot be read: {error_shown}: {frame}"));
            }
        }
        SessionSteps::new()
    }

    fn on_event(&mut self, event: Event) -> SessionSteps {
        let event = self.game.at_our_table(event);
        self.review();
        if self.game.reject_repeat(&event) {
            return SessionSteps::new();
        }
        if let Some(wrong) = self.game.wrong_table(&event) {
            return one(SessionStep::Ended(SessionEnd::WrongTable(wrong)));
        }
        self.notice_unasked(&event);
        self.game.take_in(&event);
        if !matches!(event, Event::Dora { .. }) {
            self.asked = false;
            self.answered = None;
        }
        match event {
            Event::EndGame { .. } if self.goal == ConnectionGoal::Ranked => {
                SessionSteps::from_iter([
                    SessionStep::Happened(event),
                    SessionStep::Ended(SessionEnd::Game),
                ])
            }
            _ => one(SessionStep::Happened(event)),
        }
    }

    /// Notices that a claim of ours was over before we were asked.
    fn notice_unasked(&mut self, event: &Event) {
        let Some(table) = self.game.reliable_table() else {
            return;
        };
        if self.asked || matches!(event, Event::Dora { .. } | Event::EndGame { .. }) {
            return;
        }
        let by = match table.phase() {
            Phase::Discarded { by, .. } | Phase::Kan { by, .. } | Phase::Kita { by } => by,
            _ => return,
        };
        if by == table.seat() {
            return;
        }
        let legal = table.legal_actions();
        if !legal.is_empty() {
            let seat = table.seat();
            let held = || actions_json(&legal, seat);
            let details = || {
                format!(
                    "we held {} and were not asked before {}",
                    held(),
                    event_json(event)
                )
            };
            self.game.desyncs.report(DesyncKind::NotAsked, details);
        }
    }

    fn on_request(&mut self, request: RequestAction<'_>, frame: &str) -> SessionSteps {
        if self.answered == Some(request.request_id) {
            self.game
                .log
                .debug(|| format!("request {}: repeated after its answer", request.request_id));
            return SessionSteps::new();
        }
        if self
            .game
            .question()
            .is_some_and(|open| open.request_id == request.request_id)
        {
            self.game.log.debug(|| {
                format!(
                    "request {}: repeated during its decision",
                    request.request_id
                )
            });
            return SessionSteps::new();
        }
        self.game.is_on();
        self.game.acks.requests += 1;
        self.asked = true;
        self.game.withdraw();
        for warning in &request.warnings {
            let warning = self.shown(frame, warning);
            self.game.log.warn(|| {
                format!(
                    "a request is malformed: {warning} (request {})",
                    request.request_id
                )
            });
        }
        let request_id = request.request_id;
        let list = request.possible_actions;
        self.notice_missed_turn(list.as_deref().unwrap_or_default());
        let rebuilt = self.recover(request.observation.as_deref());
        let seat = self.game.seat();
        let legal = self.game.reliable_table().map(|table| match &list {
            Some(list) => choices(table, list),
            None => table.legal_actions(),
        });
        let comparable = legal.is_some();
        let choice = legal.and_then(|legal| self.game.ask(request_id, legal, request.time));
        let step = match (choice, seat) {
            (Some(RequestChoice::Open), _) => Some(SessionStep::Ask),
            (Some(RequestChoice::Only(action)), Some(seat)) => {
                Some(SessionStep::Reply(reply_json(&action, seat, request_id)))
            }
            _ => list
                .as_deref()
                .and_then(|list| safe_entry(list, self.game.drawn()))
                .map(|entry| {
                    self.game.blind_answers += 1;
                    SessionStep::Reply(entry_reply_json(&entry, request_id))
                }),
        };
        if matches!(step, Some(SessionStep::Reply(_))) {
            self.answered = Some(request_id);
        }
        self.unreviewed = comparable.then(|| Unreviewed {
            request_id,
            list,
            observation: request
                .observation
                .map(|observation| observation.into_owned()),
        });
        let rebuilt = rebuilt.map(SessionStep::Rebuilt);
        rebuilt.into_iter().chain(step).collect()
    }

    /// Notices a missed draw or call: a discard is listed, but our table has no tile to discard.
    fn notice_missed_turn(&mut self, list: &[PossibleAction]) {
        let Some(table) = self.game.reliable_table() else {
            return;
        };
        let has_tile_to_discard = table.concealed().is_some_and(|hand| hand.is_full());
        if !has_tile_to_discard && list.iter().any(|entry| entry.kind == ActionKind::Dahai) {
            self.game
                .miss(|| "asked for a discard when we had no tile to discard".to_owned());
        }
    }

    /// Rebuilds our table from the arena's observation after a missed event; returns it if that
    /// was done.
    fn recover(&mut self, observation: Option<&str>) -> Option<String> {
        let (Some(table), None) = (self.game.table(), self.game.reliable_table()) else {
            return None;
        };
        let observation = observation?;
        match parse_observation(observation) {
            Ok(parsed) => {
                let theirs = snapshot(&parsed, table.seat(), table.rules())?;
                self.rebuild(&theirs).then(|| observation.to_owned())
            }
            Err(error) => {
                let error = self.shown(observation, &error);
                self.game
                    .log
                    .warn(|| format!("the observation cannot be read: {error}"));
                None
            }
        }
    }

    /// Whether our table could be rebuilt.
    fn rebuild(&mut self, theirs: &Snapshot) -> bool {
        let rebuilt = self.game.rebuild(theirs);
        match &rebuilt {
            Ok(()) => self
                .game
                .log
                .info(|| "the table was rebuilt from the arena's observation".to_owned()),
            Err(error) => self
                .game
                .log
                .warn(|| format!("the observation has an impossible hand: {error}")),
        }
        rebuilt.is_ok()
    }

    fn on_ack(&mut self, ack: &ActionAck<'_>, frame: &str) -> SessionSteps {
        let count = match &ack.status {
            AckStatus::Accepted => &mut self.game.acks.accepted,
            AckStatus::Rejected => &mut self.game.acks.rejected,
            AckStatus::Unparseable => &mut self.game.acks.unparseable,
            AckStatus::Stale => &mut self.game.acks.stale,
            AckStatus::Defaulted => &mut self.game.acks.defaulted,
            AckStatus::Other(_) => &mut self.game.acks.other,
        };
        *count += 1;
        let request_id = ack.request_id;
        let of_request =
            || request_id.map_or_else(|| "a request".to_owned(), |id| format!("request {id}"));
        match &ack.status {
            AckStatus::Accepted => return SessionSteps::new(),
            AckStatus::Rejected | AckStatus::Unparseable => {
                let reason = self.shown(frame, &ack.reason.as_deref().unwrap_or("no reason given"));
                let attempted = self.shown(frame, &ack.attempted.unwrap_or("?"));
                let status = ack.status.name();
                self.game
                    .log
                    .error(|| format!("{}: {status}: {reason} (sent {attempted})", of_request()));
            }
            status => {
                let status = self.shown(frame, &status.name());
                let played = ack
                    .action
                    .as_ref()
                    .and_then(|action| serde_json::to_string(action).ok());
                let played = played
                    .map_or_else(String::new, |action| format!(": the arena played {action}"));
                self.game
                    .log
                    .warn(|| format!("{}: {status}{played}", of_request()));
            }
        }
        if self
            .game
            .question()
            .is_some_and(|open| Some(open.request_id) == request_id)
            && ack.status == AckStatus::Defaulted
        {
            self.game.withdraw();
        }
        SessionSteps::new()
    }
}

fn one(step: SessionStep) -> SessionSteps {
    SessionSteps::from_iter([step])
}

impl Dialect for RiichilabSession {
    fn hear(&mut self, text: &str) -> SessionSteps {
        match parse_frame(text) {
            Ok(ServerFrame::Event(event)) => self.on_event(event),
            Ok(ServerFrame::Request(request)) => self.on_request(request, text),
            Ok(ServerFrame::Ack(ack)) => self.on_ack(&ack, text),
            Ok(ServerFrame::ValidationResult { passed, reason })
                if self.goal == ConnectionGoal::Validation =>
            {
                self.game.finish();
                one(SessionStep::Ended(SessionEnd::Validation {
                    passed,
                    reason: reason.map(|reason| self.words(&reason)),
                }))
            }
            Ok(ServerFrame::ValidationResult { .. }) => {
                self.game.log.warn(|| {
                    "the arena gives a verdict on a validation in a ranked game".to_owned()
                });
                SessionSteps::new()
            }
            // A refusal arrives before a game. An error message during a game does not end it; the
            // arena closes the connection for that.
            Ok(ServerFrame::Error { message })
                if self.game.in_game() || self.game.is_finished() =>
            {
                let message = self.shown(text, &message);
                self.game
                    .log
                    .warn(|| format!("the arena reports: {message}"));
                SessionSteps::new()
            }
            Ok(ServerFrame::Error { message }) => one(SessionStep::Ended(SessionEnd::Refused(
                self.words(&message),
            ))),
            Ok(ServerFrame::Unknown { kind }) => {
                let kind = self.shown(text, &kind);
                self.game
                    .log
                    .debug(|| format!("ignored a frame of unknown type \"{kind}\""));
                SessionSteps::new()
            }
            Err(error) => self.on_unreadable(&error, text),
        }
    }

    fn answer(&mut self, choice: Option<usize>) -> Option<String> {
        let request_id = self.game.question()?.request_id;
        let action = self.game.answer(choice)?;
        self.answered = Some(request_id);
        Some(reply_json(&action, self.game.seat()?, request_id))
    }

    fn review(&mut self) {
        let Some(request) = self.unreviewed.take() else {
            return;
        };
        if let Some(list) = &request.list {
            self.game.compare_list(request.request_id, list);
        }
        let (Some(observation), Some(table)) = (&request.observation, self.game.table()) else {
            return;
        };
        let observation = match parse_observation(observation) {
            Ok(observation) => observation,
            Err(error) => {
                let error = self.shown(observation, &error);
                self.game.log.warn(|| {
                    format!(
                        "the observation cannot be read: {error} (request {})",
                        request.request_id
                    )
                });
                return;
            }
        };
        let Some(theirs) = snapshot(&observation, table.seat(), table.rules()) else {
            return;
        };
        let differences = table.differences(&theirs);
        if !differences.is_empty() {
            self.game.desyncs.report(DesyncKind::Observation, || {
                let differences: Vec<String> =
                    differences.iter().map(ToString::to_string).collect();
                format!("request {}: {}", request.request_id, differences.join("; "))
            });
            // An event was lost that made nothing impossible. Waits follow from the hand, which is
            // known.
            if differences
                .iter()
                .any(|difference| difference.what != "waits")
            {
                self.rebuild(&theirs);
            }
        }
    }

    fn answers_in_turn(&self) -> bool {
        false
    }

    fn game(&self) -> &GameState {
        &self.game
    }
}

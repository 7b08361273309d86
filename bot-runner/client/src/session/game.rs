//! The game in a session of any dialect: the table, the open question, and the differences.

use protocol::riichilab::RequestTime;
use protocol::{PossibleAction, event_json, without_empty_slot};
use riichi::action::LegalActions;
use riichi::concealed::BadHand;
use riichi::event::{Points, StartKyoku};
use riichi::table::{Contradiction, Snapshot};
use riichi::{Action, Event, Rules, Seat, Table, Tile, leaves_choice, safe_answer};
use serde::{Deserialize, Serialize};

use super::WrongTable;
use super::choice::ListDifference;
use super::desync::{DesyncKind, Desyncs};
use super::log::SessionLog;

#[derive(Debug)]
pub struct OpenQuestion {
    /// The number to answer with.
    pub request_id: u64,
    /// The available actions: at least two, or only riichi.
    pub legal: LegalActions,
    /// The time limits that the arena sent.
    pub time: Option<RequestTime>,
}

/// The outcomes of the requests of a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AckCounts {
    #[serde(rename = "received")]
    pub requests: u32,
    pub accepted: u32,
    /// Replies refused as illegal: each costs a chombo or ends the game, depending on the arena.
    pub rejected: u32,
    pub unparseable: u32,
    /// Replies that came too late.
    pub stale: u32,
    /// Requests that the arena answered for us.
    pub defaulted: u32,
    /// Acks with an unknown status.
    pub other: u32,
}

impl AckCounts {
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

/// Maximum points that a seat can have, or owe, at the end of a game.
const MAX_FINAL_POINTS: u32 = 1_000_000;

/// The outcome of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RequestChoice {
    /// There is no choice.
    Only(Action),
    /// It is open: see [`GameState::question`].
    Open,
}

/// The session's state of the game on its connection.
#[derive(Debug)]
pub struct GameState {
    rules: Rules,
    seat: Option<Seat>,
    table: Option<Table>,
    /// The tile we have just drawn, even if the table is not reliable.
    drawn: Option<Tile>,
    /// Whether an event was missed: then the table is not reliable until the next round, or until
    /// it is rebuilt.
    out_of_step: bool,
    last: Option<Event>,
    /// The discard planned with a declared riichi.
    planned: Option<Action>,
    open: Option<OpenQuestion>,
    in_game: bool,
    finished: bool,
    final_scores: Option<Points>,
    /// The names of the players, if the arena sends them.
    pub names: Vec<String>,
    pub(super) log: SessionLog,
    /// The outcomes of requests.
    pub acks: AckCounts,
    /// Differences between our picture and the arena's.
    pub desyncs: Desyncs,
    /// Frames that could not be read.
    pub unreadable: u32,
    /// Requests that the session answered itself with the safe answer, because it had no table to
    /// ask the policy about.
    pub blind_answers: u32,
}

impl GameState {
    /// The state before the start of a game with these rules.
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            rules,
            seat: None,
            table: None,
            drawn: None,
            out_of_step: false,
            last: None,
            planned: None,
            open: None,
            in_game: false,
            finished: false,
            final_scores: None,
            names: Vec::new(),
            log: SessionLog::default(),
            acks: AckCounts::default(),
            desyncs: Desyncs::default(),
            unreadable: 0,
            blind_answers: 0,
        }
    }

    pub const fn in_game(&self) -> bool {
        self.in_game
    }

    /// Whether the game has been played to its end; the connection may end later.
    pub const fn is_finished(&self) -> bool {
        self.finished
    }

    /// The table, once a game has begun.
    pub const fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// The open request, if there is something to decide.
    pub const fn question(&self) -> Option<&OpenQuestion> {
        self.open.as_ref()
    }

    pub const fn final_scores(&self) -> Option<&Points> {
        self.final_scores.as_ref()
    }

    /// Our seat, once it is known.
    pub(crate) const fn seat(&self) -> Option<Seat> {
        self.seat
    }

    /// The tile we have just drawn, even if the table is not reliable.
    pub(super) const fn drawn(&self) -> Option<Tile> {
        self.drawn
    }

    pub(super) const fn reliable_table(&self) -> Option<&Table> {
        if self.out_of_step {
            None
        } else {
            self.table.as_ref()
        }
    }

    /// Whether an event is for another table size than the bot plays at. Such an event must not be
    /// applied. Arenas show the number of players by the hands of each deal; a seat that a table of
    /// three does not have shows it earlier.
    pub(super) fn wrong_table(&self, event: &Event) -> Option<WrongTable> {
        let players = self.rules.players;
        let dealt = match event {
            Event::StartGame { seat: Some(seat) } if seat.index() >= usize::from(players) => 4,
            Event::StartKyoku(start) => start.tehais.players(),
            _ => return None,
        };
        self.wrong_size(dealt)
    }

    /// Whether a table of `dealt` players is another one than the bot plays at.
    pub(super) fn wrong_size(&self, dealt: u8) -> Option<WrongTable> {
        let players = self.rules.players;
        (dealt != players).then_some(WrongTable { dealt, players })
    }

    /// The event without the empty fourth slot that it may have at a table of three.
    pub(super) fn at_our_table(&self, event: Event) -> Event {
        without_empty_slot(event, self.rules.players)
    }

    /// Whether an event repeats the last one although that is impossible. It counts as a desync,
    /// and must not be applied.
    pub(super) fn reject_repeat(&mut self, event: &Event) -> bool {
        let impossible = |table: &Table| table.clone().apply(event).is_err();
        if self.last != Some(*event) || !self.reliable_table().is_some_and(impossible) {
            return false;
        }
        if !matches!(event, Event::Reach { .. } | Event::Dora { .. }) {
            self.planned = None;
        }
        self.desyncs.report(DesyncKind::Event, || {
            format!("sent twice: {}", event_json(event))
        });
        true
    }

    /// Applies an event. It closes an open question, unless it only turns a dora indicator.
    pub(crate) fn take_in(&mut self, event: &Event) {
        self.last = Some(*event);
        self.desyncs.happened(event);
        match event {
            Event::StartGame { seat } => return self.begin(*seat),
            Event::StartKyoku(start) => self.find_seat(start),
            _ => self.is_on(),
        }
        match *event {
            Event::Tsumo { actor, tile } if Some(actor) == self.seat => self.drawn = tile,
            Event::Dora { .. } | Event::Reach { .. } => {}
            _ => self.drawn = None,
        }
        if let Event::EndGame { scores } = event {
            let told = scores.filter(|scores| self.can_be_final(scores));
            if told != *scores {
                let details = || {
                    format!(
                        "these scores cannot end a game, and count as left out: {}",
                        event_json(event)
                    )
                };
                self.desyncs.report(DesyncKind::Event, details);
            }
            self.final_scores = told.or_else(|| self.table.as_ref().map(Table::final_scores));
            self.finish();
            self.apply(&Event::EndGame { scores: told });
        } else {
            self.apply(event);
        }
        if !matches!(event, Event::Dora { .. }) {
            self.open = None;
        }
        if !matches!(event, Event::Reach { .. } | Event::Dora { .. }) {
            self.planned = None;
        }
    }

    fn can_be_final(&self, scores: &Points) -> bool {
        let mut points = scores.as_slice().iter();
        scores.players() == self.rules.players
            && points.all(|points| points.unsigned_abs() <= MAX_FINAL_POINTS)
    }

    /// Notes that a game is in progress, because of a frame that only comes in a game; its start
    /// may have been missed.
    pub(super) const fn is_on(&mut self) {
        self.in_game = !self.finished;
    }

    /// Notes that the game has been played to its end.
    pub(super) const fn finish(&mut self) {
        self.in_game = false;
        self.finished = true;
    }

    pub(super) fn miss(&mut self, details: impl FnOnce() -> String) {
        self.desyncs.report(DesyncKind::Event, details);
        self.out_of_step = true;
        self.last = None;
    }

    /// Replaces our table by the arena's, if that is valid.
    pub(super) fn rebuild(&mut self, theirs: &Snapshot) -> Result<(), BadHand> {
        if let Some(table) = &mut self.table {
            table.rebuild(theirs)?;
            self.out_of_step = false;
        }
        Ok(())
    }

    /// Handles a request to choose from `legal`: a discard that was planned with a riichi or a
    /// single action settles it, else it stays open. `None` if there is nothing to choose from.
    pub(super) fn ask(
        &mut self,
        request_id: u64,
        legal: LegalActions,
        time: Option<RequestTime>,
    ) -> Option<RequestChoice> {
        if let Some(discard) = self.planned.take()
            && legal.contains(&discard)
        {
            return Some(RequestChoice::Only(discard));
        }
        match legal.as_slice() {
            [] => None,
            [only] if !leaves_choice(&legal) => Some(RequestChoice::Only(*only)),
            _ => {
                self.open = Some(OpenQuestion {
                    request_id,
                    legal,
                    time,
                });
                Some(RequestChoice::Open)
            }
        }
    }

    /// Closes the open request, because it was settled without us.
    pub(super) fn withdraw(&mut self) {
        self.open = None;
    }

    /// Closes the open question. Returns the action to carry out: the choice with this index, or
    /// the safe answer if there is no choice or the index is out of range.
    ///
    /// `None` if no question is open, or there is no safe answer.
    pub(super) fn answer(&mut self, choice: Option<usize>) -> Option<Action> {
        let question = self.open.take()?;
        let action = choice
            .and_then(|index| question.legal.get(index).copied())
            .or_else(|| safe_answer(&question.legal))?;
        if let Action::Reach { tile, tsumogiri } = action {
            self.planned = Some(Action::Dahai { tile, tsumogiri });
        }
        Some(action)
    }

    /// Compares the arena's list for a request with our own.
    pub(super) fn compare_list(&mut self, request_id: u64, list: &[PossibleAction]) {
        let Some(table) = &self.table else { return };
        let difference = ListDifference::between(&table.legal_actions(), list);
        if !difference.is_empty() {
            self.desyncs.report(DesyncKind::Legal, || {
                tracing::debug!("the table of the desync: {table:?}");
                format!("request {request_id}: {}", difference.words(table.seat()))
            });
        }
    }

    fn begin(&mut self, seat: Option<Seat>) {
        self.seat = seat;
        self.table = seat.map(|seat| Table::new(self.rules, seat));
        self.out_of_step = false;
        self.drawn = None;
        self.in_game = true;
        self.finished = false;
        self.final_scores = None;
        self.planned = None;
        self.open = None;
    }

    /// If the arena does not name our seat, it is the one whose tiles the deal shows. A connection
    /// that joins a game after its start continues from the first round that it sees.
    fn find_seat(&mut self, start: &StartKyoku) {
        self.in_game = true;
        if self.table.is_none() {
            let mut open = start
                .tehais
                .iter()
                .filter(|(_, hand)| hand.is_some())
                .map(|(seat, _)| seat);
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
                // A new round and announced scores take effect even if they were not expected.
                let healed = matches!(
                    contradiction,
                    Contradiction::Scores { .. } | Contradiction::RoundNotEnded
                );
                self.out_of_step = !healed;
                // If an event of the round was missed, a missed end of the round is not counted
                // again.
                if !(was_lost && healed) {
                    self.desyncs.report(DesyncKind::Event, || {
                        format!("{contradiction}: {}", event_json(event))
                    });
                }
            }
        }
    }
}

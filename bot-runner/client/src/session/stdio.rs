//! The form in which programs like Mortal, and bots for mjai.app or Akagi, are hosted.
//!
//! A host sends one event per line, and wants an answer only if the seat can act; or it sends lists
//! of events, and wants one answer for each list.

use protocol::lines::{EventLine, Line, NONE, action_json, north_json, parse_batch, parse_line};
use protocol::{EventError, NorthName};
use riichi::{Action, Event, KindSet, Rules, Seat};

use super::game::{GameState, RequestChoice};
use super::lines::blind_answer;
use super::{Dialect, SessionEnd, SessionStep, SessionSteps, WrongTable};

/// The session with a host, from the program's start to its end: any number of games.
#[derive(Debug)]
pub struct StdioSession {
    seat: Seat,
    /// Number of lines so far; the number of a line is also the number of its request.
    lines: u64,
    spelling: HostSpelling,
    /// The line that showed a table of another size.
    refused: Option<String>,
    /// The current game, or the last one.
    pub game: GameState,
}

/// How the host writes the action that only three players have.
#[derive(Debug, Clone, Copy, Default)]
struct HostSpelling {
    /// The name under which it set a North aside.
    north: Option<NorthName>,
    /// Whether it writes games of three in four slots.
    four_slots: bool,
    /// Whether it tells the number of players.
    tells_players: bool,
}

impl HostSpelling {
    /// The host's own name. Until it has used one: of those that write three players in four slots,
    /// Akagi tells their number and says `kita`, and the others are of libriichi3p's family.
    fn north(self) -> NorthName {
        match self {
            Self {
                north: Some(north), ..
            } => north,
            Self {
                four_slots: true,
                tells_players: false,
                ..
            } => NorthName::Nukidora,
            _ => NorthName::Kita,
        }
    }
}

/// What an entry of a list, or a line, leaves to be answered.
enum HeardEntry {
    /// Nothing, and the answer to what came before is still due.
    Nothing,
    /// An event: whether the seat may answer it.
    Event { event: Event, can_act: bool },
    /// The session is over.
    Ended(WrongTable),
}

impl StdioSession {
    /// The session before the first line. The seat is the same in all games, even if the host names
    /// another one.
    pub fn new(seat: Seat, rules: Rules) -> Self {
        Self {
            seat,
            lines: 0,
            spelling: HostSpelling::default(),
            refused: None,
            game: GameState::new(rules),
        }
    }

    /// The same host's session by other rules, and the line with which it has to begin: the one
    /// that ended this session, if it was for another table.
    pub fn with_rules(self, rules: Rules) -> (Self, Option<String>) {
        let lines = self.lines.saturating_sub(u64::from(self.refused.is_some()));
        (
            Self {
                lines,
                spelling: self.spelling,
                ..Self::new(self.seat, rules)
            },
            self.refused,
        )
    }

    /// Applies the event of a line, or of an entry of a list.
    fn hear_entry(&mut self, text: &str, steps: &mut SessionSteps) -> HeardEntry {
        match parse_line(text) {
            Ok(Line::Event(line)) => self.on_event(line, steps),
            Ok(Line::Hello | Line::Error { .. } | Line::Unknown { .. }) => {
                self.game
                    .log
                    .debug(|| format!("line {} is ignored, since it is not an event", self.lines));
                HeardEntry::Nothing
            }
            Err(error) => {
                self.on_unreadable(&error);
                HeardEntry::Nothing
            }
        }
    }

    fn on_event(&mut self, line: EventLine, steps: &mut SessionSteps) -> HeardEntry {
        for warning in &line.warnings {
            self.game
                .log
                .warn(|| format!("line {} is malformed: {warning}", self.lines));
        }
        self.spelling.north = line.north.or(self.spelling.north);
        let seat = self.seat;
        let event = match line.event {
            Event::StartGame { .. } => {
                self.spelling.tells_players = line.players.is_some();
                Event::StartGame { seat: Some(seat) }
            }
            event => self.game.at_our_table(event),
        };
        if let Event::StartKyoku(start) = &event {
            self.spelling.four_slots = line.dealt_slots > usize::from(start.tehais.players());
        }
        let told = line
            .players
            .and_then(|players| self.game.wrong_size(players));
        if let Some(wrong) = told.or_else(|| self.game.wrong_table(&event)) {
            return HeardEntry::Ended(wrong);
        }
        // A host may begin with any round.
        if matches!(event, Event::StartKyoku(_)) && self.game.table().is_none() {
            self.game.take_in(&Event::StartGame { seat: Some(seat) });
        }
        if !self.game.reject_repeat(&event) {
            self.game.take_in(&event);
            steps.push(SessionStep::Happened(event));
        }
        HeardEntry::Event {
            event,
            can_act: line.can_act,
        }
    }

    /// The answer after an event that has been applied, if it is due at once; or the question is
    /// open.
    fn choice(&mut self, event: &Event) -> Option<RequestChoice> {
        if !event.may_ask(self.seat) {
            return None;
        }
        match self.game.reliable_table().map(riichi::Table::legal_actions) {
            Some(legal) => self.game.ask(self.lines, legal, None),
            None => {
                let blind = blind_answer(event, self.seat, &self.game, KindSet::EMPTY);
                self.game.blind_answers += u32::from(blind.is_some());
                blind.map(RequestChoice::Only)
            }
        }
    }

    fn on_line(&mut self, text: &str) -> SessionSteps {
        let mut steps = SessionSteps::new();
        match self.hear_entry(text, &mut steps) {
            HeardEntry::Nothing => steps,
            HeardEntry::Ended(wrong) => self.ended(text, wrong),
            HeardEntry::Event { event, can_act } => {
                match can_act.then(|| self.choice(&event)).flatten() {
                    Some(RequestChoice::Open) => ask(steps),
                    Some(RequestChoice::Only(action)) => reply(self.text(&action), steps),
                    None => steps,
                }
            }
        }
    }

    /// One answer for the whole list, to its last event that may ask something.
    fn on_batch(&mut self, text: &str, entries: &[&str]) -> SessionSteps {
        let mut steps = SessionSteps::new();
        let mut last = None;
        for entry in entries {
            match self.hear_entry(entry, &mut steps) {
                // A dora indicator comes between a draw or a discard and its answer.
                HeardEntry::Nothing
                | HeardEntry::Event {
                    event: Event::Dora { .. },
                    ..
                } => {}
                HeardEntry::Event { event, can_act } => last = can_act.then_some(event),
                HeardEntry::Ended(wrong) => return self.ended(text, wrong),
            }
        }
        match last.and_then(|event| self.choice(&event)) {
            Some(RequestChoice::Open) => ask(steps),
            Some(RequestChoice::Only(action)) => reply(self.text(&action), steps),
            None => reply(NONE.to_owned(), steps),
        }
    }

    fn ended(&mut self, text: &str, wrong: WrongTable) -> SessionSteps {
        self.refused = Some(text.to_owned());
        vec![SessionStep::Ended(SessionEnd::WrongTable(wrong))]
    }

    /// An action in the host's spelling.
    fn text(&self, action: &Action) -> String {
        match action {
            Action::Kita => north_json(self.seat, self.spelling.north()),
            _ => action_json(action, self.seat),
        }
    }

    fn on_unreadable(&mut self, error: &EventError) {
        self.game.unreadable += 1;
        self.game
            .log
            .error(|| format!("line {} cannot be read: {error}", self.lines));
        if let EventError::Field { .. } = error
            && self.game.in_game()
        {
            self.game
                .miss(|| format!("line {} cannot be read: {error}", self.lines));
        }
    }
}

/// The answer is sent before anything else is done with the events.
fn reply(text: String, mut steps: SessionSteps) -> SessionSteps {
    steps.insert(0, SessionStep::Reply(text));
    steps
}

fn ask(mut steps: SessionSteps) -> SessionSteps {
    steps.push(SessionStep::Ask);
    steps
}

impl Dialect for StdioSession {
    fn hear(&mut self, frame: &str) -> SessionSteps {
        self.lines += 1;
        if frame.trim().is_empty() {
            return SessionSteps::new();
        }
        match parse_batch(frame) {
            None => self.on_line(frame),
            Some(Ok(entries)) => self.on_batch(frame, &entries),
            Some(Err(error)) => {
                self.on_unreadable(&error.into());
                reply(NONE.to_owned(), SessionSteps::new())
            }
        }
    }

    fn answer(&mut self, choice: Option<usize>) -> Option<String> {
        let action = self.game.answer(choice)?;
        Some(self.text(&action))
    }

    /// A host sends nothing to compare.
    fn review(&mut self) {}

    fn answers_in_turn(&self) -> bool {
        true
    }

    fn game(&self) -> &GameState {
        &self.game
    }
}

//! The form in which programs like Mortal are hosted: one event per line, and an answer only if the seat can act.

use protocol::EventError;
use protocol::lines::{EventLine, Line, action_json, parse_line};
use riichi::{Event, KindSet, Rules, Seat};

use super::game::{GameState, RequestChoice};
use super::lines::{asks, blind_answer, without_events};
use super::{Dialect, SessionEnd, SessionStep, SessionSteps};

/// The session with a host, from the program's start to its end: any number of games.
#[derive(Debug)]
pub struct StdioSession {
    seat: Seat,
    /// Number of lines so far; the number of a line is also the number of its request.
    lines: u64,
    /// The current game, or the last one.
    pub game: GameState,
}

impl StdioSession {
    /// The session before the first line. The seat is the same in all games, even if the host names another one.
    #[must_use]
    pub fn new(seat: Seat, rules: Rules) -> Self {
        Self { seat, lines: 0, game: GameState::new(rules) }
    }

    fn on_event(&mut self, line: EventLine) -> SessionSteps {
        for warning in &line.warnings {
            self.game.log.warn(|| format!("line {} is malformed: {warning}", self.lines));
        }
        let seat = self.seat;
        let event = match line.event {
            Event::StartGame { .. } => Event::StartGame { seat: Some(seat) },
            event => event,
        };
        if let Some(wrong) = self.game.wrong_table(&event) {
            return SessionSteps::from_iter([SessionStep::Ended(SessionEnd::WrongTable(wrong))]);
        }
        // A host may begin with any round.
        if matches!(event, Event::StartKyoku(_)) && self.game.table().is_none() {
            self.game.take_in(&Event::StartGame { seat: Some(seat) });
        }
        let again = self.game.reject_repeat(&event);
        if !again {
            self.game.take_in(&event);
        }
        let steps = self.answered(event, line.can_act);
        if again { without_events(steps) } else { steps }
    }

    /// The steps after an event that has been applied.
    fn answered(&mut self, event: Event, can_act: bool) -> SessionSteps {
        let seat = self.seat;
        if !can_act || !asks(&event, seat) {
            return SessionSteps::from_iter([SessionStep::Happened(event)]);
        }
        let legal = self.game.reliable_table().map(riichi::Table::legal_actions);
        let choice = match legal {
            Some(legal) => self.game.ask(self.lines, legal, None),
            None => {
                let blind = blind_answer(&event, seat, &self.game, KindSet::EMPTY);
                self.game.blind_answers += u32::from(blind.is_some());
                blind.map(RequestChoice::Only)
            }
        };
        match choice {
            Some(RequestChoice::Open) => SessionSteps::from_iter([SessionStep::Happened(event), SessionStep::Ask]),
            Some(RequestChoice::Only(action)) => {
                SessionSteps::from_iter([SessionStep::Reply(action_json(&action, seat)), SessionStep::Happened(event)])
            }
            None => SessionSteps::from_iter([SessionStep::Happened(event)]),
        }
    }

    fn on_unreadable(&mut self, error: &EventError) {
        self.game.unreadable += 1;
        self.game.log.error(|| format!("line {} cannot be read: {error}", self.lines));
        if let EventError::Field { .. } = error
            && self.game.in_game()
        {
            self.game.miss(|| format!("line {} cannot be read: {error}", self.lines));
        }
    }
}

impl Dialect for StdioSession {
    fn hear(&mut self, frame: &str) -> SessionSteps {
        self.lines += 1;
        if frame.trim().is_empty() {
            return SessionSteps::new();
        }
        match parse_line(frame) {
            Ok(Line::Event(line)) => self.on_event(line),
            Ok(Line::Hello | Line::Error { .. } | Line::Unknown { .. }) => {
                self.game.log.debug(|| format!("line {} is ignored, since it is not an event", self.lines));
                SessionSteps::new()
            }
            Err(error) => {
                self.on_unreadable(&error);
                SessionSteps::new()
            }
        }
    }

    fn answer(&mut self, choice: Option<usize>) -> Option<String> {
        let action = self.game.answer(choice)?;
        Some(action_json(&action, self.seat))
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

//! The questions that a seat's events ask it, by the rules.

use riichi::{Event, LegalActions, Rules, Seat, Table};

/// What a seat could do after each event that an engine has been sent.
#[derive(Debug)]
pub(crate) struct SeatQuestions(Table);

impl SeatQuestions {
    /// Before a game.
    pub(crate) fn new(rules: Rules, seat: Seat) -> Self {
        Self(Table::new(rules, seat))
    }

    /// What the seat may do after the event; nothing if it does not ask, or cannot follow.
    pub(crate) fn after(&mut self, event: &Event) -> LegalActions {
        match self.0.apply(event) {
            Ok(()) if event.may_ask(self.0.seat()) => self.0.legal_actions(),
            _ => LegalActions::new(),
        }
    }
}

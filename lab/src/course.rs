//! Recorded games of any game.

use std::io::{self, BufRead, Read};
use std::path::Path;

use policy_host::PolicyTable;
use protocol::game_record::{GameOutcome, LineForm, RecordStart, WrongEnd};
use riichi::EventOf;

use crate::game::LabGame;
use crate::record::open_lines;

/// What a line of a game's records says besides its event.
pub type FactsOf<G> = <<G as LabGame>::Form as LineForm>::Facts;

#[derive(Debug)]
pub struct RecordedCourse<G: LabGame> {
    /// Its rules, as far as the record shows them.
    pub rules: G::Rules,
    /// The line of the first deal, from 1.
    pub dealt: u64,
    /// The deal from the point of view of each seat, if it is not an event.
    pub deals: Vec<Option<EventOf<G>>>,
    /// The events, each with its line.
    pub events: Vec<(u64, EventOf<G>)>,
    /// What the lines say besides the events, each with the place of its event; nothing for most.
    pub told: Vec<(usize, FactsOf<G>)>,
    /// The seats whose tiles or cards are known.
    pub known: Vec<usize>,
    /// The outcome, if it is recorded separately from the events.
    pub outcome: Option<GameOutcome>,
    /// Whether it has a line of its own for the end of the game.
    pub has_end: bool,
    /// Why the recorded end cannot be that of these events.
    pub wrong_end: Option<WrongEnd>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotWatch {
    #[error("line {line}: a game of {players} players has no seat {seat}; allowed: 0 to {}", players - 1)]
    NoSuchSeat {
        /// Line of the first deal, from 1.
        line: u64,
        seat: usize,
        players: usize,
    },
    /// Its tiles or cards are unknown.
    #[error("line {line}: the hand of seat {seat} is hidden")]
    Hidden {
        /// Line of the deal, from 1.
        line: u64,
        seat: usize,
    },
}

impl<G: LabGame> RecordedCourse<G> {
    pub fn players(&self) -> usize {
        G::seat_count(&self.rules)
    }

    /// Checks that the game can be watched from a seat.
    ///
    /// # Errors
    ///
    /// If it has no such seat, or the seat's deal is hidden but needed.
    pub fn check_seat(&self, seat: usize) -> Result<(), CannotWatch> {
        match (self.deals.get(seat), self.players()) {
            (_, players) if seat >= players => Err(CannotWatch::NoSuchSeat {
                line: self.dealt,
                seat,
                players,
            }),
            (Some(None), _) => Err(CannotWatch::Hidden {
                line: self.dealt,
                seat,
            }),
            _ => Ok(()),
        }
    }

    /// The table of a seat before the deal.
    pub(crate) fn table(&self, seat: usize) -> Result<PolicyTable<G::Table>, CannotWatch> {
        self.check_seat(seat)?;
        Ok(PolicyTable::new(G::seat_table(self.rules, seat)))
    }

    /// The deal from the point of view of a seat, if it is not an event.
    pub(crate) fn deal(&self, seat: usize) -> Option<&EventOf<G>> {
        self.deals.get(seat).and_then(Option::as_ref)
    }
}

/// The first line of a record, unless it is an mjai record.
///
/// # Errors
///
/// If it cannot be read.
pub fn record_start(path: &Path) -> io::Result<Option<RecordStart>> {
    let mut line = Vec::new();
    open_lines(path)?
        .take(protocol::MAX_FRAME as u64)
        .read_until(b'\n', &mut line)?;
    Ok(RecordStart::read(&String::from_utf8_lossy(&line)))
}

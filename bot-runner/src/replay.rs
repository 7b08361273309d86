//! A record fed to the table, from the seats that watch.

use mahjong::table::Contradiction;
use mahjong::{Event, Rules, Seat, Table};

use crate::record::RecordError;

/// What came of a replay.
#[derive(Debug, Default)]
pub struct Replayed {
    /// Events fed.
    pub events: u64,
    /// Games begun.
    pub games: u64,
    /// Rounds begun.
    pub rounds: u64,
    /// The first event that cannot have happened, if there is one.
    pub contradiction: Option<Found>,
}

/// An event that cannot have happened.
#[derive(Debug)]
pub struct Found {
    /// Line of the record, from 1.
    pub line: u64,
    /// The seat that saw it.
    pub seat: Seat,
    /// The event.
    pub event: Event,
    /// Why not.
    pub contradiction: Contradiction,
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { line, seat, event, contradiction } = self;
        write!(f, "line {line}, seen from seat {seat}: {contradiction}; the event is {}", protocol::event_json(event))
    }
}

/// Feeds events to a table for each of the seats until one of them contradicts the event.
///
/// # Errors
///
/// When the record cannot be read on.
pub fn replay(
    record: impl IntoIterator<Item = Result<(u64, Event), RecordError>>,
    rules: Rules,
    seats: &[Seat],
) -> Result<Replayed, RecordError> {
    let fresh = || seats.iter().map(|&seat| Table::new(rules, seat)).collect::<Vec<_>>();
    let mut tables = fresh();
    let mut replayed = Replayed::default();
    for entry in record {
        let (line, event) = entry?;
        replayed.events += 1;
        match event {
            Event::StartGame { .. } => {
                replayed.games += 1;
                tables = fresh();
            }
            Event::StartKyoku(_) => replayed.rounds += 1,
            _ => {}
        }
        for table in &mut tables {
            let seat = table.seat();
            if let Err(contradiction) = table.apply(&event.masked_for(seat)) {
                replayed.contradiction = Some(Found { line, seat, event, contradiction });
                return Ok(replayed);
            }
        }
    }
    Ok(replayed)
}

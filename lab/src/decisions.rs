//! The decisions of one seat in a record.

use policy_host::RoundLog;
use riichi::table::Phase;
use riichi::{Event, LegalActions, Rules, Seat, Table, leaves_choice};

use crate::replay::FoundContradiction;

/// A moment of a record at which the watched seat has a choice.
#[derive(Debug)]
pub struct RecordDecision<'a> {
    /// Line of the record after which it is asked, from 1.
    pub line: u64,
    /// Number of the round in the record, from 1.
    pub round: u64,
    /// Number of the decision in the round, from 1.
    pub number: u64,
    /// The game as the seat knows it.
    pub table: &'a Table,
    /// The round so far.
    pub log: &'a RoundLog,
    /// What it may do.
    pub legal: LegalActions,
    /// What comes next in the record.
    pub next: &'a [(u64, Event)],
}

/// What a walk through a record came upon.
#[derive(Debug, Default)]
pub struct Walked {
    /// Rounds begun.
    pub rounds: u64,
    /// The first event that cannot have happened, where the walk ended.
    pub contradiction: Option<FoundContradiction>,
}

/// Goes through a record from one seat and tells of each of its decisions.
///
/// # Errors
///
/// The first that `told` says.
pub fn each_decision<E>(
    events: &[(u64, Event)],
    rules: Rules,
    seat: Seat,
    mut told: impl FnMut(RecordDecision<'_>) -> Result<(), E>,
) -> Result<Walked, E> {
    let mut table = Table::new(rules, seat);
    let mut log = RoundLog::default();
    let mut walked = Walked::default();
    let mut number = 0;
    for (place, (line, event)) in events.iter().enumerate() {
        match event {
            Event::StartGame { .. } => table = Table::new(rules, seat),
            Event::StartKyoku(_) => {
                walked.rounds += 1;
                number = 0;
            }
            _ => {}
        }
        let heard = event.masked_for(seat);
        if let Err(contradiction) = table.apply(&heard) {
            walked.contradiction = Some(FoundContradiction { line: *line, seat, event: *event, contradiction });
            break;
        }
        log.push(&heard, &table);
        let next = &events[place + 1..];
        // An indicator that is turned belongs to what came before: the question comes after it.
        if matches!(next.first(), Some((_, Event::Dora { .. }))) || matches!(table.phase(), Phase::Declared(_)) {
            continue;
        }
        let legal = table.legal_actions();
        if !leaves_choice(&legal) {
            continue;
        }
        number += 1;
        told(RecordDecision { line: *line, round: walked.rounds, number, table: &table, log: &log, legal, next })?;
    }
    Ok(walked)
}

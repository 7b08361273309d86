//! The games that are played now, with a delay of one round: a round is shown when it is over.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use riichi::Event;

/// A game that is played now.
#[derive(Debug, Clone)]
pub struct RunningTable {
    /// The number of the game.
    pub number: u64,
    /// The names of the players, by seat.
    pub names: Vec<String>,
    /// The events of the rounds that are over, with all hands; none if the same walls are played
    /// again later.
    pub events: Arc<Vec<Event>>,
    /// Number of rounds that are over.
    pub rounds: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) struct RunningTables(Arc<Mutex<BTreeMap<u64, RunningTable>>>);

impl RunningTables {
    pub(super) fn all(&self) -> Vec<RunningTable> {
        self.lock().values().cloned().collect()
    }

    pub(super) fn table(&self, number: u64) -> Option<RunningTable> {
        self.lock().get(&number).cloned()
    }

    pub(super) fn open(&self, number: u64, names: Vec<String>, is_open: bool) -> TableAtPlay {
        let table = RunningTable {
            number,
            names,
            events: Arc::default(),
            rounds: 0,
        };
        self.lock().insert(number, table);
        TableAtPlay {
            tables: self.clone(),
            number,
            is_open,
            known: 0,
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, RunningTable>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Shows a game while this lives.
#[must_use]
#[derive(Debug)]
pub(crate) struct TableAtPlay {
    tables: RunningTables,
    number: u64,
    /// Whether its hands are shown.
    is_open: bool,
    /// Number of events that were looked at.
    known: usize,
}

impl TableAtPlay {
    /// Shows the rounds that are over, of all events so far.
    pub(crate) fn publish(&mut self, events: &[Event]) {
        let new = &events[self.known..];
        let ended = new
            .iter()
            .filter(|event| matches!(event, Event::EndKyoku))
            .count();
        self.known = events.len();
        if ended == 0 {
            return;
        }
        let is_end = |event: &Event| matches!(event, Event::EndKyoku);
        let end = events.iter().rposition(is_end).map_or(0, |end| end + 1);
        if let Some(table) = self.tables.lock().get_mut(&self.number) {
            table.rounds += ended;
            if self.is_open {
                table.events = Arc::new(events[..end].to_vec());
            }
        }
    }
}

impl Drop for TableAtPlay {
    fn drop(&mut self) {
        self.tables.lock().remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use riichi::game::RiichiGame;
    use riichi::{Rules, safe_answer};

    use super::*;

    #[test]
    fn no_event_of_a_round_that_is_played_is_shown() {
        let tables = RunningTables::default();
        let mut shown = tables.open(7, vec!["kuma".to_owned()], true);
        let mut game = RiichiGame::new(Rules::TENHOU_HALF, 3);
        let mut events = game.events().to_vec();
        let mut rounds_seen = 0;
        while !game.is_over() {
            for seat in game.asked() {
                let legal = game.legal_actions(seat);
                let answer = safe_answer(&legal).unwrap_or(legal[0]);
                game.answer(seat, answer).expect("it is legal");
            }
            events.extend_from_slice(game.events());
            shown.publish(&events);
            let table = tables.table(7).expect("it is played");
            let starts = |events: &[Event]| {
                let starts = |event: &&Event| matches!(event, Event::StartKyoku(_));
                events.iter().filter(starts).count()
            };
            assert_eq!(starts(&table.events), table.rounds);
            assert!(
                table
                    .events
                    .last()
                    .is_none_or(|last| *last == Event::EndKyoku)
            );
            rounds_seen = table.rounds;
        }
        assert!(rounds_seen >= 4);
        drop(shown);
        assert!(tables.all().is_empty());
    }

    #[test]
    fn a_table_whose_walls_are_played_again_shows_no_hand() {
        let tables = RunningTables::default();
        let mut shown = tables.open(7, Vec::new(), false);
        shown.publish(&[Event::EndKyoku]);
        let table = tables.table(7).expect("it is played");
        assert_eq!((table.rounds, table.events.len()), (1, 0));
    }
}

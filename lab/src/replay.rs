//! Replays a record at the tables of the watching seats.

use std::fmt;
use std::io::BufRead;

use policy_host::PolicyTable;
use protocol::game_record::WrongEnd;
use riichi::EventOf;

use crate::course::{CannotWatch, RecordedCourse};
use crate::record::RecordError;
use crate::replayed::ReplayedGame;

#[derive(Debug, Default)]
pub struct Replayed {
    pub events: u64,
    /// Number of games begun.
    pub games: u64,
    /// Number of rounds begun.
    pub rounds: u64,
    /// The seats that watched the last game.
    pub seats: Vec<usize>,
    /// Whether some requested seats could not watch, because their tiles are hidden.
    pub some_hidden: bool,
    /// The first impossible event, if there is one.
    pub contradiction: Option<FoundContradiction>,
}

/// An impossible event.
#[derive(Debug)]
pub struct FoundContradiction {
    /// Line of the record, from 1.
    pub line: u64,
    /// The seat that saw it; `None` for the end of a game, which contradicts what all saw.
    pub seat: Option<usize>,
    pub why: String,
    /// The event, in the form of records.
    pub event: String,
}

impl fmt::Display for FoundContradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, seat, why, event } = self;
        let seen = seat.map_or_else(String::new, |seat| format!(", seen from seat {seat}"));
        write!(f, "line {line}{seen}: {why}; the event is {event}")
    }
}

impl From<&WrongEnd> for FoundContradiction {
    fn from(wrong: &WrongEnd) -> Self {
        Self { line: wrong.line, seat: None, why: wrong.to_string(), event: wrong.end.clone() }
    }
}

/// The games of a whole record.
///
/// # Errors
///
/// If it cannot be read to its end, or has no deal but needs one.
pub fn whole_courses<G: ReplayedGame>(lines: Box<dyn BufRead>) -> Result<Vec<RecordedCourse<G>>, RecordError> {
    match G::courses(lines)? {
        (courses, None) => Ok(courses),
        (_, Some(why)) => Err(why),
    }
}

/// Passes an event to a table; returns the contradiction if the event is impossible.
pub(crate) fn hear<G: ReplayedGame>(
    table: &mut PolicyTable<G::Table>,
    seat: usize,
    (line, event): (u64, &EventOf<G>),
) -> Result<(), FoundContradiction> {
    table.apply(&G::heard_by(event, seat)).map_err(|why| FoundContradiction {
        line,
        seat: Some(seat),
        why: why.to_string(),
        event: G::line_of(event),
    })
}

/// Replays the games of a record at a table for the seat, or for each seat whose tiles or cards it shows, until a table
/// contradicts an event.
///
/// # Errors
///
/// If a game has no such seat, or its hand is hidden but needed.
pub fn replay<G: ReplayedGame>(courses: &[RecordedCourse<G>], seat: Option<usize>) -> Result<Replayed, CannotWatch> {
    let mut replayed = Replayed::default();
    for course in courses {
        replayed.games += 1;
        let asked: Vec<usize> = seat.map_or_else(|| (0..course.players()).collect(), |seat| vec![seat]);
        let shown: Vec<usize> = asked.iter().copied().filter(|seat| course.known.contains(seat)).collect();
        replayed.some_hidden = !shown.is_empty() && shown.len() < asked.len();
        // In a record of one seat the tiles of the others are hidden.
        replayed.seats = if shown.is_empty() { asked } else { shown };
        let mut tables = Vec::new();
        for &seat in &replayed.seats {
            // Without a deal there is no seat to watch.
            if course.dealt == 0 {
                break;
            }
            let mut table = course.table(seat)?;
            if let Some(deal) = course.deal(seat)
                && let Err(found) = hear::<G>(&mut table, seat, (course.dealt, deal))
            {
                replayed.contradiction = Some(found);
                return Ok(replayed);
            }
            tables.push((seat, table));
        }
        replayed.rounds += u64::from(!course.deals.is_empty());
        for (line, event) in &course.events {
            replayed.events += 1;
            replayed.rounds += u64::from(G::begins_round(event));
            for (seat, table) in &mut tables {
                if let Err(found) = hear::<G>(table, *seat, (*line, event)) {
                    replayed.contradiction = Some(found);
                    return Ok(replayed);
                }
            }
        }
        if let Some(wrong) = &course.wrong_end {
            replayed.contradiction = Some(wrong.into());
            break;
        }
    }
    Ok(replayed)
}

#[cfg(test)]
mod tests {
    use riichi::event::StartKyoku;
    use riichi::{Event, PerSeat, Seat, Tile, Wind};

    use super::*;
    use crate::course::riichi_courses;

    #[test]
    fn a_seat_that_a_game_for_three_has_not_is_refused() {
        let tile = Tile::new(0).expect("the first tile");
        let start = StartKyoku {
            bakaze: Wind::East,
            kyoku: 1,
            honba: 0,
            kyotaku: 0,
            oya: Seat::FIRST,
            dora_marker: tile,
            scores: None,
            tehais: PerSeat::from_fn(3, |_| None),
        };
        let record = [(1, Event::StartGame { seat: None }), (2, Event::StartKyoku(start))];
        let (courses, _) = riichi_courses(record.map(Ok)).expect("it needs no deal");
        let error = replay(&courses, Some(3)).expect_err("three play");
        assert_eq!(error.to_string(), "line 2: a game of 3 players has no seat 3; allowed: 0 to 2");
    }
}

//! A record fed to the table, from the seats that watch.

use riichi::event::StartKyoku;
use riichi::table::Contradiction;
use riichi::{Event, Rules, Seat, Table};

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
    /// The seats that watched the last game.
    pub seats: Vec<Seat>,
    /// Whether those were not all that were asked for, the tiles of others being hidden.
    pub some_hidden: bool,
    /// The first event that cannot have happened, if there is one.
    pub contradiction: Option<FoundContradiction>,
}

/// An event that cannot have happened.
#[derive(Debug)]
pub struct FoundContradiction {
    /// Line of the record, from 1.
    pub line: u64,
    /// The seat that saw it.
    pub seat: Seat,
    /// The event.
    pub event: Event,
    /// Why not.
    pub contradiction: Contradiction,
}

impl std::fmt::Display for FoundContradiction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { line, seat, event, contradiction } = self;
        write!(f, "line {line}, seen from seat {seat}: {contradiction}; the event is {}", protocol::event_json(event))
    }
}

/// Why a record cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It cannot be read on.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The seat to watch from is one that the game has not.
    #[error("line {line}: {players} play, so there is no seat {seat}; allowed are 0 to {}", players - 1)]
    NoSuchSeat {
        /// Line of the first round, from 1.
        line: u64,
        /// The seat asked for.
        seat: Seat,
        /// How many play.
        players: u8,
    },
}

/// The rules of a record's first game as far as it shows them, which is by how many hands are dealt; those of four players
/// where there is no round.
///
/// # Errors
///
/// When the game has no such seat.
pub fn rules_of(events: &[(u64, Event)], seat: Seat) -> Result<Rules, ReplayError> {
    let first = events.iter().find_map(|(line, event)| match event {
        Event::StartKyoku(start) => Some((*line, start)),
        _ => None,
    });
    first.map_or(Ok(Rules::TENHOU_HALF), |(line, start)| rules_of_round(line, start, Some(seat)))
}

fn rules_of_round(line: u64, start: &StartKyoku, seat: Option<Seat>) -> Result<Rules, ReplayError> {
    let players = start.tehais.players();
    match seat {
        Some(seat) if seat.index() >= usize::from(players) => Err(ReplayError::NoSuchSeat { line, seat, players }),
        _ => Ok(Rules::TENHOU_HALF.with_players(players)),
    }
}

/// Feeds events to a table for the seat, or for each seat whose tiles the record shows, until one of them contradicts the
/// event. How many play is read from the first round of each game.
///
/// # Errors
///
/// When the record cannot be read on, or a game has no such seat.
pub fn replay(
    record: impl IntoIterator<Item = Result<(u64, Event), RecordError>>,
    seat: Option<Seat>,
) -> Result<Replayed, ReplayError> {
    let mut tables: Vec<Table> = Vec::new();
    let mut replayed = Replayed::default();
    for entry in record {
        let (line, event) = entry?;
        replayed.events += 1;
        match &event {
            Event::StartGame { .. } => {
                replayed.games += 1;
                tables.clear();
            }
            Event::StartKyoku(start) => {
                replayed.rounds += 1;
                if tables.is_empty() {
                    let rules = rules_of_round(line, start, seat)?;
                    let all = || Seat::all(rules.players).filter(|&other| seat.is_none_or(|seat| seat == other));
                    // A record of one seat's has the tiles of the others hidden.
                    let open: Vec<Seat> = all().filter(|&seat| start.tehais[seat].is_some()).collect();
                    replayed.some_hidden = !open.is_empty() && open.len() < all().count();
                    replayed.seats = if open.is_empty() { all().collect() } else { open };
                    tables = replayed.seats.iter().map(|&seat| Table::new(rules, seat)).collect();
                }
            }
            _ => {}
        }
        for table in &mut tables {
            let seat = table.seat();
            if let Err(contradiction) = table.apply(&event.masked_for(seat)) {
                replayed.contradiction = Some(FoundContradiction { line, seat, event, contradiction });
                return Ok(replayed);
            }
        }
    }
    Ok(replayed)
}

#[cfg(test)]
mod tests {
    use riichi::{PerSeat, Tile, Wind};

    use super::*;

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
        let refused = "line 2: 3 play, so there is no seat 3; allowed are 0 to 2";
        let error = rules_of(&record, Seat::new(3).expect("a seat of four")).expect_err("three play");
        assert_eq!(error.to_string(), refused);
        let error = replay(record.map(Ok), Seat::new(3)).expect_err("three play");
        assert_eq!(error.to_string(), refused);
    }
}

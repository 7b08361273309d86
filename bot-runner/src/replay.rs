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

/// Why a record cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It cannot be read on.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A game for three.
    #[error("line {line}: three-player records cannot be replayed yet")]
    ThreePlayers {
        /// Line of the first round, from 1.
        line: u64,
    },
}

/// Feeds events to a table for each of the seats until one of them contradicts the event.
///
/// # Errors
///
/// When the record cannot be read on, or is of a game for three where the rules are for four.
pub fn replay(
    record: impl IntoIterator<Item = Result<(u64, Event), RecordError>>,
    rules: Rules,
    seats: &[Seat],
) -> Result<Replayed, ReplayError> {
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
            Event::StartKyoku(start) if start.tehais.players() == 3 && rules.players != 3 => {
                return Err(ReplayError::ThreePlayers { line });
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

#[cfg(test)]
mod tests {
    use mahjong::event::StartKyoku;
    use mahjong::{PerSeat, Tile, Wind};

    use super::*;

    #[test]
    fn a_game_for_three_is_no_contradiction_but_said_to_be_one() {
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
        let record = [(1, Event::StartGame { seat: None }), (2, Event::StartKyoku(start))].map(Ok);
        let error = replay(record, Rules::TENHOU_HALF, &[Seat::FIRST]).expect_err("the table is for four");
        assert_eq!(error.to_string(), "line 2: three-player records cannot be replayed yet");
    }
}

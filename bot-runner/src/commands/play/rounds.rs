//! The output of `play` for a game of riichi: a line for each round, and the places.

use arena::{ArenaPlayer, SeatResult};
use riichi::event::{Hora, StartKyoku};
use riichi::{Event, Seat};

use super::super::table::points;

/// The lines of a game, from its events. The players are named as they sat in this game.
pub(super) fn game_lines(events: &[Event], seats: &[SeatResult]) -> Vec<String> {
    let name = |seat: Seat| seats.get(seat.index()).map_or_else(|| format!("seat {seat}"), |own| name_of(own, seat));
    let mut lines = Vec::new();
    let (mut round, mut ends) = (String::new(), Vec::new());
    for event in events {
        match event {
            Event::StartKyoku(StartKyoku { bakaze, kyoku, honba, .. }) => {
                round = format!("{} {kyoku}-{honba}", bakaze.name());
                ends.clear();
            }
            Event::Hora(Hora { actor, target, deltas, .. }) => {
                let won = deltas.map_or_else(String::new, |deltas| format!(" {}", points(deltas[*actor])));
                let from = if actor == target { " by tsumo".to_owned() } else { format!(" from {}", name(*target)) };
                ends.push(format!("{} wins{won}{from}", name(*actor)));
            }
            Event::Ryukyoku { .. } => ends.push("drawn".to_owned()),
            Event::EndKyoku => lines.push(format!("{round:<10} {}", ends.join(", "))),
            _ => {}
        }
    }
    let mut places: Vec<(Seat, &SeatResult)> = Seat::all(seats.len() as u8).zip(seats).collect();
    places.sort_by_key(|(_, result)| result.rank);
    let places: Vec<String> =
        places.iter().map(|&(seat, own)| format!("{} {}", name_of(own, seat), points(own.score))).collect();
    lines.push(format!("{:<10} {}", "places", places.join(", ")));
    lines
}

/// The name of a player; the arena's bots share one name and are distinguished by their seats.
fn name_of(own: &SeatResult, seat: Seat) -> String {
    match own.player {
        ArenaPlayer::Client => own.name.clone(),
        ArenaPlayer::BuiltIn => format!("{} (seat {seat})", own.name),
    }
}

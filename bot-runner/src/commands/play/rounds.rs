//! The output of `play` for a game of riichi: a line for each round, and the places.

use arena::{ArenaPlayer, SeatResult};
use riichi::event::StartKyoku;
use riichi::{Event, Seat};
use view::page::Walk;

use super::super::table::points;

/// The players are named as they sat in this game.
pub(super) fn game_lines(events: &[Event], seats: &[SeatResult]) -> Vec<String> {
    let names: Vec<String> = Seat::all(seats.len() as u8)
        .zip(seats)
        .map(|(seat, result)| name_of(result, seat))
        .collect();
    let mut walk = Walk::riichi(events, &names, true);
    let mut lines = Vec::new();
    let (mut round, mut ends) = (String::new(), Vec::new());
    for event in events {
        let heard = walk.as_mut().is_some_and(|walk| walk.hear(event));
        match event {
            Event::StartKyoku(StartKyoku {
                bakaze,
                kyoku,
                honba,
                ..
            }) => {
                round = format!("{} {kyoku}-{honba}", bakaze.name());
                ends.clear();
            }
            // The winner, the yaku and the payments, as the game's page has them.
            Event::Hora(_) | Event::Ryukyoku { .. } if heard => {
                let steps = walk
                    .iter()
                    .flat_map(|walk| walk.page().rounds.last())
                    .flat_map(|round| round.steps.last());
                ends.extend(steps.map(|step| step.words.clone()));
            }
            Event::EndKyoku => lines.push(format!("{round:<10} {}", ends.join(" "))),
            _ => {}
        }
    }
    let mut places: Vec<(Seat, &SeatResult)> = Seat::all(seats.len() as u8).zip(seats).collect();
    places.sort_by_key(|(_, result)| result.rank);
    let places: Vec<String> = places
        .iter()
        .map(|&(seat, own)| format!("{} {}", name_of(own, seat), points(own.score)))
        .collect();
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

//! What the log of a whole game of riichi, with all hands, says.

use fleet::JudgedLog;
use lab::replay::{LuckOfGame, contradictions_of_log, luck_of_log};
use results::SeatLuck;

/// What it contradicts in the rules, and the luck of this seat.
pub(super) fn judged_log(log: &str, seat: u8) -> JudgedLog {
    JudgedLog {
        contradiction: contradictions_of_log(log),
        luck: seat_luck(log, seat),
    }
}

/// What luck has added to the place of this seat; `None` if a tile is hidden, or the log is not of
/// a whole game by the rules.
pub(super) fn seat_luck(log: &str, seat: u8) -> Option<SeatLuck> {
    let LuckOfGame { of_seats, version } = luck_of_log(log)?;
    Some(SeatLuck {
        thousandths: *of_seats.get(usize::from(seat))?,
        version: version.to_owned(),
    })
}

//! `replay`: a record fed to the table.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use mahjong::{Rules, Seat};

use super::success;
use crate::output::say;
use crate::record::Record;
use crate::replay::replay as feed;

/// Feeds a record to the table from one seat or from each, and reports the first contradiction.
///
/// # Errors
///
/// When the record cannot be read, or is not of a game for four.
pub fn replay(file: &Path, seat: Option<Seat>) -> anyhow::Result<ExitCode> {
    let name = file.display();
    let rules = Rules::TENHOU_HALF;
    let seats: Vec<Seat> = seat.map_or_else(|| Seat::all(rules.players).collect(), |seat| vec![seat]);
    let record = Record::open(file).with_context(|| format!("{name} cannot be opened; is the path right?"))?;
    let replayed = feed(record, rules, &seats).with_context(|| format!("{name} cannot be replayed"))?;
    let watched = match seats.as_slice() {
        [seat] => format!("seat {seat}"),
        seats => format!("{} seats", seats.len()),
    };
    match &replayed.contradiction {
        Some(found) => say(format!("{name}: contradiction at {found}")),
        None if replayed.rounds == 0 => {
            say(format!("{name}: no round in {} events; is this an mjai record?", replayed.events))
        }
        None => say(format!(
            "{name}: no contradiction in {} events of {} rounds, seen from {watched}",
            replayed.events, replayed.rounds
        )),
    }
    Ok(success(replayed.contradiction.is_none() && replayed.rounds > 0))
}

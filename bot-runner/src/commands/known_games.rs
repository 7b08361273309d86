//! Games of which nothing is hidden: read from records, or played for it.

use std::path::Path;

use anyhow::Context;
use lab::danger::CannotCount;
use lab::game::{Entrant, GameId, GameNews, SeatPlayer, play};
use lab::record::Record;
use policy_host::DirectThread;
use riichi::game::RiichiGame;
use riichi::{Event, Rules};

/// Calls `hear` with each event of a record.
///
/// # Errors
///
/// When it cannot be read, or `hear` refuses an event.
pub(super) fn read_known(file: &Path, mut hear: impl FnMut(&Event) -> Result<(), CannotCount>) -> anyhow::Result<()> {
    let name = file.display();
    let record = Record::open(file).with_context(|| format!("{name} cannot be opened; is the path right?"))?;
    for entry in record {
        let (line, event) = entry.with_context(|| format!("{name} cannot be read on"))?;
        hear(&event).with_context(|| format!("{name}, line {line}"))?;
    }
    Ok(())
}

/// Plays game `number` of a seed by these rules, and calls `hear` with each of its events. The entrants move on by a seat from
/// game to game.
///
/// # Errors
///
/// When it cannot be played, or `hear` refuses an event.
pub(super) fn play_known(
    thread: &DirectThread,
    rules: Rules,
    (seed, number): (u64, u64),
    entrants: &[Entrant],
    mut hear: impl FnMut(&Event) -> Result<(), CannotCount>,
) -> anyhow::Result<()> {
    let at_seat = |seat: usize| &entrants[(seat + number as usize) % entrants.len()];
    let players = (0..rules.players.into()).map(|seat| SeatPlayer::Bot(thread, at_seat(seat)));
    let id = GameId { seed, wall: number, seating: 0 };
    let mut heard = Ok(());
    play::<RiichiGame>(rules, id, players, |news| {
        if let GameNews::Happened(event, _) = news
            && heard.is_ok()
        {
            heard = hear(event);
        }
    })
    .context("it cannot be played")?;
    heard.context("it cannot be counted")
}

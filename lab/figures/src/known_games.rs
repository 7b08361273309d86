//! Games with nothing hidden: read from records, or played for this purpose.

use std::fs;
use std::path::Path;

use anyhow::Context;
use bot_runner::commands::entrants::entrants_of;
use lab::game::{GameId, GameNews, SeatPlayer, play};
use lab::record::{Record, gzipped};
use policy_host::{DirectThread, GameKind};
use riichi::game::RiichiGame;
use riichi::{Event, Rules};

use crate::KnownGames;
use crate::danger::CannotCount;

/// An event of a game, or a boundary between games.
pub(crate) enum GameEvent<'a> {
    /// The next events belong to another record or game.
    NextGame,
    /// Something happened.
    Event(&'a Event),
}

impl KnownGames {
    /// The rules of the games that are played.
    pub(crate) fn rules(&self) -> Rules {
        Rules::TENHOU_HALF.with_players(self.players)
    }
}

/// Calls `hear` with each event of all records and games. The games that are played are written into the folder `keep`.
///
/// # Errors
///
/// If a record cannot be read, a game cannot be played or kept, or `hear` refuses an event.
pub(crate) fn each_event(
    games: &KnownGames,
    keep: Option<&Path>,
    mut hear: impl FnMut(GameEvent<'_>) -> Result<(), CannotCount> + Send,
) -> anyhow::Result<()> {
    for file in &games.records {
        let name = file.display();
        let record = Record::open(file).with_context(|| format!("{name} cannot be opened; is the path right?"))?;
        hear(GameEvent::NextGame)?;
        for entry in record {
            let (line, event) = entry.with_context(|| format!("{name} cannot be read on"))?;
            hear(GameEvent::Event(&event)).with_context(|| format!("{name}, line {line}"))?;
        }
    }
    let Some(count) = games.games else { return Ok(()) };
    let entrants = entrants_of(&games.bots, GameKind::Riichi, games.players)?;
    if let Some(folder) = keep {
        fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    let played = DirectThread::run("figures", |thread| {
        for number in 1..=u64::from(count) {
            hear(GameEvent::NextGame)?;
            // The bots move on by a seat from game to game.
            let at_seat = |seat: usize| &entrants[(seat + number as usize) % entrants.len()].0;
            let players = (0..games.players.into()).map(|seat| SeatPlayer::Bot(thread, at_seat(seat)));
            let id = GameId { seed: games.seed, wall: number, seating: 0 };
            let (mut heard, mut events) = (Ok(()), Vec::new());
            play::<RiichiGame>(games.rules(), id, players, |news| {
                if let GameNews::Happened(event, _) = news
                    && heard.is_ok()
                {
                    events.push(*event);
                    heard = hear(GameEvent::Event(event));
                }
            })
            .with_context(|| format!("game {number} cannot be played"))?;
            heard.with_context(|| format!("game {number} cannot be counted"))?;
            if let Some(folder) = keep {
                let path = folder.join(format!("{}-{number:05}.jsonl.gz", games.seed));
                fs::write(&path, gzipped(&events)).with_context(|| format!("{} cannot be written", path.display()))?;
            }
        }
        anyhow::Ok(())
    });
    played.context("the games cannot be played")?
}

//! Games with nothing hidden: read from records, or played for this purpose.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use entrants::GameEntrants;
use lab::game::{Entrant, GameId, GameNews, SeatPlayer, play};
use lab::record::{Record, gzipped};
use policy_host::{DirectThread, GameKind, Launch};
use riichi::Rules;
use riichi::game::RiichiGame;

use crate::observe::{KnownMoment, Observer};
use crate::{KnownGames, PLAYERS};

impl KnownGames {
    /// The players of games that are played for the figures.
    ///
    /// # Errors
    ///
    /// If a config cannot be read, or its policy is not admitted.
    pub(crate) fn entrants(&self, game: GameKind, players: u8) -> anyhow::Result<Vec<Entrant>> {
        let entrants = GameEntrants::new(Launch::own(Vec::new()), game, players);
        let entrant = |bot: &PathBuf| {
            entrants
                .by_config(bot)
                .with_context(|| format!("{} cannot play", bot.display()))
        };
        self.bots.iter().map(entrant).collect()
    }

    pub(crate) fn players(&self) -> u8 {
        self.players.unwrap_or(PLAYERS)
    }

    pub(crate) fn rules(&self) -> Rules {
        Rules::TENHOU_HALF.with_players(self.players())
    }
}

/// Shows all moments of all records and games; how many rounds they have. The games that are played
/// are written into the folder `keep`.
///
/// # Errors
///
/// When a record cannot be read or hides a hand, or a game cannot be played or kept.
pub(crate) fn each_moment(
    games: &KnownGames,
    keep: Option<&Path>,
    mut show: impl FnMut(KnownMoment<'_>) + Send,
) -> anyhow::Result<u64> {
    let mut observer = Observer::new(games.rules());
    for file in &games.records {
        let name = file.display();
        let record = Record::open(file)
            .with_context(|| format!("{name} cannot be opened; is the path right?"))?;
        observer.next_game();
        for entry in record {
            let (line, event) = entry.with_context(|| format!("{name} cannot be read on"))?;
            observer
                .apply(&event, &mut show)
                .with_context(|| format!("{name}, line {line}"))?;
        }
    }
    let Some(count) = games.games else {
        return Ok(observer.rounds());
    };
    let entrants = games.entrants(GameKind::Riichi, games.players())?;
    if let Some(folder) = keep {
        fs::create_dir_all(folder)
            .with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    let played = DirectThread::run("figures", |thread| {
        for number in 1..=u64::from(count) {
            observer.next_game();
            // The bots move on by a seat from game to game.
            let at_seat = |seat: usize| &entrants[(seat + number as usize) % entrants.len()];
            let players =
                (0..games.players().into()).map(|seat| SeatPlayer::Bot(thread, at_seat(seat)));
            let id = GameId {
                seed: games.seed,
                wall: number,
                seating: 0,
            };
            let (mut heard, mut events) = (Ok(()), Vec::new());
            play::<RiichiGame>(games.rules(), id, players, |news| {
                if let GameNews::Happened(event, _) = news
                    && heard.is_ok()
                {
                    events.push(*event);
                    heard = observer.apply(event, &mut show);
                }
            })
            .with_context(|| format!("game {number} cannot be played"))?;
            heard.with_context(|| format!("game {number} cannot be counted"))?;
            if let Some(folder) = keep {
                let path = folder.join(format!("{}-{number:05}.jsonl.gz", games.seed));
                fs::write(&path, gzipped(&events))
                    .with_context(|| format!("{} cannot be written", path.display()))?;
            }
        }
        anyhow::Ok(())
    });
    played.context("the games cannot be played")??;
    Ok(observer.rounds())
}

//! The records of the games that are looked for.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use client::kept_game::{game_key, milliseconds};
use client::records::{GameRecord, LADDER, OPEN_GAME, RecordState, of_bot_between, put_file};
use results::{LadderRow, ResultRow};
use time::{Duration, OffsetDateTime};

/// A bot waits in the queue and plays for less.
const MAX_CONNECTION: Duration = Duration::hours(12);

/// Where a bot's records are; remembers what was found.
#[derive(Debug)]
pub(super) struct BotRecords {
    folder: PathBuf,
    bot: String,
    arena: String,
    known: HashMap<String, PathBuf>,
}

impl BotRecords {
    pub(super) fn new(folder: &Path, bot: &str, arena: &str) -> Self {
        Self {
            folder: folder.to_owned(),
            bot: bot.to_owned(),
            arena: arena.to_owned(),
            known: HashMap::new(),
        }
    }

    /// The record of a game, if there is one.
    pub(super) fn of(&mut self, game: &ResultRow) -> Option<GameRecord> {
        if let Some(path) = self.known.get(&game.key) {
            return GameRecord::open(path).ok();
        }
        let ended =
            OffsetDateTime::from_unix_timestamp_nanos(i128::from(game.ended_ms) * 1_000_000);
        let ended = ended.ok()?;
        let found = of_bot_between(&self.folder, &self.bot, (ended - MAX_CONNECTION, ended));
        for record in found.unwrap_or_default() {
            let opened_ms = milliseconds(record.manifest.started);
            let key = game_key(&self.bot, &self.arena, opened_ms);
            self.known.insert(key, record.path);
        }
        GameRecord::open(self.known.get(&game.key)?).ok()
    }

    /// Forgets the places of games that are settled.
    pub(super) fn forget(&mut self, key: &str) {
        self.known.remove(key);
    }
}

/// What the seat saw of a game, and whether that was cut short.
pub(super) fn seen(record: &GameRecord) -> io::Result<(String, bool)> {
    Ok((
        record.game()?,
        record.manifest.state != RecordState::Complete,
    ))
}

/// Adds the game with all hands to a record. A record that was removed meanwhile stays removed.
pub(super) fn add_open_game(record: &Path, log: &str) -> io::Result<()> {
    put_file(record, OPEN_GAME, log.as_bytes()).map(drop)
}

/// Adds to a record what the ladder says about its game.
pub(super) fn add_row(record: &Path, row: &LadderRow) -> io::Result<()> {
    let text = serde_json::to_string_pretty(row)? + "\n";
    put_file(record, LADDER, text.as_bytes()).map(drop)
}

//! The ladder of an arena: its bots, games, ratings and logs, in a folder of its own.

mod answers;
mod folder;
mod game;
mod rating;
mod routes;
mod tables;

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use flate2::Compression;
use flate2::write::GzEncoder;
use protocol::event_json;
use riichi::Event;
use time::{Date, OffsetDateTime};

use self::folder::{JournalEntry, LadderFolder};
use self::game::game_id;
use self::rating::rated;
use crate::game::{ArenaPlayer, SeatResult};

pub use self::folder::LadderFolderError;
pub use self::game::{EventSlot, KeptGame, KeptSeat, SeatFigures, WallSeed};
pub use self::rating::Skill;
pub use self::tables::RunningTable;
pub(crate) use self::tables::TableAtPlay;

/// Maximum number of games in a folder: all are in memory.
pub const MAX_KEPT_GAMES: usize = 100_000;

/// Why a game is not kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeepError {
    #[error("{0}")]
    Folder(#[from] LadderFolderError),
    #[error("the ladder in {folder} is full: it has {MAX_KEPT_GAMES} games; take another folder")]
    Full { folder: String },
}

/// A bot of the ladder.
#[derive(Debug, Clone, PartialEq)]
pub struct LadderBot {
    pub id: u64,
    pub name: String,
    pub skill: Skill,
    pub last_played_at: Option<OffsetDateTime>,
    pub total_games: usize,
    /// Sums over its games.
    pub figures: SeatFigures,
}

/// A game that is over, for the ladder.
#[derive(Debug)]
pub(crate) struct GameToKeep<'g> {
    pub(crate) number: u64,
    pub(crate) walls: WallSeed,
    pub(crate) event: Option<EventSlot>,
    /// The results, in seat order.
    pub(crate) seats: &'g [SeatResult],
    /// The events, with nothing hidden.
    pub(crate) events: &'g [Event],
}

/// The ladder of an arena.
#[derive(Debug)]
pub struct ArenaLadder {
    disk: Mutex<LadderDisk>,
    state: RwLock<LadderState>,
    tables: tables::RunningTables,
}

/// What writes to the folder, one game after the other.
#[derive(Debug)]
struct LadderDisk {
    folder: LadderFolder,
    /// The size of all logs, in bytes.
    log_bytes: u64,
    max_log_bytes: u64,
}

#[derive(Debug, Default)]
struct LadderState {
    /// In the order of their ids, which begin at 1.
    bots: Vec<LadderBot>,
    by_name: HashMap<String, usize>,
    games: Vec<KeptGame>,
    /// The games of each bot by their index, the oldest first.
    games_of_bots: Vec<Vec<usize>>,
    by_id: HashMap<String, usize>,
    /// Number of games of each set of the event.
    sets: HashMap<u32, u32>,
    /// The games before this index have lost their logs.
    first_log: usize,
}

impl ArenaLadder {
    /// Opens the ladder in a folder, which is made if it is missing, for games of this many
    /// players. If the logs take more than `max_log_bytes`, the oldest are removed.
    ///
    /// # Errors
    ///
    /// If the folder cannot be used, or holds something else.
    pub fn open(folder: &Path, players: u8, max_log_bytes: u64) -> Result<Self, LadderFolderError> {
        let (folder, entries) = LadderFolder::open(folder, players)?;
        let mut state = LadderState::default();
        for entry in entries {
            match entry {
                JournalEntry::Ladder { .. } => {}
                JournalEntry::Bot { name, .. } => _ = state.add_bot(name),
                JournalEntry::Game(game) => state.add_game(*game),
            }
        }
        let has_log = |game: &KeptGame| {
            folder
                .log(&game.id, game.played_at.date())
                .try_exists()
                .unwrap_or(false)
        };
        state.first_log = state.games.partition_point(|game| !has_log(game));
        let log_bytes = state.games[state.first_log..]
            .iter()
            .map(|game| game.log_bytes)
            .sum();
        let mut disk = LadderDisk {
            folder,
            log_bytes,
            max_log_bytes,
        };
        disk.remove_oldest(&mut state);
        Ok(Self {
            disk: Mutex::new(disk),
            state: RwLock::new(state),
            tables: tables::RunningTables::default(),
        })
    }

    /// Gives a bot of this name an id, if it has none.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn register(&self, name: &str) -> Result<u64, LadderFolderError> {
        let mut disk = self.disk();
        self.register_on(&mut disk, name)
    }

    fn register_on(&self, disk: &mut LadderDisk, name: &str) -> Result<u64, LadderFolderError> {
        if let Some(&index) = self.read().by_name.get(name) {
            return Ok(index as u64 + 1);
        }
        let entry = JournalEntry::Bot {
            id: self.read().bots.len() as u64 + 1,
            name: name.to_owned(),
        };
        disk.append(&entry)?;
        Ok(self.write().add_bot(name.to_owned()))
    }

    /// Rates and keeps a finished game; returns its id.
    ///
    /// # Errors
    ///
    /// If the game cannot be written. The ladder is then as before.
    pub(crate) fn keep(&self, game: &GameToKeep<'_>) -> Result<String, KeepError> {
        let mut disk = self.disk();
        if self.read().games.len() >= MAX_KEPT_GAMES {
            return Err(KeepError::Full {
                folder: disk.folder.path().display().to_string(),
            });
        }
        let names = ladder_names(game);
        let bots = names
            .iter()
            .map(|name| self.register_on(&mut disk, name))
            .collect::<Result<Vec<u64>, _>>()?;
        let (played_at, log) = (OffsetDateTime::now_utc(), log_of(game.events));
        let log = log.map_err(|error| disk.error("written", &error))?;
        let before: Vec<Skill> = {
            let state = self.read();
            bots.iter()
                .map(|&bot| state.bots[bot as usize - 1].skill)
                .collect()
        };
        let players: Vec<(Skill, u8)> = before
            .iter()
            .zip(game.seats)
            .map(|(&skill, seat)| (skill, seat.rank))
            .collect();
        let figures = SeatFigures::of(game.events, game.seats.len() as u8);
        let seats = game
            .seats
            .iter()
            .zip(bots.into_iter().zip(names))
            .zip(before.iter().zip(rated(&players)))
            .zip(figures.iter())
            .map(
                |(((seat, (bot, name)), (&before, after)), (_, counts))| KeptSeat {
                    bot,
                    name,
                    score: seat.score,
                    place: seat.rank,
                    before,
                    after,
                    disconnected: seat.dropped
                        || game.event.is_some() && seat.player == ArenaPlayer::BuiltIn,
                    penalized: seat.chombo > 0,
                    counts: SeatFigures {
                        busts: u64::from(seat.score < 0),
                        ..*counts
                    },
                },
            )
            .collect();
        let kept = KeptGame {
            id: game_id(game.walls, game.number, played_at),
            number: game.number,
            played_at,
            walls: game.walls,
            event: game.event,
            log_bytes: log.len() as u64,
            seats,
        };
        disk.keep(&kept, &log)?;
        let id = kept.id.clone();
        let mut state = self.write();
        state.add_game(kept);
        disk.remove_oldest(&mut state);
        Ok(id)
    }

    /// The bots by falling rating.
    pub fn board(&self) -> Vec<LadderBot> {
        let mut bots = self.read().bots.clone();
        bots.sort_by(|one, other| {
            let by_rating = other.skill.rating().total_cmp(&one.skill.rating());
            by_rating.then(one.id.cmp(&other.id))
        });
        bots
    }

    /// A bot with its rank on the board, from 1.
    pub fn bot(&self, id: u64) -> Option<(usize, LadderBot)> {
        let mut board = self.board();
        let at = board.iter().position(|bot| bot.id == id)?;
        Some((at + 1, board.swap_remove(at)))
    }

    /// What `read` makes of the games of a bot that `wanted` accepts by their dates, the newest
    /// first; `None` if there is no such bot.
    pub fn games_of<T>(
        &self,
        bot: u64,
        wanted: impl Fn(Date) -> bool,
        read: impl FnOnce(&[&KeptGame]) -> T,
    ) -> Option<T> {
        let state = self.read();
        let place = usize::try_from(bot).ok()?.checked_sub(1)?;
        let games = state.games_of_bots.get(place)?.iter().rev();
        let games: Vec<&KeptGame> = games
            .map(|&index| &state.games[index])
            .filter(|game| wanted(game.played_at.date()))
            .collect();
        Some(read(&games))
    }

    pub fn game(&self, id: &str) -> Option<KeptGame> {
        let state = self.read();
        state.by_id.get(id).map(|&index| state.games[index].clone())
    }

    /// The newest games, the newest first.
    pub fn newest_games(&self, limit: usize) -> Vec<KeptGame> {
        self.read()
            .games
            .iter()
            .rev()
            .take(limit)
            .cloned()
            .collect()
    }

    /// The games of the event, in the order of their ends.
    pub fn event_games(&self) -> Vec<KeptGame> {
        let state = self.read();
        state
            .games
            .iter()
            .filter(|game| game.event.is_some())
            .cloned()
            .collect()
    }

    /// The gzipped log of a game, with all hands. `None` if there is no such game, its log is
    /// removed, or other games with the same walls are not over.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn log(&self, id: &str) -> Option<io::Result<Vec<u8>>> {
        let date = {
            let state = self.read();
            let &index = state.by_id.get(id)?;
            let game = &state.games[index];
            let is_open = game.event.is_none_or(|event| {
                state.sets.get(&event.set).copied().unwrap_or(0) >= event.games_of_set
            });
            (is_open && index >= state.first_log).then(|| game.played_at.date())?
        };
        let file = self.disk().folder.log(id, date);
        Some(fs::read(file))
    }

    /// The number of the last game; 0 without one.
    pub(crate) fn last_number(&self) -> u64 {
        let state = self.read();
        let numbers = state.games.iter().map(|game| game.number);
        numbers.max().unwrap_or(0)
    }

    /// The tables where games are played, by the number of their games.
    pub fn running_tables(&self) -> Vec<RunningTable> {
        self.tables.all()
    }

    /// The table of a game that is played.
    pub fn running_table(&self, number: u64) -> Option<RunningTable> {
        self.tables.table(number)
    }

    /// Shows the game of a table from now on until the handle is dropped.
    pub(crate) fn show_table(&self, number: u64, names: Vec<String>, is_open: bool) -> TableAtPlay {
        self.tables.open(number, names, is_open)
    }

    fn disk(&self) -> MutexGuard<'_, LadderDisk> {
        // The journal is cut back after a line that failed.
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self) -> RwLockReadGuard<'_, LadderState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, LadderState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LadderDisk {
    fn append(&mut self, entry: &JournalEntry) -> Result<(), LadderFolderError> {
        let written = self.folder.append(entry);
        written.map_err(|error| self.error("written", &error))
    }

    /// Writes a game and its log.
    fn keep(&mut self, game: &KeptGame, log: &[u8]) -> Result<(), LadderFolderError> {
        let prepared = self.folder.prepare_log(&game.id, log);
        prepared.map_err(|error| self.error("written", &error))?;
        let entry = JournalEntry::Game(Box::new(game.clone()));
        if let Err(error) = self.append(&entry) {
            self.folder.drop_log(&game.id);
            return Err(error);
        }
        // The next start tries again.
        if let Err(error) = self.folder.place_log(&game.id, game.played_at.date()) {
            tracing::warn!(%error, game = game.id, "the log of a game has no name yet");
        }
        self.log_bytes += game.log_bytes;
        Ok(())
    }

    /// Removes the oldest logs that have no room.
    fn remove_oldest(&mut self, state: &mut LadderState) {
        while self.log_bytes > self.max_log_bytes
            && let Some(game) = state.games.get(state.first_log)
        {
            if let Err(error) = fs::remove_file(self.folder.log(&game.id, game.played_at.date())) {
                tracing::warn!(%error, game = game.id, "an old log cannot be removed");
            }
            self.log_bytes -= game.log_bytes;
            state.first_log += 1;
        }
    }

    fn error(&self, task: &'static str, error: &io::Error) -> LadderFolderError {
        LadderFolderError::file(self.folder.path(), task, error)
    }
}

impl LadderState {
    fn add_bot(&mut self, name: String) -> u64 {
        let id = self.bots.len() as u64 + 1;
        self.by_name.insert(name.clone(), self.bots.len());
        self.bots.push(LadderBot {
            id,
            name,
            skill: Skill::default(),
            last_played_at: None,
            total_games: 0,
            figures: SeatFigures::default(),
        });
        self.games_of_bots.push(Vec::new());
        id
    }

    fn add_game(&mut self, game: KeptGame) {
        let index = self.games.len();
        for seat in &game.seats {
            let place = usize::try_from(seat.bot)
                .ok()
                .and_then(|id| id.checked_sub(1));
            if let Some(place) = place
                && let Some(bot) = self.bots.get_mut(place)
            {
                bot.skill = seat.after;
                bot.last_played_at = Some(game.played_at);
                bot.figures.add(&seat.counts);
                bot.total_games += 1;
                self.games_of_bots[place].push(index);
            }
        }
        if let Some(event) = game.event {
            *self.sets.entry(event.set).or_default() += 1;
        }
        self.by_id.insert(game.id.clone(), index);
        self.games.push(game);
    }
}

/// The names of the players on the ladder. The built-in bots of one game are several bots.
fn ladder_names(game: &GameToKeep<'_>) -> Vec<String> {
    let mut built_in = 0;
    let names = game.seats.iter().map(|seat| {
        if seat.player == ArenaPlayer::Client || game.event.is_some() {
            return seat.name.clone();
        }
        built_in += 1;
        format!("built-in:{}-{built_in}", seat.name)
    });
    names.collect()
}

/// The gzipped log: mjai events without names.
fn log_of(events: &[Event]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    for event in events {
        let bare = match event {
            Event::StartGame { .. } => &Event::StartGame { seat: None },
            event => event,
        };
        writeln!(encoder, "{}", event_json(bare))?;
    }
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::path::PathBuf;

    use riichi::PerSeat;
    use riichi::rules::{Length, Preset};
    use tempfile::TempDir;

    use super::*;
    use crate::game::{FrameGame, GameSetup};
    use crate::time::TimeControl;

    const NO_LIMIT: u64 = u64::MAX;

    fn folder() -> TempDir {
        tempfile::tempdir().expect("a folder")
    }

    fn open(folder: &TempDir) -> Result<ArenaLadder, LadderFolderError> {
        ArenaLadder::open(folder.path(), 4, NO_LIMIT)
    }

    /// Plays a game of one round, and has the ladder keep it.
    fn try_keep(
        ladder: &ArenaLadder,
        number: u64,
        event: Option<EventSlot>,
    ) -> Result<String, KeepError> {
        let walls = WallSeed { seed: 7, number };
        let setup = GameSetup {
            seed: walls.seed,
            number,
            length: Length::Single,
            preset: Preset::Tenhou,
            time: TimeControl::default(),
            players: PerSeat::from_fn(4, |seat| {
                (ArenaPlayer::BuiltIn, BOTS[seat.index()].to_owned())
            }),
        };
        let mut game = FrameGame::new(setup).expect("it is dealt");
        while !game.is_over() {
            game.step().expect("it goes on");
        }
        let mut seats = game.results();
        for seat in &mut seats {
            seat.player = ArenaPlayer::Client;
        }
        ladder.keep(&GameToKeep {
            number,
            walls,
            event,
            seats: &seats,
            events: game.events(),
        })
    }

    const BOTS: [&str; 4] = ["kuma", "neko", "tora", "panda"];

    fn keep(ladder: &ArenaLadder, number: u64) -> String {
        try_keep(ladder, number, None).expect("it is kept")
    }

    fn log_file(folder: &TempDir, game: &KeptGame) -> PathBuf {
        let path = folder::log_path(&game.id, game.played_at.date());
        folder.path().join("logs").join(path)
    }

    #[test]
    fn what_a_ladder_keeps_is_there_after_a_restart() {
        let folder = folder();
        let ladder = open(&folder).expect("a ladder");
        let id = ladder.register("panda").expect("it is written");
        let games = [keep(&ladder, 1), keep(&ladder, 2)];
        let before = (ladder.board(), ladder.newest_games(9));
        drop(ladder);
        let again = open(&folder).expect("a ladder");
        assert_eq!((again.board(), again.newest_games(9)), before);
        assert_eq!(again.register("panda"), Ok(id));
        assert_eq!(again.last_number(), 2);
        for id in games {
            assert!(again.log(&id).expect("a log").is_ok());
        }
    }

    #[test]
    fn a_kill_in_the_middle_of_a_line_loses_only_that_line() {
        let folder = folder();
        let ladder = open(&folder).expect("a ladder");
        keep(&ladder, 1);
        let before = ladder.board();
        let second = keep(&ladder, 2);
        drop(ladder);
        let journal = folder.path().join("games.jsonl");
        let length = fs::metadata(&journal).expect("a journal").len();
        let file = OpenOptions::new()
            .write(true)
            .open(&journal)
            .expect("a journal");
        file.set_len(length - 10).expect("it is cut");
        drop(file);
        let again = open(&folder).expect("a ladder");
        assert_eq!(again.board(), before);
        assert!(again.game(&second).is_none());
        keep(&again, 2);
        drop(again);
        assert_eq!(open(&folder).expect("a ladder").newest_games(9).len(), 2);
    }

    #[test]
    fn a_log_that_a_kill_left_without_its_name_gets_it_if_its_game_is_kept() {
        let folder = folder();
        let ladder = open(&folder).expect("a ladder");
        let id = keep(&ladder, 1);
        let game = ladder.game(&id).expect("a game");
        drop(ladder);
        let logs = folder.path().join("logs");
        fs::rename(log_file(&folder, &game), logs.join(format!("{id}.part"))).expect("moved");
        fs::write(logs.join("unknown.part"), "half").expect("written");
        let again = open(&folder).expect("a ladder");
        assert!(again.log(&id).expect("a log").is_ok());
        assert!(!logs.join("unknown.part").exists());
    }

    #[test]
    fn the_oldest_logs_make_room_and_their_games_stay() {
        let folder = folder();
        let ladder = open(&folder).expect("a ladder");
        let ids = [1, 2, 3].map(|number| keep(&ladder, number));
        let last = ladder.game(&ids[2]).expect("a game").log_bytes;
        drop(ladder);
        let is_there = |ladder: &ArenaLadder| {
            ids.each_ref()
                .map(|id| matches!(ladder.log(id), Some(Ok(_))))
        };
        for _ in 0..2 {
            let small = ArenaLadder::open(folder.path(), 4, last).expect("a ladder");
            assert_eq!(is_there(&small), [false, false, true]);
            assert_eq!(small.newest_games(9).len(), 3);
        }
        // A new log takes the place of the last one.
        let small = ArenaLadder::open(folder.path(), 4, last).expect("a ladder");
        keep(&small, 4);
        assert_eq!(is_there(&small), [false, false, false]);
    }

    #[test]
    fn a_log_is_closed_until_all_games_on_its_walls_are_over() {
        let folder = folder();
        let ladder = open(&folder).expect("a ladder");
        let of_set = |slot| EventSlot {
            slot,
            set: 0,
            games_of_set: 2,
        };
        let first = try_keep(&ladder, 1, Some(of_set(0))).expect("kept");
        assert!(ladder.log(&first).is_none());
        try_keep(&ladder, 2, Some(of_set(1))).expect("kept");
        assert!(ladder.log(&first).expect("a log").is_ok());
    }

    #[test]
    fn the_winner_gains_and_the_last_loses() {
        let folder = folder();
        let ladder = open(&folder).expect("a ladder");
        let id = keep(&ladder, 1);
        let game = ladder.game(&id).expect("a game");
        for seat in &game.seats {
            match seat.place {
                1 => assert!(seat.rating_change() > 0.0),
                4 => assert!(seat.rating_change() < 0.0),
                _ => {}
            }
            let (_, bot) = ladder.bot(seat.bot).expect("a bot");
            assert_eq!(
                (bot.skill, bot.total_games, bot.figures.rounds),
                (seat.after, 1, 1)
            );
        }
    }

    #[test]
    fn a_folder_that_cannot_be_used_is_refused_with_the_reason() {
        let folder = folder();
        let ladder = open(&folder).expect("a ladder");
        assert!(matches!(
            open(&folder),
            Err(LadderFolderError::InUse { .. })
        ));
        drop(ladder);
        let three = ArenaLadder::open(folder.path(), 3, NO_LIMIT).expect_err("other players");
        assert!(three.to_string().contains("say --players 4"), "{three}");
        let journal = folder.path().join("games.jsonl");
        let good = fs::read_to_string(&journal).expect("a journal");
        for (text, why) in [
            (format!("{good}{{\"cup\":1}}\n"), "line 2: "),
            (
                "{\"bot\":{\"id\":1,\"name\":\"kuma\"}}\n".to_owned(),
                "line 1: the first line",
            ),
            (
                good.replace("\"format\":1", "\"format\":9"),
                "found format 9",
            ),
        ] {
            fs::write(&journal, text).expect("written");
            let error = open(&folder).expect_err(why);
            assert!(error.to_string().contains(why), "{error}");
        }
    }

    #[test]
    fn a_game_that_cannot_be_written_changes_nothing() {
        let folder = folder();
        let ladder = open(&folder).expect("a ladder");
        keep(&ladder, 1);
        let before = (ladder.board(), ladder.newest_games(9));
        let logs = folder.path().join("logs");
        fs::remove_dir_all(&logs).expect("removed");
        fs::write(&logs, "no folder").expect("written");
        let error = try_keep(&ladder, 2, None).expect_err("no room");
        assert!(error.to_string().contains("cannot be written"), "{error}");
        assert_eq!((ladder.board(), ladder.newest_games(9)), before);
        fs::remove_file(&logs).expect("removed");
        keep(&ladder, 2);
        drop(ladder);
        assert_eq!(open(&folder).expect("a ladder").newest_games(9).len(), 2);
    }
}

//! The thread that asks the ladders.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use client::board::{Board, BotRating};
use client::kept_game::milliseconds;
use client::own_thread::lower_priority;
use client::records::GameRecord;
use config::{BotConfig, LadderConfig, ResultsConfig};
use foreign_text::escaped;
use ladder::{GameOnLadder, GameRow, LadderClient, LadderError, MAX_GAMES_PER_PAGE, with_names};
use outbound::AuthoritiesError;
use results::{
    LadderOpponent, LadderPart, LadderRow, ResultKind, ResultRow, ResultsError, ResultsFilter,
    SeatLuck, Store, open,
};
use time::{Date, OffsetDateTime};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::UnboundedSender;

use super::matching::{align, is_same_game, may_be, may_follow, played_ms};
use super::record::{BotRecords, add_open_game, add_row, seen};
use super::{JudgeLog, JudgedLog, LadderCounts, RatedBot};

/// A game that is not found for so long is given up.
const GIVE_UP_AFTER_MS: i64 = 7 * 86_400_000;
/// Games that ended earlier are not looked at, also not to give them up.
const FORGOTTEN_AFTER_MS: i64 = 2 * GIVE_UP_AFTER_MS;
/// From the end of a game to the first look, and the least time between two looks at a list.
const FIRST_LOOK: Duration = Duration::from_secs(10);
/// The least time between looks once all games of the process have been played.
const LAST_LOOKS: Duration = Duration::from_secs(3);
/// The longest time between two looks at a list, and two tries for a part of a game.
const MAX_PAUSE: Duration = Duration::from_secs(3600);
/// The pause after the list of a bot was refused.
const REFUSED_PAUSE: Duration = Duration::from_secs(300);
/// The pause after the first try of a part that failed; it grows with each.
const PART_PAUSE: Duration = Duration::from_secs(20);
/// How often the database is read without a reason.
const RELOAD_EVERY: Duration = Duration::from_secs(600);
/// The pause after the database could not be read or written.
const DATABASE_PAUSE: Duration = Duration::from_secs(60);
/// Maximum number of pages of a bot's list in one look.
const MAX_PAGES: usize = 40;
/// The smallest page: each refused list makes pages smaller, so that no address is asked for again.
const MIN_PAGE: u64 = 10;
/// Number of tries for the ratings of opponents.
const RATING_TRIES: u32 = 4;
/// Maximum number of games of other bots that are remembered, and of games with their players.
const MAX_REMEMBERED: usize = 20_000;
/// Maximum number of logs that are remembered: the bots of a table want the same one.
const MAX_LOGS: usize = 4;
/// So near to midnight the date in a log's address may be that of the other day.
const NEAR_MIDNIGHT_MS: i64 = 10 * 60_000;
/// The same if the ladder tells no time.
const NEAR_MIDNIGHT_UNTOLD_MS: i64 = 2 * 3_600_000;
const DAY_MS: i64 = 86_400_000;
/// A row of a game is not later on the list than so long after its end; nor is a game's record.
const LATE_ROW_MS: i64 = 60_000;
const LATE_RECORD_MS: i64 = 60_000;
/// Maximum number of opponents.
const MAX_OPPONENTS: usize = 3;

/// A message for the thread.
#[derive(Debug)]
pub(super) enum LadderMessage {
    Follow(Box<FollowedBot>),
    Leave(String),
    /// A game of this bot has ended.
    Ended(String),
    /// Nothing more is played: it looks until this moment, and tells when it has ended.
    Finish(Instant, Sender<()>),
}

/// A bot whose games are looked for.
#[derive(Debug)]
pub(super) struct FollowedBot {
    name: String,
    arena: String,
    ladder: LadderConfig,
    results: ResultsConfig,
    records: Option<PathBuf>,
}

impl FollowedBot {
    /// `None` if its config does not ask for it.
    pub(super) fn of(config: &BotConfig, arena: &str) -> Option<Self> {
        Some(Self {
            name: config.name.clone(),
            arena: arena.to_owned(),
            ladder: config.ladder.clone()?,
            results: config.results.clone()?,
            records: config
                .records
                .as_ref()
                .map(|records| records.folder.clone()),
        })
    }
}

/// A game about which the ladder has not told everything.
#[derive(Debug)]
struct WantedGame {
    result: ResultRow,
    /// What is known.
    row: LadderRow,
    /// What its log says of the luck, until that is in the database.
    luck: Option<SeatLuck>,
    /// Whether the row is not in the database yet.
    unwritten: bool,
    /// Number of tries since the last success.
    tries: u32,
    next: Instant,
    /// The ids of games that it is not.
    others: HashSet<String>,
}

impl WantedGame {
    /// Whether it must still be found on the list.
    const fn is_unfound(&self) -> bool {
        self.row.game_id.is_none()
    }
}

/// A bot's list and its games.
#[derive(Debug)]
struct BotSearch {
    bot: FollowedBot,
    client: Arc<LadderClient>,
    records: Option<BotRecords>,
    /// By their keys.
    wanted: BTreeMap<String, WantedGame>,
    /// The ids of games that are ours.
    taken: HashSet<String>,
    /// When the database is read again.
    reload: Instant,
    /// When the list is asked for again.
    list: Instant,
    /// The list is left alone until this moment.
    rest: Instant,
    /// Number of games on a page.
    page: u64,
    /// Number of looks at the list that have failed since the last success.
    failed_looks: u32,
    /// The newest game with a rating: its end and the rating.
    rated: Option<(i64, BotRating)>,
    /// Whether a problem with the database, and with the list, was told.
    told: [bool; 2],
}

pub(super) struct Search {
    board: Board,
    judge: JudgeLog,
    rated: UnboundedSender<RatedBot>,
    bots: BTreeMap<String, BotSearch>,
    /// By their addresses: what one refuses is asked for by no other bot.
    clients: Vec<(LadderConfig, Arc<LadderClient>)>,
    known: KnownAnswers,
    found: u64,
    /// What is told of the counts.
    counts: Arc<Mutex<LadderCounts>>,
    /// When the search ends, and who waits for that.
    ends: Option<(Instant, Sender<()>)>,
}

/// What the ladders have told. Several bots may want the same.
#[derive(Debug, Default)]
struct KnownAnswers {
    /// The games of bots, also of opponents, by bot and game.
    rows: HashMap<(u64, String), GameRow>,
    /// The games with their players.
    games: HashMap<String, GameOnLadder>,
    /// The newest logs, by the ids of games.
    logs: VecDeque<(String, Arc<str>)>,
    /// When the newest pages of other bots were asked for, milliseconds since 1970.
    pages: HashMap<u64, i64>,
}

impl KnownAnswers {
    fn keep_rows(&mut self, bot: u64, rows: &[GameRow]) {
        let entries = rows
            .iter()
            .map(|row| ((bot, row.game_id.clone()), row.clone()));
        self.rows.extend(entries);
    }

    fn keep_log(&mut self, id: &str, log: &Arc<str>) {
        self.logs.push_back((id.to_owned(), Arc::clone(log)));
        if self.logs.len() > MAX_LOGS {
            self.logs.pop_front();
        }
    }

    /// Forgets what would take too much memory.
    fn tidy(&mut self) {
        if self.rows.len() > MAX_REMEMBERED {
            self.rows.clear();
            self.pages.clear();
        }
        if self.games.len() > MAX_REMEMBERED {
            self.games.clear();
        }
    }
}

/// The outcome of looking at one thing.
enum Looked {
    /// Something was asked for.
    Asked,
    /// Nothing is due before this.
    NothingUntil(Option<Instant>),
}

impl Search {
    pub(super) fn new(
        board: Board,
        judge: JudgeLog,
        rated: UnboundedSender<RatedBot>,
        counts: Arc<Mutex<LadderCounts>>,
    ) -> Self {
        Self {
            board,
            judge,
            rated,
            bots: BTreeMap::new(),
            clients: Vec::new(),
            known: KnownAnswers::default(),
            found: 0,
            counts,
            ends: None,
        }
    }

    /// Works until the process has no more bots.
    pub(super) fn work(mut self, messages: &Receiver<LadderMessage>) {
        // Of this thread alone. It plays no part in a game, so it may wait for those that do.
        lower_priority();
        let runtime = match Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                tracing::warn!("games are not looked for on the ladder: {error}");
                return;
            }
        };
        loop {
            let looked = self.look(&runtime);
            let counts = self.counts();
            *self.counts.lock().unwrap_or_else(PoisonError::into_inner) = counts;
            if let Some((end, done)) = &self.ends {
                // What is due later than the end is left to the next process.
                let is_over = match looked {
                    Looked::Asked => false,
                    Looked::NothingUntil(moment) => {
                        counts.waiting == 0 || moment.is_none_or(|moment| moment > *end)
                    }
                };
                if is_over || Instant::now() >= *end {
                    // The caller may have stopped waiting.
                    let _ = done.send(());
                    return;
                }
            }
            let until = match looked {
                Looked::Asked => Some(Instant::now()),
                Looked::NothingUntil(moment) => moment,
            };
            loop {
                let wait = until.map(|until| until.saturating_duration_since(Instant::now()));
                let received = match wait {
                    Some(wait) => messages.recv_timeout(wait),
                    None => messages.recv().map_err(RecvTimeoutError::from),
                };
                let message = match received {
                    Ok(message) => message,
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => return,
                };
                if self.take(message) {
                    break;
                }
            }
        }
    }

    /// Takes a message in; returns whether something may be due because of it.
    fn take(&mut self, message: LadderMessage) -> bool {
        let now = Instant::now();
        match message {
            LadderMessage::Follow(bot) => {
                let client = match self.client(&bot.ladder) {
                    Ok(client) => client,
                    Err(error) => {
                        tracing::warn!(bot = %bot.name, "its games are not looked for on the ladder: {error}");
                        return false;
                    }
                };
                let search = BotSearch::new(*bot, client);
                self.bots.insert(search.bot.name.clone(), search);
                true
            }
            LadderMessage::Leave(name) => {
                self.bots.remove(&name);
                false
            }
            LadderMessage::Ended(name) => {
                if let Some(bot) = self.bots.get_mut(&name) {
                    // By then its result is in the database, if that takes it.
                    bot.reload = bot.reload.min(now + FIRST_LOOK);
                    bot.list = bot.list.min(now + FIRST_LOOK);
                }
                true
            }
            LadderMessage::Finish(until, done) => {
                for bot in self.bots.values_mut() {
                    (bot.reload, bot.list) = (now, bot.list.min(now));
                }
                self.ends = Some((until, done));
                true
            }
        }
    }

    /// The client for these addresses.
    fn client(&mut self, ladder: &LadderConfig) -> Result<Arc<LadderClient>, AuthoritiesError> {
        let same = |(known, _): &&(LadderConfig, _)| {
            (&known.api, &known.logs) == (&ladder.api, &ladder.logs)
        };
        if let Some((_, client)) = self.clients.iter().find(same) {
            return Ok(Arc::clone(client));
        }
        let LadderConfig { api, logs, .. } = ladder.clone();
        let client = Arc::new(LadderClient::new(api, logs, env!("CARGO_PKG_VERSION"))?);
        self.clients.push((ladder.clone(), Arc::clone(&client)));
        Ok(client)
    }

    fn counts(&self) -> LadderCounts {
        LadderCounts {
            found: self.found,
            waiting: self.bots.values().map(|bot| bot.wanted.len() as u64).sum(),
        }
    }

    /// Does the first thing that is due: databases first, then lists, then the parts of games, the
    /// newest first.
    fn look(&mut self, runtime: &Runtime) -> Looked {
        let now = Instant::now();
        let Self {
            board,
            judge,
            rated,
            bots,
            known,
            found,
            ends,
            ..
        } = self;
        known.tidy();
        for bot in bots.values_mut() {
            if bot.reload <= now {
                bot.reload(board, rated);
                return Looked::Asked;
            }
        }
        let is_ending = ends.is_some();
        for bot in bots.values_mut() {
            if bot.list.max(bot.rest) <= now && bot.has_unfound() {
                *found += bot.look_at_list(runtime, known, is_ending);
                bot.write(board, rated);
                return Looked::Asked;
            }
        }
        let due = bots
            .values_mut()
            .filter_map(|bot| {
                let (key, game) = bot
                    .wanted
                    .iter()
                    .filter(|(_, game)| !game.is_unfound() && game.next <= now)
                    .max_by_key(|(_, game)| game.result.ended_ms)?;
                let (key, ended) = (key.clone(), game.result.ended_ms);
                Some((ended, key, bot))
            })
            .max_by_key(|(ended, ..)| *ended);
        if let Some((_, key, bot)) = due {
            if !bot.look_at_game(&key, runtime, known, *judge) {
                *found = found.saturating_sub(1);
            }
            bot.write(board, rated);
            return Looked::Asked;
        }
        let moments = bots.values().flat_map(|bot| {
            let list = bot.has_unfound().then_some(bot.list.max(bot.rest));
            let parts = bot
                .wanted
                .values()
                .filter(|game| !game.is_unfound())
                .map(|game| game.next);
            parts.chain(list).chain([bot.reload])
        });
        Looked::NothingUntil(moments.min())
    }
}

impl BotSearch {
    /// A search that is due at once.
    fn new(bot: FollowedBot, client: Arc<LadderClient>) -> Self {
        let now = Instant::now();
        let records = bot
            .records
            .as_ref()
            .map(|folder| BotRecords::new(folder, &bot.name, &bot.arena));
        Self {
            bot,
            client,
            records,
            wanted: BTreeMap::new(),
            taken: HashSet::new(),
            reload: now,
            list: now,
            rest: now,
            page: MAX_GAMES_PER_PAGE,
            failed_looks: 0,
            rated: None,
            told: [false; 2],
        }
    }

    fn has_unfound(&self) -> bool {
        self.wanted.values().any(WantedGame::is_unfound)
    }

    fn store(&self) -> Result<Box<dyn Store>, ResultsError> {
        let password = self.bot.results.password.as_ref().map(|source| {
            source
                .password()
                .map_err(|error| ResultsError::Database(format!("{}: {error}", source.key())))
        });
        open(&self.bot.results.database, password.transpose()?.as_ref())
    }

    /// Reads from the database which games are wanted.
    fn reload(&mut self, board: &Board, rated: &UnboundedSender<RatedBot>) {
        match self.read() {
            Ok(()) => {
                self.reload = Instant::now() + RELOAD_EVERY;
                self.told[0] = false;
                self.give_up();
                self.write(board, rated);
                self.show(board, rated);
            }
            Err(error) => self.database_failed(&error),
        }
    }

    fn database_failed(&mut self, error: &ResultsError) {
        self.reload = Instant::now() + DATABASE_PAUSE;
        if !std::mem::replace(&mut self.told[0], true) {
            let name = &self.bot.name;
            tracing::warn!(bot = %name, "the database cannot be asked about games on the ladder: {error}; told once until it answers");
        }
    }

    fn read(&mut self) -> Result<(), ResultsError> {
        let filter = ResultsFilter {
            kind: ResultKind::Ladder,
            bot: Some(self.bot.name.clone()),
            policy: None,
            arena: Some(self.bot.arena.clone()),
            game: None,
            since_ms: milliseconds(OffsetDateTime::now_utc()) - FORGOTTEN_AFTER_MS,
        };
        let mut store = self.store()?;
        let mut known: HashMap<String, LadderRow> = HashMap::new();
        // Rows that no runner can have written are told by `stats`.
        store.read_ladder(&filter, &mut |row| {
            if let Ok(row) = row {
                known.insert(row.key.clone(), row);
            }
        })?;
        let mut results = Vec::new();
        store.read(&filter, &mut |row| results.extend(row.ok()))?;
        for result in results {
            let row = known
                .remove(&result.key)
                .unwrap_or_else(|| LadderRow::wanted(result.key.clone(), self.bot.ladder.bot_id));
            self.taken.extend(row.game_id.clone());
            self.note_rating(&result, &row);
            if row.is_settled() || self.wanted.contains_key(&result.key) {
                continue;
            }
            let next = Instant::now() + until_late_log(&row, result.ended_ms);
            let wanted = WantedGame {
                row,
                luck: None,
                unwritten: false,
                tries: 0,
                next,
                others: HashSet::new(),
                result,
            };
            self.wanted.insert(wanted.result.key.clone(), wanted);
        }
        Ok(())
    }

    fn note_rating(&mut self, result: &ResultRow, row: &LadderRow) {
        if let Some((now, change)) = row.rating_after().zip(row.rating_change)
            && self.rated.is_none_or(|(ended, _)| ended <= result.ended_ms)
        {
            self.rated = Some((result.ended_ms, BotRating { now, change }));
        }
    }

    /// Shows the newest rating.
    fn show(&self, board: &Board, rated: &UnboundedSender<RatedBot>) {
        let Some((_, rating)) = self.rated else {
            return;
        };
        board.note_rating(&self.bot.name, rating);
        // Without a listener nothing depends on it.
        let _ = rated.send(RatedBot {
            bot: self.bot.name.clone(),
            rating: rating.now,
        });
    }

    /// Gives up what was not found within a week.
    fn give_up(&mut self) {
        let limit = milliseconds(OffsetDateTime::now_utc()) - GIVE_UP_AFTER_MS;
        let (mut not_found, mut incomplete) = (0_u32, 0_u32);
        for game in self.wanted.values_mut() {
            if game.result.ended_ms >= limit {
                continue;
            }
            if game.is_unfound() {
                not_found += 1;
            } else {
                incomplete += 1;
            }
            for part in [&mut game.row.players, &mut game.row.log] {
                if matches!(*part, LadderPart::Waiting | LadderPart::Late) {
                    *part = LadderPart::GivenUp;
                }
            }
            game.unwritten = true;
        }
        if not_found > 0 || incomplete > 0 {
            tracing::warn!(
                bot = %self.bot.name,
                "given up after a week: games that are not on the ladder ({not_found}), and games whose players or log it \
                 does not have ({incomplete}); is ladder.bot_id right?"
            );
        }
    }

    /// Writes what is new to the database and forgets what is settled.
    fn write(&mut self, board: &Board, rated: &UnboundedSender<RatedBot>) {
        let new: Vec<LadderRow> = self
            .wanted
            .values()
            .filter(|game| game.unwritten)
            .map(|game| game.row.clone())
            .collect();
        if new.is_empty() {
            return;
        }
        let with_luck = self.wanted.iter().filter_map(|(key, game)| {
            let luck = game.luck.clone()?;
            Some((key.clone(), luck))
        });
        let luck: Vec<(String, SeatLuck)> = with_luck.collect();
        let written = self.store().and_then(|mut store| {
            // A game whose row is settled is not looked at again, so that comes last.
            store.write_luck(&luck)?;
            store.write_ladder(&new)
        });
        match written {
            Ok(()) => self.told[0] = false,
            // It is written with the next thing that is found.
            Err(error) => return self.database_failed(&error),
        }
        for row in &new {
            if let Some(game) = self.wanted.get_mut(&row.key) {
                (game.unwritten, game.luck) = (false, None);
                let result = game.result.clone();
                self.note_rating(&result, row);
            }
            if row.is_settled() {
                self.wanted.remove(&row.key);
                if let Some(records) = &mut self.records {
                    records.forget(&row.key);
                }
            }
        }
        self.show(board, rated);
    }

    /// Asks for the list, page by page, as far as wanted games may be on it; returns how many were
    /// found.
    fn look_at_list(
        &mut self,
        runtime: &Runtime,
        known: &mut KnownAnswers,
        is_ending: bool,
    ) -> u64 {
        let id = self.bot.ladder.bot_id;
        let unfound = self.wanted.values().filter(|game| game.is_unfound());
        let oldest = unfound.map(|game| game.result.ended_ms).min();
        let (mut cursor, mut seen): (Option<String>, HashSet<String>) = (None, HashSet::new());
        let mut listed: Vec<GameRow> = Vec::new();
        let mut has_failed = false;
        for _ in 0..MAX_PAGES {
            let page = runtime.block_on(self.client.games(id, self.page, cursor.as_deref()));
            let page = match page {
                Ok(page) => page,
                Err(error) => {
                    self.rest = Instant::now() + self.list_failed(&error);
                    has_failed = true;
                    break;
                }
            };
            self.told[1] = false;
            self.failed_looks = 0;
            let before = listed.len();
            let goes_on = page
                .games
                .last()
                .zip(oldest)
                .is_some_and(|(last, oldest)| may_follow(last, oldest));
            known.keep_rows(id, &page.games);
            for row in page.games {
                // A game that ends between two pages moves the others on.
                if seen.insert(row.game_id.clone()) {
                    listed.push(row);
                }
            }
            cursor = page.next_cursor.filter(|_| page.has_more);
            if cursor.is_none() || !goes_on || listed.len() == before {
                break;
            }
            if self.all_match(&listed) {
                break;
            }
        }
        let found = self.assign(&listed);
        // A look that failed was none.
        if !has_failed {
            self.list = Instant::now() + self.pause_of_list(is_ending);
        }
        found
    }

    /// How long the list is left alone: the longer, the longer its newest wanted game has ended.
    fn pause_of_list(&self, is_ending: bool) -> Duration {
        let newest = self
            .wanted
            .values()
            .filter(|game| game.is_unfound())
            .map(|game| game.result.ended_ms)
            .max();
        let age = milliseconds(OffsetDateTime::now_utc()) - newest.unwrap_or(0);
        let least = if is_ending { LAST_LOOKS } else { FIRST_LOOK };
        Duration::from_millis(u64::try_from(age / 2).unwrap_or(0)).clamp(least, MAX_PAUSE)
    }

    /// How long to wait after the list could not be had.
    fn list_failed(&mut self, error: &LadderError) -> Duration {
        if !std::mem::replace(&mut self.told[1], true) {
            tracing::warn!(bot = %self.bot.name, "its games cannot be looked for on the ladder: {error}; told once until it answers");
        }
        let pause = match error {
            LadderError::Refused { .. } if self.page > MIN_PAGE => {
                self.page -= 1;
                REFUSED_PAUSE
            }
            LadderError::Refused { .. } => MAX_PAUSE,
            error => pause_after(error, self.failed_looks),
        };
        self.failed_looks += 1;
        pause.min(MAX_PAUSE)
    }

    /// Whether each wanted game may be one of these.
    fn all_match(&self, listed: &[GameRow]) -> bool {
        self.wanted
            .values()
            .filter(|game| game.is_unfound())
            .all(|game| listed.iter().any(|row| self.is_candidate(game, row)))
    }

    /// Whether a row may be a game, and no other game has it.
    fn is_candidate(&self, game: &WantedGame, row: &GameRow) -> bool {
        may_be(row, &game.result)
            && !self.taken.contains(&row.game_id)
            && !game.others.contains(&row.game_id)
    }

    /// Gives the wanted games their rows; returns how many got one. The log confirms it, or sends
    /// the game back.
    fn assign(&mut self, listed: &[GameRow]) -> u64 {
        let mut games: Vec<(i64, &str)> = self
            .wanted
            .iter()
            .filter(|(_, game)| game.is_unfound())
            .map(|(key, game)| (game.result.ended_ms, key.as_str()))
            .collect();
        games.sort_unstable();
        let wanted: Vec<&WantedGame> = games.iter().map(|(_, key)| &self.wanted[*key]).collect();
        let is_wanted = |row: &&GameRow| wanted.iter().any(|game| self.is_candidate(game, row));
        let rows: Vec<&GameRow> = listed.iter().filter(is_wanted).collect();
        let ended: Vec<i64> = games.iter().map(|(ended, _)| *ended).collect();
        let aligned = align(&ended, &rows, |game, row| {
            self.is_candidate(wanted[game], rows[row])
        });
        let given: Vec<(String, &GameRow)> = games
            .iter()
            .zip(aligned)
            .filter_map(|((_, key), row)| Some(((*key).to_owned(), rows[row?])))
            .collect();
        let found = given.len() as u64;
        for (key, row) in given {
            self.taken.insert(row.game_id.clone());
            if let Some(game) = self.wanted.get_mut(&key) {
                game.row = LadderRow {
                    game_id: Some(row.game_id.clone()),
                    played_ms: played_ms(row),
                    rating_before: row.rating_before,
                    rating_change: row.rating_delta,
                    disconnected: row.is_disconnected,
                    penalized: row.is_penalized,
                    ..LadderRow::wanted(key, self.bot.ladder.bot_id)
                };
                (game.unwritten, game.tries, game.next) = (true, 0, Instant::now());
            }
        }
        found
    }

    /// Asks for the players of a found game, then for its log; `false` if it is another game.
    fn look_at_game(
        &mut self,
        key: &str,
        runtime: &Runtime,
        known: &mut KnownAnswers,
        judge: JudgeLog,
    ) -> bool {
        let Some(mut game) = self.wanted.remove(key) else {
            return true;
        };
        let id = game.row.game_id.clone().unwrap_or_default();
        let asked = if game.row.players == LadderPart::Waiting {
            self.ask_players(&mut game, &id, runtime, known)
        } else {
            match self.ask_log(&mut game, &id, runtime, known, judge) {
                Ok(true) => Ok(()),
                // It is another game: it is looked for again.
                Ok(false) => {
                    game.row = LadderRow::wanted(key.to_owned(), self.bot.ladder.bot_id);
                    game.others.insert(id);
                    self.list = self.list.min(Instant::now() + FIRST_LOOK);
                    Ok(())
                }
                Err(wait) => Err(wait),
            }
        };
        match asked {
            Ok(()) => {
                let next = Instant::now() + until_late_log(&game.row, game.result.ended_ms);
                (game.tries, game.next, game.unwritten) = (0, next, true);
            }
            Err(wait) => {
                game.tries += 1;
                game.next = Instant::now() + wait.min(MAX_PAUSE);
            }
        }
        if game.row.is_settled()
            && let Some(record) = self.record_of(&game.result)
            && let Err(error) = add_row(&record.path, &game.row)
        {
            self.tell_record(&record, &error);
        }
        let is_found = !game.is_unfound();
        self.wanted.insert(key.to_owned(), game);
        is_found
    }

    /// The record of a game, if there is one.
    fn record_of(&mut self, result: &ResultRow) -> Option<GameRecord> {
        self.records.as_mut()?.of(result)
    }

    fn tell_record(&self, record: &GameRecord, error: &std::io::Error) {
        let name = escaped(record.name().as_bytes());
        tracing::warn!(
            bot = %self.bot.name,
            "the record {name} cannot take what the ladder says: {error}"
        );
    }

    /// Asks who played, and what the ratings of the others were; an error is how long to wait.
    fn ask_players(
        &mut self,
        game: &mut WantedGame,
        id: &str,
        runtime: &Runtime,
        known: &mut KnownAnswers,
    ) -> Result<(), Duration> {
        if !known.games.contains_key(id) {
            match runtime.block_on(self.client.game(id)) {
                Ok(found) => drop(known.games.insert(id.to_owned(), found)),
                Err(LadderError::Refused { .. }) => {
                    game.row.players = LadderPart::Refused;
                    return Ok(());
                }
                Err(error) => return Err(pause_after(&error, game.tries)),
            }
        }
        let Some(found) = known.games.get(id).cloned() else {
            return Ok(());
        };
        let own = self.bot.ladder.bot_id;
        let others = || {
            found
                .players
                .iter()
                .filter(|player| player.bot_id != own && player.seat < game.result.players)
                .take(MAX_OPPONENTS)
        };
        let mut failed = None;
        for player in others() {
            // A page that was asked for after this game has it, or it is too old for that page.
            let is_known = known.rows.contains_key(&(player.bot_id, id.to_owned()))
                || known
                    .pages
                    .get(&player.bot_id)
                    .is_some_and(|&asked| asked > game.result.ended_ms + LATE_ROW_MS);
            if is_known {
                continue;
            }
            match runtime.block_on(self.client.games(player.bot_id, MAX_GAMES_PER_PAGE, None)) {
                Ok(page) => {
                    let now = milliseconds(OffsetDateTime::now_utc());
                    known.pages.insert(player.bot_id, now);
                    known.keep_rows(player.bot_id, &page.games);
                }
                Err(LadderError::Refused { .. }) => {
                    // Its ratings stay unknown.
                    known.pages.insert(player.bot_id, i64::MAX);
                }
                Err(error) => failed = Some(error),
            }
        }
        if let Some(error) = failed.filter(|_| game.tries + 1 < RATING_TRIES) {
            return Err(pause_after(&error, game.tries));
        }
        game.row.opponents = others()
            .map(|player| LadderOpponent {
                seat: player.seat,
                id: player.bot_id,
                name: player.bot_name.as_ref().map(ToString::to_string),
                rating: known
                    .rows
                    .get(&(player.bot_id, id.to_owned()))
                    .and_then(|row| row.rating_before),
                disconnected: player.is_disconnected,
                penalized: player.is_penalized,
            })
            .collect();
        game.row.players = LadderPart::Known;
        Ok(())
    }

    /// Asks for the log, and puts it into the game's record; `false` if it is of another game. An
    /// error is how long to wait.
    fn ask_log(
        &mut self,
        game: &mut WantedGame,
        id: &str,
        runtime: &Runtime,
        known: &mut KnownAnswers,
        judge: JudgeLog,
    ) -> Result<bool, Duration> {
        let Some(record) = self.record_of(&game.result) else {
            let age = milliseconds(OffsetDateTime::now_utc()) - game.result.ended_ms;
            if self.records.is_some() && age < LATE_RECORD_MS {
                return Err(PART_PAUSE);
            }
            // There is nothing to compare it with, and no place for it.
            game.row.log = LadderPart::GivenUp;
            return Ok(true);
        };
        let told = game.row.played_ms.or_else(|| {
            let at = known.games.get(id)?.played_at?;
            Some(milliseconds(at.moment()))
        });
        let kept = known.logs.iter().find(|(of, _)| of == id);
        let (mut log, mut last) = (kept.map(|(_, log)| Arc::clone(log)), None);
        for date in dates(told, game.result.ended_ms) {
            if log.is_some() {
                break;
            }
            match runtime.block_on(self.client.log(id, date)) {
                Ok(text) => {
                    let text = Arc::from(text);
                    known.keep_log(id, &text);
                    log = Some(text);
                }
                Err(error) => last = Some(error),
            }
        }
        let Some(log) = log else {
            return match last {
                // A log that is not there may come later.
                Some(LadderError::Refused { status, .. })
                    if status.as_u16() == 404 && game.row.log != LadderPart::Late =>
                {
                    game.row.log = LadderPart::Late;
                    Ok(true)
                }
                Some(LadderError::Refused { .. }) | None => {
                    game.row.log = LadderPart::Refused;
                    Ok(true)
                }
                Some(error) => Err(pause_after(&error, game.tries)),
            };
        };
        if let Ok((seen, is_cut)) = seen(&record) {
            let seat = game.result.seat.into();
            game.row.confirmed = is_same_game(&seen, &log, seat, is_cut);
            if !game.row.confirmed {
                let key = &game.result.key;
                tracing::debug!(bot = %self.bot.name, "the ladder's game {id} is another one than {key}");
                self.taken.remove(id);
                return Ok(false);
            }
        }
        let log = with_names(&log, &names(&game.row, &game.result));
        JudgedLog {
            contradiction: game.row.contradiction,
            luck: game.luck,
        } = judge(&log, game.result.seat);
        game.row.log = LadderPart::Known;
        if let Some(why) = &game.row.contradiction {
            tracing::warn!(
                bot = %self.bot.name,
                "the arena's log of the game {id} contradicts the rules: {}",
                escaped(why.as_bytes())
            );
        }
        if let Err(error) = add_open_game(&record.path, &log) {
            self.tell_record(&record, &error);
        }
        Ok(true)
    }
}

/// The names of the players by seats, as records have them.
fn names(row: &LadderRow, result: &ResultRow) -> Vec<String> {
    let name = |seat: u8| {
        if seat == result.seat {
            return result.bot.clone();
        }
        let opponent = row.opponents.iter().find(|other| other.seat == seat);
        opponent
            .and_then(|opponent| opponent.name.clone())
            .unwrap_or_else(|| format!("seat {seat}"))
    };
    (0..result.players).map(name).collect()
}

/// The time until a log that was not there is asked for once more; none for any other.
fn until_late_log(row: &LadderRow, ended_ms: i64) -> Duration {
    if row.log != LadderPart::Late {
        return Duration::ZERO;
    }
    let age = milliseconds(OffsetDateTime::now_utc()) - ended_ms;
    let age = Duration::from_millis(u64::try_from(age).unwrap_or(0));
    // It was asked for some time after the end of the game.
    (LadderClient::LATE_LOG + MAX_PAUSE).saturating_sub(age)
}

/// How long to wait after an error before the same is asked for again.
fn pause_after(error: &LadderError, tries: u32) -> Duration {
    match error {
        LadderError::AsksToWait { wait, .. } => *wait,
        _ => PART_PAUSE * 2_u32.saturating_pow(tries.min(10)),
    }
}

/// The dates that may be in the address of a log.
fn dates(told_ms: Option<i64>, ended_ms: i64) -> Vec<Date> {
    let (at, near) = match told_ms {
        Some(told) => (told, NEAR_MIDNIGHT_MS),
        None => (ended_ms, NEAR_MIDNIGHT_UNTOLD_MS),
    };
    let of_day = at.rem_euclid(DAY_MS);
    let mut moments = vec![at];
    if of_day < near {
        moments.push(at - near);
    } else if of_day >= DAY_MS - near {
        moments.push(at + near);
    }
    let date = |ms: i64| {
        OffsetDateTime::from_unix_timestamp(ms.div_euclid(1000))
            .ok()
            .map(OffsetDateTime::date)
    };
    moments.into_iter().filter_map(date).collect()
}

#[cfg(test)]
mod tests {
    use ladder::LadderAddress;
    use results::DatabaseAddress;

    use super::*;

    fn search() -> BotSearch {
        let address = LadderAddress::parse("http://127.0.0.1:1").expect("an address");
        let ladder = LadderConfig {
            bot_id: 7,
            api: address.clone(),
            logs: address.clone(),
        };
        let bot = FollowedBot {
            name: "kuma".to_owned(),
            arena: "an arena".to_owned(),
            ladder,
            results: ResultsConfig {
                database: DatabaseAddress::Sqlite("results.db".into()),
                password: None,
                spool: "spool".into(),
            },
            records: None,
        };
        let client = LadderClient::new(address.clone(), address, "1").expect("a client");
        BotSearch::new(bot, Arc::new(client))
    }

    #[test]
    fn after_a_refused_list_the_search_rests_and_then_asks_for_a_shorter_page() {
        let mut search = search();
        let refused = LadderError::Refused {
            address: "http://127.0.0.1:1".to_owned(),
            status: ladder::StatusCode::FORBIDDEN,
        };
        for page in (MIN_PAGE..MAX_GAMES_PER_PAGE).rev() {
            assert_eq!(search.list_failed(&refused), REFUSED_PAUSE);
            assert_eq!(search.page, page);
        }
        // Every address has been refused.
        assert_eq!(search.list_failed(&refused), MAX_PAUSE);
        assert_eq!(search.page, MIN_PAGE);
        let busy = LadderError::NoAnswer {
            address: "http://127.0.0.1:1".to_owned(),
            tries: 3,
            why: String::new(),
        };
        search.list_failed(&busy);
        assert_eq!(search.page, MIN_PAGE, "a busy server has refused nothing");
    }

    #[test]
    fn a_late_log_is_asked_for_once_more_after_a_day() {
        let hours = |hours: u64| Duration::from_secs(3600 * hours);
        let mut row = LadderRow::wanted("a game".to_owned(), 7);
        let now = milliseconds(OffsetDateTime::now_utc());
        assert_eq!(until_late_log(&row, now), Duration::ZERO);
        row.log = LadderPart::Late;
        let wait = until_late_log(&row, now);
        assert!(wait > hours(24) && wait <= hours(25), "{wait:?}");
        assert_eq!(until_late_log(&row, now - 26 * 3_600_000), Duration::ZERO);
        assert!(!row.is_settled());
    }

    #[test]
    fn the_address_of_a_log_around_midnight_may_have_either_date() {
        let moment = |text: &str| {
            let moment =
                OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339);
            milliseconds(moment.expect("a time"))
        };
        let told = |told: Option<&str>, ended: &str| {
            dates(told.map(moment), moment(ended))
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        let noon = "2026-11-29T12:00:00Z";
        assert_eq!(told(Some(noon), noon), ["2026-11-29"]);
        assert_eq!(
            told(Some("2026-11-29T00:03:00Z"), noon),
            ["2026-11-29", "2026-11-28"]
        );
        assert_eq!(
            told(Some("2026-11-29T23:59:00Z"), noon),
            ["2026-11-29", "2026-11-30"]
        );
        assert_eq!(
            told(None, "2026-11-29T01:00:00Z"),
            ["2026-11-29", "2026-11-28"]
        );
    }
}

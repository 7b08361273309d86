//! The threads of this process that write the records of a folder.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::{fmt, io, thread};

use time::OffsetDateTime;
use tokio::sync::Semaphore;

use super::folder::remove;
use super::game_record::list;
use super::leftovers::{clear_leftovers, settle_leftovers};
use super::manifest::{Manifest, RecordState};
use super::message::{GameBegin, GameEnding, GameNumber, RecordEntry, RecorderMessage};
use super::names::is_of;
use super::open_game::OpenGame;
use super::recorded_bot::RecordedBot;
use super::retention::{Retention, surplus};
use crate::place::short;

/// The folders in which this process keeps records, each with its threads by number. A folder on a
/// disk that hangs does not delay the others.
static WRITERS: Mutex<BTreeMap<PathBuf, BTreeMap<u64, FolderWriter>>> = Mutex::new(BTreeMap::new());

/// Maximum number of threads of a folder. The end of a record waits several times for the disk: a
/// single thread fell behind fifty bots at full speed, and their records were cut.
const MAX_THREADS: u64 = 8;

/// The remaining bytes that may wait for the disk, for all bots: the number of bots does not change
/// the limit.
static ALL_ROOM: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(64 << 20)));

/// A handle of a thread that writes records of a folder.
#[derive(Debug, Clone)]
pub(super) struct FolderWriter {
    messages: Sender<RecorderMessage>,
    trouble: Arc<FolderTrouble>,
}

impl FolderWriter {
    /// The thread of this folder that writes the records of this bot.
    pub(super) fn of(folder: &Path, bot: &str) -> io::Result<Self> {
        let mut hasher = DefaultHasher::new();
        bot.hash(&mut hasher);
        let number = hasher.finish() % MAX_THREADS;
        let mut writers = WRITERS.lock().unwrap_or_else(PoisonError::into_inner);
        let of_folder = writers.entry(folder.to_owned()).or_default();
        if let Some(writer) = of_folder.get(&number) {
            return Ok(writer.clone());
        }
        let trouble = of_folder
            .values()
            .next()
            .map_or_else(|| FolderTrouble::of(folder), |one| Arc::clone(&one.trouble));
        let (writer, thread, messages) = Self::new(trouble);
        thread::Builder::new()
            .name("records".to_owned())
            .spawn(move || thread.work(&messages))?;
        of_folder.insert(number, writer.clone());
        Ok(writer)
    }

    fn new(trouble: Arc<FolderTrouble>) -> (Self, WriterThread, Receiver<RecorderMessage>) {
        let (sender, messages) = mpsc::channel();
        let (games, untidy, warned) = Default::default();
        let thread = WriterThread {
            trouble: Arc::clone(&trouble),
            games,
            untidy,
            warned,
        };
        (
            Self {
                messages: sender,
                trouble,
            },
            thread,
            messages,
        )
    }

    /// Passes an entry of a bot's game on, or returns it if too much is waiting.
    pub(super) fn offer(
        &self,
        bot: &RecordedBot,
        game: GameNumber,
        entry: RecordEntry,
    ) -> Result<(), RecordEntry> {
        let bytes = u32::try_from(entry.bytes()).unwrap_or(u32::MAX);
        let take = |room: &Arc<Semaphore>| Arc::clone(room).try_acquire_many_owned(bytes).ok();
        let (Some(own), Some(all)) = (take(&bot.room), take(&ALL_ROOM)) else {
            return Err(entry);
        };
        self.tell(RecorderMessage::Entry(game, entry, [own, all]));
        Ok(())
    }

    /// Sends a message that must arrive and takes little memory.
    pub(super) fn tell(&self, message: RecorderMessage) {
        // Without the thread there are no records; the games are still played.
        let _ = self.messages.send(message);
    }

    /// Reports that a game's record ends early because too much is waiting.
    pub(super) fn breaks_off(&self) {
        let what =
            "the record of this game ends early: the disk is too slow for it; the game continues";
        self.trouble.failed(format_args!("{what}"));
    }
}

/// Reports problems with a folder, once until a record has been written again.
#[derive(Debug)]
struct FolderTrouble {
    folder: PathBuf,
    /// Whether the last record could not be written.
    failing: AtomicBool,
}

impl FolderTrouble {
    fn of(folder: &Path) -> Arc<Self> {
        Arc::new(Self {
            folder: folder.to_owned(),
            failing: AtomicBool::new(false),
        })
    }

    /// Reports that a record could not be written: as a warning the first time, and again after a
    /// success.
    fn failed(&self, what: fmt::Arguments<'_>) {
        if self.failing.swap(true, Ordering::Relaxed) {
            tracing::debug!("{what}");
        } else {
            let folder = short(&self.folder);
            let folder = folder.display();
            tracing::warn!("{what} (logged once, until {folder} takes a whole record again)");
        }
    }

    /// Notes that a complete record has been written.
    fn succeeded(&self) {
        if self.failing.swap(false, Ordering::Relaxed) {
            tracing::info!(
                "records are kept in {} again",
                short(&self.folder).display()
            );
        }
    }
}

struct WriterThread {
    trouble: Arc<FolderTrouble>,
    /// The games in progress, with their bots; without a record if none could be created.
    games: HashMap<GameNumber, (Arc<RecordedBot>, Option<OpenGame>)>,
    /// The bots that may have too many records.
    untidy: BTreeMap<String, Retention>,
    /// The folders for which a warning was logged.
    warned: HashSet<PathBuf>,
}

impl WriterThread {
    /// Writes the messages until their senders are dropped.
    fn work(mut self, messages: &Receiver<RecorderMessage>) {
        loop {
            // Searching a large folder takes time, so it is done when no message waits.
            let message = messages.try_recv().or_else(|_| {
                self.tidy();
                messages.recv()
            });
            let Ok(message) = message else { break };
            match message {
                RecorderMessage::Tidy(bot) => self.tidy_later(&bot),
                RecorderMessage::Begin(number, begin) => self.begin(number, *begin),
                RecorderMessage::Entry(number, entry, _room) => self.keep(number, &entry),
                RecorderMessage::End(number, ending) => self.end(number, *ending),
                // The caller may have stopped waiting.
                RecorderMessage::Finish(written) => _ = written.send(()),
                RecorderMessage::Hang(until) => _ = until.recv(),
            }
        }
    }

    fn begin(&mut self, number: GameNumber, begin: GameBegin) {
        let game = OpenGame::begin(&begin).map_err(|error| {
            let (name, folder) = (&begin.bot.options.about.bot, short(&self.trouble.folder));
            let folder = folder.display();
            let what = "this game gets no record: nothing can be written to";
            self.trouble
                .failed(format_args!("{name}: {what} {folder}: {error}"));
            begin.bot.count(|counts| counts.none += 1);
        });
        self.games.insert(number, (begin.bot, game.ok()));
    }

    fn keep(&mut self, number: GameNumber, entry: &RecordEntry) {
        let Some((bot, game)) = self.games.get_mut(&number) else {
            return;
        };
        let Some(game) = game else {
            return bot.count(|counts| counts.missing += 1);
        };
        if let Err(error) = game.keep(entry, &bot.options) {
            let name = &bot.options.about.bot;
            self.trouble.failed(format_args!(
                "{name}: the record of this game ends early: {error}; the game continues"
            ));
        }
    }

    fn end(&mut self, number: GameNumber, ending: GameEnding) {
        let Some((bot, game)) = self.games.remove(&number) else {
            return;
        };
        self.tidy_later(&bot);
        let Some(mut game) = game else {
            return bot.count(|counts| counts.missing += ending.missing.total());
        };
        let finished = game.finish(ending, bot.options.token.as_ref());
        let Manifest { state, missing, .. } = game.manifest();
        let name = &bot.options.about.bot;
        match &finished {
            Ok(path) => {
                tracing::debug!("{name}: record {}", short(path).display());
                if *state == RecordState::Complete {
                    self.trouble.succeeded();
                }
            }
            Err(error) => self.trouble.failed(format_args!(
                "{name}: a record could not be finished; this is retried later: {error}"
            )),
        }
        bot.count(|counts| {
            let count = match (&finished, state) {
                (Ok(_), RecordState::Complete) => &mut counts.complete,
                (Ok(_), _) => &mut counts.cut,
                (Err(_), _) => &mut counts.none,
            };
            *count += 1;
            counts.missing += missing.total();
        });
    }

    fn tidy_later(&mut self, bot: &RecordedBot) {
        self.untidy
            .insert(bot.options.about.bot.clone(), bot.options.retention);
    }

    /// Publishes unfinished records of processes that have ended, and removes records beyond the
    /// bots' limits.
    fn tidy(&mut self) {
        if self.untidy.is_empty() {
            return;
        }
        let folder = &self.trouble.folder;
        let mut warn = |path: &Path, what: fmt::Arguments<'_>| {
            if self.warned.insert(path.to_owned()) {
                tracing::warn!("{}: {what}", short(path).display());
            }
        };
        settle_leftovers(folder, |path, error| {
            warn(path, format_args!("the record cannot be finished: {error}"))
        });
        clear_leftovers(folder);
        for (bot, retention) in std::mem::take(&mut self.untidy) {
            if retention == Retention::default() {
                continue;
            }
            // Without a folder there are no records yet.
            let Ok((mut records, _)) = list(folder, |name| is_of(name, &bot)) else {
                return;
            };
            records.retain(|record| record.manifest.about.bot == bot);
            for record in surplus(records, retention, OffsetDateTime::now_utc()) {
                if let Err(error) = remove(&record.path) {
                    warn(
                        &record.path,
                        format_args!("an expired record cannot be removed: {error}"),
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio_tungstenite::tungstenite::Utf8Bytes;

    use super::*;
    use crate::records::KeeperOptions;
    use crate::records::manifest::tests::manifest;

    #[test]
    fn bots_share_the_bytes_of_the_process_and_each_has_its_own_limit() {
        let (writer, _thread, messages) =
            FolderWriter::new(FolderTrouble::of(Path::new("nowhere")));
        let options = KeeperOptions {
            folder: PathBuf::new(),
            retention: Retention::default(),
            about: manifest("kuma").about,
            rules: riichi::Rules::TENHOU_HALF,
            token: None,
        };
        let offer = |bot: &RecordedBot, text: &Utf8Bytes| {
            let entry = RecordEntry::Frame {
                at: Duration::ZERO,
                text: text.clone(),
                took: None,
            };
            writer.offer(bot, GameNumber::next(), entry).is_ok()
        };
        let (large, small) = (
            Utf8Bytes::from("x".repeat((8 << 20) - 512)),
            Utf8Bytes::from("x"),
        );
        let bots: Vec<RecordedBot> = (0..9).map(|_| RecordedBot::new(options.clone())).collect();
        for bot in &bots[..8] {
            assert!(
                offer(bot, &large) && !offer(bot, &small),
                "its own bytes are taken"
            );
        }
        assert!(!offer(&bots[8], &small), "the bytes of all are taken");
        drop(messages.try_recv());
        assert!(
            offer(&bots[8], &small) && offer(&bots[0], &small),
            "finished records do not wait in the queue"
        );
    }
}

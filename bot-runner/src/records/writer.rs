//! The thread that writes a bot's records.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};

use time::OffsetDateTime;

use super::disk::Disk;
use super::keeper::{Begin, Item, KeeperOptions, Message, RecordCounts};
use super::leftovers::settle_leftovers;
use super::manifest::State;
use super::open_game::OpenGame;
use super::published::list;
use super::recorder::Ending;
use super::retention::{prune, surplus};

pub(super) struct Writer {
    options: KeeperOptions,
    disk: Box<dyn Disk>,
    counts: Arc<Mutex<RecordCounts>>,
    game: Option<OpenGame>,
}

impl Writer {
    pub(super) fn new(options: KeeperOptions, disk: Box<dyn Disk>, counts: Arc<Mutex<RecordCounts>>) -> Self {
        Self { options, disk, counts, game: None }
    }

    /// Writes what it hears of until nobody can tell it any more.
    pub(super) fn work(mut self, inbox: &Receiver<Message>, waiting: &AtomicUsize) {
        self.tidy();
        while let Ok(message) = inbox.recv() {
            match message {
                Message::Begin(begin) => self.begin(&begin),
                Message::Item(item) => {
                    let bytes = item.bytes();
                    self.keep(item);
                    waiting.fetch_sub(bytes, Ordering::Relaxed);
                }
                Message::End(ending) => {
                    self.end(*ending);
                    self.tidy();
                }
                Message::Finish(written) => {
                    self.end_unknown();
                    // Who asked may have stopped waiting.
                    let _ = written.send(());
                }
            }
        }
        self.end_unknown();
    }

    fn begin(&mut self, begin: &Begin) {
        self.end_unknown();
        let KeeperOptions { folder, about, rules, .. } = &self.options;
        match OpenGame::begin(folder, about, *rules, begin, &mut *self.disk) {
            Ok(game) => self.game = Some(game),
            Err(error) => {
                let (bot, folder) = (&about.bot, folder.display());
                tracing::warn!("{bot}: this game gets no record, for nothing can be written to {folder}: {error}");
                self.count(|counts| counts.none += 1);
            }
        }
    }

    fn keep(&mut self, item: Item) {
        let Some(game) = &mut self.game else {
            return self.count(|counts| counts.missing += 1);
        };
        if let Some(error) = game.keep(item, self.options.token.as_ref(), &mut *self.disk) {
            let bot = &self.options.about.bot;
            tracing::warn!("{bot}: the record of this game breaks off here: {error}; the game goes on");
        }
    }

    fn end(&mut self, ending: Ending) {
        let Some(game) = self.game.take() else {
            return self.count(|counts| counts.missing += ending.missing.total());
        };
        match game.finish(ending, self.options.token.as_ref(), &mut *self.disk) {
            Ok((path, manifest)) => {
                let complete = manifest.state == State::Complete;
                tracing::info!("{}: record {}", self.options.about.bot, path.display());
                self.count(|counts| {
                    *(if complete { &mut counts.complete } else { &mut counts.cut }) += 1;
                    counts.missing += manifest.missing.total();
                });
            }
            Err(error) => {
                let bot = &self.options.about.bot;
                tracing::warn!("{bot}: a record could not be finished; that is tried again later: {error}");
                self.count(|counts| counts.none += 1);
            }
        }
    }

    fn end_unknown(&mut self) {
        if self.game.is_some() {
            self.end(Ending::unknown());
        }
    }

    fn count(&self, count: impl FnOnce(&mut RecordCounts)) {
        count(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Publishes what others left behind, and removes what has had its time.
    fn tidy(&self) {
        let KeeperOptions { folder, retention, about, .. } = &self.options;
        settle_leftovers(folder);
        // Without a folder there are no records yet.
        let Ok((mut records, _)) = list(folder) else { return };
        records.retain(|record| record.manifest.about.bot == about.bot);
        for record in &records[..surplus(&records, *retention, OffsetDateTime::now_utc())] {
            if let Err(error) = prune(&record.path) {
                tracing::warn!("{}: the record has had its time and cannot be removed: {error}", record.path.display());
            }
        }
    }
}

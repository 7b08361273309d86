//! The thread that writes a bot's records.

use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};

use super::disk::Disk;
use super::keeper::{Begin, Item, KeeperOptions, Message, RecordCounts};
use super::manifest::{Manifest, State};
use super::open_game::OpenGame;
use super::recorder::Ending;
use super::shelf::Shelf;

pub(super) struct Writer {
    options: KeeperOptions,
    shelf: Arc<Shelf>,
    disk: Box<dyn Disk>,
    counts: Arc<Mutex<RecordCounts>>,
    game: Option<OpenGame>,
}

impl Writer {
    pub(super) fn new(
        options: KeeperOptions,
        shelf: Arc<Shelf>,
        disk: Box<dyn Disk>,
        counts: Arc<Mutex<RecordCounts>>,
    ) -> Self {
        Self { options, shelf, disk, counts, game: None }
    }

    /// Writes what it hears of until nobody can tell it any more.
    pub(super) fn work(mut self, inbox: &Receiver<Message>) {
        // Looking through a large folder takes its time, and is done when nothing else waits.
        let mut untidy = true;
        loop {
            let message = match inbox.try_recv() {
                Ok(message) => message,
                Err(TryRecvError::Disconnected) => break,
                Err(TryRecvError::Empty) => {
                    if std::mem::take(&mut untidy) {
                        self.tidy();
                    }
                    let Ok(message) = inbox.recv() else { break };
                    message
                }
            };
            match message {
                Message::Begin(begin) => self.begin(&begin),
                Message::Item(item, _place) => self.keep(item),
                Message::End(ending) => {
                    self.end(*ending);
                    untidy = true;
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
                let what = "this game gets no record, for nothing can be written to";
                self.shelf.failed(format_args!("{bot}: {what} {folder}: {error}"));
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
            self.shelf
                .failed(format_args!("{bot}: the record of this game breaks off here: {error}; the game goes on"));
        }
    }

    fn end(&mut self, ending: Ending) {
        let Some(mut game) = self.game.take() else {
            return self.count(|counts| counts.missing += ending.missing.total());
        };
        let finished = game.finish(ending, self.options.token.as_ref(), &mut *self.disk);
        let Manifest { state, missing, .. } = game.manifest();
        let bot = &self.options.about.bot;
        match &finished {
            Ok(path) => {
                tracing::info!("{bot}: record {}", path.display());
                if *state == State::Complete {
                    self.shelf.succeeded();
                }
            }
            Err(error) => self
                .shelf
                .failed(format_args!("{bot}: a record could not be finished; that is tried again later: {error}")),
        }
        self.count(|counts| {
            let count = match (&finished, state) {
                (Ok(_), State::Complete) => &mut counts.complete,
                (Ok(_), _) => &mut counts.cut,
                (Err(_), _) => &mut counts.none,
            };
            *count += 1;
            counts.missing += missing.total();
        });
        if finished.is_err() {
            // There may be room for what is less than the whole. It is settled by whoever holds no part of it.
            drop(game);
            self.tidy();
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

    fn tidy(&self) {
        self.shelf.tidy(&self.options.about.bot, self.options.retention);
    }
}

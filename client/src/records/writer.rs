//! The thread that writes a bot's records.

use std::collections::BTreeMap;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};

use super::counts::RecordCounts;
use super::disk::Disk;
use super::manifest::{Manifest, RecordState};
use super::message::{GameBegin, GameEnding, OpenGameNumber, RecordEntry, RecorderMessage};
use super::open_game::OpenGame;
use super::options::KeeperOptions;
use super::shared_folder::SharedFolder;
use crate::place::short;

pub(super) struct Writer {
    options: KeeperOptions,
    folder: Arc<SharedFolder>,
    disk: Box<dyn Disk>,
    counts: Arc<Mutex<RecordCounts>>,
    /// The games that are on.
    games: BTreeMap<OpenGameNumber, OpenGame>,
}

impl Writer {
    pub(super) fn new(
        options: KeeperOptions,
        folder: Arc<SharedFolder>,
        disk: Box<dyn Disk>,
        counts: Arc<Mutex<RecordCounts>>,
    ) -> Self {
        Self { options, folder, disk, counts, games: BTreeMap::new() }
    }

    /// Writes what it is told until nobody can tell it any more.
    pub(super) fn work(mut self, messages: &Receiver<RecorderMessage>) {
        // Looking through a large folder takes its time, and is done when nothing else waits.
        let mut untidy = true;
        loop {
            let message = messages.try_recv().or_else(|_| {
                if std::mem::take(&mut untidy) {
                    self.tidy();
                }
                messages.recv()
            });
            let Ok(message) = message else { break };
            match message {
                RecorderMessage::Begin(number, begin) => self.begin(number, &begin),
                RecorderMessage::Entry(number, entry, _reserved) => self.keep(number, &entry),
                RecorderMessage::End(number, ending) => {
                    self.end(number, *ending);
                    untidy = true;
                }
                RecorderMessage::Finish(written) => {
                    self.end_all();
                    // Whoever asked may have stopped waiting.
                    let _ = written.send(());
                }
            }
        }
        self.end_all();
    }

    fn begin(&mut self, number: OpenGameNumber, begin: &GameBegin) {
        self.end_unknown(number);
        match OpenGame::begin(&self.options, begin, &mut *self.disk) {
            Ok(game) => _ = self.games.insert(number, game),
            Err(error) => {
                let (bot, folder) = (&self.options.about.bot, short(&self.options.folder).display());
                let what = "this game gets no record, for nothing can be written to";
                self.folder.failed(format_args!("{bot}: {what} {folder}: {error}"));
                self.count(|counts| counts.none += 1);
            }
        }
    }

    fn keep(&mut self, number: OpenGameNumber, entry: &RecordEntry) {
        let Some(game) = self.games.get_mut(&number) else {
            return self.count(|counts| counts.missing += 1);
        };
        if let Some(error) = game.keep(entry, &self.options, &mut *self.disk) {
            let bot = &self.options.about.bot;
            self.folder
                .failed(format_args!("{bot}: the record of this game breaks off here: {error}; the game goes on"));
        }
    }

    fn end(&mut self, number: OpenGameNumber, ending: GameEnding) {
        let Some(mut game) = self.games.remove(&number) else {
            return self.count(|counts| counts.missing += ending.missing.total());
        };
        let finished = game.finish(ending, self.options.token.as_ref(), &mut *self.disk);
        let Manifest { state, missing, .. } = game.manifest();
        let bot = &self.options.about.bot;
        match &finished {
            Ok(path) => {
                tracing::info!("{bot}: record {}", short(path).display());
                if *state == RecordState::Complete {
                    self.folder.succeeded();
                }
            }
            Err(error) => self
                .folder
                .failed(format_args!("{bot}: a record could not be finished; that is tried again later: {error}")),
        }
        self.count(|counts| {
            let count = match (&finished, state) {
                (Ok(_), RecordState::Complete) => &mut counts.complete,
                (Ok(_), _) => &mut counts.cut,
                (Err(_), _) => &mut counts.none,
            };
            *count += 1;
            counts.missing += missing.total();
        });
        if finished.is_err() {
            // There may be room for less than the whole. Its lock has to be free for that.
            drop(game);
            self.tidy();
        }
    }

    fn end_unknown(&mut self, number: OpenGameNumber) {
        if self.games.contains_key(&number) {
            self.end(number, GameEnding::unknown());
        }
    }

    fn end_all(&mut self) {
        while let Some((&number, _)) = self.games.first_key_value() {
            self.end(number, GameEnding::unknown());
        }
    }

    fn count(&self, count: impl FnOnce(&mut RecordCounts)) {
        count(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn tidy(&self) {
        self.folder.tidy(&self.options.about.bot, self.options.retention);
    }
}

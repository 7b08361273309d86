//! The thread that moves results from the spool into the database.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use secrecy::SecretString;

use crate::address::DatabaseAddress;
use crate::error::ResultsError;
use crate::kept::ResultRow;
use crate::open::open;
use crate::shared::{KeeperShared, ShipRequest};
use crate::spool::{Spool, SpoolEntry};
use crate::store::Store;

/// Delays between attempts while the database is unavailable.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const MAX_WAIT: Duration = Duration::from_secs(60);
/// Number of files written in one transaction.
const AT_ONCE: usize = 64;

/// Fetches the password of a database; an error says why there is none.
pub(crate) type FetchPassword = Box<dyn Fn() -> Result<SecretString, String> + Send>;

/// Moves results from the spool into the database.
pub(crate) struct Shipper {
    address: DatabaseAddress,
    password: Option<FetchPassword>,
    /// Receives what takes the place of `password`.
    passwords: Receiver<FetchPassword>,
    spool: Spool,
    shared: Arc<KeeperShared>,
    store: Option<Box<dyn Store>>,
    told_newer: bool,
    /// The reason why a file of the spool could not be read in this round.
    unread: Option<io::Error>,
}

impl Shipper {
    pub(crate) fn new(
        address: DatabaseAddress,
        passwords: Receiver<FetchPassword>,
        spool: Spool,
        shared: Arc<KeeperShared>,
    ) -> Self {
        Self {
            address,
            password: None,
            passwords,
            spool,
            shared,
            store: None,
            told_newer: false,
            unread: None,
        }
    }

    /// Works until no more results can come.
    pub(crate) fn work(mut self) {
        match self.spool.adopt() {
            Ok(0) => {}
            Ok(files) => {
                tracing::info!("a process that was killed left {files} whole results in the spool")
            }
            Err(error) => {
                tracing::warn!("results that a killed process left cannot be read: {error}")
            }
        }
        for told in self.told_of_others() {
            tracing::warn!("{told}");
        }
        // The delay before the next attempt, while the database is unavailable.
        let mut wait: Option<Duration> = None;
        let mut request = ShipRequest::default();
        loop {
            match (self.ship(), wait) {
                (Ok(_), None) => {}
                (Ok(moved), Some(_)) => {
                    wait = None;
                    tracing::info!(
                        "results are written to {} again; {moved} had waited",
                        self.address
                    );
                }
                (Err(error), None) => {
                    wait = Some(FIRST_WAIT);
                    tracing::warn!(
                        "results cannot be written to the database: {error}; they wait in {} and are written when it takes \
                         them; told once",
                        self.spool.folder.display()
                    );
                }
                (Err(error), Some(last)) => {
                    wait = Some((last * 2).min(MAX_WAIT));
                    tracing::debug!("results still cannot be written: {error}");
                }
            }
            for done in request.asked {
                // The caller may have stopped waiting.
                let _ = done.send(());
            }
            if request.last {
                return;
            }
            if wait.is_some() {
                self.store = None;
            }
            request = self
                .shared
                .next_for_shipper(wait.map(|wait| Instant::now() + wait));
        }
    }

    /// What to say of the results that wait in the spool for other databases.
    fn told_of_others(&self) -> Vec<String> {
        // A spool that cannot be listed is reported when results are moved.
        let others = self.spool.others().unwrap_or_default();
        if !others.is_empty() {
            // The user may move them there; it is made again when results need it.
            let _ = self.spool.make();
        }
        let told = |(folder, files): (PathBuf, usize)| {
            format!(
                "results wait for another database in {} ({files} {}); a run that stores results in it, with this spool, \
                 writes them. If it is the same as {}, whose address has changed, move the files into {}",
                folder.display(),
                if files == 1 { "file" } else { "files" },
                self.address,
                self.spool.own.display()
            )
        };
        others.into_iter().map(told).collect()
    }

    /// Moves all results; returns their number.
    fn ship(&mut self) -> Result<u64, ResultsError> {
        let mut moved = 0;
        loop {
            let mut left = 0;
            // Results that are only in memory come first.
            while let Some(unkept) = self.shared.next_for_database() {
                left += unkept.results.len();
                self.write(&unkept.results)?;
                moved += unkept.results.len() as u64;
                self.shared.kept(&unkept);
            }
            let waiting = self
                .spool
                .waiting()
                .map_err(|error| self.spool_error(&error))?;
            for files in waiting.chunks(AT_ONCE) {
                let (results, files) = self.read(files);
                left += results.len();
                self.write(&results)?;
                moved += results.len() as u64;
                for file in files {
                    // They are written again next time, and found there.
                    Spool::remove(&file).map_err(|error| self.spool_error(&error))?;
                }
            }
            if left == 0 {
                return self
                    .unread
                    .take()
                    .map_or(Ok(moved), |error| Err(self.spool_error(&error)));
            }
        }
    }

    /// The results in files, and the files that contained them.
    fn read(&mut self, files: &[PathBuf]) -> (Vec<ResultRow>, Vec<PathBuf>) {
        let (mut all, mut read) = (Vec::new(), Vec::new());
        for path in files {
            match Spool::read(path) {
                Ok(SpoolEntry::Waiting(results)) => {
                    all.extend(results);
                    read.push(path.clone());
                }
                Ok(SpoolEntry::Gone) => {}
                Ok(SpoolEntry::Bad(why)) => {
                    tracing::warn!("{} holds no results: {why}", path.display())
                }
                Ok(SpoolEntry::Newer) if std::mem::replace(&mut self.told_newer, true) => {}
                Ok(SpoolEntry::Newer) => {
                    tracing::warn!(
                        "{} was written by a newer version of bot-runner; only that version can read it",
                        path.display()
                    );
                }
                // The others are written anyway.
                Err(error) => {
                    let error =
                        io::Error::new(error.kind(), format!("{}: {error}", path.display()));
                    self.unread.get_or_insert(error);
                }
            }
        }
        (all, read)
    }

    fn write(&mut self, results: &[ResultRow]) -> Result<(), ResultsError> {
        if results.is_empty() {
            return Ok(());
        }
        let store = match &mut self.store {
            Some(store) => store,
            closed => {
                self.password = self.passwords.try_iter().last().or(self.password.take());
                let password = self.password.as_ref().map(|fetch| fetch()).transpose();
                closed.insert(open(
                    &self.address,
                    password.map_err(ResultsError::Database)?.as_ref(),
                )?)
            }
        };
        // A result may come from memory and again from the spool: it counts once.
        let new = store.write(results)?;
        self.shared.count_written(new);
        Ok(())
    }

    fn spool_error(&self, error: &io::Error) -> ResultsError {
        ResultsError::Database(format!(
            "{} cannot be used: {error}",
            self.spool.folder.display()
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn it_says_what_waits_for_another_database_and_what_to_do_if_the_address_has_changed() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let spool = folder.path().join("spool");
        let shipper = |text: &str| {
            let address = DatabaseAddress::parse(text, Path::new("")).expect("an address");
            let spool = Spool::new(&spool, &address);
            Shipper::new(address, channel().1, spool, Arc::default())
        };
        let (old, new) = (
            shipper("postgres://bots@old/games"),
            shipper("postgres://bots@new/games"),
        );
        fs::create_dir_all(spool.join("notes")).expect("it can be made");
        fs::write(spool.join("notes/a.json"), "mine").expect("it can be written");
        assert_eq!(new.told_of_others(), Vec::<String>::new());
        old.spool.make().expect("it can be made");
        assert_eq!(
            new.told_of_others(),
            Vec::<String>::new(),
            "nothing waits there"
        );
        fs::write(old.spool.own.join("1.json"), "").expect("it can be written");
        let told = new.told_of_others();
        let [text] = &told[..] else {
            panic!("{told:?}")
        };
        for words in [
            "another database in",
            "bots@old_games",
            "(1 file)",
            "the same as postgres://bots@new/games",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
        assert!(
            text.ends_with(&format!("move the files into {}", new.spool.own.display())),
            "{text}"
        );
        fs::rename(old.spool.own.join("1.json"), new.spool.own.join("1.json"))
            .expect("its folder is there");
        assert_eq!(new.spool.waiting().expect("it can be listed").len(), 1);
        assert_eq!(old.told_of_others().len(), 1);
    }
}

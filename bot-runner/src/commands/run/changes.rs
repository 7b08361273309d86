//! Which configs appear, change and go while bots play.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};

use crate::config::Sources;
use crate::plugin::FileStamp;
use crate::reload::{LOOK_EVERY, apart};

/// What became of a config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    /// It is new, or reads differently.
    Written(PathBuf),
    /// It is not there any more.
    Gone(PathBuf),
}

/// The configs as they look at one moment.
pub(super) type Look = BTreeMap<PathBuf, FileStamp>;

/// Looks at the configs.
///
/// # Errors
///
/// When a folder cannot be read, so that nobody knows.
pub(super) fn look_at(sources: &Sources) -> io::Result<Look> {
    let files = sources.files_now()?.into_iter();
    Ok(files.filter_map(|file| FileStamp::read(&file).map(|stamp| (file, stamp))).collect())
}

/// Tells changes of configs, beginning with what has changed since they looked like this, until nobody listens.
pub(super) fn watch(sources: Sources, known: Look) -> mpsc::UnboundedReceiver<Vec<Change>> {
    let (sender, changes) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut watched = Watched { settled: known.clone(), last: known };
        let mut looks = interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut told = false;
        while !sender.is_closed() {
            looks.tick().await;
            let sources = sources.clone();
            let now = match apart(move || look_at(&sources).map_err(|error| error.to_string())).await {
                Ok(Ok(now)) => now,
                Ok(Err(why)) | Err(why) => {
                    if !std::mem::replace(&mut told, true) {
                        tracing::warn!("configs cannot be listed ({why}); until they can, bots play on as they are");
                    }
                    continue;
                }
            };
            told = false;
            let news = watched.changes(now);
            if !news.is_empty() && sender.send(news).is_err() {
                return;
            }
        }
    });
    changes
}

/// Configs whose changes count once they have come to rest.
#[derive(Debug)]
struct Watched {
    /// What has been told.
    settled: Look,
    last: Look,
}

impl Watched {
    /// Takes in another look. A change counts when it looks the same twice: until then it may still be written, or a file
    /// that is gone may be about to be replaced.
    fn changes(&mut self, now: Look) -> Vec<Change> {
        let files: BTreeSet<&PathBuf> = self.settled.keys().chain(now.keys()).collect();
        let mut changes = Vec::new();
        for file in files {
            let (settled, last, now) = (self.settled.get(file), self.last.get(file), now.get(file));
            if now == last && now != settled {
                let file = file.clone();
                changes.push(if now.is_some() { Change::Written(file) } else { Change::Gone(file) });
            }
        }
        for change in &changes {
            match change {
                Change::Gone(file) => drop(self.settled.remove(file)),
                Change::Written(file) => {
                    if let Some(&stamp) = now.get(file) {
                        self.settled.insert(file.clone(), stamp);
                    }
                }
            }
        }
        self.last = now;
        changes
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    struct Folder {
        folder: TempDir,
        watched: Watched,
    }

    impl Folder {
        fn with(names: &[&str]) -> Self {
            let folder = tempfile::tempdir().expect("a folder can be made");
            for name in names {
                fs::write(folder.path().join(name), "one").expect("it can be written");
            }
            let known = Self::look(&folder);
            Self { folder, watched: Watched { settled: known.clone(), last: known } }
        }

        fn look(folder: &TempDir) -> Look {
            look_at(&Sources::new(&[folder.path().to_owned()])).expect("it can be listed")
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.path(name), text).expect("it can be written");
        }

        fn changes(&mut self) -> Vec<Change> {
            self.watched.changes(Self::look(&self.folder))
        }
    }

    #[test]
    fn a_config_that_appears_or_changes_is_told_once_when_it_has_come_to_rest() {
        let mut folder = Folder::with(&["kuma.toml"]);
        for name in ["kuma.toml", "neko.toml"] {
            folder.write(name, "another");
            assert_eq!(folder.changes(), [], "it may still be written");
            folder.write(name, "another one");
            assert_eq!(folder.changes(), [], "it was");
            assert_eq!(folder.changes(), [Change::Written(folder.path(name))]);
            assert_eq!(folder.changes(), []);
        }
    }

    #[test]
    fn a_config_that_is_gone_for_a_moment_has_changed_and_one_that_stays_away_is_gone() {
        let mut folder = Folder::with(&["kuma.toml", "neko.toml"]);
        fs::remove_file(folder.path("kuma.toml")).expect("it is there");
        assert_eq!(folder.changes(), []);
        folder.write("kuma.toml", "back");
        assert_eq!(folder.changes(), []);
        assert_eq!(folder.changes(), [Change::Written(folder.path("kuma.toml"))]);
        fs::remove_file(folder.path("kuma.toml")).expect("it is there");
        assert_eq!(folder.changes(), []);
        assert_eq!(folder.changes(), [Change::Gone(folder.path("kuma.toml"))]);
        assert_eq!(folder.changes(), []);
    }
}

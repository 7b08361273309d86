//! A single watcher for all files of the process.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use policy_host::FileStamp;
use tokio::sync::mpsc as changes;

/// Default interval for checking files.
pub const WATCH_EVERY: Duration = Duration::from_millis(500);

/// Maximum time for the thread to end.
const END_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange {
    /// It is new, or was written, replaced or given other permissions.
    Written(PathBuf),
    Gone(PathBuf),
}

/// A snapshot of files, without missing ones.
pub type FileStamps = BTreeMap<PathBuf, FileStamp>;

pub fn stamps_of(files: impl IntoIterator<Item = PathBuf>) -> FileStamps {
    files
        .into_iter()
        .filter_map(|file| FileStamp::read(&file).map(|stamp| (file, stamp)))
        .collect()
}

/// The stamps of these configs. A link to a missing file is a config that cannot be read, so it is
/// included.
pub fn config_stamps_of(files: impl IntoIterator<Item = PathBuf>) -> FileStamps {
    let stamp = |file: &PathBuf| FileStamp::read(file).or_else(|| FileStamp::read_link(file));
    files
        .into_iter()
        .filter_map(|file| stamp(&file).map(|stamp| (file, stamp)))
        .collect()
}

/// Lists the files to watch; an error changes nothing.
type ListFiles = Box<dyn FnMut() -> io::Result<Vec<PathBuf>> + Send>;

/// Checks files at equal intervals on its own thread, which ends with the last clone. Polling also
/// sees changes on network disks, and has no limits.
#[derive(Debug, Clone)]
pub struct FileWatcher(Arc<WatcherThread>);

#[must_use]
#[derive(Debug)]
struct WatcherThread {
    /// Sends new subscriptions; ends the thread when it is dropped.
    subscriptions: Option<mpsc::Sender<Subscription>>,
    thread: Option<JoinHandle<()>>,
}

/// The resources of subscriptions, such as libraries, are dropped before the process ends, unless a
/// file system blocks the thread.
impl Drop for WatcherThread {
    fn drop(&mut self) {
        self.subscriptions = None;
        if let Some(thread) = self.thread.take() {
            let until = Instant::now() + END_TIMEOUT;
            while !thread.is_finished() && Instant::now() < until {
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

impl FileWatcher {
    /// Starts checking at this interval.
    ///
    /// # Errors
    ///
    /// If the thread cannot be started.
    pub fn start(every: Duration) -> io::Result<Self> {
        let (subscriptions, new) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("file-watcher".to_owned())
            .spawn(move || watch(every, &new))?;
        Ok(Self(Arc::new(WatcherThread {
            subscriptions: Some(subscriptions),
            thread: Some(thread),
        })))
    }

    /// Reports changes of the files that `list` returns at each check, relative to the state
    /// `known`; `what` describes them in messages. `list` runs on the watcher's thread and must not
    /// block. The subscription ends when the receiver is dropped.
    pub fn watch(
        &self,
        what: &'static str,
        known: FileStamps,
        list: impl FnMut() -> io::Result<Vec<PathBuf>> + Send + 'static,
    ) -> changes::UnboundedReceiver<Vec<FileChange>> {
        self.subscribe(what, known, list, false)
    }

    /// As [`watch`](Self::watch) for configs, whose stamps come from [`config_stamps_of`].
    pub fn watch_configs(
        &self,
        known: FileStamps,
        list: impl FnMut() -> io::Result<Vec<PathBuf>> + Send + 'static,
    ) -> changes::UnboundedReceiver<Vec<FileChange>> {
        self.subscribe("configs", known, list, true)
    }

    fn subscribe(
        &self,
        what: &'static str,
        known: FileStamps,
        list: impl FnMut() -> io::Result<Vec<PathBuf>> + Send + 'static,
        sees_links: bool,
    ) -> changes::UnboundedReceiver<Vec<FileChange>> {
        let (sender, receiver) = changes::unbounded_channel();
        let files = WatchedFiles {
            told: known.clone(),
            last: known,
        };
        let subscription = Subscription {
            what,
            list: Box::new(list),
            sees_links,
            files,
            failed: false,
            sender,
        };
        // Nothing waits here, whatever the thread does: a disk may hang.
        if let Some(subscriptions) = &self.0.subscriptions {
            let _ = subscriptions.send(subscription);
        }
        receiver
    }
}

struct Subscription {
    what: &'static str,
    list: ListFiles,
    /// Whether the stamp of a link without a target is read from the link itself.
    sees_links: bool,
    files: WatchedFiles,
    /// Whether the last listing of the files failed.
    failed: bool,
    sender: changes::UnboundedSender<Vec<FileChange>>,
}

/// Checks files at this interval until no new subscriptions can come.
fn watch(every: Duration, new: &mpsc::Receiver<Subscription>) {
    let mut subscriptions = Vec::new();
    let mut next = Instant::now() + every;
    loop {
        match new.recv_timeout(next.saturating_duration_since(Instant::now())) {
            Ok(subscription) => subscriptions.push(subscription),
            Err(RecvTimeoutError::Timeout) => {
                look(&mut subscriptions);
                next = Instant::now() + every;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Checks the files of all subscriptions once; a file in several subscriptions is read once.
fn look(subscriptions: &mut Vec<Subscription>) {
    subscriptions.retain(|subscription| !subscription.sender.is_closed());
    let mut seen: HashMap<PathBuf, Option<FileStamp>> = HashMap::new();
    for subscription in subscriptions {
        let files = match (subscription.list)() {
            Ok(files) => files,
            Err(error) => {
                if !std::mem::replace(&mut subscription.failed, true) {
                    let what = subscription.what;
                    tracing::warn!(
                        "{what} cannot be listed ({error}); until they can, everything stays as it is"
                    );
                }
                continue;
            }
        };
        subscription.failed = false;
        let mut now = FileStamps::new();
        for file in files {
            let mut stamp = *seen
                .entry(file.clone())
                .or_insert_with(|| FileStamp::read(&file));
            if stamp.is_none() && subscription.sees_links {
                // For a file that existed, its removal is reported first.
                let told = subscription.files.told.get(&file);
                stamp =
                    FileStamp::read_link(&file).filter(|link| told.is_none_or(|told| told == link));
            }
            now.extend(stamp.map(|stamp| (file, stamp)));
        }
        let changes = subscription.files.changes(now);
        if !changes.is_empty() {
            // A dropped receiver is noticed at the next check.
            let _ = subscription.sender.send(changes);
        }
    }
}

/// Files whose changes are reported when they are stable.
#[derive(Debug)]
struct WatchedFiles {
    /// The reported stamps.
    told: FileStamps,
    last: FileStamps,
}

impl WatchedFiles {
    /// Processes another check. A change counts if two checks see the same: until then the file may
    /// still be written, or a missing one may be about to be replaced.
    fn changes(&mut self, now: FileStamps) -> Vec<FileChange> {
        let files: BTreeSet<&PathBuf> = self.told.keys().chain(now.keys()).collect();
        let mut changes = Vec::new();
        for file in files {
            let (told, last, now) = (self.told.get(file), self.last.get(file), now.get(file));
            if now == last && now != told {
                let file = file.clone();
                changes.push(if now.is_some() {
                    FileChange::Written(file)
                } else {
                    FileChange::Gone(file)
                });
            }
        }
        for change in &changes {
            match change {
                FileChange::Gone(file) => drop(self.told.remove(file)),
                FileChange::Written(file) => self
                    .told
                    .extend(now.get(file).map(|&stamp| (file.clone(), stamp))),
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

    use tokio::time::timeout;

    use super::*;

    struct Folder {
        folder: TempDir,
        files: WatchedFiles,
    }

    impl Folder {
        fn with(names: &[&str]) -> Self {
            let folder = tempfile::tempdir().expect("a folder can be made");
            for name in names {
                fs::write(folder.path().join(name), "one").expect("it can be written");
            }
            let known = Self::look(&folder);
            Self {
                folder,
                files: WatchedFiles {
                    told: known.clone(),
                    last: known,
                },
            }
        }

        fn look(folder: &TempDir) -> FileStamps {
            let entries = fs::read_dir(folder.path()).expect("it can be listed");
            stamps_of(entries.map(|entry| entry.expect("it is there").path()))
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.path(name), text).expect("it can be written");
        }

        fn changes(&mut self) -> Vec<FileChange> {
            self.files.changes(Self::look(&self.folder))
        }
    }

    #[test]
    fn a_new_or_changed_file_is_reported_once_when_it_stops_changing() {
        let mut folder = Folder::with(&["kuma.toml"]);
        for name in ["kuma.toml", "libmine.so"] {
            folder.write(name, "another");
            assert_eq!(folder.changes(), [], "it may still be written");
            folder.write(name, "another one");
            assert_eq!(folder.changes(), [], "it was");
            assert_eq!(folder.changes(), [FileChange::Written(folder.path(name))]);
            assert_eq!(folder.changes(), []);
        }
    }

    #[test]
    fn a_file_that_is_briefly_missing_has_changed_and_one_that_stays_missing_was_removed() {
        let mut folder = Folder::with(&["kuma.toml", "neko.toml"]);
        fs::remove_file(folder.path("kuma.toml")).expect("it is there");
        assert_eq!(folder.changes(), []);
        folder.write("kuma.toml", "back");
        assert_eq!(folder.changes(), []);
        assert_eq!(
            folder.changes(),
            [FileChange::Written(folder.path("kuma.toml"))]
        );
        fs::remove_file(folder.path("kuma.toml")).expect("it is there");
        assert_eq!(folder.changes(), []);
        assert_eq!(
            folder.changes(),
            [FileChange::Gone(folder.path("kuma.toml"))]
        );
        assert_eq!(folder.changes(), []);
    }

    #[test]
    fn a_file_of_the_same_length_put_in_its_place_is_a_change() {
        let mut folder = Folder::with(&["libmine.so"]);
        folder.write("new", "two");
        fs::rename(folder.path("new"), folder.path("libmine.so")).expect("it can be renamed");
        assert_eq!(folder.changes(), []);
        assert_eq!(
            folder.changes(),
            [FileChange::Written(folder.path("libmine.so"))]
        );
    }

    #[tokio::test]
    async fn a_config_that_is_a_link_to_nothing_is_reported_once_and_again_when_there_is_a_file() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| folder.path().join(name);
        let watcher = FileWatcher::start(Duration::from_millis(5)).expect("it starts");
        let link = path("kuma.toml");
        let listed = link.clone();
        let mut changes =
            watcher.watch_configs(FileStamps::new(), move || Ok(vec![listed.clone()]));
        let mut next = async || {
            timeout(Duration::from_secs(20), changes.recv())
                .await
                .expect("in time")
        };
        std::os::unix::fs::symlink(path("target"), &link).expect("it can be linked");
        assert_eq!(next().await, Some(vec![FileChange::Written(link.clone())]));
        fs::write(path("target"), "a").expect("it can be written");
        assert_eq!(
            next().await,
            Some(vec![FileChange::Written(link.clone())]),
            "nothing was reported in between"
        );
        fs::remove_file(path("target")).expect("it is there");
        assert_eq!(next().await, Some(vec![FileChange::Gone(link.clone())]));
        assert_eq!(
            next().await,
            Some(vec![FileChange::Written(link.clone())]),
            "the link is there"
        );
        fs::remove_file(&link).expect("it is there");
        assert_eq!(next().await, Some(vec![FileChange::Gone(link.clone())]));
    }

    #[tokio::test]
    async fn each_subscriber_gets_its_own_files_and_a_dropped_one_is_removed() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        let watcher = FileWatcher::start(Duration::from_millis(5)).expect("it starts");
        let subscriptions = Arc::new(());
        let watch = |file: &PathBuf| {
            let (file, subscription) = (file.clone(), Arc::clone(&subscriptions));
            watcher.watch("test files", FileStamps::new(), move || {
                let _held = &subscription;
                Ok(vec![file.clone()])
            })
        };
        let (mut first, second) = (watch(&one), watch(&other));
        drop(second);
        fs::write(&other, "a").expect("it can be written");
        fs::write(&one, "a").expect("it can be written");
        assert_eq!(
            first.recv().await,
            Some(vec![FileChange::Written(one.clone())])
        );
        assert_eq!(
            Arc::strong_count(&subscriptions),
            2,
            "the test's and one subscription's"
        );
    }

    #[test]
    fn a_new_subscription_does_not_wait_for_a_disk_that_hangs() {
        const LONG: Duration = Duration::from_secs(20);
        let watcher = FileWatcher::start(Duration::from_millis(5)).expect("it starts");
        let ((looks, looked), (_release, hung)) = (mpsc::channel(), mpsc::channel::<()>());
        let _changes = watcher.watch("files of a disk that hangs", FileStamps::new(), move || {
            let _ = (looks.send(()), hung.recv());
            Ok(Vec::new())
        });
        looked.recv_timeout(LONG).expect("it looks");
        let (subscribes, subscribed) = mpsc::channel();
        thread::spawn(move || {
            let changes = watcher.watch("test files", FileStamps::new(), || Ok(Vec::new()));
            let _ = subscribes.send(changes);
        });
        subscribed
            .recv_timeout(LONG)
            .expect("it is subscribed at once");
    }
}

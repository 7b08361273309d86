//! Whether a bot's files have changed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::plugin::FileStamp;

/// How often files are looked at. One is taken for complete when it has not changed from one look to the next.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(500);

/// What the files that a bot's policy comes from look like at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Look {
    config: Option<FileStamp>,
    library: Option<(PathBuf, FileStamp)>,
}

impl Look {
    /// Looks at the files.
    pub(super) fn at(config: &Path, library: Option<PathBuf>) -> Self {
        Self {
            config: FileStamp::read(config),
            library: library.and_then(|path| {
                let stamp = FileStamp::read(&path)?;
                Some((path, stamp))
            }),
        }
    }

    /// Whether something is there that was not. A file that is gone is being replaced, or gone for good, and neither
    /// is a reason to do anything.
    fn brings_news_since(&self, earlier: &Self) -> bool {
        (self.config.is_some() && self.config != earlier.config)
            || (self.library.is_some() && self.library != earlier.library)
    }
}

/// Tells when files have changed and then stayed as they are for a while.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// What has been dealt with.
    settled: Look,
    last: Look,
}

impl Watch {
    /// The files as they look now have been dealt with.
    pub(super) fn settle(&mut self, now: Look) {
        self.last = now.clone();
        self.settled = now;
    }

    /// Takes in another look; whether there is something to deal with.
    pub(super) fn changed(&mut self, now: Look) -> bool {
        let quiet = now == self.last;
        self.last = now;
        quiet && self.last.brings_news_since(&self.settled)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Self {
            let folder = Self(tempfile::tempdir().expect("a folder can be made"));
            folder.write("kuma.toml", "one");
            folder.write("libmine.so", "one");
            folder
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.path(name), text).expect("it can be written");
        }

        fn look(&self) -> Look {
            Look::at(&self.path("kuma.toml"), Some(self.path("libmine.so")))
        }

        fn watch(&self) -> Watch {
            let mut watch = Watch::default();
            watch.settle(self.look());
            watch
        }
    }

    #[test]
    fn a_change_counts_once_it_has_come_to_rest_and_until_it_is_dealt_with() {
        for name in ["kuma.toml", "libmine.so"] {
            let folder = Folder::new();
            let mut watch = folder.watch();
            assert!(!watch.changed(folder.look()));
            folder.write(name, "another");
            assert!(!watch.changed(folder.look()), "it may still be written");
            folder.write(name, "another one");
            assert!(!watch.changed(folder.look()), "it was");
            assert!(watch.changed(folder.look()));
            watch.settle(folder.look());
            assert!(!watch.changed(folder.look()));
        }
    }

    #[test]
    fn a_file_that_goes_is_no_change_until_it_comes_back() {
        let folder = Folder::new();
        let mut watch = folder.watch();
        fs::remove_file(folder.path("libmine.so")).expect("it is there");
        assert!(!watch.changed(folder.look()));
        assert!(!watch.changed(folder.look()));
        folder.write("libmine.so", "back");
        assert!(!watch.changed(folder.look()));
        assert!(watch.changed(folder.look()));
    }

    #[test]
    fn a_file_of_the_same_length_put_in_its_place_is_a_change() {
        let folder = Folder::new();
        let mut watch = folder.watch();
        folder.write("new", "two");
        fs::rename(folder.path("new"), folder.path("libmine.so")).expect("it can be renamed");
        watch.changed(folder.look());
        assert!(watch.changed(folder.look()));
    }
}

//! One process of this machine for each token.
//!
//! An arena that hears of a token twice refuses the second connection, or drops the first in the middle of its game. So
//! whoever uses a token holds a lock: on a file in the folder that runners share, named by a hash of arena and token. The
//! system lets go of it when the process ends, however it ends.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::bot::Arena;
use crate::content_hash::ContentHash;
use crate::control::runtime_folder;

/// How often it is tried again to get a token that is in use.
const TRY_EVERY: Duration = Duration::from_secs(1);

/// A token that is held for this process as long as this lives.
#[derive(Debug)]
pub struct TokenLock {
    path: PathBuf,
    _file: File,
}

/// What came of asking for a token.
#[derive(Debug)]
pub enum Asked {
    /// It is held from now on. `None` where the bot logs in without a token, or there is no folder for locks, so that nobody
    /// can hold one.
    Held(Option<TokenLock>),
    /// Somebody else holds it.
    InUse(TokenInUse),
}

/// Somebody else holds a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "its token is in use by {}; an arena seats a token once",
    .process.map_or_else(|| "another runner".to_owned(), |process| format!("the runner with process number {process}"))
)]
pub struct TokenInUse {
    /// The process, as far as is known.
    process: Option<u32>,
}

impl TokenLock {
    /// Asks for a bot's token at its arena.
    #[must_use]
    pub fn ask(arena: &Arena) -> Asked {
        let Some(fingerprint) = arena.fingerprint() else { return Asked::Held(None) };
        let asked = runtime_folder().map_err(io::Error::other).and_then(|folder| ask_in(&folder, &fingerprint));
        asked.unwrap_or_else(|error| {
            tracing::warn!("the bot's token is not locked, so take care that nothing else uses it: {error}");
            Asked::Held(None)
        })
    }

    /// Waits for a bot's token at its arena; `told` hears whom it waits for.
    pub async fn wait(arena: &Arena, told: impl FnOnce(TokenInUse)) -> Option<Self> {
        let mut told = Some(told);
        loop {
            match Self::ask(arena) {
                Asked::Held(lock) => return lock,
                Asked::InUse(by) => {
                    if let Some(told) = told.take() {
                        told(by);
                    }
                }
            }
            tokio::time::sleep(TRY_EVERY).await;
        }
    }
}

impl Drop for TokenLock {
    fn drop(&mut self) {
        // While it is still held: whoever opens it in this moment sees that it is no longer the file of that name.
        let _ = fs::remove_file(&self.path);
    }
}

fn ask_in(folder: &Path, fingerprint: &ContentHash) -> io::Result<Asked> {
    let path = folder.join(format!("token-{fingerprint}.lock"));
    loop {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {
                let named = fs::metadata(&path).ok().map(|metadata| metadata.ino());
                if named != Some(file.metadata()?.ino()) {
                    continue;
                }
                file.set_len(0)?;
                write!(file, "{}", std::process::id())?;
                return Ok(Asked::Held(Some(TokenLock { path, _file: file })));
            }
            Err(Errno::WOULDBLOCK) => {
                let mut process = String::new();
                file.read_to_string(&mut process)?;
                return Ok(Asked::InUse(TokenInUse { process: process.parse().ok() }));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{ArenaUrl, Token};

    fn arena(port: u16, token: &str) -> ContentHash {
        let url = ArenaUrl::parse(&format!("ws://127.0.0.1:{port}")).expect("an address");
        let arena = Arena::Riichilab { url, token: Token::new(token).expect("a token") };
        arena.fingerprint().expect("it logs in by a token")
    }

    fn held(asked: io::Result<Asked>) -> TokenLock {
        match asked.expect("the folder is there") {
            Asked::Held(Some(lock)) => lock,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_token_is_held_once_for_each_arena_and_its_holder_is_named() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let _held = held(ask_in(folder.path(), &arena(1, "canary-1")));
        match ask_in(folder.path(), &arena(1, "canary-1")).expect("the folder is there") {
            Asked::InUse(by) => assert!(by.to_string().contains(&std::process::id().to_string()), "{by}"),
            other => panic!("{other:?}"),
        }
        let _elsewhere = held(ask_in(folder.path(), &arena(2, "canary-1")));
        let _another = held(ask_in(folder.path(), &arena(1, "canary-2")));
    }

    #[test]
    fn nothing_is_left_of_a_lock_that_is_let_go_and_the_token_is_free_again() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for _ in 0..2 {
            drop(held(ask_in(folder.path(), &arena(1, "canary-1"))));
            assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 0);
        }
    }

    #[test]
    fn the_file_of_a_process_that_was_killed_is_taken_over() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let lock = held(ask_in(folder.path(), &arena(1, "canary-1")));
        let path = lock.path.clone();
        drop(lock);
        fs::write(&path, "2147483647").expect("it can be written");
        let _held = held(ask_in(folder.path(), &arena(1, "canary-1")));
        assert_eq!(fs::read_to_string(&path).expect("it is there"), std::process::id().to_string());
    }

    #[test]
    fn a_lock_says_nothing_of_the_token() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let lock = held(ask_in(folder.path(), &arena(1, "canary-1")));
        let content = fs::read_to_string(&lock.path).expect("it is there");
        assert!(!format!("{}{content}", lock.path.display()).contains("canary"));
    }
}

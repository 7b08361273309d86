//! One process of this machine for each token.
//!
//! An arena that hears of a token twice refuses the second connection, or drops the first in the middle of its game. So
//! whoever uses a token holds a lock named by a hash of arena and token, which the system lets go of when the process ends,
//! however it ends.

#[cfg(any(test, not(target_os = "linux")))]
#[cfg_attr(target_os = "linux", allow(dead_code, reason = "there only for its tests"))]
mod file;
#[cfg(target_os = "linux")]
mod socket;

use std::io;
use std::time::Duration;

#[cfg(not(target_os = "linux"))]
use file as system;
#[cfg(target_os = "linux")]
use socket as system;

use crate::bot::Arena;

/// How often it is tried again to get a token that is in use.
const TRY_EVERY: Duration = Duration::from_secs(1);

/// A token that is held for this process as long as this lives.
#[derive(Debug)]
pub struct TokenLock {
    _lock: system::Lock,
}

/// What came of asking for a token.
#[derive(Debug)]
pub enum Asked {
    /// It is held from now on. `None` where the bot logs in without a token.
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

/// A token cannot be held, so that nobody knows whether it is in use.
#[derive(Debug, thiserror::Error)]
#[error("its token cannot be locked against use by another runner: {0}")]
pub struct NoLock(#[from] io::Error);

impl TokenLock {
    /// Asks for a bot's token at its arena.
    ///
    /// # Errors
    ///
    /// When the system has no locks to give.
    pub async fn ask(arena: &Arena) -> Result<Asked, NoLock> {
        let Some(fingerprint) = arena.fingerprint() else { return Ok(Asked::Held(None)) };
        Ok(match system::Lock::hold(&fingerprint)? {
            Some(lock) => Asked::Held(Some(Self { _lock: lock })),
            None => Asked::InUse(TokenInUse { process: system::holder(&fingerprint).await }),
        })
    }

    /// Waits for a bot's token at its arena; `told` hears whom it waits for.
    ///
    /// # Errors
    ///
    /// When the system has no locks to give.
    pub async fn wait(arena: &Arena, told: impl FnOnce(TokenInUse)) -> Result<Option<Self>, NoLock> {
        let Some(fingerprint) = arena.fingerprint() else { return Ok(None) };
        match Self::ask(arena).await? {
            Asked::Held(lock) => return Ok(lock),
            Asked::InUse(by) => told(by),
        }
        loop {
            tokio::time::sleep(TRY_EVERY).await;
            // What the system could not give now it may give in a second.
            if let Ok(Some(lock)) = system::Lock::hold(&fingerprint) {
                return Ok(Some(Self { _lock: lock }));
            }
        }
    }
}

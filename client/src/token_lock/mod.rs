//! One process of this machine for each token.
//!
//! An arena that meets a token twice refuses the second connection, or drops the first in the middle of its game. So whoever
//! uses a token holds a lock named by a hash of arena and token, which the system releases when the process ends, however
//! it ends. The lock is a socket of Linux without a file: it is the same for all users and environments, while a file would
//! need a folder that a service, a shell and another user have in common. Other systems have no such lock, and there the
//! arena's refusal is all there is.

#[cfg(target_os = "linux")]
mod socket;

use std::io;
use std::time::Duration;

use rustix::io::Errno;

#[cfg(target_os = "linux")]
use self::socket::SocketAttempt;
use crate::bot::Arena;

/// How often a token that is in use is asked for again.
const TRY_EVERY: Duration = Duration::from_secs(1);

/// A token that is held for this process as long as this lives.
#[derive(Debug)]
pub struct TokenLock {
    #[cfg(target_os = "linux")]
    _socket: socket::SocketLock,
}

/// What came of asking for a token.
#[derive(Debug)]
pub enum LockAttempt {
    /// The bot may use the token from now on. `None` where there is nothing to hold.
    Held(Option<TokenLock>),
    /// Another process holds it.
    InUse(TokenInUse),
}

/// Another process holds a token.
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
pub struct TokenLockError(#[from] io::Error);

impl TokenLockError {
    /// Whether a later attempt may succeed: the system was short of something.
    fn may_pass(&self) -> bool {
        let passing = [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::NOBUFS, Errno::AGAIN];
        Errno::from_io_error(&self.0).is_some_and(|error| passing.contains(&error))
    }
}

impl TokenLock {
    /// Asks for a bot's token at its arena.
    ///
    /// # Errors
    ///
    /// When the system gives no lock.
    #[cfg(target_os = "linux")]
    pub async fn ask(arena: &Arena) -> Result<LockAttempt, TokenLockError> {
        let (Some(fingerprint), Some(token)) = (arena.fingerprint(), arena.token()) else {
            return Ok(LockAttempt::Held(None));
        };
        Ok(match socket::ask(&fingerprint, token).await? {
            SocketAttempt::Held(socket) => LockAttempt::Held(Some(Self { _socket: socket })),
            SocketAttempt::Runner(process) => LockAttempt::InUse(TokenInUse { process }),
            SocketAttempt::Stranger(user) => {
                let user = user.map_or_else(|| "some user".to_owned(), |user| format!("the user {user}"));
                tracing::warn!(
                    "the name of the token's lock is taken by a process of {user} that does not know the token; the bot \
                     plays without the lock, so see to it that no second runner uses its token"
                );
                LockAttempt::Held(None)
            }
        })
    }

    /// Asks for a bot's token at its arena, which nobody can hold here.
    ///
    /// # Errors
    ///
    /// None.
    #[cfg(not(target_os = "linux"))]
    pub async fn ask(_arena: &Arena) -> Result<LockAttempt, TokenLockError> {
        Ok(LockAttempt::Held(None))
    }

    /// Waits for a bot's token at its arena; `told` is called with each new reason to wait.
    ///
    /// # Errors
    ///
    /// When the system gives no lock and will not give one later.
    pub async fn wait(arena: &Arena, told: impl FnMut(&str)) -> Result<Option<Self>, TokenLockError> {
        wait_for(|| Self::ask(arena), told, TRY_EVERY).await
    }
}

async fn wait_for<A: Future<Output = Result<LockAttempt, TokenLockError>>>(
    mut ask: impl FnMut() -> A,
    mut told: impl FnMut(&str),
    every: Duration,
) -> Result<Option<TokenLock>, TokenLockError> {
    let mut last = String::new();
    loop {
        let reason = match ask().await {
            Ok(LockAttempt::Held(lock)) => return Ok(lock),
            Ok(LockAttempt::InUse(by)) => format!("{by}; it waits until that one has ended"),
            Err(error) if error.may_pass() => format!("{error}; it waits until it can be"),
            Err(error) => return Err(error),
        };
        if reason != last {
            told(&reason);
            last = reason;
        }
        tokio::time::sleep(every).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(error: Errno) -> Result<LockAttempt, TokenLockError> {
        Err(TokenLockError(error.into()))
    }

    /// What is told while these attempts are made one after the other, and what comes of them.
    async fn waited(attempts: Vec<Result<LockAttempt, TokenLockError>>) -> (Vec<String>, Result<(), TokenLockError>) {
        let (mut attempts, mut told) = (attempts.into_iter(), Vec::new());
        let ask = || std::future::ready(attempts.next().expect("the last attempt ends the wait"));
        let waited = wait_for(ask, |reason| told.push(reason.to_owned()), Duration::ZERO).await;
        (told, waited.map(drop))
    }

    #[tokio::test]
    async fn a_shortage_ends_no_bot_and_each_reason_to_wait_is_told_once() {
        let in_use = || Ok(LockAttempt::InUse(TokenInUse { process: Some(7) }));
        let attempts = vec![
            failed(Errno::MFILE),
            failed(Errno::MFILE),
            in_use(),
            in_use(),
            failed(Errno::NOMEM),
            Ok(LockAttempt::Held(None)),
        ];
        let (told, held) = waited(attempts).await;
        held.expect("it is held in the end");
        let [files, used, memory] = &told[..] else { panic!("{told:?}") };
        assert!(files.contains("open files") && files.ends_with("it waits until it can be"), "{files}");
        assert!(used.contains("process number 7") && memory.contains("memory"), "{used} {memory}");
    }

    #[tokio::test]
    async fn a_system_that_forbids_sockets_ends_the_wait() {
        let (told, ended) = waited(vec![failed(Errno::ACCESS)]).await;
        assert!(told.is_empty() && ended.expect_err("it is for good").to_string().contains("cannot be locked"));
    }
}

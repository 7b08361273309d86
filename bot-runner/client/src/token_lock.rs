//! One process of this machine for each token.
//!
//! An arena that meets a token twice refuses the second connection, or drops the first in the
//! middle of its game. So each process that uses a token holds a lock named by a hash of arena and
//! token, which the system releases when the process ends, however it ends. The lock is an abstract
//! socket of Linux: its listener is the only one on this machine, for every user, environment and
//! folder. A file with `flock` cannot do the same: a service, a shell and another user have no
//! folder in common but `/tmp`, where another user can make the file first and keep it. Containers
//! with their own networks do not see each other, and other systems have no such names; there, only
//! the arena's refusal protects.
//!
//! Any process of any user can read a name in use, and can take it when it is free. A holder
//! therefore has to prove that it knows the token: it answers a random question with a hash of
//! both. One that cannot is not a runner with this token, and the bot plays without the lock.

use std::io::{self, ErrorKind};
use std::time::Duration;

use policy_host::Sha256;
use rustix::io::Errno;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::{sleep, timeout};
use tokio_util::task::AbortOnDropHandle;

use crate::Token;
use crate::bot::Arena;

/// Interval of attempts for a token that is in use.
const TRY_EVERY: Duration = Duration::from_secs(1);
/// Length of a question in bytes.
const QUESTION: usize = 32;
/// Maximum wait for a question, and for the answer to be read.
const SERVE_TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum wait for the answer; after that it counts as missing. On a busy machine a runner may
/// take a while.
const PROVE_TIMEOUT: Duration = Duration::from_secs(5);
/// Number of attempts for the name while its holder is just starting or ending, and the interval.
const TRIES: usize = 5;
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// A token that is held for this process as long as this lives, unless there is nothing to hold:
/// then by a task that answers questions.
#[derive(Debug)]
pub struct TokenLock(
    #[cfg_attr(not(test), expect(dead_code, reason = "its drop ends the task"))]
    Option<AbortOnDropHandle<()>>,
);

/// The reason why a token is not held.
#[derive(Debug, thiserror::Error)]
pub enum NoTokenLock {
    /// Another process holds it, with its number if that is known.
    #[error(
        "its token is in use by {}; an arena seats a token once",
        .0.map_or_else(|| "another runner".to_owned(), |process| format!("the runner with PID {process}"))
    )]
    InUse(Option<u32>),
    /// The system grants no lock, so it is unknown whether the token is in use.
    #[error("its token cannot be locked against use by another runner: {0}")]
    Unavailable(#[from] io::Error),
}

impl NoTokenLock {
    /// The reason for the bot to wait; `None` if waiting does not help.
    fn reason_to_wait(&self) -> Option<String> {
        match self {
            Self::InUse(_) => Some(format!("{self}; it waits until that one has ended")),
            Self::Unavailable(error) => {
                // The system lacks a resource.
                let passing = [
                    Errno::MFILE,
                    Errno::NFILE,
                    Errno::NOMEM,
                    Errno::NOBUFS,
                    Errno::AGAIN,
                ];
                let passes =
                    Errno::from_io_error(error).is_some_and(|error| passing.contains(&error));
                passes.then(|| format!("{self}; it waits until it can be"))
            }
        }
    }
}

impl TokenLock {
    /// Tries to get a bot's token at its arena.
    ///
    /// # Errors
    ///
    /// If another process holds it, or the system grants no lock.
    pub async fn ask(arena: &Arena) -> Result<Self, NoTokenLock> {
        match (arena.fingerprint(), arena.token()) {
            (Some(fingerprint), Some(token)) if cfg!(target_os = "linux") => {
                Self::hold(&fingerprint, token).await
            }
            _ => Ok(Self(None)),
        }
    }

    /// Waits for a bot's token at its arena; `on_wait` is called with each new reason to wait.
    ///
    /// # Errors
    ///
    /// If the system grants no lock and never will.
    pub async fn wait(arena: &Arena, on_wait: impl FnMut(&str)) -> Result<Self, NoTokenLock> {
        wait_for(|| Self::ask(arena), on_wait, TRY_EVERY).await
    }

    async fn hold(fingerprint: &Sha256, token: &Token) -> Result<Self, NoTokenLock> {
        let name = format!("\0bot-runner-token-{fingerprint}");
        let mut user = None;
        for _ in 0..TRIES {
            match UnixListener::bind(&name) {
                Err(error) if error.kind() == ErrorKind::AddrInUse => {}
                listener => return Ok(Self::answering(listener?, token)),
            }
            match UnixStream::connect(&name).await {
                Ok(holder) => {
                    let peer = holder.peer_cred()?;
                    user = Some(peer.uid());
                    match timeout(PROVE_TIMEOUT, proves(holder, token)).await {
                        Ok(Ok(true)) => {
                            // The number of a process in another namespace is 0.
                            let process =
                                peer.pid().and_then(|process| u32::try_from(process).ok());
                            return Err(NoTokenLock::InUse(process.filter(|&process| process > 0)));
                        }
                        Ok(Ok(false)) | Err(_) => break,
                        // The holder is just ending.
                        Ok(Err(_)) => {}
                    }
                }
                // The holder is just beginning, or ending.
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset
                    ) => {}
                // The holder does not accept connections, which every runner does.
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error.into()),
            }
            sleep(BETWEEN_TRIES).await;
        }
        let user = user.map_or_else(|| "some user".to_owned(), |user| format!("the user {user}"));
        tracing::warn!(
            "the name of the token's lock is taken by a process of {user} that does not know the token; the bot plays \
             without the lock, so see to it that no second runner uses its token"
        );
        Ok(Self(None))
    }

    fn answering(listener: UnixListener, token: &Token) -> Self {
        Self(Some(AbortOnDropHandle::new(tokio::spawn(answer_all(
            listener,
            token.clone(),
        )))))
    }
}

/// Whether the other side knows the token.
async fn proves(mut holder: UnixStream, token: &Token) -> io::Result<bool> {
    let question: [u8; QUESTION] = std::array::from_fn(|_| fastrand::u8(..));
    let expected = token.proof(&question).to_string();
    let mut answer = vec![0; expected.len()];
    holder.write_all(&question).await?;
    holder.read_exact(&mut answer).await?;
    Ok(answer == expected.as_bytes())
}

/// Answers the questions of other processes one at a time.
async fn answer_all(listener: UnixListener, token: Token) {
    loop {
        match listener.accept().await {
            // An asker without a question is dropped.
            Ok((stream, _)) => _ = timeout(SERVE_TIMEOUT, answer(stream, &token)).await,
            // Probably out of descriptors.
            Err(_) => sleep(SERVE_TIMEOUT).await,
        }
    }
}

async fn answer(mut stream: UnixStream, token: &Token) -> io::Result<()> {
    let mut question = [0; QUESTION];
    stream.read_exact(&mut question).await?;
    stream
        .write_all(token.proof(&question).to_string().as_bytes())
        .await
}

async fn wait_for<A: Future<Output = Result<TokenLock, NoTokenLock>>>(
    mut ask: impl FnMut() -> A,
    mut on_wait: impl FnMut(&str),
    every: Duration,
) -> Result<TokenLock, NoTokenLock> {
    let mut last = String::new();
    loop {
        let error = match ask().await {
            Ok(lock) => return Ok(lock),
            Err(error) => error,
        };
        let Some(reason) = error.reason_to_wait() else {
            return Err(error);
        };
        if reason != last {
            on_wait(&reason);
            last = reason;
        }
        sleep(every).await;
    }
}

#[cfg(test)]
mod tests {
    use rustix::process::Uid;

    use super::*;

    /// Neither this user nor root.
    const OTHER: u32 = 65_534;

    fn hash(text: &str) -> Sha256 {
        Sha256::of(format!("{text} of process {}", std::process::id()).as_bytes())
    }

    fn token() -> Token {
        Token::new("canary-123").expect("a token")
    }

    /// Whether a token is held by a lock; otherwise the bot plays without.
    async fn is_held(fingerprint: &Sha256) -> bool {
        TokenLock::hold(fingerprint, &token())
            .await
            .expect("nothing forbids it")
            .0
            .is_some()
    }

    #[tokio::test]
    async fn a_token_is_held_once_and_its_holder_is_named() {
        let (one, other) = (hash("one"), hash("other"));
        for _ in 0..2 {
            let held = TokenLock::hold(&one, &token()).await.expect("it is free");
            assert!(held.0.is_some());
            let in_use = TokenLock::hold(&one, &token())
                .await
                .expect_err("it is held");
            assert!(
                matches!(in_use, NoTokenLock::InUse(Some(process)) if process == std::process::id())
            );
            assert!(is_held(&other).await, "it is another");
        }
    }

    /// A listener of another user on a token's name; `None` if only root could create one.
    fn of_another_user(fingerprint: &Sha256) -> Option<UnixListener> {
        use std::os::linux::net::SocketAddrExt;
        use std::os::unix::net::{SocketAddr, UnixListener};
        let address = SocketAddr::from_abstract_name(format!("bot-runner-token-{fingerprint}"))
            .expect("a name");
        // Affects only this thread, which ends with it.
        let bind = move || {
            rustix::thread::set_thread_uid(Uid::from_raw(OTHER)).ok()?;
            Some(UnixListener::bind_addr(&address).expect("it is free"))
        };
        let listener = std::thread::spawn(bind).join().expect("it does not panic");
        let Some(listener) = listener else {
            eprintln!("SKIPPED: only root can act as another user");
            return None;
        };
        listener.set_nonblocking(true).expect("a socket can");
        Some(tokio::net::UnixListener::from_std(listener).expect("there is a runtime"))
    }

    #[tokio::test]
    async fn another_user_with_the_name_but_without_the_token_keeps_no_bot_from_playing() {
        let name = hash("taken");
        let Some(taken) = of_another_user(&name) else {
            return;
        };
        // It answers with the proof of another token.
        let _lock = TokenLock::answering(taken, &Token::new("canary-124").expect("a token"));
        assert!(!is_held(&name).await);
    }

    #[tokio::test]
    async fn a_process_of_the_own_user_that_does_not_know_the_token_keeps_no_bot_from_playing() {
        let name = hash("taken by the own user");
        let wrong = TokenLock::hold(&name, &Token::new("canary-124").expect("a token"))
            .await
            .expect("it is free");
        assert!(wrong.0.is_some() && !is_held(&name).await);
    }

    #[tokio::test]
    async fn a_process_that_closes_each_connection_keeps_no_bot_from_playing() {
        let name = hash("closed");
        let listener =
            UnixListener::bind(format!("\0bot-runner-token-{name}")).expect("it is free");
        let _closes = AbortOnDropHandle::new(tokio::spawn(async move {
            while listener.accept().await.is_ok() {}
        }));
        assert!(!is_held(&name).await);
    }

    #[tokio::test]
    async fn a_runner_of_another_user_with_the_same_token_is_waited_for() {
        let name = hash("shared");
        let Some(taken) = of_another_user(&name) else {
            return;
        };
        let _lock = TokenLock::answering(taken, &token());
        assert!(matches!(
            TokenLock::hold(&name, &token()).await,
            Err(NoTokenLock::InUse(_))
        ));
    }

    fn failed(error: Errno) -> Result<TokenLock, NoTokenLock> {
        Err(NoTokenLock::Unavailable(error.into()))
    }

    /// The reasons reported during these attempts, and the outcome.
    async fn waited(
        attempts: Vec<Result<TokenLock, NoTokenLock>>,
    ) -> (Vec<String>, Result<(), NoTokenLock>) {
        let (mut attempts, mut told) = (attempts.into_iter(), Vec::new());
        let ask = || std::future::ready(attempts.next().expect("the last attempt ends the wait"));
        let waited = wait_for(ask, |reason| told.push(reason.to_owned()), Duration::ZERO).await;
        (told, waited.map(drop))
    }

    #[tokio::test]
    async fn a_shortage_ends_no_bot_and_each_reason_to_wait_is_reported_once() {
        let in_use = || Err(NoTokenLock::InUse(Some(7)));
        let attempts = vec![
            failed(Errno::MFILE),
            failed(Errno::MFILE),
            in_use(),
            in_use(),
            failed(Errno::NOMEM),
            Ok(TokenLock(None)),
        ];
        let (told, held) = waited(attempts).await;
        held.expect("it is held in the end");
        let [files, used, memory] = &told[..] else {
            panic!("{told:?}")
        };
        assert!(
            files.contains("open files") && files.ends_with("it waits until it can be"),
            "{files}"
        );
        assert!(
            used.contains("PID 7") && memory.contains("memory"),
            "{used} {memory}"
        );
    }

    #[tokio::test]
    async fn a_system_that_forbids_sockets_ends_the_wait() {
        let (told, ended) = waited(vec![failed(Errno::ACCESS)]).await;
        assert!(
            told.is_empty()
                && ended
                    .expect_err("it is for good")
                    .to_string()
                    .contains("cannot be locked")
        );
    }
}

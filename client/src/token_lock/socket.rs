//! The lock on Linux: a socket with a name that no file has. Whoever listens on such a name has it alone on this machine,
//! whatever his user, his environment and his folders are; containers with networks of their own do not see each other.
//!
//! Everybody can read these names while they are in use, so any process can take one when it is free, of this user too. A
//! holder therefore has to prove that it knows the token: it answers a random question with a hash of both. One that cannot is
//! not a runner with this token, and the bot plays without the lock.

use std::ffi::OsStr;
use std::future::poll_fn;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::sync::{Arc, Weak};
use std::task::Poll;
use std::time::Duration;

use policy_host::Sha256;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use crate::Token;

/// Bytes of a question.
const QUESTION: usize = 32;
/// Longest wait for the question, and for somebody to take the answer.
const SERVE_TIMEOUT: Duration = Duration::from_secs(1);
/// Longest wait for the answer, after which there is none. On a busy machine a runner may take a while.
const PROVE_TIMEOUT: Duration = Duration::from_secs(5);
/// How often the name is tried when nobody listens there, and the time in between: its holder is just ending, or beginning.
const TRIES: usize = 5;
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// A name that is held. It is free again as soon as this is dropped.
#[derive(Debug)]
pub(super) struct SocketLock {
    _listener: Arc<UnixListener>,
    answering: AbortHandle,
}

impl SocketLock {
    fn bind(name: &str, token: &Token) -> io::Result<Self> {
        Ok(Self::answer_on(UnixListener::bind(OsStr::from_bytes(name.as_bytes()))?, token))
    }

    fn answer_on(listener: UnixListener, token: &Token) -> Self {
        let listener = Arc::new(listener);
        let answering = tokio::spawn(answer_all(Arc::downgrade(&listener), token.clone())).abort_handle();
        Self { _listener: listener, answering }
    }
}

impl Drop for SocketLock {
    fn drop(&mut self) {
        self.answering.abort();
    }
}

/// What came of asking for a token.
#[derive(Debug)]
pub(super) enum SocketAttempt {
    /// The name is held from now on.
    Held(SocketLock),
    /// A runner with this token has it; its process as far as is known.
    Runner(Option<u32>),
    /// Somebody has it who does not know the token; the user as far as is known.
    Stranger(Option<u32>),
}

/// Asks for a token by its fingerprint.
pub(super) async fn ask(fingerprint: &Sha256, token: &Token) -> io::Result<SocketAttempt> {
    let name = format!("\0bot-runner-token-{fingerprint}");
    for _ in 0..TRIES {
        match SocketLock::bind(&name, token) {
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            bound => return bound.map(SocketAttempt::Held),
        }
        if let Some(holder) = holder_of(&name, token).await? {
            return Ok(holder);
        }
        sleep(BETWEEN_TRIES).await;
    }
    Ok(SocketAttempt::Stranger(None))
}

/// Who listens on a name; `None` when nobody does at the moment.
async fn holder_of(name: &str, token: &Token) -> io::Result<Option<SocketAttempt>> {
    let stream = match UnixStream::connect(OsStr::from_bytes(name.as_bytes())).await {
        Ok(stream) => stream,
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => return Ok(None),
        // Connections are left to pile up there, which no runner does.
        Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(Some(SocketAttempt::Stranger(None))),
        Err(error) => return Err(error),
    };
    let peer = stream.peer_cred()?;
    // A process that cannot be seen from here has the number 0.
    let process = peer.pid().and_then(|process| u32::try_from(process).ok()).filter(|&process| process > 0);
    if proves(stream, token).await {
        Ok(Some(SocketAttempt::Runner(process)))
    } else {
        Ok(Some(SocketAttempt::Stranger(Some(peer.uid()))))
    }
}

/// Whether the other side knows the token.
async fn proves(mut stream: UnixStream, token: &Token) -> bool {
    let question: [u8; QUESTION] = std::array::from_fn(|_| fastrand::u8(..));
    let expected = token.proof(&question).to_string();
    let mut answer = vec![0; expected.len()];
    let asked = timeout(PROVE_TIMEOUT, async {
        stream.write_all(&question).await?;
        stream.read_exact(&mut answer).await
    });
    matches!(asked.await, Ok(Ok(_))) && answer == expected.as_bytes()
}

/// Answers whoever asks, one after the other, as long as the listener is there.
async fn answer_all(listener: Weak<UnixListener>, token: Token) {
    loop {
        // The listener is held by its owner alone, so that the name is free as soon as the owner drops it.
        let accepted = poll_fn(|context| match listener.upgrade() {
            Some(listener) => listener.poll_accept(context).map(Some),
            None => Poll::Ready(None),
        });
        match accepted.await {
            Some(Ok((stream, _))) => {
                // Somebody who asks nothing is not waited for.
                let _ = timeout(SERVE_TIMEOUT, answer(stream, &token)).await;
            }
            // Out of descriptors, most likely.
            Some(Err(_)) => sleep(SERVE_TIMEOUT).await,
            None => return,
        }
    }
}

async fn answer(mut stream: UnixStream, token: &Token) -> io::Result<()> {
    let mut question = [0; QUESTION];
    stream.read_exact(&mut question).await?;
    stream.write_all(token.proof(&question).to_string().as_bytes()).await
}

#[cfg(test)]
mod tests {
    use rustix::process::Uid;

    use super::*;

    /// Somebody who is neither this user nor root.
    const OTHER: u32 = 65_534;

    fn hash(text: &str) -> Sha256 {
        Sha256::of(format!("{text} of process {}", std::process::id()).as_bytes())
    }

    fn token() -> Token {
        Token::new("canary-123").expect("a token")
    }

    #[tokio::test]
    async fn a_token_is_held_once_and_its_holder_is_named() {
        let (one, other) = (hash("one"), hash("other"));
        for _ in 0..2 {
            let Ok(SocketAttempt::Held(_one)) = ask(&one, &token()).await else { panic!("it is free") };
            let Ok(SocketAttempt::Runner(process)) = ask(&one, &token()).await else { panic!("it is held") };
            assert_eq!(process, Some(std::process::id()));
            let Ok(SocketAttempt::Held(_other)) = ask(&other, &token()).await else { panic!("it is another") };
        }
    }

    /// A listener of another user on a token's name; `None` where only root could make one.
    fn of_another_user(fingerprint: &Sha256) -> Option<UnixListener> {
        use std::os::linux::net::SocketAddrExt;
        use std::os::unix::net::{SocketAddr, UnixListener};
        let address = SocketAddr::from_abstract_name(format!("bot-runner-token-{fingerprint}")).expect("a name");
        // Of this thread alone, which ends with it.
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
    async fn another_user_who_takes_the_name_and_does_not_know_the_token_keeps_no_bot_from_playing() {
        let name = hash("taken");
        let Some(taken) = of_another_user(&name) else { return };
        // Somebody who answers with the proof of another token.
        let _lock = SocketLock::answer_on(taken, &Token::new("canary-124").expect("a token"));
        assert!(matches!(ask(&name, &token()).await, Ok(SocketAttempt::Stranger(Some(OTHER)))));
    }

    #[tokio::test]
    async fn a_process_of_the_own_user_that_does_not_know_the_token_keeps_no_bot_from_playing() {
        let name = hash("taken by the own user");
        let _lock =
            SocketLock::bind(&format!("\0bot-runner-token-{name}"), &Token::new("canary-124").expect("a token"))
                .expect("it is free");
        let own = rustix::process::geteuid().as_raw();
        assert!(matches!(ask(&name, &token()).await, Ok(SocketAttempt::Stranger(Some(user))) if user == own));
    }

    #[tokio::test]
    async fn a_runner_of_another_user_with_the_same_token_is_waited_for() {
        let name = hash("shared");
        let Some(taken) = of_another_user(&name) else { return };
        let _lock = SocketLock::answer_on(taken, &token());
        assert!(matches!(ask(&name, &token()).await, Ok(SocketAttempt::Runner(_))));
    }
}

//! Locks of Linux: sockets with names that no file has. Whoever listens on such a name has it alone on this machine, whatever
//! his user, his environment and his folders are; containers with networks of their own do not see each other.
//!
//! Everybody can read these names. They say nothing of the token, which is too long to be guessed.

use std::ffi::OsStr;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

use policy_host::Sha256;

/// A token that is held.
#[derive(Debug)]
pub(super) struct Lock {
    _listener: UnixListener,
}

impl Lock {
    /// Takes hold of a token; `None` where somebody else has it.
    pub(super) fn hold(fingerprint: &Sha256) -> io::Result<Option<Self>> {
        match UnixListener::bind_addr(&SocketAddr::from_abstract_name(name(fingerprint))?) {
            Ok(listener) => Ok(Some(Self { _listener: listener })),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The process that holds a token: the system knows who listens where a connection leads. Nobody takes it, so this is to be
/// asked once, not again and again.
pub(super) async fn holder(fingerprint: &Sha256) -> Option<u32> {
    let path = format!("\0{}", name(fingerprint));
    let connection = tokio::net::UnixStream::connect(OsStr::from_bytes(path.as_bytes())).await.ok()?;
    let process = u32::try_from(connection.peer_cred().ok()?.pid()?).ok()?;
    // One that cannot be seen from here.
    (process > 0).then_some(process)
}

fn name(fingerprint: &Sha256) -> String {
    format!("bot-runner-token-{fingerprint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(text: &str) -> Sha256 {
        Sha256::of(format!("{text} of process {}", std::process::id()).as_bytes())
    }

    #[tokio::test]
    async fn a_token_is_held_once_and_its_holder_is_named() {
        let (one, other) = (hash("one"), hash("other"));
        assert_eq!(holder(&one).await, None);
        for _ in 0..2 {
            let _one = Lock::hold(&one).expect("a socket").expect("it is free");
            assert!(Lock::hold(&one).expect("a socket").is_none());
            assert_eq!(holder(&one).await, Some(std::process::id()));
            let _other = Lock::hold(&other).expect("a socket").expect("it is another");
        }
    }
}

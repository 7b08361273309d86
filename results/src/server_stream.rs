//! What a PostgreSQL server sends, watched for what no server sends and a client would keep: parameters and notices without
//! end, and messages of any length.

use std::future::{Ready, ready};
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};

/// Most bytes of parameters, notices and notifications on one connection. A server sends some hundred at its beginning.
const MAX_UNASKED: usize = 4 << 20;

/// Longest message, bytes: far more than a result or an error has.
const MAX_MESSAGE: usize = 16 << 20;

/// Bytes of a message before its content: its kind, and its length without the kind.
const HEAD: usize = 5;

/// A connection to a server, which breaks where the server sends what no server sends.
pub(crate) struct ServerStream<S> {
    stream: S,
    messages: MessageCounter,
}

impl<S> ServerStream<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self { stream, messages: MessageCounter::default() }
    }
}

/// Where in the server's messages the connection is.
#[derive(Debug, Default)]
struct MessageCounter {
    head: [u8; HEAD],
    /// How much of the head is there.
    read: usize,
    /// How much of the content is still to come.
    left: usize,
    unasked: usize,
}

impl MessageCounter {
    fn take_in(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let content = bytes.len().min(self.left);
            self.left -= content;
            bytes = &bytes[content..];
            let head = bytes.len().min(HEAD - self.read);
            self.head[self.read..self.read + head].copy_from_slice(&bytes[..head]);
            self.read += head;
            bytes = &bytes[head..];
            if self.read == HEAD {
                self.begin()?;
            }
        }
        Ok(())
    }

    /// A message begins whose head is there.
    fn begin(&mut self) -> io::Result<()> {
        let [kind, length @ ..] = self.head;
        let length = u32::from_be_bytes(length) as usize;
        if matches!(kind, b'S' | b'N' | b'A') {
            self.unasked += length;
        }
        if length > MAX_MESSAGE || self.unasked > MAX_UNASKED {
            let words = "the server sends more than any PostgreSQL server does; is the address right?";
            return Err(io::Error::new(ErrorKind::InvalidData, words));
        }
        (self.read, self.left) = (0, length.saturating_sub(HEAD - 1));
        Ok(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ServerStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, into);
        if let Poll::Ready(Ok(())) = read {
            self.messages.take_in(&into.filled()[before..])?;
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ServerStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for ServerStream<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

/// Takes the place of encryption where there is none: the client's library lets nothing else look at what is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unencrypted;

impl<S: AsyncRead + AsyncWrite + Unpin> MakeTlsConnect<S> for Unencrypted {
    type Stream = ServerStream<S>;
    type TlsConnect = Self;
    type Error = io::Error;

    fn make_tls_connect(&mut self, _domain: &str) -> io::Result<Self> {
        Ok(Self)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsConnect<S> for Unencrypted {
    type Stream = ServerStream<S>;
    type Error = io::Error;
    type Future = Ready<io::Result<ServerStream<S>>>;

    fn connect(self, stream: S) -> Self::Future {
        ready(Ok(ServerStream::new(stream)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: u8, content: usize) -> Vec<u8> {
        let mut message = vec![kind];
        message.extend((content as u32 + 4).to_be_bytes());
        message.resize(HEAD + content, b'x');
        message
    }

    #[test]
    fn unasked_messages_are_counted_however_they_are_divided_and_rows_are_not() {
        for piece in [1, 3, 7, 100_000] {
            let mut counter = MessageCounter::default();
            let bytes = [message(b'S', 3), message(b'D', 900), message(b'Z', 0), message(b'N', 10)].concat();
            for piece in bytes.chunks(piece) {
                counter.take_in(piece).expect("a server may say so");
            }
            assert_eq!((counter.unasked, counter.left, counter.read), (7 + 14, 0, 0));
        }
        let mut counter = MessageCounter::default();
        for _ in 0..100 {
            counter.take_in(&message(b'D', 1 << 20)).expect("any number of rows");
        }
    }

    #[test]
    fn endless_parameters_and_a_message_of_any_length_break_the_connection() {
        let mut counter = MessageCounter::default();
        let until = (0..).find(|_| counter.take_in(&message(b'S', 1 << 10)).is_err()).expect("it breaks");
        assert!(until * (1 << 10) < MAX_UNASKED, "after {until}");
        let error = MessageCounter::default().take_in(&[b'D', 0xff, 0xff, 0xff, 0xff]).expect_err("too long");
        assert!(error.to_string().contains("is the address right?"));
    }
}

//! Watches a PostgreSQL server's data for hostile behaviour that a client would store: endless
//! parameters and notices, messages of any length, and types that refer to other types endlessly.

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::types::Type;

/// Maximum number of bytes of parameters, notices and notifications on one connection. A server
/// sends some hundred at the beginning.
const MAX_UNASKED: usize = 4 << 20;

/// Maximum length of a message in bytes: far more than that of a result or an error.
const MAX_MESSAGE: usize = 16 << 20;

/// Maximum length of the description of a statement's parameters or columns, in bytes: ours have
/// some hundred.
const MAX_DESCRIPTION: usize = 16 << 10;

/// Kinds of messages.
const PARAMETER_TYPES: u8 = b't';
const COLUMNS: u8 = b'T';

/// Length of a column's description after its name, and the position of its type.
const COLUMN: usize = 18;
const COLUMN_TYPE: std::ops::Range<usize> = 6..10;

/// Length of a message's head: its kind, and its length without the kind.
const HEAD: usize = 5;

/// A connection of any sort.
pub(crate) trait Socket: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Socket for S {}

/// A connection to a server, which fails if the server sends data that no real server sends.
pub(crate) struct ServerStream {
    socket: Box<dyn Socket>,
    messages: MessageWatch,
}

impl ServerStream {
    /// For a connection after its encryption, if any, has begun.
    pub(crate) fn new(socket: Box<dyn Socket>) -> Self {
        Self {
            socket,
            messages: MessageWatch::default(),
        }
    }
}

/// The position of the connection in the server's messages.
#[derive(Debug, Default)]
struct MessageWatch {
    head: [u8; HEAD],
    /// Number of bytes of the head received.
    read: usize,
    /// Number of bytes of the content still to come.
    left: usize,
    unasked: usize,
    /// The received part of a description.
    description: Vec<u8>,
}

impl MessageWatch {
    fn take_in(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if self.left > 0 {
                let (content, rest) = bytes.split_at(bytes.len().min(self.left));
                self.left -= content.len();
                bytes = rest;
                if matches!(self.head[0], PARAMETER_TYPES | COLUMNS) {
                    self.description.extend_from_slice(content);
                    self.end_description()?;
                }
            }
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

    /// Begins a message whose head has been received.
    fn begin(&mut self) -> io::Result<()> {
        let [kind, length @ ..] = self.head;
        let length = u32::from_be_bytes(length) as usize;
        if matches!(kind, b'S' | b'N' | b'A') {
            self.unasked += length;
        }
        let is_description = matches!(kind, PARAMETER_TYPES | COLUMNS);
        let longest = if is_description {
            MAX_DESCRIPTION
        } else {
            MAX_MESSAGE
        };
        if length > longest || self.unasked > MAX_UNASKED {
            return Err(refused(
                "the server sends more than any PostgreSQL server does; is the address right?",
            ));
        }
        self.read = 0;
        self.left = length.saturating_sub(HEAD - 1);
        Ok(())
    }

    /// Checks a complete description. The client's library asks the server for each type that it
    /// does not know, reads that answer by the types of its columns, and asks for these first: a
    /// server that always names a new type overflows the stack.
    fn end_description(&mut self) -> io::Result<()> {
        if self.left > 0 {
            return Ok(());
        }
        let description = std::mem::take(&mut self.description);
        let types = if self.head[0] == COLUMNS {
            column_types(&description)
        } else {
            parameter_types(&description)
        };
        let is_known = |of_type: &[u8; 4]| Type::from_oid(u32::from_be_bytes(*of_type)).is_some();
        if types.is_some_and(|types| types.iter().all(is_known)) {
            return Ok(());
        }
        Err(refused(
            "the server names a type that no table of results has; is the address right?",
        ))
    }
}

fn refused(words: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, words)
}

/// The types of parameters; `None` if the description cannot be read.
fn parameter_types(description: &[u8]) -> Option<Vec<[u8; 4]>> {
    let (_count, types) = description.split_first_chunk::<2>()?;
    types
        .chunks(4)
        .map(|of_type| of_type.try_into().ok())
        .collect()
}

/// The types of columns; `None` if the description cannot be read.
fn column_types(description: &[u8]) -> Option<Vec<[u8; 4]>> {
    let (_count, mut rest) = description.split_first_chunk::<2>()?;
    let mut types = Vec::new();
    while !rest.is_empty() {
        let name = rest.iter().position(|&byte| byte == 0)?;
        let (column, others) = rest[name + 1..].split_first_chunk::<COLUMN>()?;
        types.push(column[COLUMN_TYPE].try_into().ok()?);
        rest = others;
    }
    Some(types)
}

impl AsyncRead for ServerStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.socket).poll_read(context, into);
        if let Poll::Ready(Ok(())) = read {
            self.messages.take_in(&into.filled()[before..])?;
        }
        read
    }
}

impl AsyncWrite for ServerStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
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
            let mut watch = MessageWatch::default();
            let bytes = [
                message(b'S', 3),
                message(b'D', 900),
                message(b'Z', 0),
                message(b'N', 10),
            ]
            .concat();
            for piece in bytes.chunks(piece) {
                watch.take_in(piece).expect("a server may say so");
            }
            assert_eq!((watch.unasked, watch.left, watch.read), (7 + 14, 0, 0));
        }
        let mut watch = MessageWatch::default();
        for _ in 0..100 {
            watch
                .take_in(&message(b'D', 1 << 20))
                .expect("any number of rows");
        }
    }

    #[test]
    fn endless_parameters_and_a_message_of_any_length_break_the_connection() {
        let mut watch = MessageWatch::default();
        let until = (0..)
            .find(|_| watch.take_in(&message(b'S', 1 << 10)).is_err())
            .expect("it breaks");
        assert!(until * (1 << 10) < MAX_UNASKED, "after {until}");
        for kind in [b'D', PARAMETER_TYPES, COLUMNS] {
            let error = MessageWatch::default()
                .take_in(&[kind, 0xff, 0xff, 0xff, 0xff])
                .expect_err("too long");
            assert!(error.to_string().contains("is the address right?"));
        }
        MessageWatch::default()
            .take_in(&message(COLUMNS, MAX_DESCRIPTION))
            .expect_err("too long for columns");
    }

    #[test]
    fn types_that_the_client_would_ask_for_break_the_connection_however_they_are_divided() {
        let known = Type::TEXT.oid().to_be_bytes();
        let column = |of_type: [u8; 4]| [&b"name\0"[..], &[0; 6], &of_type, &[0; 8]].concat();
        let description = |kind: u8, parts: &[Vec<u8>]| {
            let content = [&(parts.len() as u16).to_be_bytes()[..], &parts.concat()].concat();
            [
                &[kind][..],
                &(content.len() as u32 + 4).to_be_bytes(),
                &content,
            ]
            .concat()
        };
        let described = |of_type: [u8; 4]| {
            [
                description(PARAMETER_TYPES, &[known.to_vec(), of_type.to_vec()]),
                description(COLUMNS, &[column(known), column(of_type)]),
            ]
        };
        for piece in [1, 3, 7, 1_000] {
            let take_in = |bytes: &[u8]| {
                let mut watch = MessageWatch::default();
                bytes
                    .chunks(piece)
                    .try_for_each(|piece| watch.take_in(piece))
            };
            let empty = [
                description(PARAMETER_TYPES, &[]),
                description(COLUMNS, &[]),
                message(b'Z', 1),
            ]
            .concat();
            take_in(&empty).expect("nothing is asked for");
            take_in(&described(known).concat()).expect("the client knows it");
            for bytes in described(1_000_000_u32.to_be_bytes()) {
                let error = take_in(&bytes).expect_err("the client would ask for it");
                assert!(error.to_string().contains("no table of results"), "{error}");
            }
        }
        for cut in [
            description(PARAMETER_TYPES, &[vec![0]]),
            description(COLUMNS, &[b"name".to_vec()]),
        ] {
            MessageWatch::default()
                .take_in(&cut)
                .expect_err("it cannot be read");
        }
    }
}

//! Lines over a plain TCP connection: nothing is encrypted, and no secret is sent over it.

use std::io;
use std::time::{Duration, Instant};

use foreign_text::ForeignText;
use outbound::connect;
use protocol::MAX_FRAME;
use rustix::net::sockopt::{
    set_socket_keepalive, set_tcp_keepcnt, set_tcp_keepidle, set_tcp_keepintvl,
};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::{sleep_until, timeout};

use super::liveness::Dead;
use super::{Closed, ConnectError, Limits};

/// A connection without a line for this long in a game is dead: each of the three others may take a
/// minute for its reply.
const LINE_TIMEOUT: Duration = Duration::from_secs(300);
/// Interval of the probes of a silent peer: a room may wait for players for hours.
const PROBE_EVERY: Duration = Duration::from_secs(60);
/// Maximum number of unanswered probes.
const PROBES: u32 = 3;

pub struct TcpConnection {
    stream: BufReader<TcpStream>,
    /// The server's first line, until it has been read.
    greeting: Option<String>,
    /// The bytes of the next line so far.
    line: Vec<u8>,
    last_line: Instant,
    limits: Limits,
    /// The reason why no more data is expected.
    dead: Option<Dead>,
}

impl TcpConnection {
    /// Opens a connection to a host, by name or number, and a port, for protocols in which the
    /// server speaks first: its first line has the same time limit as the opening, and `greets`
    /// checks whether a server of the protocol sent it. Of the limits, those for opening and
    /// writing apply.
    ///
    /// # Errors
    ///
    /// If it cannot be opened.
    pub async fn open(
        host: &str,
        port: u16,
        limits: Limits,
        greets: impl FnOnce(&str) -> bool,
    ) -> Result<Self, ConnectError> {
        let failed = |why: String| ConnectError::Network {
            to: format!("{host}:{port}"),
            why,
        };
        let stream = match timeout(limits.connect, connect(host, port)).await {
            Err(_elapsed) => {
                return Err(ConnectError::TimedOut {
                    to: format!("{host}:{port}"),
                    limit: limits.connect,
                });
            }
            Ok(opened) => opened.and_then(prepared),
        };
        let stream = stream.map_err(|error| failed(error.to_string()))?;
        let (stream, last_line) = (BufReader::new(stream), Instant::now());
        let mut connection = Self {
            stream,
            greeting: None,
            line: Vec::new(),
            last_line,
            limits,
            dead: None,
        };
        let greeting = match timeout(limits.connect, connection.next(false)).await {
            Err(_elapsed) => Err(format!("the server sent nothing for {:?}", limits.connect)),
            Ok(line) => line.map_err(|closed| closed.to_string()),
        };
        let greeting = greeting.map_err(failed)?;
        if !greets(&greeting) {
            return Err(ConnectError::NoArena(format!(
                "its first line is \"{}\"",
                ForeignText::new(&greeting, None)
            )));
        }
        connection.greeting = Some(greeting);
        Ok(connection)
    }

    /// The next line without its end. A blank line is no message and is skipped.
    ///
    /// Dropping the future loses nothing.
    ///
    /// # Errors
    ///
    /// If the connection has ended. `in_game` says whether silence counts as that.
    pub async fn next(&mut self, in_game: bool) -> Result<String, Closed> {
        if let Some(dead) = self.dead {
            return Err(dead.into());
        }
        if let Some(greeting) = self.greeting.take() {
            return Ok(greeting);
        }
        loop {
            let dead = self.last_line + LINE_TIMEOUT;
            let line = tokio::select! {
                biased;
                line = self.read_line() => line?,
                () = sleep_until(dead.into()), if in_game => {
                    return Err(Closed::Broken(format!("nothing heard for {} s in a game", LINE_TIMEOUT.as_secs())));
                }
            };
            if !line.trim_ascii().is_empty() {
                return Ok(text(line));
            }
        }
    }

    async fn read_line(&mut self) -> Result<Vec<u8>, Closed> {
        loop {
            let chunk = self.stream.fill_buf().await.map_err(broken)?;
            if chunk.is_empty() {
                return Err(Closed::ByPeer);
            }
            let end = chunk.iter().position(|&byte| byte == b'\n');
            self.line
                .extend_from_slice(&chunk[..end.unwrap_or(chunk.len())]);
            let used = end.map_or(chunk.len(), |end| end + 1);
            self.stream.consume(used);
            if self.line.len() > MAX_FRAME {
                return Err(Closed::Broken(format!(
                    "a line is longer than {MAX_FRAME} bytes"
                )));
            }
            if end.is_some() {
                self.last_line = Instant::now();
                return Ok(std::mem::take(&mut self.line));
            }
        }
    }

    /// Sends a line.
    ///
    /// # Errors
    ///
    /// If the connection has ended.
    pub async fn send(&mut self, mut line: String) -> Result<(), Closed> {
        if let Some(dead) = self.dead {
            return Err(dead.into());
        }
        line.push('\n');
        match timeout(self.limits.write, self.stream.write_all(line.as_bytes())).await {
            Ok(written) => written.map_err(broken),
            Err(_elapsed) => {
                // A part of the line may have been sent, so no other line can follow.
                let dead = Dead::NotReading(self.limits.write);
                self.dead = Some(dead);
                Err(dead.into())
            }
        }
    }
}

/// Bytes that are not UTF-8 are replaced: they occur in unused texts, such as players' names.
pub(super) fn text(line: Vec<u8>) -> String {
    String::from_utf8(line)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn prepared(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    set_socket_keepalive(&stream, true)?;
    set_tcp_keepidle(&stream, PROBE_EVERY)?;
    set_tcp_keepintvl(&stream, PROBE_EVERY)?;
    set_tcp_keepcnt(&stream, PROBES)?;
    Ok(stream)
}

fn broken(error: io::Error) -> Closed {
    Closed::Broken(error.to_string())
}

//! How frames travel.

pub mod liveness;
pub mod stdio;
pub mod tcp;
pub mod websocket;

use std::time::Duration;

use tokio_tungstenite::tungstenite::Utf8Bytes;
use tokio_tungstenite::tungstenite::http::StatusCode;

use self::liveness::Dead;

/// Longest wait for a connection to open.
const CONNECT_WITHIN: Duration = Duration::from_secs(20);
/// Longest wait for a frame to leave. A peer that does not read is as good as gone.
const WRITE_WITHIN: Duration = Duration::from_secs(10);

/// Why no connection came about.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The arena refused the login.
    #[error("the arena refused the connection: HTTP {0}")]
    Refused(StatusCode),
    /// The arena points elsewhere; a token is not carried there.
    #[error("the arena answered HTTP {0}, a redirect, which is not followed with a token; is arena.url right?")]
    Redirect(StatusCode),
    /// The arena answered, but not with a WebSocket.
    #[error("the arena answered HTTP {0} instead of opening a WebSocket")]
    Status(StatusCode),
    /// Nobody answered in time.
    #[error("no connection within {} s", CONNECT_WITHIN.as_secs())]
    TimedOut,
    /// The network or TLS failed.
    #[error("no connection: {0}")]
    Network(String),
}

/// Why an open connection ended.
#[derive(Debug, thiserror::Error)]
pub enum Closed {
    /// The other side closed or dropped it.
    #[error("the connection was closed by the arena")]
    ByPeer,
    /// It no longer shows life.
    #[error("the connection is dead: {0}")]
    Dead(#[from] Dead),
    /// It broke.
    #[error("the connection broke: {0}")]
    Broken(String),
}

/// An open connection of any sort.
pub enum Connection {
    /// Frames are texts of a WebSocket.
    WebSocket(Box<websocket::Connection>),
    /// Frames are lines of a TCP connection.
    Tcp(tcp::Connection),
    /// Frames are lines of standard input and output.
    Stdio(stdio::Connection),
}

impl Connection {
    /// The next frame.
    ///
    /// Dropping the future loses no frame.
    ///
    /// # Errors
    ///
    /// When the connection has ended. `in_game` says whether silence counts as that.
    pub async fn next(&mut self, in_game: bool) -> Result<Utf8Bytes, Closed> {
        match self {
            Self::WebSocket(connection) => connection.next(in_game).await,
            Self::Tcp(connection) => connection.next(in_game).await.map(Utf8Bytes::from),
            Self::Stdio(connection) => connection.next().await.map(Utf8Bytes::from),
        }
    }

    /// Sends a frame.
    ///
    /// # Errors
    ///
    /// When the connection has ended.
    pub async fn send(&mut self, text: Utf8Bytes) -> Result<(), Closed> {
        match self {
            Self::WebSocket(connection) => connection.send(text).await,
            Self::Tcp(connection) => connection.send(text.to_string()).await,
            Self::Stdio(connection) => connection.send(text.to_string()).await,
        }
    }

    /// Says goodbye, without waiting for an answer for long.
    pub async fn close(self) {
        match self {
            Self::WebSocket(connection) => connection.close().await,
            // Dropping them says all that there is to say.
            Self::Tcp(_) | Self::Stdio(_) => {}
        }
    }
}

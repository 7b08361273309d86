//! Connections that carry frames: WebSocket, lines over TCP, lines over standard input and output.
//! And Botzone's HTTP.

pub mod botzone;
mod handshake;
pub mod liveness;
pub mod stdio;
pub mod tcp;
pub mod websocket;

use std::time::Duration;

use foreign_text::ForeignText;
use tokio_tungstenite::tungstenite::Utf8Bytes;
use tokio_tungstenite::tungstenite::http::StatusCode;

use self::liveness::Dead;
use self::stdio::StdioConnection;
use self::tcp::TcpConnection;
use self::websocket::WebSocketConnection;

/// Time limits of a connection. The default suits the public arena.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Until a connection is open.
    pub connect: Duration,
    /// Until a frame of ours is written. A peer that does not read counts as dead.
    pub write: Duration,
    /// Between two pings of ours.
    pub ping_every: Duration,
    /// Until a ping is answered.
    pub pong: Duration,
    /// Until the next frame in a game. In the queue silence is normal and not limited.
    pub frame: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(20),
            write: Duration::from_secs(10),
            ping_every: Duration::from_secs(20),
            pong: Duration::from_secs(40),
            frame: Duration::from_secs(120),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The arena refused the login.
    #[error(
        "the arena refused the connection: HTTP {status}{}; {}",
        after_colon(.words.as_ref()),
        token_advice(.key)
    )]
    Refused {
        status: StatusCode,
        words: Option<ForeignText>,
        /// The config key that names the source of the token.
        key: &'static str,
    },
    /// The arena redirects to another address; the token is not sent there.
    #[error(
        "the arena answered HTTP {0}, a redirect; the runner sends a token to no other address; check arena.url"
    )]
    Redirect(StatusCode),
    /// The arena is down or overloaded, or names a delay.
    #[error("the arena answered HTTP {status}: it is down or overloaded{}", after_colon(.words.as_ref()))]
    Unavailable {
        status: StatusCode,
        words: Option<ForeignText>,
        /// The delay that it asks for.
        retry_after: Option<Duration>,
    },
    /// The HTTP answer has no meaning for a login.
    #[error("the server is not an arena: HTTP {status}{}; is arena.url right?", after_colon(.words.as_ref()))]
    Meaningless {
        status: StatusCode,
        words: Option<ForeignText>,
    },
    /// The answer is not an arena's.
    #[error("the server is not an arena: {0}; is arena.url right?")]
    NoArena(String),
    /// The certificate is invalid or for another host.
    #[error("the server has no valid certificate: {0}; is arena.url right?")]
    Certificate(String),
    #[error("no connection to {to} within {limit:?}")]
    TimedOut { to: String, limit: Duration },
    /// The network or TLS failed.
    #[error("no connection to {to}: {why}")]
    Network { to: String, why: String },
}

/// What to do about a refused token that this config key names.
pub(crate) fn token_advice(key: &str) -> String {
    format!(
        "see that {key} names this bot's token for this arena, then try it with `bot-runner validate`"
    )
}

fn after_colon(words: Option<&ForeignText>) -> String {
    words
        .filter(|words| !words.as_str().is_empty())
        .map_or_else(String::new, |words| format!(": {words}"))
}

/// The reason why an open connection ended.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Closed {
    /// The other side closed or dropped it.
    #[error("the connection was closed by the arena")]
    ByPeer,
    /// The other side closed it with a WebSocket code and reason.
    #[error("the connection was closed by the arena (code {code}{})", after_colon(Some(.reason)))]
    ByFrame { code: u16, reason: ForeignText },
    #[error("the connection is dead: {0}")]
    Dead(#[from] Dead),
    #[error("the connection broke: {0}")]
    Broken(String),
    /// The data is not valid for a WebSocket, or too long.
    #[error("the arena sent what no WebSocket carries: {0}")]
    Garbled(String),
}

/// An open connection of any sort.
pub enum Connection {
    /// Frames are texts of a WebSocket.
    WebSocket(Box<WebSocketConnection>),
    /// Frames are lines of a TCP connection.
    Tcp(TcpConnection),
    /// Frames are lines of standard input and output.
    Stdio(StdioConnection),
}

impl Connection {
    /// The next frame.
    ///
    /// Dropping the future loses no frame.
    ///
    /// # Errors
    ///
    /// If the connection has ended. `in_game` says whether silence counts as that.
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
    /// If the connection has ended.
    pub async fn send(&mut self, text: Utf8Bytes) -> Result<(), Closed> {
        match self {
            Self::WebSocket(connection) => connection.send(text).await,
            Self::Tcp(connection) => connection.send(text.to_string()).await,
            Self::Stdio(connection) => connection.send(text.to_string()).await,
        }
    }

    /// Closes the connection; waits only briefly for an answer.
    pub async fn close(self) {
        match self {
            Self::WebSocket(connection) => connection.close().await,
            // Dropping these closes them.
            Self::Tcp(_) | Self::Stdio(_) => {}
        }
    }
}

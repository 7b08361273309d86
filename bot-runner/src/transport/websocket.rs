//! One WebSocket connection to an arena.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use protocol::MAX_FRAME;
use secrecy::ExposeSecret;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::header::AUTHORIZATION;
use tokio_tungstenite::tungstenite::http::{HeaderValue, StatusCode};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Bytes, Error, Message, Utf8Bytes};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::liveness::Liveness;
use super::{CONNECT_WITHIN, Closed, ConnectError, WRITE_WITHIN};
use crate::config::Token;

/// Enough for a frame with an observation in a read or a few, and small enough for hundreds of bots.
const READ_BUFFER: usize = 4 << 10;

/// An open connection.
pub struct Connection {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    liveness: Liveness,
}

impl Connection {
    /// Opens a connection with the bot's token.
    ///
    /// # Errors
    ///
    /// When it does not come about; no error shows the token.
    pub async fn open(url: &str, token: &Token) -> Result<Self, ConnectError> {
        let mut request = url.into_client_request().map_err(|error| ConnectError::Network(error.to_string()))?;
        let mut bearer = HeaderValue::from_str(token.bearer().expose_secret())
            .map_err(|_| ConnectError::Network("the token cannot stand in a header".to_owned()))?;
        bearer.set_sensitive(true);
        request.headers_mut().insert(AUTHORIZATION, bearer);
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_FRAME))
            .max_frame_size(Some(MAX_FRAME))
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0);
        let opening = connect_async_with_config(request, Some(config), true);
        let (socket, _response) = match tokio::time::timeout(CONNECT_WITHIN, opening).await {
            Err(_elapsed) => return Err(ConnectError::TimedOut),
            Ok(Err(Error::Http(response))) => {
                let status = response.status();
                return Err(match status {
                    StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => ConnectError::Refused(status),
                    _ if status.is_redirection() => ConnectError::Redirect(status),
                    _ => ConnectError::Status(status),
                });
            }
            Ok(Err(error)) => return Err(ConnectError::Network(token.redact(&error.to_string()))),
            Ok(Ok(opened)) => opened,
        };
        Ok(Self { socket, liveness: Liveness::new(Instant::now()) })
    }

    /// The next text frame. Pings are sent and answered on the way, binary frames passed over.
    ///
    /// Dropping the future loses no frame, at most a ping of ours.
    ///
    /// # Errors
    ///
    /// When the connection has ended. `in_game` says whether silence counts as that.
    pub async fn next(&mut self, in_game: bool) -> Result<Utf8Bytes, Closed> {
        loop {
            let check = self.liveness.next_check(in_game);
            tokio::select! {
                biased;
                message = self.socket.next() => match message {
                    None | Some(Ok(Message::Close(_)) | Err(Error::ConnectionClosed | Error::AlreadyClosed)) => {
                        return Err(Closed::ByPeer);
                    }
                    Some(Ok(Message::Text(text))) => {
                        self.liveness.on_frame(Instant::now());
                        return Ok(text);
                    }
                    Some(Ok(Message::Pong(_))) => self.liveness.on_pong(),
                    Some(Ok(Message::Ping(_) | Message::Binary(_) | Message::Frame(_))) => {}
                    Some(Err(error)) => return Err(Closed::Broken(error.to_string())),
                },
                () = tokio::time::sleep_until(check.into()) => {
                    let now = Instant::now();
                    if let Some(dead) = self.liveness.dead(now, in_game) {
                        return Err(dead.into());
                    }
                    if self.liveness.ping_due(now) {
                        self.write(Message::Ping(Bytes::new())).await?;
                    }
                }
            }
        }
    }

    /// Sends a text frame.
    ///
    /// # Errors
    ///
    /// When the connection has ended.
    pub async fn send(&mut self, text: Utf8Bytes) -> Result<(), Closed> {
        self.write(Message::Text(text)).await
    }

    async fn write(&mut self, message: Message) -> Result<(), Closed> {
        match tokio::time::timeout(WRITE_WITHIN, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(Error::ConnectionClosed | Error::AlreadyClosed)) => Err(Closed::ByPeer),
            Ok(Err(error)) => Err(Closed::Broken(error.to_string())),
            Err(_elapsed) => Err(Closed::Broken(format!("the arena reads nothing for {} s", WRITE_WITHIN.as_secs()))),
        }
    }

    /// Says goodbye, without waiting for an answer for long.
    pub async fn close(mut self) {
        let _ = tokio::time::timeout(Duration::from_millis(500), self.socket.close(None)).await;
    }
}

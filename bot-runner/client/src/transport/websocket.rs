//! A WebSocket connection to an arena.

use std::time::{Duration, Instant};
use std::{fmt, io};

use foreign_text::ForeignText;
use futures_util::{SinkExt, StreamExt};
use outbound::{Authorities, retry_after};
use protocol::MAX_FRAME;
use secrecy::ExposeSecret;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::http::header::{AUTHORIZATION, RETRY_AFTER};
use tokio_tungstenite::tungstenite::http::{HeaderValue, Response, StatusCode};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Bytes, Error, Message, Utf8Bytes};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::liveness::{Dead, Liveness};
use super::{Closed, ConnectError, Limits, handshake};
use crate::Token;

/// A frame with an observation takes few reads; hundreds of bots take little memory.
const READ_BUFFER: usize = 4 << 10;

/// Maximum number of bytes waiting to be sent. Otherwise pongs to a peer that pings and does not
/// read would pile up.
const MAX_UNSENT_BYTES: usize = 64 << 10;

pub struct WebSocketConnection {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    limits: Limits,
    liveness: Liveness,
    /// The token, which the arena may repeat and which must never be shown.
    token: Token,
    /// The reason why no more data is expected.
    dead: Option<Dead>,
}

impl WebSocketConnection {
    /// Opens a connection with the bot's token.
    ///
    /// # Errors
    ///
    /// If it cannot be opened; the token is in no error.
    pub async fn open(
        url: &str,
        token: &Token,
        authorities: &Authorities,
        limits: Limits,
    ) -> Result<Self, ConnectError> {
        let failed = |why: String| ConnectError::Network {
            to: url.to_owned(),
            why,
        };
        let mut request = url
            .into_client_request()
            .map_err(|error| failed(error.to_string()))?;
        let mut bearer = HeaderValue::from_str(token.bearer().expose_secret()).map_err(|_| {
            failed("the token contains a character that an HTTP header may not contain".to_owned())
        })?;
        bearer.set_sensitive(true);
        request.headers_mut().insert(AUTHORIZATION, bearer);
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_FRAME))
            .max_frame_size(Some(MAX_FRAME))
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0)
            .max_write_buffer_size(MAX_UNSENT_BYTES);
        match tokio::time::timeout(
            limits.connect,
            handshake::open(request, config, authorities),
        )
        .await
        {
            Err(_elapsed) => Err(ConnectError::TimedOut {
                to: url.to_owned(),
                limit: limits.connect,
            }),
            Ok(Err(error)) => Err(connect_error(&error, url, token)),
            Ok(Ok(socket)) => {
                let liveness = Liveness::new(limits, Instant::now());
                Ok(Self {
                    socket,
                    limits,
                    liveness,
                    token: token.clone(),
                    dead: None,
                })
            }
        }
    }

    /// The next text frame. Pings are sent and answered meanwhile, and binary frames are skipped.
    ///
    /// Dropping the future loses no frame, at most a ping of ours.
    ///
    /// # Errors
    ///
    /// If the connection has ended. `in_game` says whether silence counts as that.
    pub async fn next(&mut self, in_game: bool) -> Result<Utf8Bytes, Closed> {
        loop {
            if let Some(dead) = self.dead {
                return Err(dead.into());
            }
            let check = self.liveness.next_check(in_game);
            tokio::select! {
                biased;
                message = self.socket.next() => {
                    match message {
                        None => return Err(Closed::ByPeer),
                        Some(Err(error)) => return Err(closed(&error)),
                        Some(Ok(Message::Close(frame))) => return Err(closed_by(frame, &self.token)),
                        Some(Ok(Message::Text(text))) => {
                            self.liveness.on_frame(Instant::now());
                            return Ok(text);
                        }
                        Some(Ok(Message::Pong(_))) => self.liveness.on_pong(),
                        Some(Ok(Message::Ping(_) | Message::Binary(_) | Message::Frame(_))) => {}
                    }
                    // A flood of these frames would starve the timer below.
                    self.look_after(in_game).await?;
                }
                () = tokio::time::sleep_until(check.into()) => self.look_after(in_game).await?,
            }
        }
    }

    /// Sends a ping if it is due.
    async fn look_after(&mut self, in_game: bool) -> Result<(), Closed> {
        let now = Instant::now();
        if let Some(dead) = self.liveness.dead(now, in_game) {
            return Err(dead.into());
        }
        if self.liveness.ping_due(now) {
            self.write(Message::Ping(Bytes::new())).await?;
        }
        Ok(())
    }

    /// Sends a text frame.
    ///
    /// # Errors
    ///
    /// If the connection has ended.
    pub async fn send(&mut self, text: Utf8Bytes) -> Result<(), Closed> {
        self.write(Message::Text(text)).await
    }

    async fn write(&mut self, message: Message) -> Result<(), Closed> {
        if let Some(dead) = self.dead {
            return Err(dead.into());
        }
        let writing = async {
            // Waiting pongs may have filled the buffer.
            self.socket.flush().await?;
            self.socket.send(message).await
        };
        match tokio::time::timeout(self.limits.write, writing).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(closed(&error)),
            Err(_elapsed) => {
                let dead = Dead::NotReading(self.limits.write);
                self.dead = Some(dead);
                Err(dead.into())
            }
        }
    }

    /// Closes the connection; waits only briefly for an answer.
    pub async fn close(mut self) {
        let _ = tokio::time::timeout(Duration::from_millis(500), self.socket.close(None)).await;
    }
}

/// The reason why the connection could not be opened, without the token.
fn connect_error(error: &Error, url: &str, token: &Token) -> ConnectError {
    let network = |error: &dyn fmt::Display| ConnectError::Network {
        to: url.to_owned(),
        why: shown(error, token),
    };
    match error {
        Error::Http(response) => answered(response, token),
        Error::Io(error) if is_certificate(error) => ConnectError::Certificate(error.to_string()),
        Error::Io(error) => network(error),
        // The other side closed the connection during the handshake.
        Error::Tls(_) | Error::Protocol(ProtocolError::HandshakeIncomplete) => network(error),
        Error::AttackAttempt => {
            ConnectError::NoArena("its answer is longer than any handshake".to_owned())
        }
        _ => ConnectError::NoArena(shown(error, token)),
    }
}

/// The text of an error, which may quote the arena.
fn shown(error: &dyn fmt::Display, token: &Token) -> String {
    ForeignText::new(&error.to_string(), Some(token.secret())).to_string()
}

/// Whether the other side has an invalid certificate. An expired or future one does not count: it
/// will be renewed, or our clock corrected.
fn is_certificate(error: &io::Error) -> bool {
    use rustls::CertificateError::{Expired, ExpiredContext, NotValidYet, NotValidYetContext};
    match error.get_ref().and_then(|error| error.downcast_ref()) {
        Some(rustls::Error::InvalidCertificate(why)) => !matches!(
            why,
            Expired | ExpiredContext { .. } | NotValidYet | NotValidYetContext { .. }
        ),
        _ => false,
    }
}

fn answered(response: &Response<Option<Vec<u8>>>, token: &Token) -> ConnectError {
    let status = response.status();
    let words = response
        .body()
        .as_deref()
        .and_then(|body| words_of(body, token));
    let names_delay = response.headers().contains_key(RETRY_AFTER);
    match status {
        _ if status.is_redirection() => ConnectError::Redirect(status),
        // An arena that names a delay does not refuse permanently.
        _ if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS || names_delay => {
            ConnectError::Unavailable {
                status,
                words,
                retry_after: retry_after(response.headers()),
            }
        }
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => ConnectError::Refused {
            status,
            words,
            key: token.key(),
        },
        _ => ConnectError::Meaningless { status, words },
    }
}

/// The words of an answer as far as they arrived with its head; the rest is not awaited. `None` for
/// a web page.
fn words_of(body: &[u8], token: &Token) -> Option<ForeignText> {
    let body = String::from_utf8_lossy(body);
    let words = body.trim();
    (!words.is_empty() && !words.starts_with('<'))
        .then(|| ForeignText::new(words, Some(token.secret())))
}

fn closed_by(frame: Option<CloseFrame>, token: &Token) -> Closed {
    let Some(CloseFrame { code, reason }) = frame else {
        return Closed::ByPeer;
    };
    Closed::ByFrame {
        code: code.into(),
        reason: ForeignText::new(&reason, Some(token.secret())),
    }
}

/// The meaning of an error on an open connection.
fn closed(error: &Error) -> Closed {
    match error {
        Error::ConnectionClosed
        | Error::AlreadyClosed
        | Error::Protocol(
            ProtocolError::ResetWithoutClosingHandshake | ProtocolError::SendAfterClosing,
        ) => Closed::ByPeer,
        Error::Protocol(_) | Error::Capacity(_) | Error::Utf8(_) => {
            Closed::Garbled(error.to_string())
        }
        _ => Closed::Broken(error.to_string()),
    }
}

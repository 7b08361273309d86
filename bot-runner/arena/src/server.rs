//! The listening socket, the handshake, and the handle on a running arena.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::SinkExt;
use protocol::riichilab::server::error_json;
use secrecy::{ExposeSecret, SecretString};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::StatusCode;
use tokio_tungstenite::tungstenite::http::header::AUTHORIZATION;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, accept_hdr_async_with_config};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use crate::bots::Register;
use crate::config::ArenaSettings;
use crate::connection::{Farewell, converse, hang_up};
use crate::kind::GamePurpose;
use crate::matchmaker::{Matchmaker, MatchmakerCall};
use crate::table::{Client, FinishedGame};

/// Maximum time for the handshake of a client.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Maximum length of a client's message, in bytes. Replies have some hundred bytes.
const MAX_MESSAGE: usize = 1 << 20;

/// Pause after the operating system refused a connection, for instance for lack of file
/// descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Dropping it stops the arena without waiting.
#[derive(Debug)]
pub struct ArenaHandle {
    address: SocketAddr,
    finished: UnboundedReceiver<FinishedGame>,
    tasks: TaskTracker,
    stop: DropGuard,
}

impl ArenaHandle {
    #[must_use]
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The base of its endpoints, for instance `ws://127.0.0.1:4000`; the paths `/ws/ranked` and
    /// `/ws/validate` are appended.
    #[must_use]
    pub fn url(&self) -> String {
        format!("ws://{}", self.address)
    }

    /// Waits for the next game to end.
    pub async fn finished(&mut self) -> Option<FinishedGame> {
        self.finished.recv().await
    }

    /// Ends all games and connections and waits until they have ended.
    pub async fn stop(self) {
        drop(self.stop);
        self.tasks.wait().await;
    }
}

/// Opens an arena.
///
/// # Errors
/// If it cannot listen on the address, the number of players is not three or four, or `table_of`
/// names too many bots or one that may not connect.
pub async fn start(config: ArenaSettings) -> io::Result<ArenaHandle> {
    let register = Arc::new(Register::new(config.tokens.clone()));
    let invalid = |reason: &str| io::Error::new(io::ErrorKind::InvalidInput, reason.to_owned());
    if !matches!(config.players, 3 | 4) {
        return Err(invalid("a game has three or four players"));
    }
    if config.table_of.len() > usize::from(config.players) {
        return Err(invalid(&format!(
            "a table has {} seats, and `table_of` names more bots",
            config.players
        )));
    }
    let table_of = config
        .table_of
        .iter()
        .map(|token| register.find(token.expose_secret()))
        .collect::<Option<Vec<_>>>();
    let table_of =
        table_of.ok_or_else(|| invalid("`table_of` names a token that is not listed"))?;

    let listener = TcpListener::bind(config.listen).await?;
    let address = listener.local_addr()?;
    let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
    let (to_finished, finished) = mpsc::unbounded_channel();
    let (calls, from_connections) = mpsc::unbounded_channel();
    let matchmaker = Matchmaker::new(
        config,
        Arc::clone(&register),
        table_of,
        to_finished,
        stop.clone(),
        tasks.clone(),
    );
    tasks.spawn(matchmaker.run(from_connections));
    let door = Door {
        register,
        calls,
        connections: AtomicU64::new(0),
        stop: stop.clone(),
        tasks: tasks.clone(),
    };
    tasks.spawn(Arc::new(door).accept(listener));
    tasks.close();
    Ok(ArenaHandle {
        address,
        finished,
        tasks,
        stop: stop.drop_guard(),
    })
}

/// Admits clients.
struct Door {
    register: Arc<Register>,
    calls: UnboundedSender<MatchmakerCall>,
    connections: AtomicU64,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Door {
    async fn accept(self: Arc<Self>, listener: TcpListener) {
        loop {
            let accepted = tokio::select! {
                () = self.stop.cancelled() => return,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) => {
                    let door = Arc::clone(&self);
                    self.tasks.spawn(async move {
                        tokio::select! {
                            () = door.stop.cancelled() => {}
                            () = door.serve(stream) => {}
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    /// One connection from the handshake to its end.
    async fn serve(&self, stream: TcpStream) {
        // Frames are small, and the other side waits for each.
        _ = stream.set_nodelay(true);
        let Ok(Ok((mut socket, knock))) = timeout(HANDSHAKE, shake_hands(stream)).await else {
            tracing::debug!("a handshake failed");
            return;
        };
        let token = knock.token.as_ref().map(ExposeSecret::expose_secret);
        let bot = match self.register.admit(token, knock.kind) {
            Ok(bot) => bot,
            Err(refusal) => {
                tracing::info!(%refusal, "a connection is refused");
                _ = socket
                    .send(Message::text(error_json(&refusal.to_string())))
                    .await;
                hang_up(socket, Farewell::Polite).await;
                return;
            }
        };
        let connection = self.connections.fetch_add(1, Ordering::Relaxed);
        let (outbox, inbox) = mpsc::unbounded_channel();
        let client = Client { bot, outbox };
        if self
            .calls
            .send(MatchmakerCall::Join {
                kind: knock.kind,
                connection,
                client,
            })
            .is_err()
        {
            return;
        }
        if !converse(socket, inbox).await {
            _ = self.calls.send(MatchmakerCall::Leave { connection });
        }
    }
}

/// A client's request for a connection.
struct Knock {
    kind: GamePurpose,
    token: Option<SecretString>,
}

async fn shake_hands(
    stream: TcpStream,
) -> Result<(WebSocketStream<TcpStream>, Knock), tokio_tungstenite::tungstenite::Error> {
    let mut knock = Knock {
        kind: GamePurpose::Ranked,
        token: None,
    };
    let limits = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE));
    #[allow(
        clippy::result_large_err,
        reason = "the handshake's own type of answer"
    )]
    let read = |request: &Request, response: Response| -> Result<Response, ErrorResponse> {
        knock.kind = match request.uri().path() {
            "/ws/ranked" => GamePurpose::Ranked,
            "/ws/validate" => GamePurpose::Validation,
            _ => {
                let mut not_found = ErrorResponse::new(Some("not found\n".to_owned()));
                *not_found.status_mut() = StatusCode::NOT_FOUND;
                return Err(not_found);
            }
        };
        knock.token = request
            .headers()
            .get(AUTHORIZATION)
            .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "))
            .map(str::trim)
            .filter(|token| !token.is_empty())
            .map(SecretString::from);
        Ok(response)
    };
    let socket = accept_hdr_async_with_config(stream, read, Some(limits)).await?;
    Ok((socket, knock))
}

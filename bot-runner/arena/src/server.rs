//! The listening socket, HTTP, the handshake of clients, and the handle on a running arena.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use futures_util::SinkExt;
use hyper::header::{AUTHORIZATION, RETRY_AFTER};
use hyper::server::conn::http1;
use hyper::upgrade::Upgraded;
use hyper::{HeaderMap, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use protocol::riichilab::server::error_json;
use secrecy::{ExposeSecret, SecretString};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::create_response;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use crate::bots::Register;
use crate::config::ArenaSettings;
use crate::connection::{Farewell, converse, hang_up};
use crate::kind::GamePurpose;
use crate::matchmaker::{Matchmaker, MatchmakerCall};
use crate::table::{Client, FinishedGame};

/// Maximum time until a request is complete.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum time of a connection that is not a WebSocket.
const HTTP_TIMEOUT: Duration = Duration::from_secs(60);

/// Maximum size of a request's head, in bytes.
const MAX_HEAD: usize = 16 << 10;

/// Maximum number of connections that are not WebSockets; a further one replaces the oldest.
const MAX_HTTP_CONNECTIONS: usize = 512;

/// Maximum number of WebSockets.
const MAX_CLIENTS: usize = 4096;

/// Time after which a client that got no WebSocket may try again, in seconds.
const CLIENTS_RETRY: &str = "30";

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
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The base of its endpoints, for instance `ws://127.0.0.1:4000`; the paths `/ws/ranked` and
    /// `/ws/validate` are appended.
    pub fn url(&self) -> String {
        format!("ws://{}", self.address)
    }

    /// Waits for the next game to end; `None` after the last game of an event.
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
/// names too many bots or one that may not connect; or if there is an event without a ladder, or
/// the listed bots are not those of the event.
pub async fn start(config: ArenaSettings) -> io::Result<ArenaHandle> {
    let register = Arc::new(Register::new(config.tokens.clone(), config.beside.clone()));
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

    if let Some(event) = &config.event {
        if config.ladder.is_none() {
            return Err(invalid("an event needs a ladder that keeps its games"));
        }
        let listed = register.all().into_iter().map(|bot| register.name(bot));
        if !listed.eq(event.bots.iter().cloned()) || event.players != config.players {
            return Err(invalid(
                "the arena has other bots or players than its event",
            ));
        }
    }

    let listener = TcpListener::bind(config.listen).await?;
    let address = listener.local_addr()?;
    let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
    let (to_finished, finished) = mpsc::unbounded_channel();
    let (calls, from_connections) = mpsc::unbounded_channel();
    let http = config.http.clone();
    let matchmaker = Matchmaker::new(
        config,
        Arc::clone(&register),
        table_of,
        to_finished,
        calls.clone(),
        stop.clone(),
        tasks.clone(),
    );
    tasks.spawn(matchmaker.run(from_connections));
    let door = Arc::new(Door {
        register,
        calls,
        connections: AtomicU64::new(0),
        clients: Arc::new(Semaphore::new(MAX_CLIENTS)),
        stop: stop.clone(),
        tasks: tasks.clone(),
    });
    let app = Router::new()
        .route("/ws/ranked", any(ranked))
        .route("/ws/validate", any(validate))
        .with_state(Arc::clone(&door))
        .merge(http);
    tasks.spawn(door.accept(listener, app));
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
    /// Room for WebSockets.
    clients: Arc<Semaphore>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Door {
    async fn accept(self: Arc<Self>, listener: TcpListener, app: Router) {
        // The connections that are not WebSockets, the oldest first.
        let mut open: VecDeque<AbortHandle> = VecDeque::new();
        loop {
            let accepted = tokio::select! {
                () = self.stop.cancelled() => return,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) => {
                    open.retain(|task| !task.is_finished());
                    if open.len() >= MAX_HTTP_CONNECTIONS
                        && let Some(oldest) = open.pop_front()
                    {
                        oldest.abort();
                    }
                    let (app, stop) = (app.clone(), self.stop.clone());
                    let task = self.tasks.spawn(async move {
                        tokio::select! {
                            () = stop.cancelled() => {}
                            () = serve(stream, app) => {}
                        }
                    });
                    open.push_back(task.abort_handle());
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    /// Answers the handshake of a client, which then plays.
    fn shake_hands(self: Arc<Self>, kind: GamePurpose, request: Request) -> Response {
        let (parts, _) = request.into_parts();
        let mut request = hyper::Request::from_parts(parts, ());
        let response = match create_response(&request) {
            Ok(response) => response,
            Err(error) => {
                let words = format!("a WebSocket is expected here: {error}\n");
                return (StatusCode::BAD_REQUEST, words).into_response();
            }
        };
        let Ok(room) = Arc::clone(&self.clients).try_acquire_owned() else {
            let words = "the arena has no room for another client\n";
            let retry = [(RETRY_AFTER, CLIENTS_RETRY)];
            return (StatusCode::SERVICE_UNAVAILABLE, retry, words).into_response();
        };
        let token = bearer(request.headers());
        let upgrade = hyper::upgrade::on(&mut request);
        let door = Arc::clone(&self);
        self.tasks.spawn(async move {
            let _room = room;
            tokio::select! {
                () = door.stop.cancelled() => {}
                upgraded = timeout(REQUEST_TIMEOUT, upgrade) => match upgraded {
                    Ok(Ok(upgraded)) => door.play(kind, token, upgraded).await,
                    _ => tracing::debug!("a handshake failed"),
                },
            }
        });
        response.map(|()| axum::body::Body::empty())
    }

    /// The connection of a client from the handshake to its end.
    async fn play(&self, kind: GamePurpose, token: Option<SecretString>, upgraded: Upgraded) {
        let limits = WebSocketConfig::default()
            .max_message_size(Some(MAX_MESSAGE))
            .max_frame_size(Some(MAX_MESSAGE));
        let stream = TokioIo::new(upgraded);
        let mut socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(limits)).await;
        let token = token.as_ref().map(ExposeSecret::expose_secret);
        let bot = match self.register.admit(token, kind) {
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
                kind,
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

async fn ranked(State(door): State<Arc<Door>>, request: Request) -> Response {
    door.shake_hands(GamePurpose::Ranked, request)
}

async fn validate(State(door): State<Arc<Door>>, request: Request) -> Response {
    door.shake_hands(GamePurpose::Validation, request)
}

/// Answers the requests of a connection until it ends, or becomes a WebSocket.
async fn serve(stream: TcpStream, app: Router) {
    // Frames are small, and the other side waits for each.
    _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(REQUEST_TIMEOUT)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(app))
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let served = match timeout(HTTP_TIMEOUT, connection.as_mut()).await {
        Ok(served) => served,
        Err(_elapsed) => {
            // The answer that is under way may end.
            connection.as_mut().graceful_shutdown();
            match timeout(REQUEST_TIMEOUT, connection).await {
                Ok(served) => served,
                Err(_elapsed) => return,
            }
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection has ended");
    }
}

/// The token of a request.
fn bearer(headers: &HeaderMap) -> Option<SecretString> {
    headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "))
        .map(str::trim)
        .filter(|token| !token.is_empty())
        .map(SecretString::from)
}

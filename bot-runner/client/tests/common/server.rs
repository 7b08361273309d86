//! An arena on a real socket that sends what the test scripts.

use std::time::Duration;

use arena::FrameGame;
use client::ArenaUrl;
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::StatusCode;
use tokio_tungstenite::{WebSocketStream, accept_hdr_async};

use super::frames::*;

/// Longer than any step of these tests takes; after this the test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// Fails the test instead of hanging it.
pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    timeout(PATIENCE, future)
        .await
        .unwrap_or_else(|_| panic!("{what} does not come"))
}

pub(crate) struct Server {
    listener: TcpListener,
}

impl Server {
    pub(crate) async fn open() -> Self {
        Self {
            listener: TcpListener::bind("127.0.0.1:0")
                .await
                .expect("loopback has a free port"),
        }
    }

    pub(crate) fn address(&self) -> String {
        format!("ws://{}", self.listener.local_addr().expect("it is bound"))
    }

    pub(crate) fn url(&self) -> ArenaUrl {
        ArenaUrl::parse(&self.address()).expect("a loopback address")
    }

    pub(crate) async fn accept(&self) -> Client {
        self.shake_hands(None)
            .await
            .expect("the handshake succeeds")
    }

    /// Turns the next client away at the handshake.
    pub(crate) async fn turn_away(&self, status: StatusCode, location: Option<&str>) {
        let mut response = ErrorResponse::new(Some("turned away".to_owned()));
        *response.status_mut() = status;
        if let Some(location) = location {
            response
                .headers_mut()
                .insert("location", location.parse().expect("a header value"));
        }
        assert!(self.shake_hands(Some(response)).await.is_none());
    }

    /// Lets the next client in and closes with an untyped error.
    pub(crate) async fn refuse(&self, words: &str) {
        let mut client = self.accept().await;
        client.say(serde_json::json!({"error": words})).await;
        client.close().await;
    }

    /// Takes the next connection before its handshake.
    pub(crate) async fn accept_tcp(&self) -> TcpStream {
        soon("a connection", self.listener.accept())
            .await
            .expect("it connects")
            .0
    }

    /// Takes the next connection with its handshake's request.
    pub(crate) async fn asked(&self) -> (TcpStream, String) {
        let mut stream = self.accept_tcp().await;
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            assert!(
                stream.read_buf(&mut request).await.expect("the bot writes") > 0,
                "the bot is there"
            );
        }
        (stream, String::from_utf8(request).expect("it is text"))
    }

    /// Answers the next client's handshake with these bytes and hangs up.
    pub(crate) async fn answer(&self, bytes: &[u8]) {
        let (mut stream, _) = self.asked().await;
        // The bot need not read it to its end.
        let _ = stream.write_all(bytes).await;
    }

    /// Whether no client connects for this long.
    pub(crate) async fn is_left_alone(&self, time: Duration) -> bool {
        timeout(time, self.listener.accept()).await.is_err()
    }

    #[allow(
        clippy::result_large_err,
        reason = "the handshake's own type of answer"
    )]
    async fn shake_hands(&self, refusal: Option<ErrorResponse>) -> Option<Client> {
        let (stream, _) = soon("a connection", self.listener.accept())
            .await
            .expect("it connects");
        stream.set_nodelay(true).expect("a socket has this option");
        let (mut path, mut authorization) = (String::new(), String::new());
        let refuses = refusal.is_some();
        let read = |request: &Request, response: Response| {
            path = request.uri().path().to_owned();
            let header = request
                .headers()
                .get("authorization")
                .and_then(|value| value.to_str().ok());
            authorization = header.unwrap_or_default().to_owned();
            refusal.map_or(Ok(response), Err)
        };
        match accept_hdr_async(stream, read).await {
            Ok(socket) => Some(Client {
                socket,
                path,
                authorization,
            }),
            Err(_) if refuses => None,
            Err(error) => panic!("the handshake fails: {error}"),
        }
    }
}

/// A connected bot, from the arena's side.
pub(crate) struct Client {
    socket: WebSocketStream<TcpStream>,
    pub(crate) path: String,
    pub(crate) authorization: String,
}

impl Client {
    pub(crate) async fn say(&mut self, frame: Value) {
        self.send(Message::text(frame.to_string())).await;
    }

    pub(crate) async fn say_all(&mut self, frames: impl IntoIterator<Item = Value>) {
        for frame in frames {
            self.say(frame).await;
        }
    }

    pub(crate) async fn send(&mut self, message: Message) {
        self.socket.send(message).await.expect("the bot reads");
    }

    /// Writes bytes past the WebSocket.
    pub(crate) async fn raw(&mut self, bytes: &[u8]) {
        self.try_raw(bytes).await.expect("the bot reads");
    }

    /// The same to a bot that may have disconnected.
    pub(crate) async fn try_raw(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.socket.get_mut().write_all(bytes).await
    }

    /// Closes the sending side, and continues reading.
    pub(crate) async fn half_close(&mut self) {
        self.socket
            .get_mut()
            .shutdown()
            .await
            .expect("the bot is there");
    }

    /// Sends what the bot may not read to its end.
    pub(crate) async fn send_in_vain(&mut self, message: Message) {
        let _ = self.socket.send(message).await;
    }

    /// The next message, including pings and similar; `None` when the bot has disconnected.
    pub(crate) async fn next(&mut self) -> Option<Message> {
        match soon("a message", self.socket.next()).await {
            Some(Ok(Message::Close(_)) | Err(_)) | None => None,
            Some(Ok(message)) => Some(message),
        }
    }

    pub(crate) async fn reply(&mut self) -> Value {
        loop {
            match self.next().await.expect("the bot is there") {
                Message::Text(text) => {
                    return serde_json::from_str(&text).expect("a reply is JSON");
                }
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Begins a game: our bot sits on seat 1, and the dealer is about to discard.
    pub(crate) async fn deal(&mut self) {
        self.say_all([start_game(SEAT), start_kyoku(SEAT, PLAIN), tsumo(0, "?")])
            .await;
    }

    /// The dealer discards a 4p, which the bot may call.
    pub(crate) async fn offer(&mut self, request_id: u64) {
        self.say_all([dahai(0, "4p", false), pon_or_pass(request_id)])
            .await;
    }

    /// Draws the round and ends the game.
    pub(crate) async fn finish(&mut self) {
        self.say_all([ryukyoku([0; 4]), end_kyoku(), end_game()])
            .await;
    }

    /// Ends the connection by a close frame and waits until the bot has gone too.
    pub(crate) async fn close(mut self) {
        let _ = self.socket.close(None).await;
        self.gone().await;
    }

    /// Ends the connection by a TCP reset.
    pub(crate) fn reset(self) {
        self.socket
            .get_ref()
            .set_zero_linger()
            .expect("a socket has this option");
    }

    /// Waits until the bot has disconnected; returns the texts it sent until then.
    pub(crate) async fn gone(mut self) -> Vec<String> {
        let mut texts = Vec::new();
        while let Some(message) = self.next().await {
            if let Message::Text(text) = message {
                texts.push(text.to_string());
            }
        }
        texts
    }

    /// Plays a game of one client to its end; gives it back for its results.
    pub(crate) async fn play(&mut self, game: FrameGame) -> FrameGame {
        self.play_by(game, async |client, texts| {
            for text in texts {
                client.send(Message::text(text)).await;
            }
        })
        .await
    }

    /// The same, with `tell` receiving each frame until the next reply.
    pub(crate) async fn play_by(
        &mut self,
        mut game: FrameGame,
        mut tell: impl AsyncFnMut(&mut Self, Vec<String>),
    ) -> FrameGame {
        loop {
            let texts = std::iter::from_fn(|| game.outgoing())
                .map(|frame| frame.text)
                .collect();
            tell(self, texts).await;
            if game.is_over() {
                return game;
            }
            if game.waits() {
                let reply = self.reply().await;
                game.receive(riichi::Seat::FIRST, &reply.to_string(), 1);
            } else {
                game.step().expect("the engine goes on");
            }
        }
    }
}

/// A request after the dealer's 4p.
pub(crate) fn pon_or_pass(request_id: u64) -> Value {
    request(request_id, [call("pon", "4p", "4p 4p"), bare("none")])
}

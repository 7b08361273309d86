//! Clients of an arena on real sockets.
#![allow(dead_code, reason = "each file of tests needs a part")]

use std::time::Duration;

use arena::{
    ArenaHandle, ArenaSettings, FinishedGame, RegisteredBot, RegistrationState, Tokens, start,
};
use futures_util::{SinkExt, StreamExt};
use protocol::ActionKind;
use protocol::riichilab::{RequestAction, ServerFrame, parse_frame};
use riichi::rules::Length;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Longer than anything here takes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) const RANKED: &str = "/ws/ranked";
pub(crate) const VALIDATE: &str = "/ws/validate";

pub(crate) fn short_games() -> ArenaSettings {
    ArenaSettings {
        length: Length::Single,
        ..ArenaSettings::default()
    }
}

pub(crate) fn listed(bots: &[(&str, RegistrationState)]) -> Tokens {
    let bot = |(name, state): &(&str, RegistrationState)| RegisteredBot {
        token: format!("{name}-token").into(),
        name: (*name).to_owned(),
        state: *state,
    };
    Tokens::Listed(bots.iter().map(bot).collect())
}

pub(crate) async fn open(config: ArenaSettings) -> ArenaHandle {
    start(config).await.unwrap()
}

pub(crate) struct Client(pub(crate) WebSocketStream<MaybeTlsStream<TcpStream>>);

pub(crate) async fn connect_with(
    url: &str,
    path: &str,
    authorization: Option<&str>,
) -> Result<Client, Error> {
    let mut request = (url.to_owned() + path).into_client_request().unwrap();
    if let Some(value) = authorization {
        request
            .headers_mut()
            .insert("Authorization", value.parse().unwrap());
    }
    Ok(Client(connect_async(request).await?.0))
}

pub(crate) async fn connect(arena: &ArenaHandle, path: &str, bot: &str) -> Client {
    connect_with(&arena.url(), path, Some(&format!("Bearer {bot}-token")))
        .await
        .unwrap()
}

/// The end of a connection.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With a close frame.
    Closed,
    /// Without one.
    Dropped,
}

impl Client {
    /// The next frame, or how the connection ended.
    pub(crate) async fn next(&mut self) -> Result<String, End> {
        loop {
            match timeout(PATIENCE, self.0.next())
                .await
                .expect("the arena says something")
            {
                Some(Ok(Message::Text(text))) => return Ok(text.to_string()),
                Some(Ok(Message::Close(_))) => return Err(End::Closed),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(End::Dropped),
            }
        }
    }

    pub(crate) async fn say(&mut self, text: &str) {
        self.0.send(Message::text(text.to_owned())).await.unwrap();
    }

    /// Whether a text could be sent.
    pub(crate) async fn try_say(&mut self, text: &str) -> bool {
        self.0.send(Message::text(text.to_owned())).await.is_ok()
    }

    /// All frames up to and including the first for which `last` holds.
    pub(crate) async fn until(&mut self, last: impl Fn(&ServerFrame<'_>) -> bool) -> Vec<String> {
        let mut frames = Vec::new();
        loop {
            let text = self.next().await.expect("the connection lasts");
            let found = last(&parse_frame(&text).unwrap());
            frames.push(text);
            if found {
                return frames;
            }
        }
    }

    /// The frames up to the next request and the harmless reply to it.
    pub(crate) async fn asked(&mut self) -> (Vec<String>, String) {
        let frames = self
            .until(|frame| matches!(frame, ServerFrame::Request(_)))
            .await;
        let Ok(ServerFrame::Request(request)) = parse_frame(frames.last().unwrap()) else {
            unreachable!()
        };
        let reply = harmless(&request);
        (frames, reply)
    }

    /// Plays to the end with harmless replies; returns the frames and how the connection ended.
    pub(crate) async fn play(&mut self) -> (Vec<String>, End) {
        let mut frames = Vec::new();
        loop {
            let text = match self.next().await {
                Ok(text) => text,
                Err(end) => return (frames, end),
            };
            if let Ok(ServerFrame::Request(request)) = parse_frame(&text) {
                let reply = harmless(&request);
                self.say(&reply).await;
            }
            frames.push(text);
        }
    }
}

/// Passes every claim and discards the last tile listed.
pub(crate) fn harmless(request: &RequestAction<'_>) -> String {
    let list = request.possible_actions.as_ref().unwrap();
    let find = |kind| list.iter().rfind(|entry| entry.kind == kind);
    let mut reply = serde_json::to_value(
        find(ActionKind::None)
            .or_else(|| find(ActionKind::Dahai))
            .unwrap(),
    )
    .unwrap();
    reply["request_id"] = request.request_id.into();
    reply.to_string()
}

pub(crate) async fn finished(arena: &mut ArenaHandle) -> FinishedGame {
    timeout(PATIENCE, arena.finished())
        .await
        .expect("the game ends")
        .unwrap()
}

//! Connections that stall, and silence. Each is of a connection alone, so that nothing that plays
//! on has to be fast.

use std::time::Duration;

use client::Token;
use client::transport::liveness::Dead;
use client::transport::websocket::WebSocketConnection;
use client::transport::{Closed, ConnectError, Limits};
use outbound::Authorities;
use tokio::io::AsyncWriteExt;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::{Bytes, Message, Utf8Bytes};

use super::super::bot::TOKEN;
use super::wire::{PING, TEXT, frame};
use crate::common::server::{Client, Server, soon};

/// Short, but long enough for the code under test.
const MOMENT: Duration = Duration::from_millis(100);

/// Limits that are long except for the changed ones.
fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

async fn open(server: &Server, limits: Limits) -> Result<WebSocketConnection, ConnectError> {
    let token = Token::new(TOKEN).expect("a token");
    let (url, authorities) = (
        format!("{}/ws/ranked", server.address()),
        Authorities::default(),
    );
    soon(
        "an answer",
        WebSocketConnection::open(&url, &token, &authorities, limits),
    )
    .await
}

async fn connected(limits: Limits) -> (WebSocketConnection, Client) {
    let server = Server::open().await;
    let (connection, client) = tokio::join!(open(&server, limits), server.accept());
    (connection.expect("it opens"), client)
}

/// The end of a connection, in a game or in the queue, while the arena does something endlessly.
async fn end_of(
    mut connection: WebSocketConnection,
    in_game: bool,
    script: impl Future<Output = ()>,
) -> Dead {
    let end = tokio::select! {
        end = soon("the end", connection.next(in_game)) => end,
        () = script => unreachable!("it has no end"),
    };
    let Err(Closed::Dead(dead)) = end else {
        panic!("{end:?}")
    };
    dead
}

/// Reads, and so answers pings.
async fn read(client: &mut Client) {
    while client.next().await.is_some() {}
}

#[tokio::test]
async fn a_handshake_that_is_not_finished_in_time_is_given_up() {
    let server = Server::open().await;
    let limits = limits(|limits| limits.connect = MOMENT);
    let (opened, _silent) = tokio::join!(open(&server, limits), server.accept_tcp());
    let Some(error @ ConnectError::TimedOut { limit: MOMENT, .. }) = opened.err() else {
        panic!("it is given up")
    };
    assert_eq!(
        error.to_string(),
        format!(
            "no connection to {}/ws/ranked within 100ms",
            server.address()
        )
    );
}

#[tokio::test]
async fn a_handshake_is_understood_after_interim_answers_and_byte_for_byte() {
    let server = Server::open().await;
    let answering = async {
        let (mut stream, request) = server.asked().await;
        stream.set_nodelay(true).expect("a socket has this option");
        let key = request
            .lines()
            .find_map(|line| line.strip_prefix("Sec-WebSocket-Key: "))
            .expect("a key");
        let accept = derive_accept_key(key.as_bytes());
        let answer = format!(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n\
             HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-accept: {accept}\r\n\r\n"
        );
        for &byte in &[answer.as_bytes(), &frame(TEXT, b"welcome")].concat() {
            stream.write_all(&[byte]).await.expect("the bot reads");
            // So that each travels alone.
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        stream
    };
    let opening = async {
        open(&server, Limits::default())
            .await
            .expect("it opens")
            .next(false)
            .await
    };
    let (text, _stream) = tokio::join!(opening, answering);
    assert_eq!(text.expect("it is alive"), "welcome");
}

#[tokio::test]
async fn an_arena_that_answers_no_ping_is_dead() {
    let (connection, _client) = connected(limits(|limits| {
        (limits.ping_every, limits.pong) = (MOMENT, MOMENT)
    }))
    .await;
    // The socket is not read, so there is no answer.
    assert_eq!(
        end_of(connection, false, std::future::pending()).await,
        Dead::NoPong(MOMENT)
    );
}

#[tokio::test]
async fn an_arena_that_answers_pings_and_says_nothing_in_a_game_is_dead() {
    let limits = limits(|limits| (limits.ping_every, limits.frame) = (MOMENT / 10, MOMENT));
    let (connection, mut client) = connected(limits).await;
    assert_eq!(
        end_of(connection, true, read(&mut client)).await,
        Dead::Silent(MOMENT)
    );
}

#[tokio::test]
async fn an_arena_that_pings_without_end_and_says_nothing_in_a_game_is_dead() {
    let (connection, mut client) = connected(limits(|limits| limits.frame = MOMENT)).await;
    let pinging = async {
        let thousand = frame(PING, b"x").repeat(1000);
        let no_frame_of_a_game = Message::binary(&b"x"[..]);
        loop {
            client.send_in_vain(no_frame_of_a_game.clone()).await;
            client.try_raw(&thousand).await.expect("the bot reads");
        }
    };
    assert_eq!(
        end_of(connection, true, pinging).await,
        Dead::Silent(MOMENT)
    );
}

#[tokio::test]
async fn silence_in_the_queue_is_no_fault_as_long_as_pings_are_answered() {
    let limits = limits(|limits| (limits.ping_every, limits.frame) = (MOMENT / 10, MOMENT));
    let (mut connection, mut client) = connected(limits).await;
    let silence = async {
        let _ = tokio::time::timeout(3 * MOMENT, read(&mut client)).await;
        client.send(Message::text("at last")).await;
    };
    let (text, ()) = tokio::join!(connection.next(false), silence);
    assert_eq!(text.expect("it is alive"), "at last");
}

/// Number of pings that exceeds the room for pongs in transit: 25 MB of them.
const FLOOD: usize = 200_000;

/// A connection that has heard a flood of pings, of whose pongs none was read, and then a question.
async fn flooded(limits: Limits) -> (WebSocketConnection, Client) {
    let (mut connection, mut client) = connected(limits).await;
    let pinging = async {
        let thousand = frame(PING, &[b'x'; 125]).repeat(1000);
        for _ in 0..FLOOD / 1000 {
            client.raw(&thousand).await;
        }
        client.raw(&frame(PING, b"the last")).await;
        client.send(Message::text("question")).await;
    };
    let (text, ()) = tokio::join!(connection.next(false), pinging);
    assert_eq!(text.expect("it is alive"), "question");
    (connection, client)
}

/// No shorter than a pong.
fn reply() -> Utf8Bytes {
    "reply ".repeat(25).into()
}

#[tokio::test]
async fn where_pings_come_faster_than_pongs_are_read_the_reply_and_the_newest_pong_come_through_and_not_all()
 {
    let (mut connection, mut client) = flooded(Limits::default()).await;
    let reading = async {
        let mut messages = Vec::new();
        for wanted in [
            Message::Text(reply()),
            Message::Pong(Bytes::from_static(b"the last")),
        ] {
            while !messages.contains(&wanted) {
                messages.push(client.next().await.expect("the bot is there"));
            }
        }
        messages.len()
    };
    let (sent, count) = tokio::join!(connection.send(reply()), reading);
    assert!(sent.is_ok(), "{sent:?}");
    assert!(
        count < FLOOD,
        "all pongs were kept until they could be sent"
    );
}

#[tokio::test]
async fn an_arena_that_reads_nothing_is_dead_whatever_it_still_says() {
    let (mut connection, mut client) = flooded(limits(|limits| limits.write = MOMENT)).await;
    client.send(Message::text("another question")).await;
    for _ in 0..2 {
        let sent = connection.send(reply()).await;
        assert!(
            matches!(sent, Err(Closed::Dead(Dead::NotReading(MOMENT)))),
            "{sent:?}"
        );
    }
    assert_eq!(
        end_of(connection, false, std::future::pending()).await,
        Dead::NotReading(MOMENT)
    );
}

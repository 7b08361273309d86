//! Servers that stall or send blank lines. Each is of a connection alone, so that nothing that
//! plays on has to be fast.

use std::time::Duration;

use client::transport::liveness::Dead;
use client::transport::tcp::TcpConnection;
use client::transport::{Closed, ConnectError, Limits};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use crate::common::server::soon;

const MOMENT: Duration = Duration::from_millis(100);

/// Connects while the other side sends this; returns its end too.
async fn opened(
    limits: Limits,
    said: &[u8],
) -> (Result<TcpConnection, ConnectError>, tokio::net::TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0")
        .await
        .expect("loopback has a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let saying = async {
        let (mut stream, _) = listener.accept().await.expect("it connects");
        stream.write_all(said).await.expect("the bot is there");
        stream
    };
    let opening = TcpConnection::open("127.0.0.1", port, limits, |line| line == "hello");
    soon("an answer", async { tokio::join!(opening, saying) }).await
}

#[tokio::test]
async fn a_server_that_says_nothing_has_not_answered() {
    let limits = Limits {
        connect: MOMENT,
        ..Limits::default()
    };
    for said in ["", "hel"] {
        let (opened, _stream) = opened(limits, said.as_bytes()).await;
        let Err(ConnectError::Network { why, .. }) = opened else {
            panic!("{:?}", opened.err())
        };
        assert!(why.contains("sent nothing for 100ms"), "{why}");
    }
}

#[tokio::test]
async fn blank_lines_of_a_server_are_skipped() {
    let (opened, stream) = opened(Limits::default(), b"\n \r\nhello\n\r\n\n \t\nmore\r\n\n").await;
    let mut connection = opened.expect("it opens");
    assert_eq!(connection.next(false).await.expect("it is alive"), "hello");
    assert_eq!(
        connection
            .next(false)
            .await
            .expect("it is alive")
            .trim_end(),
        "more"
    );
    drop(stream);
    assert!(matches!(connection.next(false).await, Err(Closed::ByPeer)));
}

#[tokio::test]
async fn a_name_that_is_not_found_is_reported_with_the_key_of_the_address() {
    let opened = TcpConnection::open("no..name", 1, Limits::default(), |_| true).await;
    let Err(error @ ConnectError::Network { .. }) = opened else {
        panic!("{:?}", opened.err())
    };
    let words = error.to_string();
    let start = "no connection to no..name:1: the name no..name is not found: ";
    assert!(
        words.starts_with(start) && words.ends_with(" (is arena.url right?)"),
        "{words}"
    );
}

#[tokio::test]
async fn a_server_that_reads_nothing_is_dead_whatever_it_still_says() {
    let limits = Limits {
        write: MOMENT,
        ..Limits::default()
    };
    let (opened, _stream) = opened(limits, b"hello\nmore\n").await;
    let mut connection = opened.expect("it opens");
    assert_eq!(connection.next(false).await.expect("it is alive"), "hello");
    // Until nothing more fits on the way to it.
    let end = loop {
        if let Err(closed) = connection.send("x".repeat(1 << 20)).await {
            break closed;
        }
    };
    let again = connection
        .send("x".to_owned())
        .await
        .expect_err("half a line is on its way");
    let next = connection
        .next(false)
        .await
        .expect_err("no reply can be sent any more");
    for end in [end, again, next] {
        assert!(
            matches!(end, Closed::Dead(Dead::NotReading(MOMENT))),
            "{end:?}"
        );
    }
}

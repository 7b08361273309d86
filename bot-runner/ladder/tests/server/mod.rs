//! A server that the test scripts, on real sockets.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ladder::{LadderAddress, LadderClient};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::Instant;

pub(crate) const PROFILE: &str = r#"{"ok":true,"data":{"id":7,"name":"kuma","rating":1512.5}}"#;

/// The heads of the requests with the moments at which they came.
pub(crate) type Heads = Arc<Mutex<Vec<(String, Instant)>>>;

/// A server that answers its requests with these, in turn, and the last one again and again.
pub(crate) async fn server(answers: Vec<Vec<u8>>) -> (LadderClient, Heads) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let listener = TcpListener::bind("127.0.0.1:0")
        .await
        .expect("loopback has a free port");
    let address = format!("http://{}", listener.local_addr().expect("it is bound"));
    let heads = Heads::default();
    let seen = Arc::clone(&heads);
    tokio::spawn(async move {
        let mut answers = answers.into_iter();
        let mut answer = answers.next().expect("an answer");
        loop {
            let (mut stream, _) = listener.accept().await.expect("a client connects");
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await.expect("the client writes"));
            }
            seen.lock()
                .expect("no panic")
                .push((String::from_utf8(head).expect("a text"), Instant::now()));
            // The client may hang up in a long answer.
            let _ = stream.write_all(&answer).await;
            answer = answers.next().unwrap_or(answer);
        }
    });
    let address = LadderAddress::parse(&address).expect("an address");
    (
        LadderClient::new(address.clone(), address, "1.2.3").expect("a client"),
        heads,
    )
}

pub(crate) fn answer(status: &str, more: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status}\r\n{more}Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

pub(crate) fn ok(body: &str) -> Vec<u8> {
    answer("200 OK", "", body.as_bytes())
}

pub(crate) fn pauses(heads: &Heads) -> Vec<Duration> {
    let heads = heads.lock().expect("no panic");
    heads.windows(2).map(|pair| pair[1].1 - pair[0].1).collect()
}

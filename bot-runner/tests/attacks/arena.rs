//! Arenas: a bot next to one whose arena misbehaves.
//! `bot-runner/client/tests/client/websocket/refusals.rs` shows which frames and answers end a bot
//! (13 that are certain) and which do not (38 that may pass);
//! `bot-runner/client/tests/client/websocket/hostile/` holds the other misbehaviour.

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::task::JoinHandle;

use super::beside::neighbour_plays_as_ever_at;
use super::many;
use crate::common::server::Server;

/// An arena that attacks every client like this.
fn hostile(server: Server, attack: &'static str) -> JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            if attack == "page" {
                server
                    .answer(b"HTTP/1.1 200 OK\r\n\r\n<html>\x1b[2Jhello</html>")
                    .await;
                continue;
            }
            if attack == "endless-head" {
                let (mut stream, _) = server.asked().await;
                while stream.write_all(&[b'x'; 1 << 16]).await.is_ok() {}
                continue;
            }
            let mut client = server.accept().await;
            match attack {
                "refusals" => {
                    client
                        .say(json!({"error": "Invalid state: matchmaking is being deployed"}))
                        .await
                }
                "garbage" => {
                    // A frame that says it is a text, and is none.
                    while client.try_raw(b"\x81\x7e\x04\x00").await.is_ok()
                        && client.try_raw(&[b'{'; 1024]).await.is_ok()
                    {}
                }
                "pings" => while client.try_raw(b"\x89\x00").await.is_ok() {},
                _ => {
                    while client
                        .try_raw(b"\x01\x7f\xff\xff\xff\xff\xff\xff\xff\xff")
                        .await
                        .is_ok()
                    {}
                }
            }
        }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_beside_one_whose_arena_goes_wrong_play_as_ever() {
    const ATTACKS: [&str; 6] = [
        "garbage",
        "refusals",
        "endless-head",
        "page",
        "pings",
        "huge",
    ];
    for attack in &ATTACKS[..many(3, ATTACKS.len())] {
        let server = Server::open().await;
        let address = server.address();
        let task = hostile(server, attack);
        let played =
            tokio::task::spawn_blocking(move || neighbour_plays_as_ever_at(attack, &address)).await;
        task.abort();
        played.expect("the neighbour plays as ever");
    }
}

//! Bytes that are not valid on a WebSocket.

use client::bot::LifeEnd;

use super::super::bot::SHORT;
use super::meet;
use crate::common::server::{Client, Server};

/// A whole text.
pub(crate) const TEXT: u8 = 0x81;
/// The first fragment of a text.
pub(crate) const TEXT_BEGUN: u8 = 0x01;
/// A fragment in the middle.
pub(crate) const CONTINUED: u8 = 0x00;
/// The last fragment of a text.
pub(crate) const TEXT_ENDED: u8 = 0x80;
pub(crate) const PING: u8 = 0x89;
pub(crate) const CLOSE: u8 = 0x88;

/// A server's frame with this first byte.
pub(crate) fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let length = payload.len();
    let mut bytes = vec![first];
    match (u8::try_from(length), u16::try_from(length)) {
        (Ok(short @ 0..126), _) => bytes.push(short),
        (_, Ok(middle)) => {
            bytes.push(126);
            bytes.extend(middle.to_be_bytes());
        }
        _ => {
            bytes.push(127);
            bytes.extend((length as u64).to_be_bytes());
        }
    }
    bytes.extend(payload);
    bytes
}

/// A short game in which the bot is asked once.
pub(crate) async fn short_game(server: &Server) {
    let mut client = server.accept().await;
    client.deal().await;
    client.offer(3).await;
    assert_eq!(client.reply().await["request_id"], 3);
    client.finish().await;
    assert_eq!(client.gone().await, [""; 0]);
}

/// Begins a game, does what makes the bot leave it, and lets it come back for another.
async fn leaves_and_comes_back(script: impl AsyncFnOnce(&mut Client)) {
    let survivor = meet(SHORT, 1, async |server| {
        let mut client = server.accept().await;
        client.deal().await;
        script(&mut client).await;
        client.gone().await;
        short_game(server).await;
    })
    .await;
    let report = &survivor.report;
    assert_eq!(
        (&survivor.end, report.abandoned, report.games()),
        (&LifeEnd::Done, 1, 1)
    );
}

#[tokio::test]
async fn after_what_no_websocket_carries_the_bot_comes_back() {
    let masked = [&[TEXT, 0x82][..], &[1, 2, 3, 4], b"{}"].concat();
    let endless = [&[TEXT, 127][..], &(1_u64 << 62).to_be_bytes()].concat();
    for (what, bytes) in [
        (
            "a text that is not UTF-8",
            frame(TEXT, b"{\"type\":\"\xff\xfe\"}"),
        ),
        ("a compressed text", frame(TEXT | 0x40, b"\xaa\x56\x4a")),
        ("a masked frame", masked),
        ("an unknown sort of frame", frame(0x83, b"{}")),
        ("an unknown sort of control frame", frame(0x8b, b"")),
        ("a ping that is too long", frame(PING, &[0; 200])),
        ("a ping in fragments", frame(0x09, b"x")),
        ("a fragment of nothing", frame(TEXT_ENDED, b"{}")),
        (
            "a text within a text",
            [frame(TEXT_BEGUN, b"{"), frame(TEXT, b"{}")].concat(),
        ),
        ("a frame longer than any memory", endless),
        ("a close frame of one byte", frame(CLOSE, b"\x03")),
        (
            "a close frame of a code that must not be sent",
            frame(CLOSE, &1005_u16.to_be_bytes()),
        ),
    ] {
        // Shown if the test fails.
        eprintln!("{what}");
        leaves_and_comes_back(async |client| client.raw(&bytes).await).await;
    }
}

#[tokio::test]
async fn fragments_without_end_are_read_up_to_the_longest_frame() {
    leaves_and_comes_back(async |client| {
        client.raw(&frame(TEXT_BEGUN, b"{\"x\":\"")).await;
        let fragment = frame(CONTINUED, &[b'x'; 1 << 16]);
        for _ in 0..=protocol::MAX_FRAME >> 16 {
            client.raw(&fragment).await;
        }
    })
    .await;
}

#[tokio::test]
async fn after_a_close_frame_in_a_game_the_bot_comes_back() {
    for code in [1000_u16, 1001, 1008, 1011, 4000] {
        let payload = [&code.to_be_bytes()[..], b"because"].concat();
        leaves_and_comes_back(async |client| client.raw(&frame(CLOSE, &payload)).await).await;
    }
}

#[tokio::test]
async fn an_arena_that_says_nothing_more_has_gone_though_it_reads_on() {
    leaves_and_comes_back(async |client| client.half_close().await).await;
}

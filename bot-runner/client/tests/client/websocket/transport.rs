//! Pings, and frames that are too long.

use std::time::Duration;

use client::bot::LifeEnd;
use tokio_tungstenite::tungstenite::{Bytes, Message};

use super::bot::{Seated, one_game};
use crate::common::policies::{Slow, bot_policy_within};
use crate::common::server::Server;

#[tokio::test]
async fn a_ping_is_answered_while_the_policy_thinks() {
    let server = Server::open().await;
    let seated = Seated::at(server.url());
    let mut bot_policy = bot_policy_within::<Slow>(Some(Duration::from_secs(5))).await;
    let script = async {
        let mut client = server.accept().await;
        client.deal().await;
        client.offer(3).await;
        client
            .send(Message::Ping(Bytes::from_static(b"are you there")))
            .await;
        let first = client.next().await.expect("the bot is there");
        assert_eq!(
            first,
            Message::Pong(Bytes::from_static(b"are you there")),
            "before the decision"
        );
        assert_eq!(client.reply().await["type"], "pon");
        client.finish().await;
    };
    let ((_, end), ()) = tokio::join!(seated.play(1, &mut bot_policy), script);
    assert_eq!(end, LifeEnd::Done);
}

#[tokio::test]
async fn a_frame_that_is_too_long_breaks_the_connection_and_not_the_bot() {
    let server = Server::open().await;
    let (report, end, _) = one_game(&server, async {
        let mut client = server.accept().await;
        client.deal().await;
        client
            .send_in_vain(Message::text(format!(
                r#"{{"type":"{}"}}"#,
                "x".repeat(protocol::MAX_FRAME)
            )))
            .await;
        client.gone().await;
        let mut client = server.accept().await;
        client.deal().await;
        client.finish().await;
    })
    .await;
    assert_eq!(
        (end, report.abandoned, report.games()),
        (LifeEnd::Done, 1, 1)
    );
}

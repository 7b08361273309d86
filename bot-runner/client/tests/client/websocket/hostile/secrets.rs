//! An arena that repeats the token in every possible place.

use base64::Engine;
use client::bot::LifeEnd;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use super::super::bot::TOKEN;
use super::wire::{CLOSE, PING, frame};
use super::{HASTY, meet};
use crate::common::frames::*;

#[tokio::test]
async fn a_token_that_is_repeated_in_frames_is_shown_nowhere() {
    let survivor = meet(HASTY, 1, async |server| {
        let mut client = server.accept().await;
        client.say(json!({"type": TOKEN, TOKEN: TOKEN})).await;
        client.send(Message::text(TOKEN)).await;
        client.send(Message::text(format!("{{\"{TOKEN}"))).await;
        client
            .say(json!({"id": SEAT, "names": [TOKEN, TOKEN, TOKEN, TOKEN], "type": "start_game"}))
            .await;
        client
            .say_all([
                start_kyoku(SEAT, PLAIN),
                tsumo(0, "?"),
                dahai(0, "4p", false),
            ])
            .await;
        client
            .say_all([json!({"error": TOKEN}), json!({"error": {TOKEN: TOKEN}})])
            .await;
        client.say(json!({"message": TOKEN, "type": "error"})).await;
        let encoded = |text: String| base64::prelude::BASE64_STANDARD.encode(text);
        let observations = [
            TOKEN.to_owned(),
            encoded(format!("\"{TOKEN}\"")),
            encoded(format!("{{\"{TOKEN}\":")),
        ];
        for observation in observations {
            let mut odd = request(3, [call("pon", TOKEN, "4p 4p"), bare(TOKEN)]);
            (odd["observation"], odd["time"]) = (json!(observation), json!({"grace_ms": TOKEN}));
            client.say(odd).await;
        }
        client.say(crate::common::server::pon_or_pass(4)).await;
        assert_eq!(client.reply().await["request_id"], 4);
        for status in [
            "accepted",
            "rejected",
            "unparseable",
            "stale",
            "defaulted",
            TOKEN,
        ] {
            let mut told = ack(4, status);
            (told["reason"], told["message"], told["legal_types"]) =
                (json!(TOKEN), json!(TOKEN), json!([TOKEN]));
            (told["attempted"], told["action"]) =
                (json!({"pai": TOKEN}), json!({"type": TOKEN, "pai": TOKEN}));
            client.say(told).await;
        }
        client
            .say(json!({"actor": 1, "pai": TOKEN, "type": "tsumo"}))
            .await;
        client
            .say(json!({"actor": TOKEN, "deltas": [TOKEN], "reason": TOKEN, "type": "ryukyoku"}))
            .await;
        client
            .say(json!({"deltas": [0, 0, 0, 0], "reason": TOKEN, "type": "ryukyoku"}))
            .await;
        client.raw(&frame(PING, TOKEN.as_bytes())).await;
        client
            .raw(&frame(
                CLOSE,
                &[&1008_u16.to_be_bytes()[..], TOKEN.as_bytes()].concat(),
            ))
            .await;
        client.gone().await;
        super::wire::short_game(server).await;
    })
    .await;
    assert_eq!(
        (survivor.end, survivor.report.abandoned),
        (LifeEnd::Done, 1)
    );
}

#[tokio::test]
async fn a_token_that_is_repeated_by_a_refusal_is_shown_nowhere() {
    let survivor = meet(HASTY, 1, async |server| {
        for answer in [
            format!("HTTP/1.1 503 {TOKEN}\r\nx: {TOKEN}\r\n\r\n{TOKEN}"),
            format!("HTTP/1.1 404 {TOKEN}\r\n\r\n{TOKEN}"),
            format!("{TOKEN}\r\n\r\n"),
            format!("HTTP/1.1 101 Switching Protocols\r\nsec-websocket-protocol: {TOKEN}\r\n\r\n"),
        ] {
            server.answer(answer.as_bytes()).await;
        }
        server
            .refuse(&format!("I do not like {TOKEN}, nor {TOKEN}"))
            .await;
        let location = format!("HTTP/1.1 302 Found\r\nlocation: ws://example.org/?{TOKEN}\r\n\r\n");
        server.answer(location.as_bytes()).await;
        server
            .answer(format!("HTTP/1.1 401 {TOKEN}\r\n\r\n{TOKEN}").as_bytes())
            .await;
    })
    .await;
    let LifeEnd::Refused(why) = survivor.end else {
        panic!("{:?}", survivor.end)
    };
    assert!(why.contains("401"), "{why}");
}

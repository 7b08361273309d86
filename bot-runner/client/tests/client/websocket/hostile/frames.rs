//! Whole games in unusual frames.

use serde_json::{Map, Value, json};
use tokio_tungstenite::tungstenite::{Bytes, Message};

use super::wire::{CONTINUED, PING, TEXT, TEXT_BEGUN, TEXT_ENDED, frame};
use super::{changed, is, read, survives, survives_frames};

#[tokio::test]
async fn deep_and_long_frames_are_read() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let (mut long, mut many) = ("x".repeat(3 << 20), 20);
    let report = survives_frames(|text| {
        if many == 0 {
            return vec![text.to_owned()];
        }
        many -= 1;
        let long = std::mem::take(&mut long);
        let deep_known =
            format!(r#"{{"time":{deep},"possible_actions":{deep},"type":"request_action"}}"#);
        vec![
            deep.clone(),
            deep_known,
            text.replacen('{', &format!(r#"{{"deep":{deep},"long":"{long}","#), 1),
        ]
    })
    .await;
    assert_eq!(report.desyncs, 0);
}

#[tokio::test]
async fn a_field_of_the_wrong_type_costs_at_most_our_picture_of_the_table() {
    let wrong = [
        json!(null),
        json!(17),
        json!("x"),
        json!([]),
        json!({}),
        json!(-1),
        json!(1.5),
        json!(true),
    ];
    for observed in [true, false] {
        let mut number = 0;
        let report = survives_frames(|text| {
            vec![changed(text, |frame| {
                if !observed {
                    frame.remove("observation");
                }
                let event = !is(frame, "request_action") && !is(frame, "start_game");
                number += 1;
                if !event || number % 4 != 0 {
                    return;
                }
                let keys: Vec<String> =
                    frame.keys().filter(|&key| key != "type").cloned().collect();
                if let Some(key) = keys.get(number % keys.len().max(1)) {
                    frame.insert(key.clone(), wrong[number / 4 % wrong.len()].clone());
                }
            })]
        })
        .await;
        assert!(report.desyncs > 0, "it was noticed");
    }
}

#[tokio::test]
async fn frames_may_come_in_fragments_and_in_tiny_segments_with_pings_between() {
    let report = survives(async |client, texts| {
        for text in texts {
            let (begin, rest) = text.as_bytes().split_at(text.len() / 3);
            let parts = [
                (TEXT_BEGUN, begin),
                (PING, b"there?"),
                (CONTINUED, b""),
                (TEXT_ENDED, rest),
            ];
            let bytes: Vec<u8> = parts
                .iter()
                .flat_map(|&(first, payload)| frame(first, payload))
                .collect();
            for segment in bytes.chunks((bytes.len() / 16).max(1)) {
                client.raw(segment).await;
                tokio::task::yield_now().await;
            }
        }
    })
    .await;
    assert_eq!((report.unreadable, report.desyncs), (0, 0));
}

#[tokio::test]
async fn many_frames_may_come_in_one_segment() {
    let report = survives(async |client, texts| {
        let bytes: Vec<u8> = texts
            .iter()
            .flat_map(|text| frame(TEXT, text.as_bytes()))
            .collect();
        client.raw(&bytes).await;
    })
    .await;
    assert_eq!((report.unreadable, report.desyncs), (0, 0));
}

#[tokio::test]
async fn binary_frames_and_floods_of_pings_are_passed_over() {
    let mut flooded = false;
    let report = survives(async |client, texts| {
        let pings = if std::mem::replace(&mut flooded, true) {
            5
        } else {
            20_000
        };
        client.raw(&frame(PING, b"x").repeat(pings)).await;
        for text in texts {
            client
                .send(Message::Pong(Bytes::from_static(b"unasked")))
                .await;
            client
                .send(Message::binary(text.clone().into_bytes()))
                .await;
            client.send(Message::text(text)).await;
        }
    })
    .await;
    assert_eq!((report.unreadable, report.desyncs), (0, 0));
}

#[tokio::test]
async fn requests_that_the_arena_answers_itself_at_once_get_one_answer_at_most() {
    let mut asked: Vec<Map<String, Value>> = Vec::new();
    let survivor = super::meet(super::SHORT, 1, async |server| {
        let mut client = server.accept().await;
        let mut game = crate::common::games::one_client(5);
        while !game.is_over() {
            while let Some(frame) = game.outgoing() {
                let parsed = read(&frame.text);
                if is(&parsed, "request_action") {
                    asked.push(parsed);
                }
                client.send(Message::text(frame.text)).await;
            }
            game.time_out(riichi::Seat::FIRST, 18_000);
            game.step().expect("the engine goes on");
        }
        while let Some(frame) = game.outgoing() {
            client.send(Message::text(frame.text)).await;
        }
        assert_eq!(game.results()[0].chombo, 0);
        let replies: Vec<Map<String, Value>> =
            client.gone().await.iter().map(|text| read(text)).collect();
        for reply in &replies {
            let request = asked
                .iter()
                .find(|asked| asked["request_id"] == reply["request_id"])
                .expect("it was asked");
            let list = request["possible_actions"].as_array().expect("a list");
            let meant = |entry: &Value| {
                entry["type"] == reply["type"]
                    && (entry["pai"].is_null() || entry.get("pai") == reply.get("pai"))
            };
            assert!(list.iter().any(meant), "{reply:?} is not in {list:?}");
        }
        let ids: Vec<&Value> = replies.iter().map(|reply| &reply["request_id"]).collect();
        assert!(
            ids.windows(2)
                .all(|pair| pair[0].as_u64() < pair[1].as_u64()),
            "{ids:?}"
        );
    })
    .await;
    assert_eq!(survivor.report.games(), 1);
}

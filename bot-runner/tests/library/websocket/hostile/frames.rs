//! Whole games in unusual frames.

use serde_json::{Map, Value, json};
use tokio_tungstenite::tungstenite::{Bytes, Message};

use super::wire::{CONTINUED, PING, TEXT, TEXT_BEGUN, TEXT_ENDED, frame};
use super::{changed, is, read, survives, survives_frames};

#[tokio::test]
async fn unknown_frames_and_unknown_fields_change_nothing() {
    let report = survives_frames(|text| {
        let odd = json!({"type": "weather", "actor": 0, "pai": "5m", "request_id": 1, "possible_actions": []});
        let more = changed(text, |frame| {
            frame.insert("a_new_field".to_owned(), json!({"deep": [1, {"type": "dahai"}]}));
            frame.insert("zz".to_owned(), json!(null));
        });
        vec![odd.to_string(), more]
    })
    .await;
    assert_eq!((report.unreadable, report.desyncs), (0, 0));
}

#[tokio::test]
async fn keys_may_come_in_any_order() {
    fn backwards(value: &Value) -> String {
        match value {
            Value::Object(object) => {
                let entries: Vec<String> =
                    object.iter().rev().map(|(key, value)| format!("{}:{}", json!(key), backwards(value))).collect();
                format!("{{{}}}", entries.join(","))
            }
            Value::Array(list) => format!("[{}]", list.iter().map(backwards).collect::<Vec<_>>().join(",")),
            other => other.to_string(),
        }
    }
    let report = survives_frames(|text| vec![backwards(&Value::Object(read(text)))]).await;
    assert_eq!((report.unreadable, report.desyncs), (0, 0));
}

#[tokio::test]
async fn lists_may_be_doubled_and_shuffled() {
    let report = survives_frames(|text| {
        vec![changed(text, |frame| {
            if let Some(Value::Array(list)) = frame.get_mut("possible_actions") {
                list.reverse();
                list.extend(list.clone());
                let half = list.len() / 3;
                list.rotate_left(half);
                for entry in list {
                    if let Some(Value::Array(consumed)) = entry.get_mut("consumed") {
                        consumed.reverse();
                    }
                }
            }
        })]
    })
    .await;
    assert_eq!((report.unreadable, report.desyncs), (0, 0));
}

#[tokio::test]
async fn time_and_observation_may_be_missing_null_or_nonsense() {
    for nonsense in [None, Some(json!(null)), Some(json!("soon")), Some(json!([[]])), Some(json!({"grace_ms": {}}))] {
        let report = survives_frames(|text| {
            vec![changed(text, |frame| {
                if !is(frame, "request_action") {
                    return;
                }
                for key in ["time", "observation"] {
                    frame.remove(key);
                    if let Some(nonsense) = &nonsense {
                        frame.insert(key.to_owned(), nonsense.clone());
                    }
                }
            })]
        })
        .await;
        assert_eq!((report.unreadable, report.desyncs), (0, 0), "{nonsense:?}");
    }
}

#[tokio::test]
async fn acks_may_be_doubled_late_unknown_and_about_nothing() {
    let report = survives_frames(|text| {
        let frame = read(text);
        if !is(&frame, "action_ack") {
            return vec![text.to_owned()];
        }
        let about = |request_id: Value, status: Value| {
            json!({"request_id": request_id, "status": status, "type": "action_ack"}).to_string()
        };
        let id = &frame["request_id"];
        vec![
            text.to_owned(),
            text.to_owned(),
            about(id.clone(), json!("stale")),
            about(json!(1), json!("stale")),
            about(json!(u64::MAX), json!("accepted")),
            about(json!(-1), json!("rejected")),
            about(json!(null), json!("mislaid")),
            about(id.clone(), json!(17)),
            json!({"type": "action_ack"}).to_string(),
        ]
    })
    .await;
    assert_eq!(report.desyncs, 0);
    assert!(report.acks.stale > report.acks.requests && report.acks.other > 0);
}

#[tokio::test]
async fn errors_in_a_game_are_words_and_end_nothing() {
    let mut begun = false;
    let report = survives_frames(|text| {
        let errors = [
            json!({"error": "Internal error"}),
            json!({"error": {"code": 500}}),
            json!({"type": "error", "message": "slow down"}),
            json!({"type": "error"}),
            json!({"error": null, "type": null}),
        ];
        let odd = if begun { errors.iter().map(ToString::to_string).collect() } else { Vec::new() };
        begun = true;
        [odd, vec![text.to_owned()]].concat()
    })
    .await;
    assert_eq!(report.desyncs, 0);
}

#[tokio::test]
async fn an_invalid_frame_is_skipped() {
    let report = survives_frames(|text| {
        let half = text.get(..text.len() / 2).unwrap_or_default();
        ["", " ", "{}", "null", "17", "\"dahai\"", half, "{\"type\":", "{\"type\":\"\\ud800\"}", "[]", "\u{0}", text]
            .map(str::to_owned)
            .to_vec()
    })
    .await;
    assert_eq!(report.desyncs, 0);
    assert!(report.unreadable > report.acks.requests);
}

#[tokio::test]
async fn a_byte_order_mark_and_blanks_around_a_frame_are_passed_over() {
    let report = survives_frames(|text| vec![format!("\u{feff} \r\n\t{text}\r\n")]).await;
    assert_eq!((report.unreadable, report.desyncs), (0, 0));
}

#[tokio::test]
async fn whole_numbers_may_be_written_as_fractions() {
    fn fractions(value: &mut Value) {
        match value {
            Value::Number(number) => *value = json!(number.as_f64().expect("it is small")),
            Value::Array(list) => list.iter_mut().for_each(fractions),
            Value::Object(object) => object.values_mut().for_each(fractions),
            _ => {}
        }
    }
    let report = survives_frames(|text| vec![changed(text, |frame| frame.values_mut().for_each(fractions))]).await;
    assert_eq!((report.unreadable, report.desyncs), (0, 0));
}

#[tokio::test]
async fn of_a_key_that_comes_twice_the_last_value_counts() {
    let first =
        r#"{"type":"end_game","actor":"nobody","request_id":-1,"pai":[],"possible_actions":null,"id":7,"status":{},"#;
    let report = survives_frames(|text| vec![text.replacen('{', first, 1)]).await;
    assert_eq!((report.unreadable, report.desyncs), (0, 0));
}

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
        let deep_known = format!(r#"{{"time":{deep},"possible_actions":{deep},"type":"request_action"}}"#);
        vec![deep.clone(), deep_known, text.replacen('{', &format!(r#"{{"deep":{deep},"long":"{long}","#), 1)]
    })
    .await;
    assert_eq!(report.desyncs, 0);
}

#[tokio::test]
async fn a_field_of_the_wrong_type_costs_at_most_our_picture_of_the_table() {
    let wrong = [json!(null), json!(17), json!("x"), json!([]), json!({}), json!(-1), json!(1.5), json!(true)];
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
                let keys: Vec<String> = frame.keys().filter(|&key| key != "type").cloned().collect();
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
async fn a_list_may_hold_unknown_entries_beside_possible_ones() {
    let odd = [json!(null), json!(3), json!({}), json!({"type": "teleport"}), json!({"type": "pon", "pai": 5})];
    let report = survives_frames(|text| {
        vec![changed(text, |frame| {
            if let Some(Value::Array(list)) = frame.get_mut("possible_actions") {
                for (place, entry) in odd.iter().enumerate() {
                    list.insert(place.min(list.len()), entry.clone());
                }
            }
        })]
    })
    .await;
    assert_eq!((report.unreadable, report.desyncs), (0, 0));
}

#[tokio::test]
async fn frames_may_come_in_fragments_and_in_tiny_segments_with_pings_between() {
    let report = survives(async |client, texts| {
        for text in texts {
            let (begin, rest) = text.as_bytes().split_at(text.len() / 3);
            let parts = [(TEXT_BEGUN, begin), (PING, b"there?"), (CONTINUED, b""), (TEXT_ENDED, rest)];
            let bytes: Vec<u8> = parts.iter().flat_map(|&(first, payload)| frame(first, payload)).collect();
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
        let bytes: Vec<u8> = texts.iter().flat_map(|text| frame(TEXT, text.as_bytes())).collect();
        client.raw(&bytes).await;
    })
    .await;
    assert_eq!((report.unreadable, report.desyncs), (0, 0));
}

#[tokio::test]
async fn binary_frames_and_floods_of_pings_are_passed_over() {
    let mut flooded = false;
    let report = survives(async |client, texts| {
        let pings = if std::mem::replace(&mut flooded, true) { 5 } else { 20_000 };
        client.raw(&frame(PING, b"x").repeat(pings)).await;
        for text in texts {
            client.send(Message::Pong(Bytes::from_static(b"unasked"))).await;
            client.send(Message::binary(text.clone().into_bytes())).await;
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
        let replies: Vec<Map<String, Value>> = client.gone().await.iter().map(|text| read(text)).collect();
        for reply in &replies {
            let request = asked.iter().find(|asked| asked["request_id"] == reply["request_id"]).expect("it was asked");
            let list = request["possible_actions"].as_array().expect("a list");
            let meant = |entry: &Value| {
                entry["type"] == reply["type"] && (entry["pai"].is_null() || entry.get("pai") == reply.get("pai"))
            };
            assert!(list.iter().any(meant), "{reply:?} is not in {list:?}");
        }
        let ids: Vec<&Value> = replies.iter().map(|reply| &reply["request_id"]).collect();
        assert!(ids.windows(2).all(|pair| pair[0].as_u64() < pair[1].as_u64()), "{ids:?}");
    })
    .await;
    assert_eq!(survivor.report.games(), 1);
}

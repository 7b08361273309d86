//! No input from outside can do harm: it is read, refused or ignored.

use proptest::prelude::*;
use protocol::reply::parse_reply;
use protocol::riichilab::{ServerFrame, parse_frame, parse_observation};
use protocol::{MAX_FRAME, ReadError, parse_event, text_of};
use serde_json::{Value, json};

const DEEP: usize = 100_000;

/// Frames of every type, to be damaged.
const FRAMES: [&str; 14] = [
    r#"{"id":1,"type":"start_game"}"#,
    r#"{"bakaze":"E","dora_marker":"2m","honba":0,"kyotaku":0,"kyoku":1,"oya":0,"scores":[25000,25000,25000,25000],"tehais":[["?","?","?","?","?","?","?","?","?","?","?","?","?"],["1m","6m","4p","4p","8p","1s","3s","5sr","6s","6s","7s","F","C"],["?","?","?","?","?","?","?","?","?","?","?","?","?"],["?","?","?","?","?","?","?","?","?","?","?","?","?"]],"type":"start_kyoku"}"#,
    r#"{"actor":0,"pai":"?","type":"tsumo"}"#,
    r#"{"actor":0,"pai":"4p","tsumogiri":false,"type":"dahai"}"#,
    r#"{"actor":0,"consumed":["5s","5s","5s","5sr"],"pai":"5sr","type":"ankan"}"#,
    r#"{"actor":2,"consumed":["3p","4p"],"pai":"2p","target":1,"type":"chi"}"#,
    r#"{"actor":2,"deltas":[-1300,-2600,6200,-1300],"target":2,"tsumo":true,"type":"hora","ura_markers":["1m"]}"#,
    r#"{"deltas":[1000,-3000,1000,1000],"reason":"exhaustive_draw","type":"ryukyoku"}"#,
    r#"{"observation":"eyJ9","possible_actions":[{"consumed":["4p","4p"],"pai":"4p","type":"pon"},{"pai":"5m","type":"dahai"},{"type":"none"}],"request_id":3,"time":{"bank_ms":15000,"deadline_ms":18000,"grace_ms":3000},"type":"request_action"}"#,
    r#"{"action":{"pai":"7s","tsumogiri":true,"type":"dahai"},"bank_consumed_ms":15000,"bank_ms":0,"elapsed_ms":18001,"request_id":42,"status":"defaulted","type":"action_ack"}"#,
    r#"{"attempted":{"type":"dahai"},"legal_types":["dahai"],"reason":"no","request_id":50,"status":"rejected","type":"action_ack"}"#,
    r#"{"passed":false,"reason":"chombo","type":"validation_result"}"#,
    r#"{"error":"This bot is already connected to a game"}"#,
    r#"{"type":"dahai","actor":1,"pai":"4m","tsumogiri":false,"consumed":["1m"],"request_id":22}"#,
];

#[test]
fn a_frame_of_three_mebibytes_is_read() {
    let size = 3 << 20;
    let text = format!(
        r#"{{"observation":"{}","request_id":1,"type":"request_action"}}"#,
        "A".repeat(size)
    );
    let Ok(ServerFrame::Request(request)) = parse_frame(&text) else {
        panic!()
    };
    assert_eq!(request.observation.unwrap().len(), size);
    let many = format!(
        r#"{{"possible_actions":[{}1],"request_id":1,"type":"request_action"}}"#,
        "1,".repeat(size / 2)
    );
    assert!(parse_frame(&many).is_ok());
    let long = format!(
        r#"{{"actor":1,"consumed":[{}"1m"],"type":"ankan"}}"#,
        r#""1m","#.repeat(size / 5)
    );
    assert!(parse_event(&long).unwrap_err().to_string().len() < 200);
    assert!(
        parse_event(&format!(r#""{}""#, "A".repeat(size)))
            .unwrap_err()
            .to_string()
            .len()
            < 200
    );
}

#[test]
fn a_longer_frame_than_four_mebibytes_is_refused_unread() {
    let text = " ".repeat(MAX_FRAME + 1);
    assert_eq!(
        text_of(text.as_bytes()),
        Err(ReadError::TooLong(MAX_FRAME + 1))
    );
    assert!(
        parse_frame(&text)
            .unwrap_err()
            .to_string()
            .contains("are too many")
    );
    assert!(
        parse_event(&text)
            .unwrap_err()
            .to_string()
            .contains("are too many")
    );
    assert!(
        parse_reply(&text)
            .unwrap_err()
            .to_string()
            .contains("are too many")
    );
}

#[test]
fn a_hundred_thousand_nested_arrays_are_refused_at_the_top() {
    for text in [
        "[".repeat(DEEP),
        "[".repeat(DEEP) + &"]".repeat(DEEP),
        r#"{"a":"#.repeat(DEEP),
    ] {
        assert!(
            parse_event(&text).is_err()
                && parse_frame(&text).is_err()
                && parse_reply(&text).is_err()
        );
    }
}

#[test]
fn a_hundred_thousand_nested_arrays_in_an_unknown_field_are_skipped() {
    let deep = "[".repeat(DEEP) + &"]".repeat(DEEP);
    assert!(parse_event(&format!(r#"{{"x":{deep},"type":"end_kyoku"}}"#)).is_ok());
    assert!(
        parse_frame(&format!(
            r#"{{"attempted":{deep},"status":"rejected","type":"action_ack"}}"#
        ))
        .is_ok()
    );
    assert!(parse_reply(&format!(r#"{{"x":{deep},"type":"none"}}"#)).is_ok());
}

#[test]
fn a_hundred_thousand_nested_arrays_in_a_known_field_are_an_error_or_a_warning() {
    let deep = "[".repeat(DEEP) + &"]".repeat(DEEP);
    for field in ["actor", "pai", "tehais", "consumed", "deltas"] {
        let event = format!(
            r#"{{"{field}":{deep},"type":"{}"}}"#,
            if field == "tehais" {
                "start_kyoku"
            } else {
                "pon"
            }
        );
        assert!(parse_event(&event).is_err(), "{field}");
    }
    let text = format!(
        r#"{{"possible_actions":{deep},"time":{deep},"request_id":1,"type":"request_action"}}"#
    );
    let Ok(ServerFrame::Request(request)) = parse_frame(&text) else {
        panic!()
    };
    assert_eq!(request.warnings.len(), 2);
    assert!(parse_frame(&format!(r#"{{"error":{deep}}}"#)).is_ok());
}

/// A value with the keys of its objects in the opposite order.
fn backwards(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let entries: Vec<String> = object
                .iter()
                .rev()
                .map(|(key, value)| format!("{}:{}", json!(key), backwards(value)))
                .collect();
            format!("{{{}}}", entries.join(","))
        }
        Value::Array(list) => format!(
            "[{}]",
            list.iter().map(backwards).collect::<Vec<_>>().join(",")
        ),
        other => other.to_string(),
    }
}

/// Writes every number of a value as a fraction.
fn write_fractions(value: &mut Value) {
    match value {
        Value::Number(number) => *value = json!(number.as_f64().expect("it is small")),
        Value::Array(list) => list.iter_mut().for_each(write_fractions),
        Value::Object(object) => object.values_mut().for_each(write_fractions),
        _ => {}
    }
}

#[test]
fn keys_come_in_any_order_and_whole_numbers_may_be_written_as_fractions() {
    for frame in FRAMES {
        let mut value: Value = serde_json::from_str(frame).unwrap();
        assert_eq!(parse_frame(&backwards(&value)), parse_frame(frame));
        write_fractions(&mut value);
        assert_eq!(parse_frame(&value.to_string()), parse_frame(frame));
    }
}

#[test]
fn of_a_key_that_comes_twice_the_last_value_counts() {
    let first = r#"{"type":"end_game","actor":"east","request_id":-1,"pai":[],"possible_actions":null,"id":7,"status":{},"#;
    for frame in FRAMES
        .into_iter()
        .filter(|frame| frame.contains(r#""type":"#))
    {
        assert_eq!(
            parse_frame(&frame.replacen('{', first, 1)),
            parse_frame(frame)
        );
    }
}

#[test]
fn bytes_that_are_no_utf8_are_refused() {
    assert_eq!(text_of(b"{\"type\":\"\xff\"}"), Err(ReadError::NotUtf8(9)));
    assert_eq!(text_of(b"{\"type\":\"none\"}"), Ok("{\"type\":\"none\"}"));
}

/// Everything that reads text from outside.
fn read_everything(text: &str) {
    if let Ok(ServerFrame::Request(request)) = parse_frame(text) {
        _ = request
            .observation
            .map(|observation| parse_observation(&observation));
    }
    _ = parse_event(text);
    _ = parse_reply(text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn damaged_frames_never_panic(
        which in 0..FRAMES.len(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..6),
    ) {
        let mut bytes = FRAMES[which].as_bytes().to_vec();
        for (place, byte, edit) in edits {
            let place = place.index(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
            match edit {
                _ if bytes.is_empty() => {}
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                2 => _ = bytes.remove(place),
                _ => bytes.truncate(place),
            }
        }
        if let Ok(text) = text_of(&bytes) {
            read_everything(text);
        }
    }

    #[test]
    fn frames_with_a_value_replaced_never_panic_and_an_unknown_key_changes_nothing(
        which in 0..FRAMES.len(),
        place in any::<prop::sample::Index>(),
        value in prop::sample::select(vec![
            "null", "true", "-1", "0", "9", "1e400", "18446744073709551616", "1.5", "\"\"", "\"?\"", "\"5mr\"", "\"\\ud83c\\udc04\"",
            "[]", "[[]]", "[null]", "[\"1m\",2]", "{}", "{\"type\":\"dahai\"}",
        ]),
    ) {
        let frame: serde_json::Value = serde_json::from_str(FRAMES[which]).unwrap();
        let keys: Vec<String> = frame.as_object().unwrap().keys().cloned().collect();
        let key = place.get(&keys);
        let old = format!("{}:{}", serde_json::to_string(key).unwrap(), frame[key]);
        prop_assert!(FRAMES[which].contains(&old));
        read_everything(&FRAMES[which].replacen(&old, &format!("\"{key}\":{value}"), 1));
        let extended = FRAMES[which].replacen('{', &format!("{{\"unheard_of\":{value},"), 1);
        prop_assert_eq!(parse_frame(&extended), parse_frame(FRAMES[which]));
    }
}

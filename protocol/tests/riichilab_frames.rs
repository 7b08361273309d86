//! RiichiLab's frames: those that are read, those that are refused, and an arena's own.

use protocol::ActionKind;
use protocol::riichilab::server::{
    AckOut, RequestOut, ack_json, error_json, request_json, validation_result_json,
};
use protocol::riichilab::{
    AckStatus, ActionAck, RequestAction, RequestTime, ServerFrame, parse_frame,
};
use riichi::{Event, Seat, Tile};

fn frame(text: &str) -> ServerFrame<'_> {
    parse_frame(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn request(text: &str) -> RequestAction<'_> {
    match frame(text) {
        ServerFrame::Request(request) => request,
        other => panic!("{other:?}"),
    }
}

fn ack(text: &str) -> ActionAck<'_> {
    match frame(text) {
        ServerFrame::Ack(ack) => ack,
        other => panic!("{other:?}"),
    }
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn tile(name: &str) -> Tile {
    name.parse().unwrap()
}

#[test]
fn one_round_of_a_ranked_game_reads_frame_by_frame() {
    let hidden = vec!["?"; 13];
    let ours = [
        "1m", "6m", "4p", "4p", "8p", "1s", "3s", "5s", "6s", "6s", "7s", "F", "C",
    ];
    let start = serde_json::json!({"bakaze":"E","dora_marker":"2m","honba":0,"kyotaku":0,"kyoku":1,"oya":0,
        "scores":[25000,25000,25000,25000],"tehais":[hidden,ours,hidden,hidden],"type":"start_kyoku"})
    .to_string();
    let lines = [
        r#"{"id":1,"type":"start_game"}"#,
        &start,
        r#"{"actor":0,"pai":"?","type":"tsumo"}"#,
        r#"{"actor":0,"pai":"4p","tsumogiri":false,"type":"dahai"}"#,
        r#"{"observation":"eyJ9","possible_actions":[{"consumed":["4p","4p"],"pai":"4p","type":"pon"},{"type":"none"}],"request_id":3,"time":{"bank_ms":15000,"deadline_ms":18000,"grace_ms":3000},"type":"request_action"}"#,
        r#"{"bank_consumed_ms":0,"bank_ms":15000,"elapsed_ms":41,"request_id":3,"status":"accepted","type":"action_ack"}"#,
        r#"{"actor":1,"pai":"9m","type":"tsumo"}"#,
        r#"{"deltas":[1000,1000,-3000,1000],"reason":"exhaustive_draw","type":"ryukyoku"}"#,
        r#"{"type":"end_kyoku"}"#,
        r#"{"type":"end_game"}"#,
    ];
    let read: Vec<_> = lines.iter().map(|line| frame(line)).collect();
    assert_eq!(
        read[0],
        ServerFrame::Event(Event::StartGame {
            seat: Some(seat(1))
        })
    );
    assert!(matches!(read[1], ServerFrame::Event(Event::StartKyoku(_))));
    assert_eq!(
        read[2],
        ServerFrame::Event(Event::Tsumo {
            actor: seat(0),
            tile: None
        })
    );
    assert!(matches!(read[3], ServerFrame::Event(Event::Dahai { .. })));
    let ServerFrame::Request(request) = &read[4] else {
        panic!()
    };
    assert_eq!(request.request_id, 3);
    let time = RequestTime {
        bank_ms: Some(15000),
        deadline_ms: Some(18000),
        grace_ms: Some(3000),
    };
    assert_eq!(request.time, Some(time));
    assert_eq!(request.observation.as_deref(), Some("eyJ9"));
    let kinds: Vec<_> = request
        .possible_actions
        .iter()
        .flatten()
        .map(|entry| entry.kind)
        .collect();
    assert_eq!(kinds, [ActionKind::Pon, ActionKind::None]);
    assert!(request.warnings.is_empty());
    let ServerFrame::Ack(ack) = &read[5] else {
        panic!()
    };
    assert_eq!(
        (ack.request_id, &ack.status, ack.elapsed_ms),
        (Some(3), &AckStatus::Accepted, Some(41))
    );
    assert_eq!((ack.bank_consumed_ms, ack.bank_ms), (Some(0), Some(15000)));
    assert_eq!(
        read[6],
        ServerFrame::Event(Event::Tsumo {
            actor: seat(1),
            tile: Some(tile("9m"))
        })
    );
    assert!(matches!(
        read[7],
        ServerFrame::Event(Event::Ryukyoku {
            deltas: Some(_),
            ..
        })
    ));
    assert_eq!(read[8], ServerFrame::Event(Event::EndKyoku));
    assert_eq!(read[9], ServerFrame::Event(Event::EndGame { scores: None }));
}

#[test]
fn a_request_needs_nothing_but_its_id() {
    let bare = request(r#"{"request_id":7,"type":"request_action"}"#);
    assert_eq!(
        (
            bare.request_id,
            bare.time,
            bare.possible_actions,
            bare.observation
        ),
        (7, None, None, None)
    );
    assert!(bare.warnings.is_empty());
    let error = parse_frame(r#"{"possible_actions":[],"type":"request_action"}"#)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "frame `request_action`: `request_id` is missing; allowed is a whole number from 0"
    );
    for id in ["\"7\"", "7.5", "-7", "null", "[7]", "99999999999999999999"] {
        assert!(
            parse_frame(&format!(r#"{{"request_id":{id},"type":"request_action"}}"#)).is_err(),
            "{id}"
        );
    }
}

#[test]
fn every_member_of_time_is_optional() {
    let time = |json: &str| {
        request(&format!(
            r#"{{"request_id":7,"time":{json},"type":"request_action"}}"#
        ))
        .time
    };
    assert_eq!(time("null"), None);
    assert_eq!(time("{}"), Some(RequestTime::default()));
    let deadline = RequestTime {
        deadline_ms: Some(18000),
        ..RequestTime::default()
    };
    assert_eq!(
        time(r#"{"deadline_ms":18000,"bank_ms":null,"unit":"ms"}"#),
        Some(deadline)
    );
}

#[test]
fn a_request_stays_usable_when_anything_but_its_id_is_malformed() {
    let text = r#"{"observation":{"a":[]},"possible_actions":[{"type":"none"},{"type":"dahai","pai":1}],"request_id":7,
        "time":{"grace_ms":"3000","bank_ms":15000,"deadline_ms":-1},"type":"request_action"}"#;
    let odd = request(text);
    assert_eq!(odd.request_id, 7);
    assert_eq!(
        odd.time,
        Some(RequestTime {
            bank_ms: Some(15000),
            ..RequestTime::default()
        })
    );
    assert_eq!(odd.possible_actions.unwrap().len(), 1);
    assert_eq!(odd.observation, None);
    let fields: Vec<_> = odd
        .warnings
        .iter()
        .map(|warning| warning.field.as_str())
        .collect();
    assert_eq!(
        fields,
        [
            "time.grace_ms",
            "time.deadline_ms",
            "possible_actions[1].pai",
            "observation"
        ]
    );

    let odd =
        request(r#"{"possible_actions":"all","request_id":7,"time":3000,"type":"request_action"}"#);
    assert_eq!((odd.time, odd.possible_actions), (None, None));
    assert_eq!(odd.warnings.len(), 2);
}

#[test]
fn an_empty_list_is_not_the_same_as_none() {
    let empty = request(r#"{"possible_actions":[],"request_id":7,"type":"request_action"}"#);
    assert_eq!(empty.possible_actions, Some(vec![]));
}

#[test]
fn fields_only_some_servers_send_are_ignored_in_a_request() {
    let text = r#"{"actor":"x","player_count":4,"seat":9,"request_id":7,"type":"request_action"}"#;
    assert_eq!(request(text).warnings, []);
}

#[test]
fn the_observation_is_not_decoded_but_unescaped() {
    assert_eq!(
        request(r#"{"observation":"a\/b=","request_id":1,"type":"request_action"}"#)
            .observation
            .unwrap(),
        "a/b="
    );
}

#[test]
fn a_defaulted_ack_names_the_action_played_and_a_stale_one_may_follow() {
    let first = ack(
        r#"{"action":{"pai":"7s","tsumogiri":true,"type":"dahai"},"bank_consumed_ms":15000,"bank_ms":0,"elapsed_ms":18001,"request_id":42,"status":"defaulted","type":"action_ack"}"#,
    );
    assert_eq!(
        (first.status, first.bank_ms),
        (AckStatus::Defaulted, Some(0))
    );
    let played = first.action.unwrap();
    assert_eq!(
        (played.kind, played.pai, played.tsumogiri),
        (ActionKind::Dahai, Some(tile("7s")), Some(true))
    );
    let second = ack(r#"{"request_id":42,"status":"stale","type":"action_ack"}"#);
    assert_eq!(
        (second.request_id, second.status),
        (Some(42), AckStatus::Stale)
    );
}

#[test]
fn a_rejected_ack_keeps_the_attempt_and_the_legal_types() {
    let rejected = ack(
        r#"{"attempted":{"type":"dahai","pai":"1m"},"legal_types":["dahai","reach"],"reason":"illegal","request_id":50,"status":"rejected","type":"action_ack"}"#,
    );
    assert_eq!(rejected.status, AckStatus::Rejected);
    assert_eq!(rejected.attempted, Some(r#"{"type":"dahai","pai":"1m"}"#));
    assert_eq!(rejected.legal_types, ["dahai", "reach"]);
    assert_eq!(rejected.reason.as_deref(), Some("illegal"));
}

#[test]
fn the_reason_of_an_ack_may_be_called_message() {
    let text =
        r#"{"message":"not JSON","request_id":1,"status":"unparseable","type":"action_ack"}"#;
    assert_eq!(ack(text).reason.as_deref(), Some("not JSON"));
}

#[test]
fn an_unknown_status_is_kept_unchanged() {
    let later = ack(r#"{"request_id":1,"status":"deferred","type":"action_ack"}"#);
    assert_eq!(later.status, AckStatus::Other("deferred".to_owned()));
}

#[test]
fn an_ack_stays_usable_when_anything_but_its_status_is_malformed() {
    let odd = ack(
        r#"{"action":{"type":"dahai"},"bank_ms":"x","elapsed_ms":4.5,"legal_types":[1],"request_id":"1","status":"accepted","type":"action_ack"}"#,
    );
    assert_eq!(
        (odd.status, odd.request_id, odd.bank_ms, odd.action),
        (AckStatus::Accepted, None, None, None)
    );
    assert_eq!(odd.warnings.len(), 5);
    assert!(parse_frame(r#"{"request_id":1,"type":"action_ack"}"#).is_err());
    assert!(parse_frame(r#"{"status":true,"type":"action_ack"}"#).is_err());
}

#[test]
fn a_validation_ends_with_a_result_that_may_have_a_reason() {
    let result = |passed, reason: Option<&'static str>| ServerFrame::ValidationResult {
        passed,
        reason: reason.map(Into::into),
    };
    assert_eq!(
        frame(r#"{"passed":true,"type":"validation_result"}"#),
        result(true, None)
    );
    for text in [
        r#"{"passed":false,"reason":"chombo","type":"validation_result"}"#,
        r#"{"success":false,"message":"chombo","type":"validation_result"}"#,
    ] {
        assert_eq!(frame(text), result(false, Some("chombo")));
    }
    assert_eq!(
        frame(r#"{"passed":false,"reason":7,"type":"validation_result"}"#),
        result(false, None)
    );
    assert!(
        parse_frame(r#"{"type":"validation_result"}"#)
            .unwrap_err()
            .to_string()
            .contains("`passed` is missing")
    );
}

#[test]
fn an_error_frame_has_no_type_and_its_text_is_not_lost() {
    let error = |message: &'static str| ServerFrame::Error {
        message: message.into(),
    };
    let text = r#"{"error":"This bot is already connected to a game"}"#;
    assert_eq!(
        frame(text),
        error("This bot is already connected to a game")
    );
    assert_eq!(frame(r#"{"error":{"code":7}}"#), error(r#"{"code":7}"#));
    assert_eq!(frame(r#"{"type":"error","message":"busy"}"#), error("busy"));
    assert_eq!(frame(r#"{"type":"error","error":"busy"}"#), error("busy"));
    let without_words = r#"{"code":"ERR_NO_SLOT","type":"error"}"#;
    assert_eq!(
        frame(without_words),
        error(without_words),
        "the frame itself, since its code says something"
    );
    assert!(parse_frame(r#"{"error":null}"#).is_err());
    assert!(parse_frame(r#"{"message":"busy"}"#).is_err());
}

#[test]
fn a_frame_of_unknown_type_is_named_and_ignored() {
    let text = r#"{"request_id":"x","error":1,"type":"queue_status"}"#;
    assert_eq!(
        frame(text),
        ServerFrame::Unknown {
            kind: "queue_status".into()
        }
    );
}

#[test]
fn an_action_name_in_a_frame_is_an_event_since_the_direction_decides() {
    assert!(matches!(
        frame(r#"{"deltas":[0,0,0,0],"type":"ryukyoku"}"#),
        ServerFrame::Event(Event::Ryukyoku { .. })
    ));
    assert_eq!(
        frame(r#"{"type":"none"}"#),
        ServerFrame::Unknown {
            kind: "none".into()
        }
    );
}

#[test]
fn a_malformed_event_is_an_error_that_names_the_field() {
    let error = parse_frame(r#"{"actor":0,"pai":7,"type":"dahai"}"#)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("event `dahai`: `pai` is 7; allowed is a tile"),
        "{error}"
    );
}

#[test]
fn an_array_at_the_top_is_no_frame() {
    assert!(
        parse_frame(r#"[{"type":"end_game"}]"#)
            .unwrap_err()
            .to_string()
            .contains("not one JSON object")
    );
}

#[test]
fn frames_an_arena_writes_have_their_keys_in_alphabetical_order() {
    let entries = request(
        r#"{"possible_actions":[{"consumed":["4p","4p"],"pai":"4p","type":"pon"},{"type":"none"}],"request_id":1,"type":"request_action"}"#,
    )
    .possible_actions
    .unwrap();
    let time = RequestTime {
        bank_ms: Some(15000),
        deadline_ms: Some(18000),
        grace_ms: Some(3000),
    };
    let written = request_json(&RequestOut {
        observation: "eyJ9",
        possible_actions: &entries,
        request_id: 3,
        time,
    });
    assert_eq!(
        written,
        r#"{"observation":"eyJ9","possible_actions":[{"consumed":["4p","4p"],"pai":"4p","type":"pon"},{"type":"none"}],"request_id":3,"time":{"bank_ms":15000,"deadline_ms":18000,"grace_ms":3000},"type":"request_action"}"#
    );
    let bare = AckOut {
        action: None,
        attempted: None,
        bank_consumed_ms: 0,
        bank_ms: 15000,
        elapsed_ms: Some(41),
        legal_types: &[],
        reason: None,
        request_id: 3,
        status: AckStatus::Accepted,
    };
    assert_eq!(
        ack_json(&bare),
        r#"{"bank_consumed_ms":0,"bank_ms":15000,"elapsed_ms":41,"request_id":3,"status":"accepted","type":"action_ack"}"#
    );
    let rejected = AckOut {
        action: Some(&entries[1]),
        attempted: Some(r#"{"type":"dahai"}"#),
        legal_types: &["none", "pon"],
        reason: Some("illegal"),
        status: AckStatus::Rejected,
        ..bare
    };
    assert_eq!(
        ack_json(&rejected),
        r#"{"action":{"type":"none"},"attempted":{"type":"dahai"},"bank_consumed_ms":0,"bank_ms":15000,"elapsed_ms":41,"legal_types":["none","pon"],"reason":"illegal","request_id":3,"status":"rejected","type":"action_ack"}"#
    );
    assert_eq!(
        validation_result_json(true, None),
        r#"{"passed":true,"type":"validation_result"}"#
    );
    let failed = r#"{"passed":false,"reason":"chombo","type":"validation_result"}"#;
    assert_eq!(validation_result_json(false, Some("chombo")), failed);
    assert_eq!(error_json("no \"token\""), r#"{"error":"no \"token\""}"#);
}

#[test]
fn numbers_are_read_by_their_value_however_they_are_written() {
    let id = |number: &str| match parse_frame(&format!(
        r#"{{"request_id":{number},"type":"request_action"}}"#
    )) {
        Ok(ServerFrame::Request(request)) => Some(request.request_id),
        _ => None,
    };
    assert_eq!([id("3"), id("3.0"), id("3e0"), id("30e-1")], [Some(3); 4]);
    assert_eq!(id("18446744073709551615"), Some(u64::MAX));
    for number in [
        "3.5",
        "-1",
        "-1.0",
        "1e300",
        "18446744073709551616",
        "9007199254740993.0e3",
    ] {
        assert_eq!(id(number), None, "{number}");
    }
}

#[test]
fn a_byte_order_mark_at_the_beginning_and_blanks_are_passed_over() {
    let frame = r#"{"id":1,"type":"start_game"}"#;
    assert_eq!(parse_frame(&format!("\u{feff}{frame}")), parse_frame(frame));
    assert_eq!(
        parse_frame(&format!("\u{feff} \r\n\t{frame}\r\n")),
        parse_frame(frame)
    );
    assert!(parse_frame(&format!("\u{feff}\u{feff}{frame}")).is_err());
}

//! Bot programs: turns read, replies written.

use protocol::botzone::turn::TurnInput;
use protocol::botzone::{KEEP_RUNNING, TurnError, TurnForm, TurnHistory, TurnReader, TurnReply};

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn take(reader: &mut TurnReader, line: &str) -> Option<TurnInput> {
    reader.take(line).expect("a line")
}

fn error(line: &str) -> TurnError {
    TurnReader::default().take(line).expect_err("no turn")
}

#[test]
fn a_first_turn_in_the_simple_form_ends_with_its_last_request() {
    let mut reader = TurnReader::default();
    for line in ["3\n", "0 1 2\n", "PASS\r\n", "1 0 0 0 0 W1\n", "PASS\n"] {
        assert_eq!(take(&mut reader, line), None, "{line}");
    }
    let history = TurnHistory {
        requests: texts(&["0 1 2", "1 0 0 0 0 W1", "2 W2"]),
        responses: texts(&["PASS", "PASS"]),
        ..TurnHistory::default()
    };
    assert_eq!(take(&mut reader, "2 W2\n"), Some(TurnInput::First(history)));
    assert_eq!(reader.form(), Some(TurnForm::Simple));
}

#[test]
fn a_program_that_is_kept_passes_over_the_empty_data_lines_of_its_first_turn() {
    let mut reader = TurnReader::default();
    take(&mut reader, "1");
    take(&mut reader, "0 1 2");
    for line in ["\n", "\n"] {
        assert_eq!(take(&mut reader, line), None);
    }
    assert_eq!(
        take(&mut reader, "2 W2\n"),
        Some(TurnInput::Next("2 W2".to_owned()))
    );
}

#[test]
fn a_first_turn_in_json_is_one_line_and_later_ones_are_the_request_alone() {
    let mut reader = TurnReader::default();
    let line = r#"{"requests":["0 1 2", {"a": 1}],"responses":[[3, 4]],"data":{"kept": [1]},"globaldata":"g","time_limit":"1"}"#;
    let history = TurnHistory {
        requests: texts(&["\"0 1 2\"", "{\"a\": 1}"]),
        responses: texts(&["[3, 4]"]),
        data: Some("{\"kept\": [1]}".to_owned()),
        globaldata: Some("\"g\"".to_owned()),
    };
    assert_eq!(take(&mut reader, line), Some(TurnInput::First(history)));
    assert_eq!(
        take(&mut reader, "\"2 W2\"\n"),
        Some(TurnInput::Next("\"2 W2\"".to_owned()))
    );
    assert_eq!(reader.form(), Some(TurnForm::Json));
    let bare = r#"{"requests":["0 1 2"],"responses":[]}"#;
    let Some(TurnInput::First(history)) = take(&mut TurnReader::default(), bare) else {
        panic!()
    };
    assert_eq!((history.data, history.globaldata), (None, None));
}

#[test]
fn an_invalid_turn_is_named() {
    assert!(
        matches!(error("hello"), TurnError::NoForm(_))
            && matches!(error("0"), TurnError::NoForm(_))
    );
    assert!(matches!(error("10001"), TurnError::NoForm(_)));
    assert!(
        matches!(error("{}"), TurnError::NotJson(_))
            && matches!(error("{\"requests\":5}"), TurnError::NotJson(_))
    );
    let unpaired = error(r#"{"requests":[],"responses":[]}"#);
    assert_eq!(
        unpaired.to_string(),
        "0 requests and 0 responses; expected exactly one response fewer than requests"
    );
}

#[test]
fn a_reply_hands_data_through_as_it_came_and_one_that_asks_to_be_kept_has_none() {
    let reply = TurnReply {
        response: "PLAY W1",
        debug: "two\nlines",
        data: Some("mine"),
        globaldata: Some("all\nof it"),
    };
    assert_eq!(
        reply.text(TurnForm::Simple),
        "PLAY W1\ntwo lines\nmine\nall\nof it\n"
    );
    assert_eq!(
        reply.kept_text(TurnForm::Simple),
        format!("PLAY W1\n{KEEP_RUNNING}\n")
    );
    let reply = TurnReply {
        response: "[3,4]",
        debug: "a \"word\"",
        data: Some("{\"kept\": [1]}"),
        globaldata: None,
    };
    assert_eq!(
        reply.text(TurnForm::Json),
        "{\"response\":[3,4],\"debug\":\"a \\\"word\\\"\",\"data\":{\"kept\": [1]}}\n"
    );
    assert_eq!(
        reply.kept_text(TurnForm::Json),
        format!("{{\"response\":[3,4]}}\n{KEEP_RUNNING}\n")
    );
}

#[test]
fn an_answer_in_json_is_json_whatever_the_response_and_the_data_are() {
    for text in [
        "PASS",
        "",
        "[3",
        "{\"a\":1} x",
        "\"",
        "null",
        "2",
        "[1,2]",
        "{\"a\":[]}",
        "\"PASS\"",
    ] {
        let reply = TurnReply {
            response: text,
            debug: "why",
            data: Some(text),
            globaldata: Some(text),
        };
        let expected = serde_json::from_str(text).unwrap_or_else(|_| serde_json::Value::from(text));
        let whole = reply.text(TurnForm::Json);
        let said: serde_json::Value = serde_json::from_str(&whole).expect(&whole);
        assert_eq!(
            (&said["response"], &said["data"], &said["globaldata"]),
            (&expected, &expected, &expected)
        );
        let kept = reply.kept_text(TurnForm::Json);
        let said: serde_json::Value =
            serde_json::from_str(kept.lines().next().expect("a line")).expect(&kept);
        assert_eq!(said, serde_json::json!({ "response": expected }));
    }
}

#[test]
fn the_word_for_the_record_is_cut_between_letters() {
    let debug = "é".repeat(600);
    let reply = TurnReply {
        response: "PASS",
        debug: &debug,
        data: None,
        globaldata: None,
    };
    assert_eq!(
        reply.text(TurnForm::Simple),
        format!("PASS\n{}\n\n\n", "é".repeat(512))
    );
}

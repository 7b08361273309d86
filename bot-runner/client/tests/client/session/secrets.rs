//! An arena may repeat the token; we do not.

use client::Token;
use client::session::Dialect;
use client::session::riichilab::{ConnectionGoal, RiichilabSession};
use riichi::Rules;
use serde_json::json;

use crate::common::frames::*;

/// Longer than the part of a field that an error shows, so that a part of it might slip through.
const CANARY: &str = "canary-0123456789-0123456789-0123456789-0123456789";

#[test]
fn a_part_of_the_token_in_a_field_is_not_shown() {
    let token = Token::new(CANARY).unwrap();
    let mut session =
        RiichilabSession::new(ConnectionGoal::Ranked, Rules::TENHOU_HALF).hiding(token);
    for frame in [
        start_game(SEAT),
        start_kyoku(SEAT, PLAIN),
        json!({"actor": 0, "pai": CANARY[..40], "type": "dahai"}),
    ] {
        session.hear(&frame.to_string());
    }
    let [(_, details)] = session.game.desyncs.first_of_each() else {
        panic!("the event cannot be read")
    };
    assert!(
        details.contains("repeats the token") && !details.contains("canary"),
        "{details}"
    );
}

#[test]
fn a_desync_does_not_show_the_token_nor_a_part_of_it() {
    let token = Token::new(CANARY).unwrap();
    let mut session =
        RiichilabSession::new(ConnectionGoal::Ranked, Rules::TENHOU_HALF).hiding(token);
    for frame in [
        start_game(SEAT),
        start_kyoku(SEAT, PLAIN),
        json!({"actor": 0, "pai": CANARY, "type": "dahai"}),
    ] {
        session.hear(&frame.to_string());
    }
    let [(_, details)] = session.game.desyncs.first_of_each() else {
        panic!("the event cannot be read")
    };
    assert!(!details.contains("canary"), "{details}");
    assert!(
        !format!("{session:?}").contains("canary"),
        "not even the session's debug text"
    );
}

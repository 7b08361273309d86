//! The log of a hostile arena: it stays short and does not disturb a terminal.

use client::session::Dialect;
use client::session::mjsonp::MjsonpSession;
use client::session::riichilab::{ConnectionGoal, RiichilabSession};
use client::session::stdio::StdioSession;
use riichi::{Rules, Seat};
use serde_json::{Value, json};

use crate::common::frames::*;
use crate::common::logged::Log;

/// The log of each dialect after a frame that is repeated a hundred thousand times.
fn flooded(frame: &str) -> Vec<String> {
    let sessions: [Box<dyn Dialect>; 3] = [
        Box::new(RiichilabSession::new(
            ConnectionGoal::Ranked,
            Rules::TENHOU_HALF,
        )),
        Box::new(MjsonpSession::new("kuma", "default", Rules::TENHOU_HALF)),
        Box::new(StdioSession::new(Seat::FIRST, Rules::TENHOU_HALF)),
    ];
    let hear = |mut session: Box<dyn Dialect>| {
        let log = Log::of_this_thread();
        (0..100_000).for_each(|_| drop(session.hear(frame)));
        log.text()
    };
    sessions.into_iter().map(hear).collect()
}

#[test]
fn frames_that_cannot_be_read_are_logged_only_so_far() {
    for frame in [
        "no JSON\u{1b}[2J",
        r#"{"type":"tsumo","actor":7}"#,
        r#"{"type":"nobody knows this"}"#,
    ] {
        for log in flooded(frame) {
            assert!(log.len() < 200 << 10, "{} bytes of {frame}", log.len());
            assert!(log.lines().count() > 100, "some of it is logged: {log}");
            assert!(!log.contains('\u{1b}'), "{frame}");
        }
    }
}

#[test]
fn requests_and_acks_that_are_malformed_are_logged_only_so_far() {
    let ack = json!({"type": "action_ack", "request_id": 1, "status": "rejected", "reason": "no"});
    let malformed = json!({"type": "request_action", "request_id": 1, "time": "soon"});
    for frame in [
        malformed,
        ack,
        json!({"type": "validation_result", "passed": true}),
    ] {
        let mut session = RiichilabSession::new(ConnectionGoal::Ranked, Rules::TENHOU_HALF);
        let log = Log::of_this_thread();
        for _ in 0..20_000 {
            session.hear(&frame.to_string());
        }
        let bytes = log.text().len();
        assert!(
            (1_000..200 << 10).contains(&bytes),
            "{bytes} bytes of {frame}"
        );
    }
}

#[test]
fn a_desync_of_any_length_is_a_line_of_some_thousand_bytes() {
    let mut session = RiichilabSession::new(ConnectionGoal::Ranked, Rules::TENHOU_HALF);
    let log = Log::of_this_thread();
    for frame in [
        start_game(SEAT),
        start_kyoku(SEAT, PLAIN),
        tsumo(0, "?"),
        dahai(0, "4p", false),
    ] {
        session.hear(&frame.to_string());
    }
    let entries: Vec<Value> = (0..50_000).map(|_| call("pon", "9s", "9s 9s")).collect();
    session.hear(&request(3, entries).to_string());
    session.review();
    let [(_, details)] = session.game.desyncs.first_of_each() else {
        panic!("the lists differ")
    };
    assert!(
        (4_000..20_000).contains(&details.len()),
        "{} bytes",
        details.len()
    );
    let log = log.text();
    assert!(
        log.contains("desync: request 3: only ours") && log.len() < 30_000,
        "{} bytes",
        log.len()
    );
}

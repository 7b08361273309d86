//! The arena's messages about the outcome of a request.

use client::session::{AckCounts, Dialect};
use riichi::Action;
use serde_json::json;

use crate::common::frames::*;
use crate::session::player::*;

/// A request that is open: 4p may be called.
fn open() -> Player {
    let mut player = Player::offered(PLAIN, "4p");
    player.asked(&request(42, [call("pon", "4p", "4p 4p"), bare("none")]));
    player
}

#[test]
fn a_request_that_the_arena_answered_is_closed_and_a_late_answer_sends_nothing() {
    let mut player = open();
    let mut defaulted = ack(42, "defaulted");
    defaulted["action"] = json!({"type": "none"});
    assert_eq!(player.hear(&defaulted), []);
    assert!(player.session.game.question().is_none());
    assert_eq!(player.session.answer(Some(0)), None);
}

#[test]
fn a_default_of_another_request_leaves_the_open_one_open() {
    let mut player = open();
    assert_eq!(player.hear(&ack(41, "defaulted")), []);
    assert_eq!(player.choose(Action::None)["request_id"], 42);
}

#[test]
fn each_of_several_acks_for_one_request_is_counted() {
    let mut player = open();
    player.hear(&ack(42, "defaulted"));
    player.hear(&ack(42, "stale"));
    player.hear(&ack(42, "stale"));
    let acks = AckCounts {
        requests: 1,
        defaulted: 1,
        stale: 2,
        ..AckCounts::default()
    };
    assert_eq!(player.session.game.acks, acks);
}

#[test]
fn no_ack_ends_the_game() {
    for status in [
        "accepted",
        "rejected",
        "unparseable",
        "stale",
        "defaulted",
        "pondered",
    ] {
        let mut player = open();
        let mut told = ack(42, status);
        told["reason"] = json!("because");
        told["attempted"] = json!({"type": "chi"});
        told["legal_types"] = json!(["pon", "none"]);
        let step = player.hear(&told);
        assert!(step.is_empty(), "{status}: {step:?}");
        player.hear_all([tsumo(SEAT, "9m")]);
        player.asked(&request(43, discards("1m 6m 4p 8p 1s 3s 5s 6s 7s F C 9m")));
    }
}

#[test]
fn an_ack_says_how_its_request_ended() {
    let mut player = open();
    for status in ["accepted", "rejected", "unparseable", "pondered"] {
        player.hear(&ack(42, status));
    }
    let AckCounts {
        accepted,
        rejected,
        unparseable,
        other,
        ..
    } = player.session.game.acks;
    assert_eq!([accepted, rejected, unparseable, other], [1; 4]);
}

#[test]
fn an_ack_may_be_bare() {
    let mut player = open();
    assert_eq!(
        player.hear(&json!({"status": "stale", "type": "action_ack"})),
        []
    );
    assert_eq!(
        (
            player.session.game.acks.stale,
            player.session.game.unreadable
        ),
        (1, 0)
    );
}

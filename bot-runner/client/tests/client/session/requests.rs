//! Requests and the replies to them.

use client::session::Dialect;
use riichi::Action;
use serde_json::json;

use crate::common::frames::*;
use crate::session::player::*;

/// 4p of the dealer's can be called with our pair.
fn pon_offered() -> Player {
    Player::offered(PLAIN, "4p")
}

fn pon_request(request_id: u64) -> serde_json::Value {
    request(request_id, [call("pon", "4p", "4p 4p"), bare("none")])
}

#[test]
fn a_reply_echoes_the_requests_id() {
    let mut player = pon_offered();
    player.asked(&pon_request(3));
    assert_eq!(
        player.choose(Action::None),
        json!({"actor": 1, "request_id": 3, "type": "none"})
    );
}

#[test]
fn a_discard_names_the_tile_and_whether_it_is_the_one_just_drawn() {
    let own_turn = || {
        let mut player = Player::drawn(PLAIN, "1m");
        let legal = player.asked(&request(
            5,
            discards("1m 6m 4p 4p 8p 1s 3s 5s 6s 6s 7s F C 1m"),
        ));
        assert_eq!(
            legal.len(),
            12,
            "equal tiles are one choice, but drawn and from the hand are two: {legal:?}"
        );
        player
    };
    let from_hand =
        json!({"actor": 1, "pai": "1m", "request_id": 5, "tsumogiri": false, "type": "dahai"});
    assert_eq!(own_turn().choose(throw("1m", false)), from_hand);
    let drawn =
        json!({"actor": 1, "pai": "1m", "request_id": 5, "tsumogiri": true, "type": "dahai"});
    assert_eq!(own_turn().choose(throw("1m", true)), drawn);
}

#[test]
fn a_call_names_the_tile_the_own_tiles_and_whose_it_is() {
    let mut player = pon_offered();
    player.asked(&pon_request(3));
    let reply = json!({
        "actor": 1, "consumed": ["4p", "4p"], "pai": "4p", "request_id": 3, "target": 0, "type": "pon",
    });
    assert_eq!(player.choose(pon("4p", ["4p", "4p"])), reply);
}

#[test]
fn an_answer_to_a_request_that_an_event_has_settled_sends_nothing() {
    let mut player = pon_offered();
    player.asked(&pon_request(3));
    player.hear_all([tsumo(SEAT, "9m")]);
    assert_eq!(player.session.answer(Some(0)), None);
}

#[test]
fn a_newer_request_takes_the_place_of_an_open_one() {
    let mut player = pon_offered();
    player.asked(&pon_request(3));
    player.asked(&pon_request(7));
    assert_eq!(player.choose(Action::None)["request_id"], 7);
}

#[test]
fn a_request_is_answered_once() {
    let mut player = pon_offered();
    player.asked(&pon_request(3));
    assert!(player.session.answer(Some(0)).is_some());
    assert_eq!(player.session.answer(Some(0)), None);
}

#[test]
fn a_request_that_is_repeated_while_it_is_open_is_the_same_request() {
    let mut player = pon_offered();
    player.asked(&pon_request(3));
    assert_eq!(player.hear(&pon_request(3)), []);
    assert_eq!(player.session.game.acks.requests, 1);
    assert_eq!(player.choose(Action::None)["request_id"], 3);
}

#[test]
fn an_id_that_comes_again_after_something_has_happened_is_that_of_another_request() {
    let mut player = pon_offered();
    player.asked(&pon_request(3));
    player.choose(Action::None);
    assert_eq!(player.hear(&pon_request(3)), []);
    player.hear_all([tsumo(SEAT, "9m")]);
    player.asked(&request(3, discards("1m 6m 4p 8p 1s 3s 5s 6s 7s F C 9m")));
    assert_eq!(player.choose(throw("C", false))["request_id"], 3);
}

#[test]
fn an_answer_that_is_no_choice_becomes_the_safe_one() {
    for nonsense in [None, Some(99)] {
        let mut player = pon_offered();
        player.asked(&pon_request(3));
        let reply = player.session.answer(nonsense).unwrap();
        assert_eq!(reply, r#"{"type":"none","actor":1,"request_id":3}"#);
    }
}

#[test]
fn a_request_with_one_choice_is_answered_at_once() {
    let mut player = Player::drawn(PLAIN, "9m");
    let reply = player.answered(&request(5, discards("9m")));
    assert_eq!(
        (&reply["pai"], &reply["tsumogiri"]),
        (&json!("9m"), &json!(true))
    );
}

#[test]
fn a_reply_changes_nothing_until_the_arena_announces_it() {
    let mut player = Player::drawn(PLAIN, "9m");
    player.asked(&request(5, discards("1m 6m 4p 8p 1s 3s 5s 6s 7s F C 9m")));
    let before = player.hand();
    player.choose(throw("C", false));
    assert_eq!(player.hand(), before);
    player.hear_all([dahai(SEAT, "C", false)]);
    assert_ne!(player.hand(), before);
}

#[test]
fn a_broadcast_that_applies_another_chi_than_the_one_sent_is_believed() {
    let mut player = Player::offered("5p 6p 8p 1m 1m 9m 9m 1s 1s 9s 9s F C", "7p");
    player.asked(&request(
        3,
        [
            call("chi", "7p", "6p 8p"),
            call("chi", "7p", "5p 6p"),
            bare("none"),
        ],
    ));
    player.choose(chi("7p", ["6p", "8p"]));
    player.hear_all([
        json!({"actor": 1, "consumed": ["5p", "6p"], "pai": "7p", "target": 0, "type": "chi"}),
    ]);
    assert_eq!(player.hand(), "1m 1m 9m 9m 8p 1s 1s 9s 9s F C");
    let legal = player.asked(&request(4, discards("1m 9m 8p 1s 9s F C")));
    assert!(legal.contains(&throw("8p", false)), "{legal:?}");
    assert_eq!(player.desyncs_reviewed(), 0);
}

#[test]
fn a_request_with_a_malformed_time_is_still_asked() {
    let mut player = pon_offered();
    let mut odd = pon_request(3);
    odd["time"] = json!({"grace_ms": "soon", "deadline_ms": 18000});
    player.asked(&odd);
    let time = player.session.game.question().unwrap().time.unwrap();
    assert_eq!((time.grace_ms, time.deadline_ms), (None, Some(18000)));
}

#[test]
fn a_request_whose_time_and_observation_are_nonsense_is_asked_and_is_no_desync() {
    for nonsense in [
        json!(null),
        json!("soon"),
        json!([[]]),
        json!({"grace_ms": {}}),
    ] {
        let mut player = pon_offered();
        let mut odd = pon_request(3);
        (odd["time"], odd["observation"]) = (nonsense.clone(), nonsense);
        player.asked(&odd);
        assert_eq!(
            (player.session.game.unreadable, player.desyncs_reviewed()),
            (0, 0)
        );
    }
}

#[test]
fn a_request_without_a_readable_id_cannot_be_answered_and_ends_nothing() {
    let mut player = pon_offered();
    let mut nameless = pon_request(3);
    nameless.as_object_mut().unwrap().remove("request_id");
    assert_eq!(player.hear(&nameless), []);
    assert_eq!((player.session.game.unreadable, player.desyncs()), (1, 0));
    player.asked(&pon_request(4));
}

#[test]
fn frames_and_fields_that_are_not_known_are_ignored() {
    let mut player = Player::dealt(PLAIN);
    assert_eq!(player.hear(&json!({"text": "hello", "type": "chat"})), []);
    player.hear_all([json!({
        "actor": 0, "mood": {"good": [true]}, "pai": "4p", "tsumogiri": false, "type": "dahai",
    })]);
    let mut request = pon_request(3);
    request["weather"] = json!("fine");
    player.asked(&request);
    assert_eq!(
        (player.session.game.unreadable, player.desyncs_reviewed()),
        (0, 0)
    );
}

#[test]
fn an_invalid_frame_is_counted_and_the_game_continues() {
    let mut player = pon_offered();
    let invalid = [
        "",
        " ",
        "\u{0}",
        "hello",
        "\"dahai\"",
        "42",
        "null",
        "[]",
        "{",
        "{}",
        r#"{"no":"type"}"#,
    ];
    for text in invalid.into_iter().chain([
        r#"{"type":"#,
        r#"{"type":"\ud800"}"#,
        r#"{"actor":0,"pai":"4p","tsu"#,
    ]) {
        assert!(player.session.hear(text).is_empty(), "{text}");
    }
    assert_eq!((player.session.game.unreadable, player.desyncs()), (14, 0));
    player.asked(&pon_request(3));
}

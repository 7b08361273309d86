//! Differences between our picture and the arena's: they are counted, and never end the game.

use client::session::Dialect;
use client::session::desync::{DesyncKind, DesyncMark};
use serde_json::{Value, json};

use crate::common::frames::*;
use crate::session::player::*;

/// An event of a known type that cannot be read.
fn malformed() -> Value {
    json!({"actor": 0, "pai": "42x", "tsumogiri": false, "type": "dahai"})
}

/// An impossible event: we discard a tile that we do not hold.
fn contradicting() -> Value {
    dahai(SEAT, "9s", false)
}

/// In our turn with the thread lost.
fn lost(event: &Value) -> Player {
    let mut player = Player::drawn(PLAIN, "9m");
    player.hear(event);
    player
}

#[track_caller]
fn kinds(player: &Player) -> Vec<DesyncKind> {
    player
        .session
        .game
        .desyncs
        .first_of_each()
        .iter()
        .map(|(kind, _)| *kind)
        .collect()
}

#[test]
fn a_malformed_event_is_counted_and_its_field_named() {
    let mut player = Player::dealt(PLAIN);
    assert_eq!(player.hear(&malformed()), []);
    assert_eq!((player.session.game.unreadable, player.desyncs()), (1, 1));
    let (kind, details) = &player.session.game.desyncs.first_of_each()[0];
    assert_eq!(*kind, DesyncKind::Event);
    assert!(
        details.contains("dahai") && details.contains("pai") && details.contains("42x"),
        "{details}"
    );
}

#[test]
fn an_event_that_contradicts_the_table_is_counted_and_reported_with_the_reason() {
    let player = lost(&contradicting());
    assert_eq!((player.session.game.unreadable, player.desyncs()), (0, 1));
    let (kind, details) = &player.session.game.desyncs.first_of_each()[0];
    assert_eq!(*kind, DesyncKind::Event);
    let event = r#"{"actor":1,"pai":"9s","tsumogiri":false,"type":"dahai"}"#;
    assert_eq!(*details, format!("9s is not in the own hand: {event}"));
}

#[test]
fn a_difference_is_marked_with_its_round_and_how_many_events_of_it_had_come() {
    let mark = |step| {
        [DesyncMark {
            kind: "event".to_owned(),
            round: 0,
            step,
        }]
    };
    // A draw, a discard and the own draw came. An unreadable event is not counted; the next event
    // contradicts.
    assert_eq!(lost(&malformed()).session.game.desyncs.marks(), mark(3));
    assert_eq!(lost(&contradicting()).session.game.desyncs.marks(), mark(4));
}

#[test]
fn with_the_thread_lost_requests_get_the_safe_entry_of_the_arenas_list() {
    let claim = [call("pon", "4p", "4p 4p"), bare("none")];
    let win = [bare("none"), bare("hora")];
    let mut marked = discards("1m 6m 9m");
    marked[2]["tsumogiri"] = json!(true);
    let safe: [(Vec<Value>, Value); 4] = [
        (claim.to_vec(), json!({"request_id": 9, "type": "none"})),
        (win.to_vec(), json!({"request_id": 9, "type": "hora"})),
        (
            marked,
            json!({"pai": "9m", "request_id": 9, "tsumogiri": true, "type": "dahai"}),
        ),
        (
            discards("6m 1m"),
            json!({"pai": "6m", "request_id": 9, "type": "dahai"}),
        ),
    ];
    for event in [malformed(), contradicting()] {
        for (entries, reply) in &safe {
            assert_eq!(lost(&event).answered(&request(9, entries.clone())), *reply);
        }
    }
}

#[test]
fn after_a_desync_the_drawn_tile_is_still_known_and_discarded_as_drawn() {
    let mut player = lost(&malformed());
    player.hear_all([
        dahai(SEAT, "9m", true),
        tsumo(2, "?"),
        dahai(2, "4p", false),
        tsumo(3, "?"),
    ]);
    player.hear_all([
        dahai(3, "E", true),
        tsumo(0, "?"),
        dahai(0, "E", true),
        tsumo(SEAT, "5s"),
    ]);
    let drawn = json!({"pai": "5s", "request_id": 9, "tsumogiri": true, "type": "dahai"});
    assert_eq!(player.answered(&request(9, discards("1m 6m 5s"))), drawn);
}

#[test]
fn with_the_thread_lost_after_a_call_nothing_counts_as_drawn() {
    let mut player = Player::offered(PLAIN, "4p");
    player.asked(&request(3, [call("pon", "4p", "4p 4p"), bare("none")]));
    player.hear(&json!({"actor": 1, "consumed": ["4p"], "pai": "4p", "target": 0, "type": "pon"}));
    let first = json!({"pai": "6m", "request_id": 4, "type": "dahai"});
    assert_eq!(player.answered(&request(4, discards("6m 4p 1m"))), first);
}

#[test]
fn with_the_thread_lost_nothing_that_might_be_a_chombo_is_replied() {
    for event in [malformed(), contradicting()] {
        assert_eq!(lost(&event).hear(&request(9, [bare("reach")])), []);
        assert_eq!(
            lost(&event).hear(&json!({"request_id": 9, "type": "request_action"})),
            []
        );
    }
}

#[test]
fn with_the_thread_lost_further_events_of_the_round_are_no_further_desyncs() {
    for event in [malformed(), contradicting()] {
        let mut player = lost(&event);
        player.hear_all([
            dahai(SEAT, "9m", true),
            tsumo(2, "?"),
            dahai(2, "4p", false),
            tsumo(3, "?"),
        ]);
        player.hear_all([ryukyoku([0; 4]), end_kyoku()]);
        assert_eq!(player.desyncs(), 1);
    }
}

#[test]
fn an_event_that_comes_twice_is_counted_and_changes_nothing() {
    let mut player = Player::dealt(PLAIN);
    let frames = [
        dahai(0, "N", false),
        tsumo(SEAT, "9m"),
        dahai(SEAT, "9m", true),
        tsumo(2, "?"),
        dahai(2, "4p", false),
    ];
    for frame in frames {
        player.hear_all([frame.clone(), frame]);
    }
    let pon = player.asked(&request(9, [call("pon", "4p", "4p 4p"), bare("none")]));
    player.hear_all([dahai(2, "4p", false)]);
    assert!(
        player.session.game.question().is_some(),
        "the question stays open"
    );
    player.session.review();
    assert_eq!(
        (pon.len(), player.desyncs()),
        (2, 6),
        "{:?}",
        player.session.game.desyncs.first_of_each()
    );
}

#[test]
fn the_next_round_heals() {
    for event in [malformed(), contradicting()] {
        let mut player = lost(&event);
        player.hear_all([ryukyoku([-3000, 1000, 1000, 1000]), end_kyoku()]);
        let mut next = start_kyoku(SEAT, PLAIN);
        next["honba"] = json!(1);
        next["scores"] = json!([22000, 26000, 26000, 26000]);
        player.hear_all([next, tsumo(0, "?"), dahai(0, "4p", false)]);
        player.asked(&request(9, [call("pon", "4p", "4p 4p"), bare("none")]));
        assert_eq!(
            player.desyncs_reviewed(),
            1,
            "that it was missed how the round ended is not a second desync"
        );
    }
}

#[test]
fn a_malformed_event_outside_of_a_game_is_no_desync() {
    let mut player = Player::new(client::session::riichilab::ConnectionGoal::Ranked);
    assert_eq!(player.hear(&malformed()), []);
    assert_eq!((player.session.game.unreadable, player.desyncs()), (1, 0));
}

#[test]
fn a_claim_that_we_held_and_were_not_asked_about_is_counted() {
    let mut player = Player::offered(PLAIN, "4p");
    player.hear_all([tsumo(SEAT, "9m")]);
    assert_eq!(kinds(&player), [DesyncKind::NotAsked]);
}

#[test]
fn a_claim_that_we_were_asked_about_is_not_counted() {
    let mut player = Player::offered(PLAIN, "4p");
    player.asked(&request(3, [call("pon", "4p", "4p 4p"), bare("none")]));
    player.hear_all([tsumo(SEAT, "9m")]);
    assert_eq!(player.desyncs(), 0);
}

#[test]
fn having_been_asked_once_does_not_cover_the_next_claim() {
    let mut player = Player::offered(PLAIN, "4p");
    player.asked(&request(3, [call("pon", "4p", "4p 4p"), bare("none")]));
    player.hear_all([
        tsumo(SEAT, "9m"),
        dahai(SEAT, "9m", true),
        tsumo(2, "?"),
        dahai(2, "4p", true),
        tsumo(3, "?"),
    ]);
    assert_eq!(kinds(&player), [DesyncKind::NotAsked]);
}

#[test]
fn not_being_asked_without_a_claim_is_not_counted() {
    let mut player = Player::offered(PLAIN, "9m");
    player.hear_all([tsumo(SEAT, "9m")]);
    assert_eq!(player.desyncs(), 0);
}

#[test]
fn scores_other_than_the_computed_ones_are_counted_and_believed() {
    let mut player = Player::dealt(PLAIN);
    player.hear_all([ryukyoku([-3000, 1000, 1000, 1000]), end_kyoku()]);
    let mut next = start_kyoku(SEAT, PLAIN);
    next["scores"] = json!([20000, 30000, 25000, 25000]);
    player.hear_all([next]);
    assert_eq!(kinds(&player), [DesyncKind::Event]);
    assert_eq!(
        player.session.game.table().unwrap().scores().as_slice(),
        [20000, 30000, 25000, 25000]
    );
    player.hear_all([tsumo(0, "?"), dahai(0, "4p", false)]);
    player.asked(&request(3, [call("pon", "4p", "4p 4p"), bare("none")]));
}

#[test]
fn the_first_desync_of_a_sort_is_kept_in_full_and_the_others_are_counted() {
    let mut player = Player::dealt(PLAIN);
    for pai in ["42x", "43x", "44x"] {
        player.hear(&json!({"actor": 0, "pai": pai, "type": "dahai"}));
    }
    assert_eq!(player.desyncs(), 3);
    let [(_, details)] = player.session.game.desyncs.first_of_each() else {
        panic!("one sort, one kept")
    };
    assert!(details.contains("42x"), "{details}");
}

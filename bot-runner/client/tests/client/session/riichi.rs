//! Riichi: two requests on the wire, one decision for the policy.

use client::session::SessionStep;
use serde_json::{Value, json};

use crate::common::frames::*;
use crate::session::player::*;

/// With 3s drawn, throwing E waits for 1s and 4s, throwing 1s for E.
const ALMOST: &str = "1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 2s E";

const ALL: &str = "1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 2s E 3s";

/// We have drawn and may declare.
fn may_declare() -> Player {
    let mut player = Player::drawn(ALMOST, "3s");
    let legal = player.asked(&request(
        21,
        discards(ALL).into_iter().chain([bare("reach")]),
    ));
    assert!(
        legal.contains(&reach("E", false)) && legal.contains(&reach("1s", false)),
        "{legal:?}"
    );
    player
}

/// We have declared riichi, intending to discard E, and the arena has announced it.
fn declared() -> Player {
    let mut player = may_declare();
    player.choose(reach("E", false));
    player.hear_all([ack(21, "accepted"), declaration()]);
    player
}

fn declaration() -> Value {
    json!({"actor": 1, "type": "reach"})
}

#[test]
fn each_discard_that_keeps_tenpai_is_a_separate_choice() {
    let mut player = Player::drawn(ALMOST, "3s");
    let legal = player.asked(&request(
        21,
        discards(ALL).into_iter().chain([bare("reach")]),
    ));
    let riichi: Vec<_> = legal
        .iter()
        .filter(|action| matches!(action, riichi::Action::Reach { .. }))
        .collect();
    assert_eq!(riichi, [&reach("1s", false), &reach("E", false)]);
}

#[test]
fn a_declaration_names_no_tile() {
    assert_eq!(
        may_declare().choose(reach("E", false)),
        json!({"actor": 1, "request_id": 21, "type": "reach"})
    );
}

#[test]
fn the_planned_discard_answers_the_second_request() {
    let reply = declared().answered(&request(22, discards("1s E")));
    assert_eq!(
        reply,
        json!({"actor": 1, "pai": "E", "request_id": 22, "tsumogiri": false, "type": "dahai"})
    );
}

#[test]
fn the_plan_also_holds_if_the_second_request_comes_before_the_ack_and_the_broadcast() {
    let mut player = may_declare();
    player.choose(reach("E", false));
    assert_eq!(player.answered(&request(22, discards("1s E")))["pai"], "E");
}

#[test]
fn a_planned_discard_that_the_arena_does_not_list_is_decided_again() {
    let legal = declared().asked(&request(22, discards("1s 3s")));
    assert_eq!(legal.as_slice(), [throw("1s", false), throw("3s", true)]);
}

#[test]
fn riichi_is_no_choice_if_the_arena_does_not_list_it() {
    let mut player = Player::drawn(ALMOST, "3s");
    let legal = player.asked(&request(21, discards(ALL)));
    assert!(
        !legal
            .iter()
            .any(|action| matches!(action, riichi::Action::Reach { .. })),
        "{legal:?}"
    );
}

#[test]
fn a_riichi_that_the_arena_lists_and_no_discard_of_ours_completes_is_no_choice() {
    let mut player = Player::drawn(PLAIN, "9m");
    let entries = discards("1m 6m 4p 8p 1s 3s 5s 6s 7s F C 9m");
    let legal = player.asked(&request(21, entries.into_iter().chain([bare("reach")])));
    assert_eq!(legal.len(), 12);
}

#[test]
fn a_declaration_that_was_not_taken_leaves_no_plan_behind() {
    let mut player = may_declare();
    player.choose(reach("E", false));
    // The arena threw the drawn tile for us, and in the next turn asks as always.
    player.hear_all([
        ack(21, "stale"),
        dahai(SEAT, "3s", true),
        tsumo(2, "?"),
        dahai(2, "9m", true),
    ]);
    player.hear_all([
        tsumo(3, "?"),
        dahai(3, "9m", true),
        tsumo(0, "?"),
        dahai(0, "9s", true),
        tsumo(SEAT, "C"),
    ]);
    let step = player.hear(&request(
        30,
        discards("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 2s E C"),
    ));
    assert_eq!(step, [SessionStep::Ask]);
}

#[test]
fn a_new_round_forgets_the_plan() {
    let mut player = declared();
    player.hear_all([
        json!({"deltas": [-8000, 4000, 2000, 2000], "reason": "Error: Illegal Action by Player 0", "type": "ryukyoku"}),
        end_kyoku(),
        start_kyoku(SEAT, "1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 2s E"),
        tsumo(0, "?"),
        dahai(0, "N", false),
        tsumo(SEAT, "9m"),
    ]);
    let step = player.hear(&request(
        3,
        discards("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 2s E 9m"),
    ));
    assert_eq!(step, [SessionStep::Ask]);
}

#[test]
fn after_riichi_a_forced_discard_is_answered_when_asked_for() {
    let mut player = declared();
    player.answered(&request(22, discards("1s E")));
    player.hear_all([
        dahai(SEAT, "E", false),
        json!({"actor": 1, "type": "reach_accepted"}),
    ]);
    assert_eq!(
        player.session.game.table().unwrap().scores()[seat(SEAT)],
        24_000,
        "the stick is ours to subtract"
    );
    player.hear_all([
        tsumo(2, "?"),
        dahai(2, "9m", true),
        tsumo(3, "?"),
        dahai(3, "9m", true),
    ]);
    player.hear_all([tsumo(0, "?"), dahai(0, "9s", true), tsumo(SEAT, "C")]);
    let reply = player.answered(&request(30, discards("C")));
    assert_eq!(
        (&reply["pai"], &reply["tsumogiri"]),
        (&json!("C"), &json!(true))
    );
    assert_eq!(player.desyncs_reviewed(), 0);
}

//! Which seat is ours: as each game says.

use client::session::riichilab::ConnectionGoal;
use serde_json::json;

use crate::common::frames::*;
use crate::session::player::*;

/// Our first turn on this seat, the dealer's; returns the reply to it.
fn first_turn(player: &mut Player, seat: u8) -> serde_json::Value {
    let mut start = start_kyoku(seat, PLAIN);
    start["oya"] = json!(seat);
    player.hear_all([start, tsumo(seat, "9m")]);
    player.asked(&request(1, discards("1m 6m 4p 8p 1s 3s 5s 6s 7s F C 9m")));
    player.choose(throw("9m", true))
}

#[test]
fn every_start_game_sets_it_again() {
    let mut player = Player::new(ConnectionGoal::Ranked);
    for seat in [3, 0, 2] {
        player.hear_all([start_game(seat)]);
        assert_eq!(first_turn(&mut player, seat)["actor"], seat);
        player.hear_all([end_kyoku()]);
    }
}

#[test]
fn an_arena_that_does_not_say_it_shows_it_by_the_hand_it_deals_openly() {
    for silent in [
        json!({"type": "start_game"}),
        json!({"id": null, "type": "start_game"}),
    ] {
        let mut player = Player::new(ConnectionGoal::Ranked);
        player.hear_all([silent]);
        assert_eq!(first_turn(&mut player, 2)["actor"], 2);
        assert_eq!(
            (player.session.game.unreadable, player.desyncs_reviewed()),
            (0, 0)
        );
    }
}

#[test]
fn a_seat_that_is_no_seat_is_deduced_as_well() {
    for id in [json!(7), json!(-1), json!("1"), json!([1])] {
        let mut player = Player::new(ConnectionGoal::Ranked);
        assert_eq!(player.hear(&json!({"id": id, "type": "start_game"})), []);
        assert_eq!(player.session.game.unreadable, 1, "{id}");
        assert_eq!(first_turn(&mut player, 2)["actor"], 2);
    }
}

#[test]
fn if_the_seat_is_unknown_the_reply_is_the_safe_entry_of_the_arenas_list() {
    let mut player = Player::new(ConnectionGoal::Ranked);
    let mut open = start_kyoku(0, PLAIN);
    open["tehais"] = json!([names(PLAIN), names(PLAIN), names(PLAIN), names(PLAIN)]);
    player.hear_all([json!({"type": "start_game"}), open, tsumo(0, "9m")]);
    assert_eq!(
        player.answered(&request(1, discards("1m 9m"))),
        json!({"pai": "1m", "request_id": 1, "type": "dahai"})
    );
    let claim = request(2, [call("pon", "4p", "4p 4p"), bare("none")]);
    assert_eq!(
        player.answered(&claim),
        json!({"request_id": 2, "type": "none"})
    );
}

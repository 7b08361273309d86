//! The arena's list of possible actions: loosely written, and it wins.

use riichi::Action;
use serde_json::json;

use crate::common::frames::*;
use crate::session::player::*;

const CHI_OR_PON: &str = "5p 6p 7p 7p 8p 1m 9m 1s 9s E S F C";

fn claims() -> Vec<serde_json::Value> {
    vec![
        call("chi", "7p", "5p 6p"),
        call("chi", "7p", "6p 8p"),
        call("pon", "7p", "7p 7p"),
        bare("none"),
    ]
}

#[test]
fn order_and_repetition_mean_nothing() {
    let in_order = Player::offered(CHI_OR_PON, "7p").asked(&request(3, claims()));
    let mut player = Player::offered(CHI_OR_PON, "7p");
    let shuffled = claims().into_iter().rev().chain(claims());
    assert_eq!(player.asked(&request(3, shuffled)), in_order);
    assert_eq!(player.desyncs_reviewed(), 0);
}

#[test]
fn a_claim_may_name_whose_tile_it_is() {
    let mut player = Player::offered(CHI_OR_PON, "7p");
    let mut entries = claims();
    entries[2]["target"] = json!(0);
    entries.push(json!({"consumed": [], "pai": "7p", "target": 0, "type": "none"}));
    player.asked(&request(3, entries));
    assert_eq!(player.desyncs_reviewed(), 0);
}

#[test]
fn a_discard_may_be_marked_as_drawn() {
    let mut player = Player::drawn(PLAIN, "9m");
    let mut entries = discards("1m 6m 4p 8p 1s 3s 5s 6s 7s F C 9m");
    entries[11]["tsumogiri"] = json!(true);
    let legal = player.asked(&request(5, entries));
    assert!(legal.contains(&throw("9m", true)), "{legal:?}");
    assert_eq!(player.desyncs_reviewed(), 0);
}

#[test]
fn a_plain_five_means_the_red_one_in_our_hand_and_the_reply_names_the_red_one() {
    let mut player = Player::drawn("1m 6m 4p 5pr 8p 1s 3s 5s 6s 6s 7s F C", "9m");
    let legal = player.asked(&request(
        5,
        discards("1m 6m 4p 5p 8p 1s 3s 5s 6s 7s F C 9m"),
    ));
    assert!(
        legal.contains(&throw("5pr", false)) && !legal.contains(&throw("5p", false)),
        "{legal:?}"
    );
    assert_eq!(player.choose(throw("5pr", false))["pai"], "5pr");
    assert_eq!(player.desyncs_reviewed(), 0);
}

#[test]
fn a_plain_and_a_red_five_are_two_choices() {
    let mut player = Player::drawn("1m 6m 5p 5pr 8p 1s 3s 5s 6s 6s 7s F C", "9m");
    let legal = player.asked(&request(
        5,
        discards("1m 6m 5p 5pr 8p 1s 3s 5s 6s 7s F C 9m"),
    ));
    assert!(
        legal.contains(&throw("5pr", false)) && legal.contains(&throw("5p", false)),
        "{legal:?}"
    );
}

#[test]
fn without_a_list_our_own_decides() {
    let mut player = Player::offered(PLAIN, "4p");
    let legal = player.asked(&json!({"request_id": 3, "type": "request_action"}));
    assert_eq!(legal.as_slice(), [pon("4p", ["4p", "4p"]), Action::None]);
    assert_eq!(player.desyncs_reviewed(), 0);
}

#[test]
fn a_malformed_entry_costs_itself_alone() {
    let mut player = Player::offered(PLAIN, "4p");
    let entries = [
        json!({"consumed": ["4p"], "pai": "4p", "type": "pon"}),
        json!(17),
        call("pon", "4p", "4p 4p"),
    ];
    let legal = player.asked(&request(3, entries.into_iter().chain([bare("none")])));
    assert_eq!(legal.as_slice(), [pon("4p", ["4p", "4p"]), Action::None]);
    assert_eq!(
        (player.session.game.unreadable, player.desyncs_reviewed()),
        (0, 0)
    );
}

#[test]
fn what_the_arena_does_not_list_is_no_choice_and_the_difference_is_counted() {
    let mut player = Player::offered(CHI_OR_PON, "7p");
    let legal = player.asked(&request(3, [call("pon", "7p", "7p 7p"), bare("none")]));
    assert_eq!(legal.as_slice(), [pon("7p", ["7p", "7p"]), Action::None]);
    assert_eq!(player.desyncs_reviewed(), 1);
}

#[test]
fn what_only_the_arena_lists_is_a_choice_and_the_difference_is_counted() {
    // By our rules this hand has no yaku.
    let mut player = Player::offered("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 2s E E", "3s");
    let chi_23 = call("chi", "3s", "1s 2s");
    let legal = player.asked(&request(3, [bare("hora"), chi_23, bare("none")]));
    assert!(
        legal.contains(&Action::Hora {
            target: seat(0),
            tile: tile("3s")
        }),
        "{legal:?}"
    );
    assert_eq!(player.desyncs_reviewed(), 1);
}

#[test]
fn the_comparison_waits_until_the_reply_is_written() {
    let mut player = Player::offered(CHI_OR_PON, "7p");
    player.asked(&request(3, [call("pon", "7p", "7p 7p"), bare("none")]));
    player.choose(Action::None);
    assert_eq!(player.desyncs(), 0);
    player.hear_all([tsumo(SEAT, "9m")]);
    assert_eq!(player.desyncs(), 1, "at the latest with the next event");
}

#[test]
fn to_an_empty_list_there_is_nothing_to_say() {
    let mut player = Player::offered(PLAIN, "4p");
    assert_eq!(player.hear(&request(3, [])), []);
}

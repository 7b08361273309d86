//! Kans: replacement draws, when their dora indicators are turned, and kans that are robbed.

use riichi::Rules;

use crate::deal::Deal;
use crate::play::{Play, SOUL, TENHOU, seat};

const THREE: Rules = TENHOU.with_players(3);

/// Hands far from tenpai, which cannot claim the discards of the tests.
const QUIET: [&str; 3] = [
    "1m 4m 7m 2p 5p 8p 3s 6s 9s E S W P",
    "1m 4m 7m 2p 5p 8p 3s 6s 9s E S W F",
    "1m 4m 7m 2p 5p 8p 3s 6s 9s E S W C",
];

fn quiet(first: &str) -> Deal {
    Deal::new(TENHOU)
        .holds(0, first)
        .holds(1, QUIET[0])
        .holds(2, QUIET[1])
        .holds(3, QUIET[2])
}

#[test]
fn a_closed_kan_turns_its_indicator_before_the_replacement_draw() {
    let deal = quiet("2m 2m 2m 9m 9m 1p 1p 7p 7p 1s 1s 7s 7s")
        .draws("2m")
        .replacements("8s")
        .doras("N N");
    let mut play = deal.begin(TENHOU);
    assert_eq!(
        play.act(0, "ankan [2m").told(),
        ["ankan 0 2m", "dora N", "tsumo 0 8s"]
    );
    assert_eq!(play.act(0, "dahai 8s").told()[0], "dahai 0 8s tsumogiri");
}

#[test]
fn an_open_kan_turns_its_indicator_before_the_discard_that_follows() {
    let deal = Deal::new(TENHOU)
        .holds(0, QUIET[0])
        .holds(1, "2m 2m 2m 9m 9m 1p 1p 7p 7p 1s 1s 7s 7s")
        .holds(2, QUIET[1])
        .holds(3, QUIET[2]);
    let mut play = deal
        .draws("2m")
        .replacements("8s")
        .doras("N N")
        .begin(TENHOU);
    play.act(0, "dahai 2m");
    assert_eq!(
        play.act(1, "daiminkan 2m").told(),
        ["daiminkan 1 2m", "tsumo 1 8s"]
    );
    assert_eq!(
        play.act(1, "dahai 8s").told()[..2],
        ["dora N", "dahai 1 8s tsumogiri"]
    );
}

/// Seat 0 has called 3m and drawn the fourth.
fn before_an_added_kan(robber: &str, replacements: &str) -> Play {
    let deal = Deal::new(TENHOU)
        .holds(0, "3m 3m 8m 8m 8m 1p 1p 7p 7p 1s 1s 7s 7s")
        .holds(1, QUIET[1])
        .holds(2, robber)
        .holds(3, QUIET[2]);
    // Seat 0 discards the wind it draws, seat 1 discards 3m, seat 0 calls it and discards; on its
    // next turn it draws the fourth.
    let mut play = deal
        .draws("N 3m 9p 9p 9p 3m")
        .replacements(replacements)
        .doras("N 4p 5p")
        .begin(TENHOU);
    play.act(0, "dahai N")
        .pass()
        .act(1, "dahai 3m")
        .pass_but(0)
        .act(0, "pon 3m");
    play.act(0, "dahai 1s")
        .pass()
        .act(1, "dahai 9p")
        .pass()
        .act(2, "dahai 9p")
        .pass()
        .act(3, "dahai 9p")
        .pass();
    play
}

#[test]
fn an_added_kan_turns_its_indicator_before_the_discard_or_with_the_next_kan() {
    let mut play = before_an_added_kan(QUIET[0], "8s");
    assert_eq!(play.act(0, "kakan 3m").told(), ["kakan 0 3m", "tsumo 0 8s"]);
    assert_eq!(
        play.act(0, "dahai 8s").told()[..2],
        ["dora 4p", "dahai 0 8s tsumogiri"]
    );

    let mut play = before_an_added_kan(QUIET[0], "8m 8s");
    assert_eq!(play.act(0, "kakan 3m").told(), ["kakan 0 3m", "tsumo 0 8m"]);
    assert_eq!(
        play.act(0, "ankan [8m").told(),
        ["ankan 0 8m", "dora 4p", "dora 5p", "tsumo 0 8s"]
    );
}

#[test]
fn a_seat_that_waits_for_the_added_tile_robs_the_kan_before_it_is_complete() {
    // Waits for 3m with 1m2m, and has no yaku but chankan.
    let mut play = before_an_added_kan("1m 2m 5m 6m 7m 2p 3p 4p 9s 9s 3s 4s 5s", "8s");
    assert_eq!(play.act(0, "kakan 3m").told(), ["kakan 0 3m"]);
    assert_eq!(play.game.asked().as_slice(), [seat(2)]);
    assert_eq!(play.act(2, "hora").told(), ["hora 2 from 0", "end_kyoku"]);
    // 1 han, 40 fu.
    assert_eq!(play.deltas(), [vec![-1300, 0, 1300, 0]]);
}

#[test]
fn a_kan_is_complete_when_all_have_passed() {
    let mut play = before_an_added_kan("1m 2m 5m 6m 7m 2p 3p 4p 9s 9s 3s 4s 5s", "8s");
    play.act(0, "kakan 3m");
    assert_eq!(play.act(2, "none").told(), ["tsumo 0 8s"]);
}

/// Seat 1 waits for thirteen orphans, for which `9m` is missing; seat 0 draws its fourth.
fn a_closed_kan_of_nines(rules: Rules) -> Play {
    let deal = Deal::new(rules)
        .holds(0, "9m 9m 9m 2m 2m 2p 2p 7p 7p 2s 2s 7s 7s")
        .holds(1, "1m 1m 1p 9p 1s 9s E S W N P F C")
        .holds(2, "1m 4m 7m 2p 5p 8p 3s 6s 9s E S W P")
        .holds(3, "3m 4m 7m 3p 5p 8p 3s 6s 8s E S W F");
    let mut play = deal
        .draws("9m")
        .replacements("8s")
        .doras("6p 6p")
        .begin(rules);
    play.act(0, "ankan [9m");
    play
}

#[test]
fn a_closed_kan_is_robbed_by_thirteen_orphans_by_mahjong_souls_rules_alone() {
    let play = a_closed_kan_of_nines(TENHOU);
    assert_eq!(play.told(), ["ankan 0 9m", "dora 6p", "tsumo 0 8s"]);
    let mut play = a_closed_kan_of_nines(SOUL);
    assert_eq!(play.told(), ["ankan 0 9m"]);
    assert_eq!(play.act(1, "hora").deltas(), [vec![-32_000, 32_000, 0, 0]]);
    let mut play = a_closed_kan_of_nines(SOUL);
    assert_eq!(play.act(1, "none").told(), ["dora 6p", "tsumo 0 8s"]);
}

#[test]
fn a_seat_that_passes_on_a_closed_kan_is_furiten_until_its_discard_and_no_other_can_see_it() {
    let mut play = a_closed_kan_of_nines(SOUL);
    play.act(1, "none");
    assert!(play.game.table(seat(1)).furiten().temporary);
    let known = play.game.table(seat(2));
    assert!(known.player(seat(1)).passed_since_discard.is_empty());
    play.act(0, "dahai 8s").pass().act(1, "dahai 1m").pass();
    assert!(!play.game.table(seat(1)).furiten().temporary);
}

#[test]
fn a_win_on_the_replacement_of_an_open_kan_is_without_its_dora() {
    let deal = Deal::new(TENHOU)
        .holds(0, QUIET[0])
        .holds(1, "2m 2m 2m 3p 4p 5p 3s 4s 5s 6s 7s 8s 6m")
        .holds(2, QUIET[1])
        .holds(3, QUIET[2]);
    // By the second indicator the pair would be two dora.
    let mut play = deal
        .draws("2m")
        .replacements("6m")
        .doras("N 5m")
        .begin(TENHOU);
    play.act(0, "dahai 2m").act(1, "daiminkan 2m");
    assert_eq!(play.act(1, "hora").told()[0], "hora 1 from 1");
    // Rinshan and tanyao: 2 han, 20 + 2 + 8 + 2 = 40 fu.
    assert_eq!(play.deltas(), [vec![-1300, 2700, -700, -700]]);
}

#[test]
fn a_north_draws_a_replacement_without_a_dora_and_can_be_won_on_without_chankan() {
    let waits = "1p 2p 3p 4p 5p 6p 7p 8p 9p 1s 1s N N";
    let deal = Deal::new(THREE)
        .holds(0, "N 9m 9m 2p 5p 8p 3s 6s 9s E S W P")
        .holds(1, waits)
        .holds(2, QUIET3);
    let mut play = deal.draws("4s").replacements("8s").doras("C").begin(THREE);
    assert_eq!(play.act(0, "kita").told(), ["kita 0"]);
    assert_eq!(play.game.asked().as_slice(), [seat(1)]);
    // Ittsuu alone, closed: 2 han, 40 fu.
    assert_eq!(play.act(1, "hora").deltas(), [vec![-2600, 2600, 0]]);

    let deal = Deal::new(THREE)
        .holds(0, "N 9m 9m 2p 5p 8p 3s 6s 9s E S W P")
        .holds(1, QUIET3)
        .holds(2, QUIET3B);
    let mut play = deal.draws("4s").replacements("8s").doras("C").begin(THREE);
    assert_eq!(play.act(0, "kita").told(), ["kita 0", "tsumo 0 8s"]);
}

const QUIET3: &str = "1m 9m 1p 4p 7p 1s 4s 7s E S W P F";
const QUIET3B: &str = "1m 9m 1p 4p 7p 1s 4s 7s E S W P C";

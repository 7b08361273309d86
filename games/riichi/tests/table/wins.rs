//! Wins are offered only if the hand has a yaku.

use riichi::{Rules, Seat};

use crate::round::{ACROSS, Deal, LEFT, ME, RIGHT, Round, deal, deal_from};

/// Waits for 1m and 4m; no yaku by ron in a closed hand, none in an open one.
const NO_YAKU: &str = "2m 3m 4p 5p 6p 7p 8p 9p 9s 9s 9s F F";

#[test]
fn a_closed_hand_without_yaku_wins_by_its_own_draw_but_not_by_ron() {
    let mut round = deal(NO_YAKU);
    round.draw_and_discard("N");
    round.throws(RIGHT, "1m");
    assert_eq!(round.legal(), [""; 0]);
    round.throws(ACROSS, "E");
    round.throws(LEFT, "E");
    round.draw("1m");
    assert_eq!(round.legal_of("hora"), ["hora 1m from 0"]);
}

#[test]
fn riichi_is_a_yaku() {
    let mut round = deal(NO_YAKU);
    round.draw("N");
    round.riichi(ME, "N");
    round.throws(RIGHT, "1m");
    assert_eq!(round.legal(), ["hora 1m from 1", "none"]);
}

/// A pon of the first seat's discard opens the hand.
fn opened(rules: Rules, hand: &str, called: &str, discard: &str) -> Round {
    let mut round = Deal {
        rules,
        oya: ACROSS,
        ..Deal::of(hand)
    }
    .begin();
    round.throws(ACROSS, called);
    round.pon(ME, called, &format!("{called} {called}"));
    round.discard(discard);
    round
}

#[test]
fn an_open_hand_without_yaku_does_not_win_by_its_own_draw() {
    let mut round = opened(
        Rules::TENHOU_HALF,
        "2m 3m 4p 5p 6p 7p 8p 9p 9s 9s N F F",
        "9s",
        "N",
    );
    round.others_throw(["E", "E", "E"]);
    round.draw("1m");
    assert!(!round.may("hora"));
    assert!(round.may("dahai"));
}

#[test]
fn an_open_hand_of_simples_has_a_yaku_if_the_rules_say_so() {
    let hand = "2m 3m 4p 5p 6p 6p 7p 8p 8s 8s N 2s 2s";
    for (open_tanyao, expected) in [(true, vec!["hora 4m from 1", "none"]), (false, vec![])] {
        let rules = Rules {
            open_tanyao,
            ..Rules::TENHOU_HALF
        };
        let mut round = opened(rules, hand, "8s", "N");
        round.throws(RIGHT, "4m");
        assert_eq!(round.legal(), expected);
    }
}

#[test]
fn the_wait_with_a_yaku_wins_and_the_one_without_does_not() {
    let hand = "2m 3m 4p 5p 6p 6p 7p 8p 8s 8s N 2s 2s";
    let mut round = opened(Rules::TENHOU_HALF, hand, "8s", "N");
    round.throws(RIGHT, "1m");
    assert_eq!(round.legal(), [""; 0], "1m is not a simple");
}

#[test]
fn a_triplet_of_the_own_or_the_rounds_wind_is_a_yaku() {
    let with_wind = |oya: Seat, wind: &str| {
        let hand = format!("2m 3m 4p 5p 6p 7p 8p 9p {wind} {wind} C 9s 9s");
        let mut round = deal_from(oya, &hand);
        let from = if oya == ME { RIGHT } else { oya };
        if oya == ME {
            round.draw_and_discard("2s");
        }
        round.throws(from, wind);
        round.pon(ME, wind, &format!("{wind} {wind}"));
        round.discard("C");
        round.throws(RIGHT, "1s");
        round.throws(ACROSS, "1s");
        round.throws(LEFT, "1m");
        round.may("hora")
    };
    assert!(with_wind(ME, "E"), "both winds are East");
    assert!(with_wind(ACROSS, "E"), "the round's wind");
    assert!(with_wind(ACROSS, "W"), "two seats after the dealer: West");
    assert!(!with_wind(ACROSS, "S"), "another's wind");
}

#[test]
fn a_win_on_the_last_drawn_tile_is_a_yaku() {
    let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9p 9s 9s N F F");
    round.draw_and_discard("C");
    round.throws(RIGHT, "9s");
    round.pon(ME, "9s", "9s 9s");
    round.discard("N");
    // The dealer who called once draws the last tile, and the fifth from the end.
    round.play_down_to(5, "1m 4m F");
    round.draw("1m");
    assert_eq!(round.table.tiles_left(), 4);
    assert!(!round.may("hora"));
    round.discard_drawn();
    round.play_down_to(1, "1m 4m F");
    round.draw("1m");
    assert_eq!(round.table.tiles_left(), 0);
    assert_eq!(round.legal_of("hora"), ["hora 1m from 0"]);
}

#[test]
fn a_win_on_the_discard_of_the_last_tile_is_a_yaku() {
    let mut round = deal(NO_YAKU);
    round.play_down_to(1, "1m 4m F 9s");
    round.throws(RIGHT, "1m");
    assert_eq!(round.table.tiles_left(), 0);
    assert_eq!(round.legal(), ["hora 1m from 1", "none"]);

    let mut not_last = deal_from(LEFT, NO_YAKU);
    not_last.play_down_to(2, "1m 4m F 9s");
    not_last.throws(LEFT, "1m");
    assert_eq!(not_last.table.tiles_left(), 1);
    assert!(!not_last.may("hora"));
}

#[test]
fn a_win_on_the_replacement_of_a_kan_is_a_yaku() {
    let mut kan = opened(
        Rules::TENHOU_HALF,
        "2m 3m 4p 5p 6p 7p 8p 9p 9s 9s N F F",
        "9s",
        "N",
    );
    kan.others_throw(["E", "E", "E"]);
    kan.draw("9s");
    kan.kakan(ME, "9s");
    kan.draw("1m");
    assert_eq!(kan.legal_of("hora"), ["hora 1m from 0"]);
}

#[test]
fn the_replacement_counts_only_until_the_discard() {
    let mut kan = opened(
        Rules::TENHOU_HALF,
        "2m 3m 4p 5p 6p 7p 8p 9p 9s 9s N F F",
        "9s",
        "N",
    );
    kan.others_throw(["E", "E", "E"]);
    kan.draw("9s");
    kan.kakan(ME, "9s");
    kan.draw_and_discard("C");
    kan.throws(RIGHT, "1m");
    assert_eq!(kan.legal(), [""; 0]);
    kan.throws(ACROSS, "S");
    kan.throws(LEFT, "S");
    kan.draw("1m");
    assert!(!kan.may("hora"));
}

#[test]
fn the_dealer_wins_on_the_first_draw() {
    let mut round = deal("1m 2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s F");
    round.draw("F");
    assert_eq!(round.legal_of("hora"), ["hora F from 0"]);
}

#[test]
fn a_win_does_not_take_the_discards_away() {
    let mut round = deal(NO_YAKU);
    round.draw("4m");
    assert_eq!(round.legal_of("hora"), ["hora 4m from 0"]);
    assert_eq!(round.legal_of("dahai").len(), 11);
}

#[test]
fn seven_pairs_and_thirteen_orphans_win() {
    let mut pairs = deal("1m 1m 4m 4m 9p 9p 2s 2s E E F F C");
    pairs.draw_and_discard("N");
    pairs.throws(RIGHT, "C");
    assert_eq!(pairs.legal_of("hora"), ["hora C from 1"]);

    let mut orphans = deal("1m 9m 1p 9p 1s 9s E S W N P F C");
    orphans.draw_and_discard("5m");
    orphans.throws(RIGHT, "N");
    assert_eq!(orphans.legal(), ["hora N from 1", "none"]);
}

#[test]
fn after_another_seats_win_nothing_is_asked() {
    let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s 9s 9s");
    round.draw_and_discard("N");
    round.throws(RIGHT, "1m");
    round.hora(ACROSS, RIGHT, [0, -1000, 1000, 0]);
    assert_eq!(round.legal(), [""; 0]);
}

//! The discards that may be called, and the tiles to call them with.

use riichi::Action;

use crate::round::{ACROSS, LEFT, ME, RIGHT, Round, deal, deal_from, tile};

/// A hand dealt to us, and a first discard.
fn offered(hand: &str, by: riichi::Seat, thrown: &str) -> Round {
    let mut round = deal_from(by, hand);
    round.throws(by, thrown);
    round
}

#[test]
fn a_run_is_called_only_from_the_seat_before() {
    let hand = "2m 3m 1p 1p 3p 7p 9p 2s E S N C F";
    assert_eq!(
        offered(hand, LEFT, "4m").legal(),
        ["chi 4m with [2m, 3m]", "none"]
    );
    assert_eq!(offered(hand, ACROSS, "4m").legal(), [""; 0]);
    assert_eq!(offered(hand, RIGHT, "4m").legal(), [""; 0]);
}

#[test]
fn a_triplet_is_called_from_any_seat() {
    for by in [RIGHT, ACROSS, LEFT] {
        let round = offered("2m 3m 1p 1p 3p 7p 9p 2s E S N C F", by, "1p");
        assert_eq!(round.legal(), ["pon 1p with [1p, 1p]", "none"]);
    }
}

#[test]
fn a_call_says_whose_tile_it_is() {
    let round = offered("2m 3m 4m 4m 4m 7p 9p 2s E S N C F", LEFT, "4m");
    for action in round.table.legal_actions() {
        match action {
            Action::Chi {
                target,
                tile: called,
                ..
            }
            | Action::Pon {
                target,
                tile: called,
                ..
            }
            | Action::Daiminkan {
                target,
                tile: called,
                ..
            } => assert_eq!((target, called), (LEFT, tile("4m"))),
            other => assert_eq!(other, Action::None),
        }
    }
    assert_eq!(round.legal().len(), 4);
}

#[test]
fn every_run_that_the_tile_completes_is_offered() {
    let round = offered("2m 3m 5m 6m 3p 7p 9p 2s E S N C F", LEFT, "4m");
    assert_eq!(
        round.legal_of("chi"),
        [
            "chi 4m with [2m, 3m]",
            "chi 4m with [3m, 5m]",
            "chi 4m with [5m, 6m]"
        ]
    );
}

#[test]
fn a_chi_with_a_red_five_is_offered_beside_the_one_with_a_plain_five() {
    let round = offered("3m 5m 5mr 6m 1p 7p 9p 2s E S N C F", LEFT, "4m");
    assert_eq!(
        round.legal_of("chi"),
        [
            "chi 4m with [3m, 5m]",
            "chi 4m with [3m, 5mr]",
            "chi 4m with [5m, 6m]",
            "chi 4m with [5mr, 6m]"
        ]
    );
    let round = offered("5p 5pr 7p 8p 1p 1m 9p 2s E S N C F", LEFT, "6p");
    assert_eq!(
        round.legal_of("chi"),
        [
            "chi 6p with [5p, 7p]",
            "chi 6p with [5pr, 7p]",
            "chi 6p with [7p, 8p]"
        ]
    );
}

#[test]
fn a_red_five_is_called_like_a_plain_one() {
    let round = offered("5s 5s 3s 4s 1p 1m 9p 2p E S N C F", LEFT, "5sr");
    assert_eq!(
        round.legal(),
        ["pon 5sr with [5s, 5s]", "chi 5sr with [3s, 4s]", "none"]
    );
}

#[test]
fn a_pon_with_a_red_five_is_offered_beside_the_one_without() {
    let round = offered("5s 5s 5sr 1s 1p 1m 9p 2p E S N C F", RIGHT, "5s");
    assert_eq!(
        round.legal(),
        [
            "pon 5s with [5s, 5s]",
            "pon 5s with [5s, 5sr]",
            "daiminkan 5s with [5s, 5s, 5sr]",
            "none"
        ]
    );
    let round = offered("5s 5sr 8s 1s 1p 1m 9p 2p E S N C F", RIGHT, "5s");
    assert_eq!(round.legal(), ["pon 5s with [5s, 5sr]", "none"]);
}

#[test]
fn runs_do_not_go_from_suit_to_suit_nor_through_honours() {
    assert_eq!(
        offered("8m 9m 2p 3p 5s 7s 1s 1s E S N C F", LEFT, "1p").legal(),
        ["chi 1p with [2p, 3p]", "none"]
    );
    assert_eq!(
        offered("8m 9m 2m 3p 5s 7s 1s 1s E S N C F", LEFT, "W").legal(),
        [""; 0]
    );
    assert_eq!(
        offered("8s 9s 2m 3p 5s 1p 1m 1m S W N C F", LEFT, "E").legal(),
        [""; 0]
    );
}

#[test]
fn a_hand_in_riichi_calls_nothing() {
    let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9p 2s 2s 2s F F");
    round.draw("N");
    round.riichi(ME, "N");
    round.throws(RIGHT, "F");
    assert_eq!(round.legal(), [""; 0]);
    round.throws(ACROSS, "2s");
    assert_eq!(round.legal(), [""; 0]);
    round.throws(LEFT, "6p");
    assert_eq!(round.legal(), [""; 0]);
}

#[test]
fn the_last_discard_can_be_won_on_but_not_called() {
    let hand = "2m 3m 4p 5p 6p 7p 8p 9p 2s 2s 2s F F";
    let last = |thrown| {
        let mut round = deal(hand);
        round.play_down_to(1, "1m 4m 2s F 6p");
        assert_eq!(round.table.tiles_left(), 1);
        round.throws(RIGHT, thrown);
        assert_eq!(round.table.tiles_left(), 0);
        round.legal()
    };
    assert_eq!(last("F"), [""; 0]);
    assert_eq!(last("2s"), [""; 0]);
    assert_eq!(last("1m"), ["hora 1m from 1", "none"]);

    let mut last_but_one = deal_from(LEFT, hand);
    last_but_one.play_down_to(2, "1m 4m 2s F 6p");
    last_but_one.throws(LEFT, "F");
    assert_eq!(last_but_one.table.tiles_left(), 1);
    assert_eq!(last_but_one.legal(), ["pon F with [F, F]", "none"]);
}

#[test]
fn no_run_is_called_with_the_last_discard() {
    // Seat 2 deals, so that the seat before ours draws the last tile.
    let mut round = deal_from(ACROSS, "2m 3m 4p 5p 6p 7p 8p 9p 2s 2s 2s F F");
    round.play_down_to(1, "1m 4m 2s F 6p");
    round.throws(LEFT, "6p");
    assert_eq!(round.legal(), [""; 0]);
}

#[test]
fn a_riichi_discard_can_be_called_before_the_riichi_is_accepted_and_the_call_is_heard_after() {
    let mut round = deal_from(LEFT, "2m 3m 4p 5p 6p 7p 8p 9p 2s 2s 2s F F");
    round.declare_riichi(LEFT, "F");
    assert_eq!(round.legal(), ["pon F with [F, F]", "none"]);
    round.accept_riichi(LEFT);
    round.pon(ME, "F", "F F");
    assert!(round.may("dahai"));
}

#[test]
fn the_fourth_equal_wind_of_a_first_turn_asks_no_seat() {
    let mut round = deal("1m 2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s N");
    round.draw_and_discard("N");
    round.others_throw(["N", "N", "E"]);
    assert_eq!(round.legal(), [""; 0]);
    let mut round = deal_from(RIGHT, "1m 2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s N");
    round.others_throw(["E", "E", "E"]);
    round.draw_and_discard("E");
    assert_eq!(round.legal(), [""; 0]);
}

#[test]
fn the_discard_after_the_fourth_kan_of_several_seats_can_be_won_on_but_not_called() {
    let after_four_kans = |thrown: &str| {
        let mut round = deal_from(ACROSS, "2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s 9s 9s");
        round.draws(ACROSS);
        for kan in ["1s 1s 1s 1s", "6s 6s 6s 6s"] {
            round.ankan(ACROSS, kan);
            round.draws(ACROSS);
        }
        round.throws(ACROSS, "C");
        round.draws(LEFT);
        for kan in ["7s 7s 7s 7s", "8s 8s 8s 8s"] {
            round.ankan(LEFT, kan);
            round.draws(LEFT);
        }
        round.throws(LEFT, thrown);
        round
    };
    assert_eq!(after_four_kans("9s").legal(), [""; 0]);
    assert_eq!(after_four_kans("6p").legal(), [""; 0]);
    assert_eq!(after_four_kans("1m").legal(), ["hora 1m from 3", "none"]);
}

#[test]
fn four_kans_of_one_seat_do_not_end_the_round() {
    let mut round = deal_from(RIGHT, "2m 3m 4p 5p 6p 7p 8p 9p 2s 2s 2s F F");
    round.draws(RIGHT);
    for kan in ["1s 1s 1s 1s", "3s 3s 3s 3s", "4s 4s 4s 4s", "5s 5s 5s 5sr"] {
        round.ankan(RIGHT, kan);
        round.draws(RIGHT);
    }
    round.throws(RIGHT, "2s");
    assert_eq!(
        round.legal(),
        ["pon 2s with [2s, 2s]", "none"],
        "but there is no fifth kan"
    );
}

#[test]
fn the_fourth_riichi_discard_can_be_won_on() {
    let fourth = |thrown: &str| {
        let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s 9s 9s");
        round.draw("N");
        round.riichi(ME, "N");
        round.riichi(RIGHT, "E");
        round.riichi(ACROSS, "S");
        round.declare_riichi(LEFT, thrown);
        round.legal()
    };
    assert_eq!(fourth("1m"), ["hora 1m from 3", "none"]);
    assert_eq!(fourth("9s"), [""; 0]);
}

//! Legal discards, and kuikae.

use riichi::{Action, Rules};

use crate::round::{Deal, LEFT, ME, RIGHT, Round, deal, deal_from, tile};

/// A hand dealt to us, with which we call LEFT's first discard.
fn called(hand: &str, thrown: &str, own: &str) -> Round {
    called_by(Rules::TENHOU_HALF, hand, thrown, own)
}

fn called_by(rules: Rules, hand: &str, thrown: &str, own: &str) -> Round {
    let mut round = Deal {
        rules,
        oya: LEFT,
        ..Deal::of(hand)
    }
    .begin();
    round.throws(LEFT, thrown);
    let call = |action: &&Action| match action {
        Action::Chi { consumed, .. } | Action::Pon { consumed, .. } => {
            format!("{consumed:?}") == own
        }
        _ => false,
    };
    match *round
        .table
        .legal_actions()
        .iter()
        .find(call)
        .expect("the call is offered")
    {
        Action::Chi {
            target,
            tile,
            consumed,
        } => {
            round.tell(riichi::Event::Chi {
                actor: ME,
                target,
                tile,
                consumed,
            });
        }
        Action::Pon {
            target,
            tile,
            consumed,
        } => {
            round.tell(riichi::Event::Pon {
                actor: ME,
                target,
                tile,
                consumed,
            });
        }
        other => panic!("{other:?} is neither chi nor pon"),
    }
    round
}

#[test]
fn each_different_tile_is_listed_once_with_red_and_plain_and_hand_and_drawn_distinguished() {
    let mut round = deal("5m 5m 5mr 1p 1p 3p 7p 9p 2s E S N C");
    round.draw("5m");
    assert_eq!(
        round.legal_of("dahai"),
        [
            "dahai 5m",
            "dahai 5mr",
            "dahai 1p",
            "dahai 3p",
            "dahai 7p",
            "dahai 9p",
            "dahai 2s",
            "dahai E",
            "dahai S",
            "dahai N",
            "dahai C",
            "dahai 5m tsumogiri",
        ]
    );
}

#[test]
fn a_drawn_tile_without_a_twin_in_the_hand_is_listed_only_as_drawn() {
    let mut round = deal("5m 5m 1p 1p 3p 7p 9p 2s E S N C F");
    round.draw("5mr");
    let fives: Vec<String> = round
        .legal_of("dahai")
        .into_iter()
        .filter(|action| action.contains("5m"))
        .collect();
    assert_eq!(fives, ["dahai 5m", "dahai 5mr tsumogiri"]);
}

#[test]
fn after_a_call_nothing_is_a_drawn_tile_and_only_discards_are_legal() {
    let mut round = called("2m 3m 1p 1p 3p 7p 9p 2s E S N C F", "4m", "[2m, 3m]");
    assert!(round.table.drawn().is_none());
    assert!(
        round
            .legal()
            .iter()
            .all(|action| action.starts_with("dahai") && !action.ends_with("tsumogiri"))
    );
    assert_eq!(round.legal().len(), 10);
    round.discard("E");
    assert_eq!(round.legal(), [""; 0]);
}

#[test]
fn after_a_call_the_hand_waits_for_nothing_until_the_discard() {
    let mut round = deal_from(LEFT, "2m 3m 4p 5p 6p 7p 8p 9p 2s 2s 2s F F");
    assert_eq!(round.table.waits().len(), 2);
    round.throws(LEFT, "F");
    round.pon(ME, "F", "F F");
    assert!(round.table.waits().is_empty());
    round.discard("2s");
    assert_eq!(round.table.waits().len(), 2);
}

/// Which of the manzu left in the hand may be discarded after the call.
fn manzu_left(round: &Round) -> Vec<String> {
    let discards = round.legal_of("dahai");
    discards
        .iter()
        .filter_map(|action| action.strip_prefix("dahai "))
        .filter(|name| name.contains('m'))
        .map(String::from)
        .collect()
}

#[test]
fn after_a_chi_of_the_low_end_neither_it_nor_the_far_end_is_discarded() {
    let round = called("3m 4m 5m 6m 7m 1p 1p 9p 2s E S N C", "3m", "[4m, 5m]");
    assert_eq!(manzu_left(&round), ["7m"]);
}

#[test]
fn after_a_chi_of_the_high_end_neither_it_nor_the_far_end_is_discarded() {
    let round = called("3m 4m 5m 6m 7m 1p 1p 9p 2s E S N C", "6m", "[4m, 5m]");
    assert_eq!(manzu_left(&round), ["7m"]);
}

#[test]
fn after_a_chi_of_the_middle_only_its_kind_is_forbidden() {
    let round = called("3m 4m 5m 6m 7m 1p 1p 9p 2s E S N C", "5m", "[4m, 6m]");
    assert_eq!(manzu_left(&round), ["3m", "7m"]);
}

#[test]
fn after_a_chi_at_the_edge_of_the_suit_there_is_no_far_end() {
    let low = called("1m 2m 3m 4m 6m 1p 1p 9p 2s E S N C", "3m", "[1m, 2m]");
    assert_eq!(manzu_left(&low), ["4m", "6m"]);
    // The kind after 9m is of another suit.
    let high = called("4m 6m 7m 8m 9m 1p 1p 9p 2s E S N C", "7m", "[8m, 9m]");
    assert_eq!(manzu_left(&high), ["4m", "6m"]);
    assert!(high.legal().contains(&"dahai 1p".to_owned()));
}

#[test]
fn the_far_end_is_forbidden_in_both_colours() {
    let low = called("3m 4m 5m 5mr 8m 1p 1p 9p 2s E S N C", "2m", "[3m, 4m]");
    assert_eq!(manzu_left(&low), ["8m"]);
    let high = called("2m 5m 5mr 6m 7m 1p 1p 9p 2s E S N C", "8m", "[6m, 7m]");
    assert_eq!(manzu_left(&high), ["2m"]);
}

#[test]
fn a_called_five_is_forbidden_in_both_colours() {
    let plain_left = called("3m 4m 5m 8m 9m 1p 1p 9p 2s E S N C", "5mr", "[3m, 4m]");
    assert_eq!(manzu_left(&plain_left), ["8m", "9m"]);
    let red_left = called("3m 4m 5mr 8m 9m 1p 1p 9p 2s E S N C", "5m", "[3m, 4m]");
    assert_eq!(manzu_left(&red_left), ["8m", "9m"]);
}

#[test]
fn after_a_pon_its_kind_is_forbidden_in_both_colours() {
    let red_left = called("5m 5m 5mr 6m 9m 1p 1p 9p 2s E S N C", "5m", "[5m, 5m]");
    assert_eq!(manzu_left(&red_left), ["6m", "9m"]);
    let plain_left = called("5m 5m 5mr 6m 9m 1p 1p 9p 2s E S N C", "5m", "[5m, 5mr]");
    assert_eq!(manzu_left(&plain_left), ["6m", "9m"]);
}

#[test]
fn kuikae_ends_with_the_discard() {
    let mut round = called("3m 4m 5m 6m 7m 1p 1p 9p 2s E S N C", "3m", "[4m, 5m]");
    round.discard("E");
    round.others_throw(["9s", "9s", "9s"]);
    round.draw("8m");
    assert!(
        round.legal().contains(&"dahai 3m".to_owned())
            && round.legal().contains(&"dahai 6m".to_owned())
    );
}

#[test]
fn kuikae_is_free_if_the_rules_allow_it() {
    let rules = Rules {
        kuikae_forbidden: false,
        ..Rules::TENHOU_HALF
    };
    let chi = called_by(
        rules,
        "3m 4m 5m 6m 7m 1p 1p 9p 2s E S N C",
        "3m",
        "[4m, 5m]",
    );
    assert_eq!(manzu_left(&chi), ["3m", "6m", "7m"]);
    let pon = called_by(
        rules,
        "3m 3m 3m 6m 7m 1p 1p 9p 2s E S N C",
        "3m",
        "[3m, 3m]",
    );
    assert_eq!(manzu_left(&pon), ["3m", "6m", "7m"]);
}

/// A hand that three pons have left with these four tiles.
fn four_left(rest: &str) -> Round {
    four_left_by(Rules::TENHOU_HALF, rest)
}

fn four_left_by(rules: Rules, rest: &str) -> Round {
    let mut round = Deal {
        rules,
        ..Deal::of(&format!("E E S S P P 1p 9p 9s {rest}"))
    }
    .begin();
    round.draw_and_discard("N");
    for (honour, discard) in [("E", "1p"), ("S", "9p"), ("P", "9s")] {
        round.throws(RIGHT, honour);
        round.pon(ME, honour, &format!("{honour} {honour}"));
        round.discard(discard);
    }
    round.throws(RIGHT, "F");
    round.throws(crate::round::ACROSS, "F");
    round
}

#[test]
fn a_chi_that_leaves_nothing_but_forbidden_tiles_is_not_offered() {
    for called in ["3m", "6m"] {
        let mut round = four_left("3m 4m 5m 6m");
        round.throws(LEFT, called);
        assert_eq!(
            round.legal_of("chi"),
            [""; 0],
            "with 4m 5m only 3m and 6m are left"
        );
    }
}

#[test]
fn of_the_variants_of_a_chi_only_those_that_leave_a_discard_are_offered() {
    let mut round = four_left("3m 4m 5m 5mr");
    round.throws(LEFT, "2m");
    assert_eq!(
        round.legal_of("chi"),
        [""; 0],
        "with 3m 4m only fives are left, the far end in both colours"
    );
    let mut round = four_left("2m 3m 5m 6m");
    round.throws(LEFT, "4m");
    assert_eq!(
        round.legal_of("chi"),
        [
            "chi 4m with [2m, 3m]",
            "chi 4m with [3m, 5m]",
            "chi 4m with [5m, 6m]"
        ]
    );
    let mut round = four_left("1m 2m 4m 4m");
    round.throws(LEFT, "3m");
    assert_eq!(
        round.legal_of("chi"),
        ["chi 3m with [1m, 2m]", "chi 3m with [2m, 4m]"]
    );
    let mut round = four_left("4m 4m 5m 6m");
    round.throws(LEFT, "4m");
    assert_eq!(
        round.legal_of("chi"),
        [""; 0],
        "with 5m 6m only 4m would be left"
    );
    assert_eq!(round.legal_of("pon"), ["pon 4m with [4m, 4m]"]);
}

#[test]
fn every_chi_is_offered_where_kuikae_is_free() {
    let mut round = four_left_by(
        Rules {
            kuikae_forbidden: false,
            ..Rules::TENHOU_HALF
        },
        "3m 4m 5m 6m",
    );
    round.throws(LEFT, "3m");
    assert_eq!(round.legal_of("chi"), ["chi 3m with [4m, 5m]"]);
}

#[test]
fn a_pon_of_a_triplet_leaves_another_kind_to_discard_even_in_a_hand_of_four() {
    let mut round = four_left("3m 3m 3m 6m");
    round.throws(LEFT, "3m");
    round.pon(ME, "3m", "3m 3m");
    assert_eq!(round.legal(), ["dahai 6m"]);
}

#[test]
fn nine_different_terminals_and_honours_void_the_first_turn() {
    let mut round = deal("1m 9m 1p 9p 1s E S W 2m 3m 4m 5m 6m");
    round.draw("N");
    assert_eq!(round.legal_of("ryukyoku"), ["ryukyoku"]);
}

#[test]
fn eight_kinds_of_terminals_and_honours_are_too_few_however_many_tiles() {
    let mut round = deal("1m 9m 1p 9p 1s E S W W W 1m 9m 1p");
    round.draw("E");
    assert!(!round.may("ryukyoku"));
}

#[test]
fn nine_terminals_end_with_the_own_first_discard() {
    let mut round = deal("1m 9m 1p 9p 1s 9s E S N 2m 3m 4m 5m");
    round.draw_and_discard("2p");
    round.others_throw(["4p", "4p", "4p"]);
    round.draw("3p");
    assert!(!round.may("ryukyoku"));
}

#[test]
fn nine_terminals_are_for_a_first_turn_that_no_call_and_no_kan_has_broken() {
    let hand = "1m 9m 1p 9p 1s 9s E S N 2m 3m 4m 5m";
    let mut whole = deal_from(RIGHT, hand);
    whole.others_throw(["2p", "3p", "4p"]);
    whole.draw("5p");
    assert!(whole.may("ryukyoku"), "discards of others break nothing");

    let mut called = deal_from(RIGHT, hand);
    called.throws(RIGHT, "2p");
    called.pon(LEFT, "2p", "2p 2p");
    called.throws(LEFT, "4p");
    called.draw("5p");
    assert!(!called.may("ryukyoku"));

    let mut kan = deal_from(RIGHT, hand);
    kan.draws(RIGHT);
    kan.ankan(RIGHT, "2p 2p 2p 2p");
    kan.others_throw(["3p", "4p", "6p"]);
    kan.draw("5p");
    assert!(!kan.may("ryukyoku"));
}

#[test]
fn nothing_is_asked_of_a_seat_whose_turn_it_is_not() {
    let mut round = deal_from(RIGHT, "1m 9m 1p 9p 1s 9s E S N 2m 3m 4m 5m");
    assert_eq!(round.legal(), [""; 0]);
    round.draws(RIGHT);
    assert_eq!(round.legal(), [""; 0]);
    round.throws(RIGHT, "7s");
    assert_eq!(round.legal(), [""; 0]);
    assert_eq!(round.table.offered(), Some((RIGHT, tile("7s"))));
}

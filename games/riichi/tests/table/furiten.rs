//! Furiten: which wins on another's tile are forbidden, and for how long.

use riichi::KindSet;
use riichi::table::Furiten;

use crate::round::{ACROSS, LEFT, ME, RIGHT, Round, deal, kind};

/// Waits for 1m and 4m, and has pinfu on both.
const PINFU: &str = "2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s 9s 9s";
/// Waits for 2p, on which it has no yaku by ron, and for P, on which it has.
const HALF_A_YAKU: &str = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2p 2p P P";

const FREE: Furiten = Furiten {
    river: false,
    temporary: false,
    riichi: false,
};

/// The hand, after a first turn that leaves it as dealt.
fn tenpai(hand: &str) -> Round {
    let mut round = deal(hand);
    round.draw_and_discard("N");
    round
}

#[test]
fn a_hand_that_is_free_wins_on_each_of_its_waits() {
    for (wait, win) in [("1m", "hora 1m from 1"), ("4m", "hora 4m from 1")] {
        let mut round = tenpai(PINFU);
        round.throws(RIGHT, wait);
        assert_eq!(round.furiten(), FREE);
        assert_eq!(round.legal(), [win, "none"]);
    }
}

#[test]
fn a_wait_in_the_own_river_forbids_all_waits() {
    let mut round = deal(PINFU);
    round.draw_and_discard("4m");
    round.throws(RIGHT, "1m");
    assert_eq!(
        round.furiten(),
        Furiten {
            river: true,
            ..FREE
        }
    );
    assert_eq!(round.legal(), [""; 0]);
}

#[test]
fn a_discard_that_was_called_away_stays_in_the_own_river() {
    let mut round = deal(PINFU);
    round.draw_and_discard("4m");
    round.pon(RIGHT, "4m", "4m 4m");
    round.throws(RIGHT, "1m");
    assert_eq!(
        round.furiten(),
        Furiten {
            river: true,
            ..FREE
        }
    );
    assert_eq!(round.legal(), [""; 0]);
}

#[test]
fn a_red_five_in_the_own_river_counts_as_its_kind() {
    let mut round = deal("3m 4m 4p 5p 6p 7p 8p 9p 2s 3s 4s 9s 9s");
    round.draw_and_discard("5mr");
    round.throws(RIGHT, "5m");
    assert_eq!(
        round.furiten(),
        Furiten {
            river: true,
            ..FREE
        }
    );
    assert_eq!(round.legal(), [""; 0]);
}

#[test]
fn the_own_river_does_not_forbid_a_self_drawn_win() {
    let mut round = deal(PINFU);
    round.draw_and_discard("4m");
    round.others_throw(["E", "E", "E"]);
    round.draw("1m");
    assert_eq!(round.legal_of("hora"), ["hora 1m from 0"]);
}

#[test]
fn a_discard_that_is_no_wait_any_more_does_not_make_furiten() {
    let mut round = deal("1m 2m 4p 5p 6p 7p 8p 9p 2s 3s 4s 9s 9s");
    // It waits for 3m, discards one, and changes to a wait for 1m and 4m.
    round.draw_and_discard("3m");
    assert!(round.furiten().river);
    round.others_throw(["E", "E", "E"]);
    round.draw("3m");
    round.discard("1m");
    assert!(round.furiten().river, "1m is a wait and in the river");
    round.others_throw(["S", "S", "S"]);
    round.draw("5m");
    round.discard("2m");
    assert_eq!(round.table.waits(), KindSet::from_iter([kind("4m")]));
    assert_eq!(round.furiten(), FREE);
}

#[test]
fn a_wait_that_passed_forbids_wins_until_the_own_discard() {
    let mut round = tenpai(PINFU);
    round.throws(RIGHT, "1m");
    assert_eq!(round.furiten(), FREE, "it has not passed yet");
    round.throws(ACROSS, "4m");
    assert_eq!(
        round.furiten(),
        Furiten {
            temporary: true,
            ..FREE
        }
    );
    assert_eq!(round.legal(), [""; 0]);
    round.throws(LEFT, "E");
    round.draw_and_discard("E");
    round.throws(RIGHT, "4m");
    assert_eq!(round.legal(), ["hora 4m from 1", "none"]);
}

#[test]
fn a_completing_tile_without_yaku_brings_no_request_yet_makes_furiten() {
    let mut round = tenpai(HALF_A_YAKU);
    round.throws(RIGHT, "2p");
    assert_eq!(round.legal_of("hora"), [""; 0]);
    round.throws(ACROSS, "P");
    assert_eq!(
        round.furiten(),
        Furiten {
            temporary: true,
            ..FREE
        }
    );
    assert_eq!(round.legal_of("hora"), [""; 0]);
    round.throws(LEFT, "N");
    round.draw_and_discard("N");
    round.throws(RIGHT, "P");
    assert_eq!(round.legal_of("hora"), ["hora P from 1"]);
}

#[test]
fn the_own_draw_does_not_end_temporary_furiten_and_a_self_drawn_win_is_free_of_it() {
    let mut round = tenpai(PINFU);
    round.others_throw(["1m", "E", "E"]);
    round.draw("4m");
    assert_eq!(
        round.furiten(),
        Furiten {
            temporary: true,
            ..FREE
        }
    );
    assert_eq!(round.legal_of("hora"), ["hora 4m from 0"]);
}

#[test]
fn the_own_kan_does_not_end_temporary_furiten() {
    let mut round = tenpai("2m 3m 4p 5p 6p 9s 9s 9s 2s 3s 4s F F");
    round.others_throw(["1m", "E", "E"]);
    round.draw("9s");
    round.ankan(ME, "9s 9s 9s 9s");
    round.draw("E");
    assert_eq!(
        round.furiten(),
        Furiten {
            temporary: true,
            ..FREE
        }
    );
    round.discard_drawn();
    assert_eq!(round.furiten(), FREE);
}

#[test]
fn the_discard_after_an_own_call_ends_temporary_furiten() {
    let mut round = tenpai("2m 3m 4p 5p 6p 7p 8p 9p 2s 2s 2s F F");
    round.throws(RIGHT, "1m");
    round.throws(ACROSS, "F");
    round.pon(ME, "F", "F F");
    round.discard("2s");
    assert_eq!(
        round.table.waits(),
        KindSet::from_iter([kind("1m"), kind("4m")])
    );
    assert_eq!(round.furiten(), FREE);
    round.throws(RIGHT, "4m");
    assert_eq!(round.legal_of("hora"), ["hora 4m from 1"]);
}

#[test]
fn calls_and_discards_of_others_do_not_end_temporary_furiten() {
    let mut round = tenpai(PINFU);
    round.throws(RIGHT, "1m");
    round.throws(ACROSS, "E");
    round.pon(RIGHT, "E", "E E");
    round.throws(RIGHT, "4m");
    assert_eq!(
        round.furiten(),
        Furiten {
            temporary: true,
            ..FREE
        }
    );
    assert_eq!(round.legal(), [""; 0]);
}

#[test]
fn a_wait_that_another_seat_calls_has_passed() {
    let mut round = tenpai(PINFU);
    round.throws(RIGHT, "1m");
    round.pon(LEFT, "1m", "1m 1m");
    assert_eq!(
        round.furiten(),
        Furiten {
            temporary: true,
            ..FREE
        }
    );
    round.throws(LEFT, "4m");
    assert!(!round.may("hora"));
}

#[test]
fn a_riichi_discard_has_passed_when_the_riichi_is_accepted() {
    let mut round = tenpai(PINFU);
    round.declare_riichi(RIGHT, "1m");
    assert_eq!(round.furiten(), FREE);
    round.accept_riichi(RIGHT);
    assert_eq!(
        round.furiten(),
        Furiten {
            temporary: true,
            ..FREE
        }
    );
}

#[test]
fn a_tile_added_to_a_pon_has_passed_when_its_owner_draws() {
    let mut round = tenpai(PINFU);
    round.throws(RIGHT, "E");
    round.throws(ACROSS, "4m");
    round.pon(RIGHT, "4m", "4m 4m");
    round.throws(RIGHT, "S");
    round.throws(ACROSS, "S");
    round.throws(LEFT, "S");
    round.draw_and_discard("S");
    round.draws(RIGHT);
    round.kakan(RIGHT, "4m");
    assert_eq!(round.furiten(), FREE);
    round.draws(RIGHT);
    assert_eq!(
        round.furiten(),
        Furiten {
            temporary: true,
            ..FREE
        }
    );
}

#[test]
fn a_wait_that_passed_in_riichi_forbids_wins_for_the_rest_of_the_round() {
    let mut round = deal(PINFU);
    round.draw("N");
    round.riichi(ME, "N");
    round.others_throw(["1m", "E", "E"]);
    round.draw_and_discard("E");
    assert_eq!(
        round.furiten(),
        Furiten {
            riichi: true,
            ..FREE
        }
    );
    round.throws(RIGHT, "4m");
    assert_eq!(round.legal(), [""; 0]);
    round.throws(ACROSS, "S");
    round.throws(LEFT, "S");
    round.draw("4m");
    assert_eq!(
        round.legal_of("hora"),
        ["hora 4m from 0"],
        "a self-drawn win stays free"
    );
}

#[test]
fn what_passed_before_the_riichi_discard_does_not_bind_riichi() {
    let mut round = tenpai(PINFU);
    round.others_throw(["1m", "E", "E"]);
    round.draw("N");
    round.riichi(ME, "N");
    assert_eq!(round.furiten(), FREE);
    round.throws(RIGHT, "4m");
    assert_eq!(round.legal(), ["hora 4m from 1", "none"]);
}

#[test]
fn riichi_may_be_declared_in_furiten_and_keeps_it() {
    let mut round = deal(PINFU);
    round.draw_and_discard("4m");
    round.others_throw(["E", "E", "E"]);
    round.draw("N");
    assert_eq!(round.legal_of("reach"), ["reach N tsumogiri"]);
    round.riichi(ME, "N");
    round.throws(RIGHT, "1m");
    assert_eq!(
        round.furiten(),
        Furiten {
            river: true,
            ..FREE
        }
    );
    assert_eq!(round.legal(), [""; 0]);
}

#[test]
fn a_kind_held_four_times_in_the_closed_hand_is_no_wait() {
    let mut round = deal("1m 1m 1m 1m 4p 5p 6p 7p 8p 9p 2s 3s 4s");
    assert_eq!(round.table.waits(), KindSet::EMPTY);
    round.draw("N");
    // Throwing N would leave a wait for a fifth 1m; throwing 1m leaves one for N.
    assert_eq!(round.legal_of("reach"), ["reach 1m"]);
}

#[test]
fn a_new_round_forgets_what_passed() {
    let mut round = tenpai(PINFU);
    round.others_throw(["1m", "1m", "1m"]);
    round.tell(riichi::Event::Ryukyoku {
        deltas: None,
        scores: None,
        reason: None,
    });
    round.tell(riichi::Event::EndKyoku);
    round.tell(crate::round::Deal::of(PINFU).event());
    assert_eq!(round.furiten(), FREE);
}

#[test]
fn another_seat_cannot_win_on_its_river_and_passed_tiles() {
    let mut round = tenpai(PINFU);
    round.riichi(RIGHT, "E");
    round.throws(ACROSS, "1p");
    round.throws(LEFT, "2p");
    round.draw_and_discard("3p");
    let of = |round: &Round, seat| round.table.player(seat).cannot_ron();
    let set = |names: &[&str]| names.iter().map(|name| kind(name)).collect::<KindSet>();
    assert_eq!(
        of(&round, RIGHT),
        set(&["E", "1p", "2p"]),
        "3p can still be won on"
    );
    assert_eq!(
        of(&round, ACROSS),
        set(&["1p", "2p"]),
        "its own discard freed it of E"
    );
    round.throws(RIGHT, "4p");
    assert_eq!(
        of(&round, RIGHT),
        set(&["E", "1p", "2p", "3p", "4p"]),
        "riichi keeps the passed tiles"
    );
    round.throws(ACROSS, "5p");
    assert_eq!(of(&round, ACROSS), set(&["1p", "5p"]));
}

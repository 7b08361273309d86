//! When a kan may be shown, and its effect on the round.

use riichi::{KindSet, MeldKind, Rules};

use crate::round::{ACROSS, Deal, LEFT, ME, RIGHT, Round, deal, deal_from, kind, tile};

/// Waits for 1m and 4m; a fourth 9s keeps the waits.
const WITH_TRIPLET: &str = "2m 3m 4p 5p 6p 7p 8p 9p 9s 9s 9s F F";

#[test]
fn four_of_a_kind_may_be_shown_whichever_of_them_was_drawn() {
    let mut drawn = deal(WITH_TRIPLET);
    drawn.draw("9s");
    assert_eq!(drawn.legal_of("ankan"), ["ankan [9s, 9s, 9s, 9s]"]);
    let mut held = deal("2m 3m 4p 5p 6p 7p 8p 9s 9s 9s 9s F F");
    held.draw("N");
    assert_eq!(held.legal_of("ankan"), ["ankan [9s, 9s, 9s, 9s]"]);
}

#[test]
fn every_closed_kan_in_the_hand_is_offered_with_its_red_five_last() {
    let mut round = deal("5s 5s 5sr 5s 9s 9s 9s E S W N F C");
    round.draw("9s");
    assert_eq!(
        round.legal_of("ankan"),
        ["ankan [5s, 5s, 5s, 5sr]", "ankan [9s, 9s, 9s, 9s]"]
    );
}

/// A pon of this kind and a turn later.
fn with_pon(hand: &str, called: &str, own: &str, discard: &str) -> Round {
    let mut round = deal_from(ACROSS, hand);
    round.throws(ACROSS, called);
    round.pon(ME, called, own);
    round.discard(discard);
    round.others_throw(["7s", "7s", "7s"]);
    round
}

#[test]
fn the_fourth_tile_may_be_added_to_a_pon_from_the_draw_or_from_the_hand() {
    let mut drawn = with_pon("5p 5p 1m 2m 3m 7m 8m 9m 2s 3s E S N", "5p", "5p 5p", "N");
    drawn.draw("5pr");
    assert_eq!(drawn.legal_of("kakan"), ["kakan 5pr to [5p, 5p, 5p]"]);
    let mut held = with_pon("5p 5p 5pr 2m 3m 7m 8m 9m 2s 3s E S N", "5p", "5p 5p", "N");
    held.draw("1m");
    assert_eq!(held.legal_of("kakan"), ["kakan 5pr to [5p, 5p, 5p]"]);
    let mut red_in_pon = with_pon("5p 5p 5pr 2m 3m 7m 8m 9m 2s 3s E S N", "5p", "5p 5pr", "N");
    red_in_pon.draw("1m");
    assert_eq!(red_in_pon.legal_of("kakan"), ["kakan 5p to [5p, 5p, 5pr]"]);
}

#[test]
fn nothing_is_added_to_a_chi() {
    let mut round = deal_from(LEFT, "2m 3m 1p 1p 3p 7p 9p 2s E S N C F");
    round.throws(LEFT, "4m");
    round.chi(ME, "4m", "2m 3m");
    round.discard("E");
    round.others_throw(["E", "E", "S"]);
    round.draw("2m");
    assert!(!round.may("kakan"));
}

#[test]
fn no_kan_is_shown_right_after_a_call() {
    let mut round = deal_from(LEFT, "9s 9s 9s 9s 5p 5p 5p 2m 3m E S N F");
    round.throws(LEFT, "5p");
    round.pon(ME, "5p", "5p 5p");
    assert!(
        round
            .legal()
            .iter()
            .all(|action| action.starts_with("dahai")),
        "no tile was drawn"
    );
}

#[test]
fn no_kan_is_shown_with_the_last_tile() {
    let hand = "2m 3m 4p 5p 6p 7p 8p 9s 9s 9s 9s F F";
    // Seat 3 deals, so that we draw the last tile.
    let mut last = deal_from(LEFT, hand);
    last.play_down_to(1, "9s");
    last.draw("E");
    assert_eq!(last.table.tiles_left(), 0);
    assert!(!last.may("ankan"));
    let mut last_but_one = deal(hand);
    last_but_one.play_down_to(2, "9s");
    last_but_one.draw("E");
    assert_eq!(last_but_one.table.tiles_left(), 1);
    assert!(last_but_one.may("ankan"));
}

/// Seat 1, the dealer, shows this many closed kans and discards.
fn after_kans_of_right(kans: usize, hand: &str, thrown: &str) -> Round {
    let mut round = deal_from(RIGHT, hand);
    round.draws(RIGHT);
    for kan in ["1s 1s 1s 1s", "3s 3s 3s 3s", "4s 4s 4s 4s", "5s 5s 5s 5sr"]
        .into_iter()
        .take(kans)
    {
        round.ankan(RIGHT, kan);
        round.draws(RIGHT);
    }
    round.throws(RIGHT, thrown);
    round
}

#[test]
fn there_is_no_fifth_kan() {
    for (kans, allowed) in [(3, true), (4, false)] {
        let open = after_kans_of_right(kans, WITH_TRIPLET, "9s");
        assert_eq!(open.may("daiminkan"), allowed, "open, after {kans}");
        assert!(open.may("pon"));

        let mut closed = after_kans_of_right(kans, WITH_TRIPLET, "E");
        closed.throws(ACROSS, "E");
        closed.throws(LEFT, "E");
        closed.draw("9s");
        assert_eq!(closed.may("ankan"), allowed, "closed, after {kans}");

        let mut added = after_kans_of_right(kans, WITH_TRIPLET, "F");
        added.pon(ME, "F", "F F");
        added.discard("9p");
        added.others_throw(["E", "E", "E"]);
        added.draw("F");
        assert_eq!(added.may("kakan"), allowed, "added, after {kans}");
    }
}

#[test]
fn in_riichi_a_closed_kan_of_the_drawn_tile_that_keeps_the_waits_is_allowed() {
    let mut round = deal(WITH_TRIPLET);
    round.draw("N");
    round.riichi(ME, "N");
    round.others_throw(["E", "E", "E"]);
    round.draw("9s");
    assert_eq!(
        round.legal(),
        ["dahai 9s tsumogiri", "ankan [9s, 9s, 9s, 9s]"]
    );
    round.ankan(ME, "9s 9s 9s 9s");
    assert_eq!(
        round.table.waits(),
        KindSet::from_iter([kind("1m"), kind("4m")])
    );
}

#[test]
fn in_riichi_a_closed_kan_that_changes_the_waits_is_not_allowed() {
    // Waits for 3s, 5s and 6s; without the 4s only for 5s.
    let mut round = deal("4s 4s 4s 5s 1m 2m 3m 4p 5p 6p 7p 8p 9p");
    round.draw("N");
    round.riichi(ME, "N");
    round.others_throw(["E", "E", "E"]);
    round.draw("4s");
    assert_eq!(round.legal(), ["dahai 4s tsumogiri"]);
}

#[test]
fn in_riichi_a_closed_kan_may_take_a_reading_away_as_long_as_the_waits_stay() {
    // 33 345 666 or 333 456 66: with the kan only the first is left, and it still waits for 1m and
    // 4m.
    for rules in [Rules::TENHOU_HALF, Rules::MAHJONG_SOUL_HALF] {
        let mut round = Deal {
            rules,
            ..Deal::of("2m 3m 9p 9p 9p 3s 3s 3s 4s 5s 6s 6s 6s")
        }
        .begin();
        round.draw("N");
        round.riichi(ME, "N");
        round.others_throw(["E", "E", "E"]);
        round.draw("6s");
        assert_eq!(
            round.legal(),
            ["dahai 6s tsumogiri", "ankan [6s, 6s, 6s, 6s]"]
        );
    }
}

#[test]
fn in_riichi_a_closed_kan_of_a_waited_kind_is_allowed_if_the_waits_stay() {
    // 33 45 666 waits for 3s and 6s, with or without the kan. So RiichiEnv has it; no house's own
    // word is known.
    let mut round = deal("1m 2m 3m 7p 8p 9p 3s 3s 4s 5s 6s 6s 6s");
    round.draw("N");
    round.riichi(ME, "N");
    round.others_throw(["E", "E", "E"]);
    round.draw("6s");
    assert_eq!(
        round.legal(),
        [
            "hora 6s from 0",
            "dahai 6s tsumogiri",
            "ankan [6s, 6s, 6s, 6s]"
        ]
    );
}

#[test]
fn in_riichi_only_the_drawn_tile_makes_a_kan() {
    // The 6p would keep the wait for 2s, but none of them is drawn.
    let mut round = deal("6p 6p 6p 6p 7p 8p 1m 2m 3m 9s 9s 9s 2s");
    round.draw("N");
    round.riichi(ME, "N");
    round.others_throw(["E", "E", "E"]);
    round.draw("C");
    assert_eq!(round.legal(), ["dahai C tsumogiri"]);
}

#[test]
fn riichi_makes_no_exception_for_the_last_tile_nor_for_a_fifth_kan() {
    // Seat 3 deals, so that we draw the last tile.
    let in_riichi = || {
        let mut round = deal_from(LEFT, WITH_TRIPLET);
        round.throws(LEFT, "E");
        round.draw("N");
        round.riichi(ME, "N");
        round
    };
    let mut last = in_riichi();
    last.play_down_to(1, "1m 4m 9s");
    last.draw("9s");
    assert_eq!(last.legal(), ["dahai 9s tsumogiri"]);

    let mut fifth = in_riichi();
    fifth.draws(RIGHT);
    for kan in ["1s 1s 1s 1s", "3s 3s 3s 3s", "4s 4s 4s 4s", "5s 5s 5s 5sr"] {
        fifth.ankan(RIGHT, kan);
        fifth.draws(RIGHT);
    }
    fifth.others_throw(["S", "S", "S"]);
    fifth.draw("9s");
    assert_eq!(fifth.legal(), ["dahai 9s tsumogiri"]);
}

#[test]
fn each_kan_takes_one_replacement_from_the_tiles_left() {
    let mut round = deal(WITH_TRIPLET);
    assert_eq!(round.table.tiles_left(), 70);
    round.draw("9s");
    assert_eq!(round.table.tiles_left(), 69);
    round.ankan(ME, "9s 9s 9s 9s");
    assert_eq!(round.table.tiles_left(), 69);
    round.draw("E");
    assert_eq!(round.table.tiles_left(), 68);
    assert!(round.table.is_rinshan());
    round.discard_drawn();
    assert!(!round.table.is_rinshan());
    round.throws(RIGHT, "F");
    assert_eq!(round.table.tiles_left(), 67);
    round.pon(ME, "F", "F F");
    assert_eq!(round.table.tiles_left(), 67, "a call draws nothing");
    round.discard("9p");
    round.others_throw(["S", "S", "S"]);
    round.draw("F");
    assert_eq!(round.table.tiles_left(), 63);
    round.kakan(ME, "F");
    round.draw("N");
    assert_eq!(round.table.tiles_left(), 62);
    assert!(round.table.is_rinshan());
}

#[test]
fn an_open_kan_draws_its_replacement_out_of_turn() {
    let mut round = deal_from(RIGHT, WITH_TRIPLET);
    round.throws(RIGHT, "9s");
    round.daiminkan(ME, "9s", "9s 9s 9s");
    assert_eq!(round.legal(), [""; 0]);
    round.draw("E");
    assert_eq!(round.table.tiles_left(), 68);
    assert!(round.table.is_rinshan());
    assert!(round.may("dahai"));
}

#[test]
fn a_kan_leaves_the_drawn_tile_in_the_hand() {
    let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9s 9s 9s 9s F F");
    round.draw("9p");
    round.ankan(ME, "9s 9s 9s 9s");
    assert_eq!(round.table.drawn(), None);
    assert_eq!(round.table.hand().count(tile("9p")), 1);
    assert_eq!(
        round.table.waits(),
        KindSet::from_iter([kind("1m"), kind("4m")])
    );
}

#[test]
fn the_indicator_of_a_kan_is_accepted_at_any_time() {
    // A closed kan's comes before the replacement, an open one's before the discard.
    let mut closed = deal(WITH_TRIPLET);
    closed.draw("9s");
    closed.ankan(ME, "9s 9s 9s 9s");
    closed.dora("1s");
    closed.draw("E");
    assert_eq!(closed.table.dora_markers(), [tile("W"), tile("1s")]);

    let mut open = deal_from(RIGHT, WITH_TRIPLET);
    open.throws(RIGHT, "9s");
    open.daiminkan(ME, "9s", "9s 9s 9s");
    open.draw("E");
    assert_eq!(open.table.dora_markers(), [tile("W")]);
    open.dora("1s");
    assert_eq!(open.table.dora_markers(), [tile("W"), tile("1s")]);
    open.discard_drawn();
}

#[test]
fn chained_kans_turn_their_indicators_late() {
    let mut round = deal_from(RIGHT, "2m 3m 4p 5p 6p C C C 9s 9s 9s F F");
    round.throws(RIGHT, "9s");
    round.daiminkan(ME, "9s", "9s 9s 9s");
    round.draw("C");
    round.ankan(ME, "C C C C");
    round.dora("1s");
    round.dora("2s");
    round.draw("E");
    round.discard_drawn();
    assert_eq!(round.table.dora_markers().len(), 3);
}

/// Seat 1 has a pon of 4m and draws; we wait for 1m and 4m, with no yaku but the one in question.
fn before_added_kan(hand: &str) -> Round {
    let mut round = deal(hand);
    round.draw_and_discard("E");
    round.throws(RIGHT, "9m");
    round.throws(ACROSS, "4m");
    round.pon(RIGHT, "4m", "4m 4m");
    round.throws(RIGHT, "9m");
    round.throws(ACROSS, "8m");
    round.throws(LEFT, "8m");
    round.draw_and_discard("N");
    round.draws(RIGHT);
    round
}

const NO_YAKU: &str = "2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s F F";

#[test]
fn robbing_an_added_kan_is_a_yaku() {
    let mut discarded = before_added_kan(NO_YAKU);
    discarded.throws(RIGHT, "1m");
    assert_eq!(discarded.legal(), [""; 0], "it has no other");
    let mut robbed = before_added_kan(NO_YAKU);
    robbed.kakan(RIGHT, "4m");
    assert_eq!(robbed.legal(), ["hora 4m from 1", "none"]);
    robbed.draws(RIGHT);
    assert_eq!(
        robbed.legal(),
        [""; 0],
        "once the replacement is drawn it is too late"
    );
}

#[test]
fn an_added_kan_is_not_robbed_in_furiten_nor_without_a_wait() {
    let mut furiten = deal(NO_YAKU);
    furiten.draw_and_discard("1m");
    furiten.throws(RIGHT, "9m");
    furiten.throws(ACROSS, "4m");
    furiten.pon(RIGHT, "4m", "4m 4m");
    furiten.throws(RIGHT, "9m");
    furiten.throws(ACROSS, "8m");
    furiten.throws(LEFT, "8m");
    furiten.draw_and_discard("N");
    furiten.draws(RIGHT);
    furiten.kakan(RIGHT, "4m");
    assert_eq!(furiten.legal(), [""; 0]);

    let mut no_wait = before_added_kan("2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 6s F F");
    no_wait.kakan(RIGHT, "4m");
    assert_eq!(no_wait.legal(), [""; 0]);
}

#[test]
fn the_added_tile_can_be_won_on_but_not_called() {
    let mut round = deal("2m 3m 3m 5m 6p 7p 8p 9p 2s 3s 6s F F");
    round.draw_and_discard("E");
    round.throws(RIGHT, "4m");
    round.pon(LEFT, "4m", "4m 4m");
    round.throws(LEFT, "9m");
    round.draw_and_discard("N");
    round.throws(RIGHT, "8m");
    round.throws(ACROSS, "8m");
    round.draws(LEFT);
    round.kakan(LEFT, "4m");
    assert_eq!(round.legal(), [""; 0]);
}

/// Thirteen orphans without C; seat 1 shows a closed kan of C.
fn closed_kan_before_orphans(rules: Rules, hand: &str) -> Round {
    let mut round = Deal {
        rules,
        ..Deal::of(hand)
    }
    .begin();
    round.draw_and_discard("2m");
    round.draws(RIGHT);
    round.ankan(RIGHT, "C C C C");
    round
}

const ORPHANS_BUT_C: &str = "1m 9m 1p 9p 1s 9s E S W N P F F";

#[test]
fn a_closed_kan_is_not_robbed_by_tenhous_rules() {
    let round = closed_kan_before_orphans(Rules::TENHOU_HALF, ORPHANS_BUT_C);
    assert_eq!(round.table.waits(), KindSet::from_iter([kind("C")]));
    assert_eq!(round.legal(), [""; 0]);
}

#[test]
fn a_closed_kan_is_robbed_by_thirteen_orphans_by_mahjong_souls_rules() {
    let mut round = closed_kan_before_orphans(Rules::MAHJONG_SOUL_HALF, ORPHANS_BUT_C);
    assert_eq!(round.legal(), ["hora C from 1", "none"]);
    round.draws(RIGHT);
    assert!(round.furiten().temporary, "what could be won on has passed");
}

#[test]
fn a_closed_kan_is_robbed_by_nothing_but_thirteen_orphans() {
    let mut round = Deal {
        rules: Rules::MAHJONG_SOUL_HALF,
        ..Deal::of(NO_YAKU)
    }
    .begin();
    round.draw_and_discard("N");
    round.draws(RIGHT);
    round.ankan(RIGHT, "1m 1m 1m 1m");
    assert_eq!(round.legal(), [""; 0]);
    round.draws(RIGHT);
    assert!(
        !round.furiten().any(),
        "what cannot be won on does not pass"
    );
}

#[test]
fn an_open_kan_is_not_robbed() {
    let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s 9s 9s");
    round.draw_and_discard("N");
    round.throws(RIGHT, "4m");
    assert!(round.may("hora"));
    round.daiminkan(LEFT, "4m", "4m 4m 4m");
    assert_eq!(round.legal(), [""; 0]);
}

#[test]
fn an_added_kan_keeps_the_place_of_its_pon() {
    let mut round = before_added_kan(NO_YAKU);
    round.kakan(RIGHT, "4m");
    let melds = &round.table.player(RIGHT).melds;
    assert_eq!(melds.len(), 1);
    assert_eq!(melds[0].kind(), MeldKind::Kakan);
    assert_eq!(
        melds[0].called.map(|called| (called.tile, called.from)),
        Some((tile("4m"), ACROSS))
    );
}

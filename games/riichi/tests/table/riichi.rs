//! When riichi may be declared, its price and its restrictions.

use riichi::table::{Phase, Riichi};

use crate::round::{ACROSS, Deal, LEFT, ME, RIGHT, Round, deal, deal_from, points, tile};

/// Waits for 1m and 4m.
const TENPAI: &str = "2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s 9s 9s";

fn riichi(round: &Round, seat: riichi::Seat) -> Riichi {
    round.table.player(seat).riichi.expect("riichi")
}

#[test]
fn riichi_is_listed_for_each_discard_that_keeps_tenpai() {
    let mut round = deal(TENPAI);
    round.draw("1s");
    // Throwing the 1s keeps the hand; throwing the 4s makes 123s of it.
    assert_eq!(round.legal_of("reach"), ["reach 4s", "reach 1s tsumogiri"]);
}

#[test]
fn the_drawn_tile_and_its_twin_in_the_hand_are_two_ways_to_declare() {
    let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s 9s N");
    round.draw("N");
    assert_eq!(round.legal_of("reach"), ["reach 9s"]);
    let mut round = deal("2m 3m 4m 4p 5p 6p 7p 8p 9p 2s 3s 4s N");
    round.draw("4s");
    assert_eq!(
        round.legal_of("reach"),
        ["reach 4s", "reach N", "reach 4s tsumogiri"]
    );
}

#[test]
fn a_red_five_and_a_plain_one_are_two_ways_to_declare() {
    let mut round = deal("2m 3m 4m 1p 2p 3p 5p 5pr 6p 7p 2s 3s 4s");
    round.draw("C");
    assert_eq!(
        round.legal_of("reach"),
        ["reach 5p", "reach 5pr", "reach C tsumogiri"]
    );
}

#[test]
fn riichi_is_not_listed_away_from_tenpai() {
    let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 6s 9s E");
    round.draw("N");
    assert!(!round.may("reach"));
}

#[test]
fn an_open_hand_declares_no_riichi_and_one_with_a_closed_kan_does() {
    let hand = "2m 3m 4p 5p 6p 7p 8p 9p 9s 9s 9s F F";
    let mut open = deal_from(ACROSS, hand);
    open.throws(ACROSS, "F");
    open.pon(ME, "F", "F F");
    open.discard("9s");
    open.others_throw(["E", "E", "E"]);
    open.draw("N");
    assert!(!open.table.waits().is_empty());
    assert!(!open.may("reach"));

    let mut closed = deal(hand);
    closed.draw("9s");
    closed.ankan(ME, "9s 9s 9s 9s");
    closed.draw("N");
    assert_eq!(closed.legal_of("reach"), ["reach N tsumogiri"]);
}

#[test]
fn riichi_needs_a_thousand_points() {
    for (own, may) in [(1000, true), (999, false), (0, false)] {
        let scores = Some(points([own, 25_000, 25_000, 50_000 - own]));
        let mut round = Deal {
            scores,
            ..Deal::of(TENPAI)
        }
        .begin();
        round.draw("N");
        assert_eq!(round.may("reach"), may, "{own}");
    }
}

#[test]
fn riichi_needs_four_tiles_left_to_draw() {
    // By who deals, our draw leaves one more or one less.
    for (oya, left, may) in [
        (LEFT, 4, true),
        (ME, 5, true),
        (RIGHT, 2, false),
        (ACROSS, 3, false),
    ] {
        let mut round = deal_from(oya, TENPAI);
        round.play_down_to(left + 1, "1m 4m");
        round.draw("N");
        assert_eq!(round.table.tiles_left(), left);
        assert_eq!(round.may("reach"), may, "{left} left");
    }
}

#[test]
fn once_declared_only_discards_that_keep_tenpai_are_legal() {
    let mut round = deal(TENPAI);
    round.draw("1s");
    round.tell(riichi::Event::Reach { actor: ME });
    assert_eq!(round.legal(), ["dahai 4s", "dahai 1s tsumogiri"]);
}

#[test]
fn in_riichi_only_the_drawn_tile_is_discarded() {
    let mut round = deal(TENPAI);
    round.draw("N");
    round.riichi(ME, "N");
    round.others_throw(["E", "E", "E"]);
    round.draw("9s");
    assert_eq!(round.legal(), ["dahai 9s tsumogiri"]);
}

#[test]
fn in_riichi_a_win_is_offered_beside_the_discard() {
    let mut round = deal(TENPAI);
    round.draw("N");
    round.riichi(ME, "N");
    round.others_throw(["E", "E", "E"]);
    round.draw("1m");
    assert_eq!(round.legal(), ["hora 1m from 0", "dahai 1m tsumogiri"]);
}

#[test]
fn an_accepted_riichi_costs_a_thousand_points_and_lays_a_stick() {
    let mut round = deal(TENPAI);
    round.draw("N");
    round.declare_riichi(ME, "N");
    assert_eq!(
        (*round.table.scores(), round.table.kyotaku()),
        (points([25_000; 4]), 0)
    );
    round.accept_riichi(ME);
    assert_eq!(
        (*round.table.scores(), round.table.kyotaku()),
        (points([24_000, 25_000, 25_000, 25_000]), 1)
    );
    round.riichi(RIGHT, "N");
    assert_eq!(
        (*round.table.scores(), round.table.kyotaku()),
        (points([24_000, 24_000, 25_000, 25_000]), 2)
    );
}

#[test]
fn a_riichi_whose_discard_is_won_on_costs_nothing() {
    let mut round = deal(TENPAI);
    round.draw_and_discard("N");
    round.declare_riichi(RIGHT, "1m");
    round.hora(ME, RIGHT, [2000, -2000, 0, 0]);
    assert_eq!(
        (*round.table.scores(), round.table.kyotaku()),
        (points([27_000, 23_000, 25_000, 25_000]), 0)
    );
    assert!(!riichi(&round, RIGHT).accepted);
}

#[test]
fn a_riichi_discard_is_won_on_before_the_riichi_is_accepted_and_not_after() {
    let mut round = deal(TENPAI);
    round.draw_and_discard("N");
    round.declare_riichi(RIGHT, "1m");
    assert_eq!(round.legal(), ["hora 1m from 1", "none"]);
    round.accept_riichi(RIGHT);
    assert_eq!(round.legal(), [""; 0]);
    assert_eq!(
        round.table.phase(),
        Phase::Accepted {
            by: RIGHT,
            tile: tile("1m")
        }
    );
}

#[test]
fn the_river_marks_the_riichi_discard() {
    let mut round = deal(TENPAI);
    round.draw_and_discard("N");
    round.throws(RIGHT, "E");
    round.throws(ACROSS, "E");
    round.throws(LEFT, "E");
    round.draw_and_discard("S");
    round.riichi(RIGHT, "C");
    round.throws(ACROSS, "S");
    round.throws(LEFT, "S");
    round.draw_and_discard("W");
    round.throws(RIGHT, "P");
    let player = round.table.player(RIGHT);
    assert_eq!(player.riichi_tile(), Some(tile("C")));
    assert_eq!(
        player
            .river
            .iter()
            .map(|discard| discard.riichi)
            .collect::<Vec<_>>(),
        [false, true, false]
    );
    assert_eq!(riichi(&round, RIGHT).order, player.river[1].order);
}

#[test]
fn riichi_with_the_first_discard_of_an_unbroken_first_turn_is_double() {
    let mut dealer = deal(TENPAI);
    dealer.draw("N");
    dealer.riichi(ME, "N");
    assert!(riichi(&dealer, ME).double);
    dealer.riichi(RIGHT, "E");
    assert!(riichi(&dealer, RIGHT).double, "for every seat");

    let mut second_turn = deal(TENPAI);
    second_turn.draw_and_discard("N");
    second_turn.others_throw(["E", "E", "E"]);
    second_turn.draw("N");
    second_turn.riichi(ME, "N");
    assert!(!riichi(&second_turn, ME).double);
}

#[test]
fn a_call_or_a_kan_before_it_makes_a_first_riichi_a_single_one() {
    let mut called = deal_from(RIGHT, TENPAI);
    called.throws(RIGHT, "E");
    called.pon(LEFT, "E", "E E");
    called.throws(LEFT, "S");
    called.draw("N");
    called.riichi(ME, "N");
    assert!(!riichi(&called, ME).double);

    let mut own_kan = deal("2m 3m 4p 5p 6p 7p 8p 9p 9s 9s 9s F F");
    own_kan.draw("9s");
    own_kan.ankan(ME, "9s 9s 9s 9s");
    own_kan.draw("N");
    own_kan.riichi(ME, "N");
    assert!(!riichi(&own_kan, ME).double);
}

#[test]
fn ippatsu_lasts_from_the_acceptance_to_the_own_next_discard() {
    let mut round = deal(TENPAI);
    round.draw("N");
    round.declare_riichi(ME, "N");
    assert!(!riichi(&round, ME).ippatsu);
    round.accept_riichi(ME);
    round.others_throw(["E", "E", "E"]);
    assert!(riichi(&round, ME).ippatsu);
    round.draw("S");
    assert!(riichi(&round, ME).ippatsu);
    round.discard_drawn();
    assert!(!riichi(&round, ME).ippatsu);
}

#[test]
fn every_call_and_kan_breaks_ippatsu() {
    let in_riichi = || {
        let mut round = deal(TENPAI);
        round.draw("N");
        round.riichi(ME, "N");
        round.throws(RIGHT, "E");
        round
    };
    let broken = |call: fn(&mut Round)| {
        let mut round = in_riichi();
        call(&mut round);
        !riichi(&round, ME).ippatsu
    };
    assert!(broken(|round| round.pon(LEFT, "E", "E E")));
    assert!(broken(|round| round.daiminkan(LEFT, "E", "E E E")));
    assert!(broken(|round| {
        round.throws(ACROSS, "1p");
        round.chi(LEFT, "1p", "2p 3p");
    }));
    assert!(broken(|round| {
        round.draws(ACROSS);
        round.ankan(ACROSS, "1p 1p 1p 1p");
    }));
    assert!(!broken(|round| round.throws(ACROSS, "1p")));
}

#[test]
fn an_added_kan_breaks_ippatsu_unless_it_is_robbed() {
    let mut round = deal(TENPAI);
    round.draw_and_discard("N");
    round.throws(RIGHT, "E");
    round.pon(ACROSS, "E", "E E");
    round.throws(ACROSS, "S");
    round.throws(LEFT, "S");
    round.draw("N");
    round.riichi(ME, "N");
    round.throws(RIGHT, "S");
    round.draws(ACROSS);
    assert!(riichi(&round, ME).ippatsu);
    round.kakan(ACROSS, "E");
    assert!(riichi(&round, ME).ippatsu);
    round.draws(ACROSS);
    assert!(!riichi(&round, ME).ippatsu);
}

#[test]
fn a_call_of_the_riichi_discard_itself_breaks_ippatsu() {
    let mut round = deal(TENPAI);
    round.draw("N");
    round.riichi(ME, "N");
    round.pon(LEFT, "N", "N N");
    assert!(riichi(&round, ME).accepted && !riichi(&round, ME).ippatsu);
}

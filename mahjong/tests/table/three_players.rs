//! The three-player game, as far as the table knows it.

use mahjong::table::Phase;
use mahjong::{Event, Rules};

use crate::round::{ACROSS, Deal, ME, RIGHT, Round, tile};

const THREE: Rules = Rules::TENHOU_HALF.with_players(3);

/// A round of three, in which `ACROSS` is the seat before ours.
fn deal(hand: &str) -> Round {
    Deal { rules: THREE, scores: None, ..Deal::of(hand) }.begin()
}

const TENPAI: &str = "1p 1p 1p 4p 5p 6p 7p 8p 9p 2s 3s 9s 9s";

#[test]
fn three_seats_take_turns_and_have_fifty_five_tiles_to_draw() {
    let mut round = deal(TENPAI);
    assert_eq!(round.table.tiles_left(), 55);
    assert_eq!(round.table.scores().as_slice(), [35_000; 3]);
    round.draw_and_discard("C");
    round.throws(RIGHT, "E");
    round.throws(ACROSS, "E");
    assert_eq!(round.table.phase(), Phase::Discarded { by: ACROSS, tile: tile("E") });
    round.draw("E");
    assert_eq!(round.table.tiles_left(), 51);
}

#[test]
fn there_is_no_chi() {
    let mut round = deal("2p 3p 5p 6p 1s 1s 7s 9s E S W P F");
    round.draw_and_discard("C");
    round.throws(RIGHT, "F");
    round.throws(ACROSS, "4p");
    assert_eq!(round.legal(), [""; 0]);
    round.draw_and_discard("C");
    round.throws(RIGHT, "1s");
    assert_eq!(round.legal(), ["pon 1s with [1s, 1s]", "none"]);
}

#[test]
fn a_north_set_aside_leaves_the_hand_and_is_replaced() {
    let mut round = deal("1p 1p 1p 4p 5p 6p 7p 8p 9p 2s 3s N N");
    round.draw("9s");
    round.tell(Event::Kita { actor: ME });
    assert_eq!(round.table.player(ME).kita, 1);
    assert_eq!(round.table.hand().count(tile("N")), 1);
    assert_eq!(round.table.drawn(), None);
    assert_eq!(round.unseen("N"), 2);
    round.draw("9s");
    assert!(round.table.is_rinshan());
    assert_eq!(round.table.tiles_left(), 53);
    assert!(round.table.player(ME).is_closed());
    assert!(!round.table.is_first_turn());
}

#[test]
fn another_seats_north_comes_into_sight() {
    let mut round = deal(TENPAI);
    round.draw_and_discard("C");
    round.draws(RIGHT);
    round.tell(Event::Kita { actor: RIGHT });
    assert_eq!((round.table.player(RIGHT).kita, round.unseen("N")), (1, 3));
    round.throws(RIGHT, "E");
}

#[test]
fn a_north_set_aside_can_be_won_on() {
    let mut round = deal("1p 1p 4p 5p 6p 7p 8p 9p 1s 2s 3s N N");
    round.draw("C");
    round.riichi(ME, "C");
    round.draws(RIGHT);
    round.tell(Event::Kita { actor: RIGHT });
    assert_eq!(round.legal(), ["hora N from 1", "none"]);
    round.draws(RIGHT);
    assert!(round.furiten().riichi);
}

#[test]
fn riichi_needs_three_tiles_left_to_draw() {
    for (oya, left, may) in [(ME, 3, true), (RIGHT, 4, true), (ACROSS, 2, false)] {
        let mut round = Deal { rules: THREE, scores: None, oya, ..Deal::of(TENPAI) }.begin();
        // The three-player wall has no manzu between one and nine.
        let (_, drawn) = (round.play_down_to(left + 1, "1s 4s 2m 3m 4m 5m 6m 7m 8m"), round.draw("C"));
        assert_eq!(round.table.tiles_left(), left, "{drawn:?}");
        assert_eq!(round.may("reach"), may, "{left} left");
    }
}

#[test]
fn a_north_is_set_aside_only_by_three() {
    let mut round = Deal::of(TENPAI).begin();
    round.draw("N");
    assert!(matches!(round.refusal(Event::Kita { actor: ME }), mahjong::table::Contradiction::WrongPlayers { .. }));
}

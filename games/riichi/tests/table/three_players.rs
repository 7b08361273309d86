//! The three-player game, as far as the table knows it.

use riichi::table::Phase;
use riichi::{Event, Rules};

use crate::round::{ACROSS, Deal, ME, RIGHT, Round, tile};

const THREE: Rules = Rules::TENHOU_HALF.with_players(3);

/// A round of three, in which `ACROSS` is the seat before ours.
fn deal(hand: &str) -> Round {
    Deal {
        rules: THREE,
        scores: None,
        ..Deal::of(hand)
    }
    .begin()
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
    assert_eq!(
        round.table.phase(),
        Phase::Discarded {
            by: ACROSS,
            tile: tile("E")
        }
    );
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
fn a_north_is_offered_to_be_set_aside_on_the_own_turn_after_a_draw() {
    let mut round = deal("1p 1p 1p 4p 5p 6p 7p 8p 9p 2s C C N");
    round.draw("9s");
    assert!(round.may("kita"));
    round.discard_drawn();
    round.throws(RIGHT, "C");
    round.pon(ME, "C", "C C");
    assert!(!round.may("kita"), "after a call nothing was drawn");
}

#[test]
fn in_riichi_only_the_north_just_drawn_is_set_aside() {
    let mut round = deal("1p 1p 4p 5p 6p 7p 8p 9p 1s 2s N N N");
    round.draw("C");
    round.riichi(ME, "C");
    round.throws(RIGHT, "E");
    round.throws(ACROSS, "E");
    round.draw("S");
    assert!(!round.may("kita"));
    round.discard_drawn();
    round.throws(RIGHT, "F");
    round.throws(ACROSS, "F");
    round.draw("N");
    assert!(round.may("kita"));
}

#[test]
fn a_north_drawn_last_is_not_set_aside_for_no_tile_is_left_to_replace_it() {
    for (oya, left, may) in [(RIGHT, 1, true), (ME, 0, false)] {
        let mut round = Deal {
            rules: THREE,
            scores: None,
            oya,
            ..Deal::of(TENPAI)
        }
        .begin();
        round.play_down_to(left + 1, "N 1s 4s");
        round.draw("N");
        assert_eq!((round.table.tiles_left(), round.may("kita")), (left, may));
    }
}

#[test]
fn ippatsu_lasts_until_a_north_set_aside_is_complete_and_the_first_turn_does_not() {
    let mut round = deal(TENPAI);
    round.draw("C");
    round.riichi(ME, "C");
    let ippatsu = |round: &Round| round.table.player(ME).riichi.expect("riichi").ippatsu;
    round.draws(RIGHT);
    round.tell(Event::Kita { actor: RIGHT });
    assert!(
        ippatsu(&round),
        "the seat that waits for North wins with it"
    );
    assert!(!round.table.is_first_turn());
    round.draws(RIGHT);
    assert!(!ippatsu(&round));
}

#[test]
fn tiles_that_three_players_lack_are_not_waited_for_and_cannot_come() {
    let mut round = deal(TENPAI);
    for name in ["2m", "5m", "8m"] {
        assert_eq!(round.unseen(name), 0, "{name}");
    }
    assert_eq!((round.unseen("1m"), round.unseen("9m")), (4, 4));
    assert_eq!(THREE.reds_by_suit(), [0, 1, 1]);
    let drawn = Event::Tsumo {
        actor: ME,
        tile: Some(tile("2m")),
    };
    assert!(matches!(
        round.refusal(drawn),
        riichi::table::Contradiction::FifthTile { .. }
    ));
}

#[test]
fn riichi_needs_three_tiles_left_to_draw() {
    for (oya, left, may) in [(ME, 3, true), (RIGHT, 4, true), (ACROSS, 2, false)] {
        let mut round = Deal {
            rules: THREE,
            scores: None,
            oya,
            ..Deal::of(TENPAI)
        }
        .begin();
        let (_, drawn) = (round.play_down_to(left + 1, "1s 4s"), round.draw("C"));
        assert_eq!(round.table.tiles_left(), left, "{drawn:?}");
        assert_eq!(round.may("reach"), may, "{left} left");
    }
}

#[test]
fn a_north_is_set_aside_only_by_three() {
    let mut round = Deal::of(TENPAI).begin();
    round.draw("N");
    let refusal = round.refusal(Event::Kita { actor: ME });
    assert_eq!(refusal, riichi::table::Contradiction::KitaOfFour);
    assert!(refusal.to_string().contains("three players"), "{refusal}");
}

//! The value of a win, from this seat's point of view.

use riichi::score::NoWin;
use riichi::yaku::Yaku;

use crate::round::{ACROSS, LEFT, ME, RIGHT, deal, tile};

/// Waits for 1m and 4m; without pinfu for the pair of dragons.
const NO_YAKU: &str = "2m 3m 4p 5p 6p 7p 8p 9p 9s 9s 9s F F";
/// Waits for 1m and 4m, pinfu.
const PINFU: &str = "2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s 8s 8s";

fn yaku(score: &riichi::score::Score) -> Vec<Yaku> {
    score.yaku.iter().collect()
}

#[test]
fn a_ron_is_worth_what_the_seat_knows_of_it() {
    let mut round = deal(PINFU);
    round.draw("N");
    round.riichi(ME, "N");
    round.throws(RIGHT, "1m");
    let score = round.table.score_of(RIGHT, tile("1m")).expect("a win");
    // Declared with the first discard of an unbroken go-round.
    assert_eq!(
        yaku(&score),
        [Yaku::DoubleRiichi, Yaku::Ippatsu, Yaku::Pinfu]
    );
    assert_eq!(score.han - score.dora.total(), 4);
}

#[test]
fn a_tsumo_is_judged_on_the_drawn_tile() {
    let mut round = deal(NO_YAKU);
    round.draw_and_discard("N");
    round.others_throw(["E", "E", "E"]);
    round.draw("1m");
    let score = round.table.score_of(ME, tile("1m")).expect("a win");
    assert_eq!(yaku(&score), [Yaku::MenzenTsumo]);
}

#[test]
fn a_first_draw_is_distinguished_from_a_later_one() {
    let mut round = deal(NO_YAKU);
    round.draw("1m");
    assert_eq!(
        yaku(&round.table.score_of(ME, tile("1m")).expect("a win")),
        [Yaku::Tenhou]
    );
}

#[test]
fn the_last_tiles_are_distinguished_from_others() {
    let mut round = deal(NO_YAKU);
    round.draw_and_discard("N");
    round.play_down_to(1, "1m 2m 3m 4m");
    round.throws(RIGHT, "1m");
    let score = round.table.score_of(RIGHT, tile("1m")).expect("a win");
    assert_eq!(yaku(&score), [Yaku::Houtei]);
}

#[test]
fn a_robbed_kan_is_distinguished_from_a_discard() {
    let mut round = deal(NO_YAKU);
    round.draw_and_discard("N");
    round.throws(RIGHT, "1m");
    round.pon(LEFT, "1m", "1m 1m");
    round.throws(LEFT, "W");
    round.draw_and_discard("E");
    round.throws(RIGHT, "E");
    round.throws(ACROSS, "E");
    round.draws(LEFT);
    round.kakan(LEFT, "1m");
    assert_eq!(
        yaku(&round.table.score_of(LEFT, tile("1m")).expect("a win")),
        [Yaku::Chankan]
    );
}

#[test]
fn a_hand_without_yaku_or_of_another_shape_is_worth_nothing() {
    let mut round = deal(NO_YAKU);
    round.draw_and_discard("N");
    round.throws(RIGHT, "1m");
    assert_eq!(round.table.score_of(RIGHT, tile("1m")), Err(NoWin::NoYaku));
    assert_eq!(
        round.table.score_of(RIGHT, tile("2m")),
        Err(NoWin::NotComplete)
    );
}

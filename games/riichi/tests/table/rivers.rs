//! Rivers, melds and their common order, and the tiles in sight.

use riichi::table::Discard;
use riichi::{Event, MeldKind};

use crate::round::{ACROSS, Deal, LEFT, ME, RIGHT, Round, deal, deal_from, tile, tiles};

const HAND: &str = "2m 3m 5p 5p 5pr 7p 8p 9p 9s 9s 9s F F";

fn last(round: &Round, seat: riichi::Seat) -> Discard {
    *round.table.player(seat).river.last().expect("a discard")
}

#[test]
fn a_discard_from_the_hand_is_distinguished_from_a_drawn_one() {
    let mut round = deal(HAND);
    round.draw("N");
    round.discard("2m");
    assert_eq!(
        (last(&round, ME).tile, last(&round, ME).tsumogiri),
        (tile("2m"), false)
    );
    round.throws(RIGHT, "E");
    assert!(last(&round, RIGHT).tsumogiri);
    round.draws(ACROSS);
    round.tell(Event::Dahai {
        actor: ACROSS,
        tile: tile("E"),
        tsumogiri: false,
    });
    assert!(!last(&round, ACROSS).tsumogiri);
}

#[test]
fn a_twin_of_the_drawn_tile_may_be_discarded_from_the_hand() {
    let mut round = deal(HAND);
    round.draw("F");
    round.discard("F");
    assert!(!last(&round, ME).tsumogiri);
    assert_eq!(round.table.hand().count(tile("F")), 2);
}

#[test]
fn the_drawn_tile_is_known_until_the_discard() {
    let mut round = deal(HAND);
    assert_eq!(round.table.drawn(), None);
    round.draw("N");
    assert_eq!(round.table.drawn(), Some(tile("N")));
    round.discard("2m");
    assert_eq!(round.table.drawn(), None);
    assert_eq!(round.table.hand().count(tile("N")), 1);
}

#[test]
fn the_dealt_tiles_stay_known_through_the_round() {
    let mut round = deal(HAND);
    round.draw("N");
    round.discard("2m");
    assert_eq!(round.table.dealt(), Some(tiles(HAND)));
}

#[test]
fn a_called_tile_stays_in_the_river_and_is_marked_with_the_caller() {
    let mut round = deal_from(ACROSS, HAND);
    round.throws(ACROSS, "F");
    assert_eq!(last(&round, ACROSS).called_by, None);
    round.pon(ME, "F", "F F");
    assert_eq!(last(&round, ACROSS).called_by, Some(ME));
    assert_eq!(last(&round, ACROSS).tile, tile("F"));
    let pon = round.table.player(ME).melds[0];
    assert_eq!(pon.kind(), MeldKind::Pon);
    assert_eq!(
        pon.called.map(|called| (called.tile, called.from)),
        Some((tile("F"), ACROSS))
    );
}

#[test]
fn discards_and_calls_share_one_numbering() {
    let mut round = deal_from(ACROSS, HAND);
    assert_eq!(round.table.last_order(), None);
    round.throws(ACROSS, "F");
    assert_eq!(
        (last(&round, ACROSS).order, round.table.last_order()),
        (0, Some(0))
    );
    round.pon(ME, "F", "F F");
    assert_eq!(
        (
            round.table.player(ME).melds[0].order,
            round.table.last_order()
        ),
        (1, Some(1))
    );
    round.discard("2m");
    assert_eq!(last(&round, ME).order, 2);
    round.draws(RIGHT);
    round.ankan(RIGHT, "1s 1s 1s 1s");
    assert_eq!(round.table.player(RIGHT).melds[0].order, 3);
    round.throws(RIGHT, "9s");
    assert_eq!(last(&round, RIGHT).order, 4);
    round.daiminkan(ME, "9s", "9s 9s 9s");
    assert_eq!(round.table.player(ME).melds[1].order, 5);
}

#[test]
fn an_added_kan_keeps_the_number_of_its_pon_and_takes_none() {
    let mut round = deal_from(ACROSS, HAND);
    round.throws(ACROSS, "F");
    round.pon(ME, "F", "F F");
    round.discard("2m");
    round.others_throw(["1s", "1s", "1s"]);
    round.draw("F");
    let before = round.table.last_order();
    round.kakan(ME, "F");
    assert_eq!(round.table.player(ME).melds[0].kind(), MeldKind::Kakan);
    assert_eq!(round.table.player(ME).melds[0].order, 1);
    assert_eq!(round.table.last_order(), before);
    round.draw_and_discard("1s");
    assert_eq!(last(&round, ME).order, before.expect("a number") + 1);
}

#[test]
fn the_own_hand_and_the_indicator_are_in_sight() {
    let mut round = Deal {
        dora_marker: tile("9s"),
        ..Deal::of(HAND)
    }
    .begin();
    assert_eq!(
        (
            round.unseen("9s"),
            round.unseen("5p"),
            round.unseen("F"),
            round.unseen("1m")
        ),
        (0, 1, 2, 4)
    );
    assert_eq!(round.table.seen_reds(), [0, 1, 0]);
    round.draw("1m");
    assert_eq!(round.unseen("1m"), 3);
    round.discard("1m");
    assert_eq!(round.unseen("1m"), 3, "it only moved");
    round.throws(RIGHT, "5sr");
    assert_eq!(
        (round.unseen("5s"), round.table.seen_reds()),
        (3, [0, 1, 1])
    );
    round.draws(ACROSS);
    assert_eq!(
        round.table.unseen().total(),
        136 - 13 - 1 - 1 - 1,
        "what another draws is not in sight"
    );
}

#[test]
fn a_called_tile_is_seen_once() {
    let mut own = deal_from(ACROSS, HAND);
    own.throws(ACROSS, "F");
    assert_eq!(own.unseen("F"), 1);
    own.pon(ME, "F", "F F");
    assert_eq!(own.unseen("F"), 1);

    let mut other = deal_from(ACROSS, HAND);
    other.throws(ACROSS, "E");
    assert_eq!(other.unseen("E"), 3);
    other.pon(RIGHT, "E", "E E");
    assert_eq!(other.unseen("E"), 1);
}

#[test]
fn the_tiles_of_every_meld_are_in_sight() {
    let mut round = deal_from(LEFT, HAND);
    round.throws(LEFT, "1s");
    round.pon(ACROSS, "1s", "1s 1s");
    assert_eq!(round.unseen("1s"), 1);
    round.throws(ACROSS, "4m");
    round.chi(LEFT, "4m", "5mr 6m");
    assert_eq!(
        (round.unseen("4m"), round.unseen("5m"), round.unseen("6m")),
        (3, 3, 3)
    );
    assert_eq!(round.table.seen_reds(), [1, 1, 0]);
    round.throws(LEFT, "E");
    round.draw_and_discard("E");
    round.throws(RIGHT, "E");
    round.draws(ACROSS);
    round.kakan(ACROSS, "1s");
    assert_eq!(round.unseen("1s"), 0);
    round.dora("2s");
    assert_eq!(round.unseen("2s"), 3);
    round.draws(ACROSS);
    round.throws(ACROSS, "C");
    round.daiminkan(RIGHT, "C", "C C C");
    assert_eq!(round.unseen("C"), 0);
    round.draws(RIGHT);
    round.ankan(RIGHT, "6s 6s 6s 6s");
    assert_eq!(round.unseen("6s"), 0);
}

#[test]
fn the_first_turn_lasts_to_the_own_first_discard_or_the_first_call() {
    let mut round = deal_from(RIGHT, HAND);
    assert!(round.table.is_first_turn());
    round.others_throw(["E", "E", "E"]);
    assert!(round.table.is_first_turn());
    round.draw("N");
    assert!(round.table.is_first_turn());
    round.discard_drawn();
    assert!(!round.table.is_first_turn());

    let mut called = deal_from(RIGHT, HAND);
    called.throws(RIGHT, "E");
    called.pon(LEFT, "E", "E E");
    assert!(!called.table.is_first_turn());

    let mut kan = deal_from(RIGHT, HAND);
    kan.draws(RIGHT);
    kan.ankan(RIGHT, "1s 1s 1s 1s");
    assert!(!kan.table.is_first_turn());
}

#[test]
fn winds_go_round_from_the_dealer() {
    use riichi::Wind::{East, North, South, West};
    let round = deal_from(ACROSS, HAND);
    assert_eq!(
        [ME, RIGHT, ACROSS, LEFT].map(|seat| round.table.seat_wind(seat)),
        [West, North, East, South]
    );
}

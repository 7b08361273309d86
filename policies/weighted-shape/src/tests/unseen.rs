//! Parts that cost less the more of the tiles they want are unseen.

use super::*;

/// A gap and neighbours among others, with the discard.
fn part(thrown: &str) -> Situation {
    Situation::called("46m 23p 99s 123s 567p 14z").legal(&[from_hand(thrown)])
}

/// The price of the part that the only listed tile is discarded from, in thousandths.
fn price(situation: Situation) -> i32 {
    let value = answers(&[], situation).values[0];
    (value * 1_000.0).round() as i32 % 10_000
}

#[test]
fn a_part_costs_half_when_all_that_it_can_want_is_unseen() {
    // 1p and 4p; 5m.
    assert_eq!(price(part("3p")), 100);
    assert_eq!(price(part("4m")), 150);
    // 3m to 7m without the tile itself.
    let five = Situation::called("5m 159p 159s 236z 7777z").legal(&[from_hand("5m")]);
    assert_eq!(price(five), 250);
}

#[test]
fn it_costs_more_the_more_of_them_are_seen() {
    assert_eq!(price(part("3p").river(1, "1144p")), 150);
    assert_eq!(price(part("4m").river(1, "5m")), 188);
    assert_eq!(price(part("4m").river(1, "5555m")), 300);
}

#[test]
fn it_costs_more_where_fewer_kinds_go_with_it() {
    // 12p want only 3p, and a single wind its three other copies.
    let edge = Situation::called("46m 12p 99s 123s 567p 14z").legal(&[from_hand("2p")]);
    assert_eq!(price(edge), 150);
    assert_eq!(price(part("1z")), 461);
}

#[test]
fn within_a_class_the_discard_leaves_the_most_unseen_tiles_that_improve_the_hand() {
    // By itself in the split, 3s makes 22s wait for 1s and 4s as well; nothing goes with 5m.
    let hand = || {
        Situation::called("5m 234p 789p 223s 99s 77z").legal(&[from_hand("5m"), from_hand("3s")])
    };
    assert_eq!(throws(&[], hand()), tile("5m"));
    assert_eq!(throws(&[PLAIN], hand()), tile("3s"));
}

#[test]
fn of_equal_ones_the_tile_of_the_dearest_part_goes_first() {
    // Neither brings the hand nearer, and 1m goes with fewer tiles than 5s.
    let situation = || {
        Situation::called("1m 67m 234p 78p 5s 99s 777z").legal(&[from_hand("1m"), from_hand("5s")])
    };
    assert_eq!(throws(&[], situation()), tile("1m"));
    assert_eq!(throws(&[PLAIN], situation()), tile("5s"));
}

#[test]
fn among_the_splits_with_the_lowest_shanten_number_the_cheaper_by_unseen_tiles_counts() {
    // 24m and 6m, or 2m and 46m: the leftover tile goes with the gap that lacks its tile.
    let hand = |seen| Situation::called("246m 11p 567p 789s 147z").river(1, seen);
    let throws_first = |seen| throws(&[], hand(seen).legal(&[from_hand("2m"), from_hand("6m")]));
    assert_eq!(throws_first("3333m"), tile("2m"));
    assert_eq!(throws_first("5555m"), tile("6m"));
}

#[test]
fn it_is_the_default() {
    assert_eq!(price(part("3p")), 100);
    assert_eq!(answers(&[PLAIN], part("3p")).values, [10.2]);
}

//! The split of the hand.

use super::*;

#[test]
fn of_the_splits_with_the_lowest_shanten_number_the_one_with_the_lowest_q_counts() {
    // 345m and 23m, not 234m and 35m.
    let situation = Situation::called("23345m 11p 567s 9s 147z");
    assert_eq!(answers(&[PLAIN], situation).reason, "C by itself; Q 2.20");
}

#[test]
fn the_lowest_shanten_number_comes_before_the_lowest_q() {
    // 345m and a single 4m, with room for both 68s and 23s. 44m and 35m would cost 0.2 less, and
    // leave no set.
    let situation = Situation::called("3445m 11p 789p 68s 23s 1z");
    assert_eq!(answers(&[PLAIN], situation).reason, "E by itself; Q 1.50");
}

/// A gap, neighbours, a pair, a run and five single honours.
fn one_of_each() -> Situation {
    Situation::called("13m 67p 99p 345s 12347z")
}

#[test]
fn q_is_half_a_point_for_an_isolated_tile_three_tenths_for_a_gap_and_two_for_neighbours() {
    assert_eq!(
        answers(&[PLAIN], one_of_each()).reason,
        "C by itself; Q 3.00"
    );
}

#[test]
fn the_weights_are_parameters() {
    let weights = [
        PLAIN,
        number("isolated", 0.6),
        number("gap", 0.25),
        number("neighbour", 0.15),
    ];
    assert_eq!(
        answers(&weights, one_of_each()).reason,
        "C by itself; Q 3.40"
    );
}

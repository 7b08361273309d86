//! Scores at the end.

use doudizhu::{DouDizhuGame, DouDizhuRules};

use crate::scene::{bid_all, play_all, seat, sorted_deal};

/// The landlord plays everything, and no other player plays.
const LANDLORD_ALONE: [&str; 10] = ["3333444455556666", "", "", "7", "", "", "2", "", "", "xX"];
/// The landlord plays once, and seat 2 goes out.
const PEASANT_GOES_OUT: [&str; 9] = ["3", "7", "J", "", "", "QQQQKKKKAAAA", "", "", "J222"];

fn fixed(plays: &[&str]) -> [f64; 3] {
    let mut game = DouDizhuGame::new(sorted_deal(), DouDizhuRules::FIXED);
    play_all(&mut game, plays);
    assert_eq!(game.asked(), None);
    game.scores().expect("it is over")
}

fn bid(bids: &[u8], plays: &[&str]) -> [f64; 3] {
    let mut game = DouDizhuGame::new(sorted_deal(), DouDizhuRules::BIDDING);
    bid_all(&mut game, bids);
    play_all(&mut game, plays);
    game.scores().expect("it is over")
}

#[test]
fn without_bidding_a_landlord_that_wins_has_2_and_its_points() {
    // 20 for a shuttle of four, 1 and 1, and 16 for the rocket.
    assert_eq!(fixed(&LANDLORD_ALONE), [2.38, 0.0, 0.0]);
}

#[test]
fn without_bidding_peasants_that_win_have_2_each_and_half_of_their_points() {
    // 1, 1, 20 and 4, halved.
    assert_eq!(fixed(&PEASANT_GOES_OUT), [0.01, 2.13, 2.13]);
}

#[test]
fn with_bidding_a_peasants_side_that_never_plays_doubles_the_stake_and_so_does_the_rocket() {
    assert_eq!(bid(&[3], &LANDLORD_ALONE), [24.0, -12.0, -12.0]);
    assert_eq!(bid(&[1, 0, 0], &LANDLORD_ALONE), [8.0, -4.0, -4.0]);
}

#[test]
fn with_bidding_a_landlord_that_plays_but_once_doubles_the_stake() {
    assert_eq!(bid(&[2, 0, 0], &PEASANT_GOES_OUT), [-8.0, 4.0, 4.0]);
}

#[test]
fn with_bidding_a_landlord_that_plays_twice_does_not_double_it_but_a_bomb_does() {
    let plays = [
        "3",
        "7",
        "J",
        "4444",
        "",
        "",
        "3",
        "7",
        "J",
        "",
        "",
        "QQQQKKKKAAAA",
        "",
        "",
        "222",
    ];
    assert_eq!(bid(&[2, 0, 0], &plays), [-8.0, 4.0, 4.0]);
}

#[test]
fn without_a_bid_the_stake_is_1() {
    let plays = [
        "3",
        "7",
        "J",
        "2",
        "",
        "",
        "3",
        "7",
        "J",
        "",
        "",
        "QQQQKKKKAAAA",
        "",
        "",
        "222",
    ];
    assert_eq!(bid(&[0, 0, 0], &plays), [-2.0, 1.0, 1.0]);
}

#[test]
fn the_scores_follow_the_landlord_s_seat() {
    let mut game = DouDizhuGame::new(sorted_deal(), DouDizhuRules::BIDDING);
    bid_all(&mut game, &[0, 0, 1]);
    assert_eq!(game.round().landlord(), Some(seat(2)));
    // Seat 2 leads with all it has but the rocket, which it keeps for the last.
    play_all(
        &mut game,
        &["QQQQKKKKAAAA", "", "", "JJ", "", "", "2222", "", "", "xX"],
    );
    // A bomb, the rocket, and no peasant has played.
    assert_eq!(game.scores(), Some([-8.0, -8.0, 16.0]));
}

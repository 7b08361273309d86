//! Points on which bots go wrong, as the fact sheet of this game numbers them (C1 to C12).

use mcr::count::{WinToCount, count_readings};
use mcr::{Counting, DeclaredSet, Fan, FanCount, HandTiles, count_fan};
use tiles::notation::Tiles;
use tiles::{Kind, Wind};

fn hand(sets: &[&str], concealed: &str) -> HandTiles {
    let sets: Vec<_> = sets
        .iter()
        .map(|text| DeclaredSet::parse(text).expect("a set"))
        .collect();
    let concealed: Tiles = concealed.parse().expect("tiles");
    HandTiles::new(concealed.0.into_iter().collect(), &sets).expect("a hand")
}

fn kind(text: &str) -> Kind {
    text.parse::<Tiles>().expect("a tile").0[0].kind()
}

/// The fan of a win by a discard, changed by `with`.
fn count(
    sets: &[&str],
    concealed: &str,
    tile: &str,
    with: impl FnOnce(&mut WinToCount),
) -> FanCount {
    let hand = hand(sets, concealed);
    let mut win = WinToCount::new(&hand, kind(tile));
    with(&mut win);
    count_fan(&win, Counting::Judge).expect("a win")
}

#[test]
fn c1_flowers_do_not_help_to_reach_eight_but_are_counted_beside_a_chicken_hand() {
    let two_flowers = |win: &mut WinToCount| win.flowers = 2;
    let chicken = count(&["123p", "444s", "789m"], "34p55z", "5p", two_flowers);
    assert_eq!(
        (
            chicken.total(),
            chicken.without_flowers(),
            chicken.is_enough()
        ),
        (10, 8, true)
    );
    let short = count(&["666z", "777z"], "234m56p99s", "7p", two_flowers);
    assert_eq!((short.total(), short.is_enough()), (8, false));
}

#[test]
fn c2_a_chicken_hand_drawn_by_oneself_is_worth_one() {
    let drawn = count(&["123p", "444s", "789m"], "34p55z", "5p", |win| {
        win.self_drawn = true
    });
    assert_eq!(
        (
            drawn.total(),
            drawn.times(Fan::ChickenHand),
            drawn.times(Fan::SelfDrawn)
        ),
        (1, 0, 1)
    );
}

#[test]
fn c3_a_hand_that_already_holds_the_winning_tile_is_not_counted() {
    let full = hand(&["123p", "444s", "789m"], "345p55z");
    assert_eq!(
        count_fan(&WinToCount::new(&full, kind("5p")), Counting::Judge),
        None
    );
}

#[test]
fn c4_a_concealed_kong_leaves_the_hand_concealed_and_a_melded_one_does_not() {
    let rest = ("67m345p234s11z", "8m");
    let concealed = count(&["c2222m"], rest.0, rest.1, |_| ());
    assert_eq!(
        (
            concealed.times(Fan::ConcealedHand),
            concealed.times(Fan::ConcealedKong)
        ),
        (1, 1)
    );
    let melded = count(&["2222m"], rest.0, rest.1, |_| ());
    assert_eq!(
        (
            melded.times(Fan::ConcealedHand),
            melded.times(Fan::MeldedKong)
        ),
        (0, 1)
    );
}

#[test]
fn c5_the_fourth_tile_and_the_kong_are_corrected_by_the_hand() {
    let own_pung = count(&["777p", "345p"], "89p234s11z", "7p", |_| ());
    assert_eq!(
        own_pung.times(Fan::LastTile),
        1,
        "the declared sets hold the other three"
    );
    let held = count(&["345m", "345p"], "77p234s11z", "7p", |win| {
        win.fourth = true
    });
    assert_eq!(held.times(Fan::LastTile), 0, "the hand itself holds one");
    let no_kong = count(&["345m"], "345p234s67p11z", "8p", |win| {
        (win.self_drawn, win.about_kong) = (true, true)
    });
    assert_eq!(
        no_kong.times(Fan::OutWithReplacementTile),
        0,
        "there is no kong"
    );
    let not_robbed = count(&["345m"], "345p234s77p11z", "7p", |win| {
        win.about_kong = true
    });
    assert_eq!(
        not_robbed.times(Fan::RobbingTheKong),
        0,
        "the hand holds one of the four"
    );
    let robbed = count(&["345m"], "345p234s67m11z", "8m", |win| {
        (win.about_kong, win.fourth) = (true, true)
    });
    assert_eq!(
        (
            robbed.times(Fan::RobbingTheKong),
            robbed.times(Fan::LastTile)
        ),
        (1, 0)
    );
}

#[test]
fn c6_a_fifth_equal_tile_and_a_fifth_set_are_refused() {
    let waiting = hand(&["111m"], "1m234p567p789s");
    assert_eq!(
        count_fan(&WinToCount::new(&waiting, kind("1m")), Counting::Judge),
        None
    );
    let kong = hand(&["1111m"], "23m234p567p99s");
    assert_eq!(
        count_fan(&WinToCount::new(&kong, kind("1m")), Counting::Judge),
        None
    );
}

#[test]
fn c7_names_are_those_of_the_calculator() {
    assert_eq!(Fan::TwoDragonsPungs.english(), "Two Dragons Pungs");
    assert_eq!(Fan::RobbingTheKong.english(), "Robbing The Kong");
    assert_eq!(
        (Fan::ClosedWait.chinese(), Fan::SingleWait.chinese()),
        ("坎张", "单钓将")
    );
}

#[test]
fn c8_each_reading_is_counted_as_a_whole() {
    // Three equal chows or three pungs in a row: never the fan of both.
    let hand = hand(&[], "222333444m99p78s");
    let win = WinToCount::new(&hand, kind("9s"));
    let readings = count_readings(&win, Counting::Judge);
    assert_eq!(readings.len(), 2);
    for reading in &readings {
        assert_eq!(
            reading.times(Fan::PureTripleChow) + reading.times(Fan::PureShiftedPungs),
            1
        );
    }
    let most = readings.iter().map(FanCount::total).max();
    assert_eq!(
        count_fan(&win, Counting::Judge).map(|count| count.total()),
        most
    );
    // A discard that fits a chow leaves the pung concealed.
    assert_eq!(
        count(&["345p"], "666m33345s55z", "3s", |_| ()).times(Fan::TwoConcealedPungs),
        1
    );
    assert_eq!(
        count(&["345p"], "666m33s345s55z", "3s", |_| ()).times(Fan::TwoConcealedPungs),
        1
    );
    assert_eq!(
        count(&["345p"], "666m33s678s55z", "3s", |_| ()).times(Fan::TwoConcealedPungs),
        0
    );
}

#[test]
fn c9_eight_fan_are_enough_and_fewer_are_not() {
    let eight = count(&["777p", "345p"], "89p234s11z", "7p", |_| ());
    assert_eq!((eight.total(), eight.is_enough()), (8, true));
    let fewer = count(&["777p", "345p"], "68p234s11z", "7p", |_| ());
    assert_eq!(
        (fewer.total(), fewer.is_enough()),
        (9, true),
        "a short straight, and a closed wait for the edge"
    );
    let fewer = count(&["777p", "345m"], "89p234s11z", "7p", |_| ());
    assert_eq!(
        (fewer.total(), fewer.is_enough()),
        (7, false),
        "and no suit is voided"
    );
}

#[test]
fn c10_a_wait_on_tiles_that_are_all_gone_is_a_wait() {
    // 12345 waits for 3 and 6, and the hand's own kong holds all sixes.
    assert_eq!(
        count(&["6666s"], "12345s789m11z", "3s", |_| ()).times(Fan::EdgeWait),
        0
    );
    assert_eq!(
        count(&["6666s"], "12s345p789m11z", "3s", |_| ()).times(Fan::EdgeWait),
        1
    );
}

#[test]
fn c11_seven_pairs_count_no_wait() {
    let pairs = count(&[], "1133557799m22s1z", "1z", |_| ());
    assert_eq!(
        (pairs.times(Fan::SevenPairs), pairs.times(Fan::SingleWait)),
        (1, 0)
    );
    assert_eq!(
        pairs.left_out_beside(Fan::SevenPairs).collect::<Vec<_>>(),
        [Fan::ConcealedHand]
    );
}

#[test]
fn c12_a_wind_that_is_both_counts_twice_and_is_no_pung_of_terminals_or_honours() {
    let south = |seat, prevalent| {
        count(&["222z"], "234m567p34s99s", "5s", |win| {
            (win.seat_wind, win.prevalent_wind) = (seat, prevalent)
        })
    };
    let fans = |count: &FanCount| {
        [
            Fan::SeatWind,
            Fan::PrevalentWind,
            Fan::PungOfTerminalsOrHonors,
        ]
        .map(|fan| count.times(fan))
    };
    assert_eq!(fans(&south(Wind::South, Wind::South)), [1, 1, 0]);
    assert_eq!(fans(&south(Wind::South, Wind::East)), [1, 0, 0]);
    assert_eq!(fans(&south(Wind::West, Wind::East)), [0, 0, 1]);
}

//! The payments when a round is won, beyond the value of a single win.

use riichi::{Event, Rules};

use crate::deal::{Deal, tiles};
use crate::play::{Play, SOUL, TENHOU};

/// Hands that wait for nothing.
const QUIET: [&str; 3] = [
    "1m 9m 1p 4p 7p 1s 9s E E S W N P",
    "1m 9m 1p 4p 7p 1s 9s E S S W N F",
    "1m 9m 1p 4p 9p 1s 9s E S W N N C",
];

#[test]
fn of_several_winners_the_nearest_has_sticks_and_repeat_counters() {
    // A first round is drawn with the dealer tenpai and a stick of seat 2 on the table.
    let mut play = Deal::new(SOUL)
        .holds(0, "2m 2m 2m 8m 8m 8m 2p 2p 2p 6m 6m 7m 7m")
        .holds(1, QUIET[1])
        .holds(2, "2s 2s 2s 8s 8s 8s 8p 8p 8p 6s 6s 7s 7s")
        .holds(3, QUIET[2])
        .draws("P P P")
        .begin(SOUL);
    play.act(0, "dahai P")
        .act(1, "dahai P")
        .act(2, "reach P")
        .draw_out();
    assert_eq!(play.deltas(), [vec![1500, -1500, 1500, -1500]]);
    assert_eq!(
        (play.scores(), play.game.kyotaku()),
        (vec![26_500, 23_500, 25_500, 23_500], 1)
    );

    let second = Deal::new(SOUL)
        .holds(0, QUIET[0])
        .holds(1, "2m 3m 4m 2p 3p 4p 6s 7s 8s 6p 7p 3s 3s")
        .holds(2, QUIET[1])
        .holds(3, "4m 4m 4m 2p 3p 4p 4s 4s 4s 6p 7p 6s 6s")
        .draws("5p")
        .doras("C")
        .wall();
    play.game.deal(&second).expect("the tiles are a wall");
    play.act(0, "dahai 5p").act(3, "hora").act(1, "hora");
    assert_eq!(play.told()[..2], ["hora 1 from 0", "hora 3 from 0"]);
    // Pinfu and tanyao, 2,000, with 300 and the stick; tanyao with 40 fu, 1,300.
    assert_eq!(
        play.deltas(),
        [vec![-2300, 3300, 0, 0], vec![-1300, 0, 0, 1300]]
    );
    assert_eq!(play.game.kyotaku(), 0);
}

/// The seat that gets the dragons.
const FED: u8 = 1;

/// Seat 0 has fed seat 1, which held two of each and these other tiles, all three dragons.
fn three_dragons(rules: Rules, rest: &str, draws: &str) -> Play {
    let mut play = Deal::new(rules)
        .holds(0, "P F C 1m 9m 1p 9p 1s 9s E W W N")
        .holds(FED, &format!("P P F F C C {rest}"))
        .holds(2, "3m 7m 1p 4p 7p 1s 3s 4m 8m 2p 5p W N")
        .holds(3, "2m 6m 1p 4p 7p 1s 3s 5m 8m 2p 5p W N")
        .draws(draws)
        .doras("3p")
        .begin(rules);
    for (dragon, thrown) in [("P", "9m"), ("F", "9p"), ("C", "9s")] {
        play.idle_until(|play| play.may(0, &format!("dahai {dragon}")))
            .act(0, &format!("dahai {dragon}"));
        play.pass_but(FED)
            .act(FED, &format!("pon {dragon}"))
            .act(FED, &format!("dahai {thrown}"));
    }
    play
}

/// Waits for 5s.
const DRAGONS: &str = "2m 3m 4m 5s 9m 9p 9s";
/// Waits for South, with nothing but honours.
const HONOURS: &str = "E E E S 9m 9p 9s";
/// Seat 1 draws what it waits for, or seat 2 does.
const BY_DRAW: &str = "6m 6m 6s 6p 8p 8s 6p 8p 8s 6p";
const BY_SEAT_2: &str = "6m 6m 6s 6p 8p 8s 6p";

/// The cost of seat 1's win on this tile.
fn won_with_dragons(rules: Rules, rest: &str, draws: &str, tile: &str) -> Vec<i32> {
    let mut play = three_dragons(rules, rest, &format!("{draws} {tile}"));
    play.idle_until(|play| play.may(FED, "hora"))
        .act(FED, "hora");
    play.deltas().remove(0)
}

#[test]
fn who_feeds_the_last_of_three_dragons_pays_a_self_draw_alone() {
    assert_eq!(
        won_with_dragons(TENHOU, DRAGONS, BY_DRAW, "5s"),
        [-32_000, 32_000, 0, 0]
    );
}

#[test]
fn and_half_of_a_win_on_the_discard_of_another() {
    assert_eq!(
        won_with_dragons(TENHOU, DRAGONS, BY_SEAT_2, "5s"),
        [-16_000, 32_000, -16_000, 0]
    );
}

#[test]
fn of_two_yakuman_the_one_not_fed_is_paid_for_as_well_by_tenhous_rules() {
    assert_eq!(
        won_with_dragons(TENHOU, HONOURS, BY_DRAW, "S"),
        [-64_000, 64_000, 0, 0]
    );
    assert_eq!(
        won_with_dragons(TENHOU, HONOURS, BY_SEAT_2, "S"),
        [-32_000, 64_000, -32_000, 0]
    );
}

#[test]
fn and_as_any_other_win_by_mahjong_souls() {
    assert_eq!(
        won_with_dragons(SOUL, HONOURS, BY_DRAW, "S"),
        [-32_000 - 16_000, 64_000, -8_000, -8_000]
    );
    assert_eq!(
        won_with_dragons(SOUL, HONOURS, BY_SEAT_2, "S"),
        [-16_000, 64_000, -16_000 - 32_000, 0]
    );
}

#[test]
fn the_discarder_of_the_last_of_four_kans_is_not_liable() {
    for rules in [TENHOU, SOUL] {
        let mut play = Deal::new(rules)
            .holds(0, "2m 4m 6m 8m 1p 4p 7p 1s 4s 7s E S W")
            .holds(1, "2m 2m 2m 4m 4m 4m 6m 6m 6m 8m 8m 8m 5p")
            .holds(2, "1m 9m 1p 4p 7p 1s 4s 7s E S W N P")
            .holds(3, "1m 9m 1p 4p 7p 1s 4s 7s E S W N F")
            .draws("9s 9s 9s 8s 8s 8s 8s 9p 9p 9p")
            .replacements("N N P 5p")
            .doras("C C C F F")
            .begin(rules);
        for kan in ["2m", "4m", "6m", "8m"] {
            play.idle_until(|play| play.may(0, &format!("dahai {kan}")))
                .act(0, &format!("dahai {kan}"));
            play.pass_but(1).act(1, &format!("daiminkan {kan}"));
        }
        play.act(1, "hora");
        assert_eq!(play.deltas(), [vec![-16_000, 32_000, -8_000, -8_000]]);
    }
}

#[test]
fn a_win_after_riichi_shows_the_ura_indicators_and_counts_them() {
    let mut play = Deal::new(TENHOU)
        .holds(0, "1m 2m 3m 4p 5p 6p 7p 8p 9p 5s 5s 6s 7s")
        .holds(1, QUIET[0])
        .holds(2, QUIET[1])
        .holds(3, QUIET[2])
        .draws("9m 8s")
        .doras("3p")
        .ura(&tiles("4s"))
        .begin(TENHOU);
    play.act(0, "reach 9m").act(1, "dahai 8s").act(0, "hora");
    // Double riichi, ippatsu, pinfu and two ura dora: 6 han of a dealer.
    assert_eq!(play.deltas(), [vec![19_000, -18_000, 0, 0]]);
    let shown = play.game.events().iter().find_map(|event| match event {
        Event::Hora(hora) => Some(hora.ura_markers.to_vec()),
        _ => None,
    });
    assert_eq!(shown.expect("it is won").as_slice(), tiles("4s"));
}

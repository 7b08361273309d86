//! Rounds that no player wins.

use riichi::Rules;

use crate::deal::{Deal, tiles};
use crate::play::{Play, SOUL, TENHOU};

/// A round of the hands in which all seats discard the drawn tile.
fn drawn_out(rules: Rules, hands: &[&str]) -> Play {
    let deal = hands
        .iter()
        .enumerate()
        .fold(Deal::new(rules), |deal, (number, hand)| {
            deal.holds(number as u8, hand)
        });
    let mut play = deal.begin(rules);
    play.draw_out();
    play
}

const TENPAI: [&str; 4] = [
    "1m 1m 1m 2p 3p 4p 5p 6p 7p 8s 8s 9s 9s",
    "2m 2m 2m 2p 3p 4p 5p 6p 7p E E S S",
    "3m 3m 3m 2p 3p 4p 5p 6p 7p W W N N",
    "4m 4m 4m 1s 2s 3s 4s 5s 6s P P F F",
];
const NOTEN: [&str; 4] = [
    "1m 4m 7m 2p 5p 8p 3s 6s 9s E S W P",
    "1m 4m 7m 1p 4p 8p 3s 6s 9s E S W F",
    "2m 5m 8m 1p 5p 9p 2s 5s 8s E S W C",
    "2m 5m 8m 1p 4p 9p 2s 5s 7s E N P F",
];

#[test]
fn who_is_not_tenpai_pays_three_thousand_in_all_to_those_who_are() {
    for (hands, deltas) in [
        (
            [TENPAI[0], NOTEN[1], NOTEN[2], NOTEN[3]],
            [3000, -1000, -1000, -1000],
        ),
        (
            [NOTEN[0], TENPAI[1], TENPAI[2], NOTEN[3]],
            [-1500, 1500, 1500, -1500],
        ),
        (
            [TENPAI[0], NOTEN[1], TENPAI[2], TENPAI[3]],
            [1000, -3000, 1000, 1000],
        ),
        (TENPAI, [0; 4]),
        (NOTEN, [0; 4]),
    ] {
        let play = drawn_out(TENHOU, &hands);
        assert_eq!(play.deltas(), [deltas.to_vec()], "{hands:?}");
        assert_eq!(play.told().last().map(String::as_str), Some("end_kyoku"));
    }
}

#[test]
fn with_three_players_it_is_two_thousand() {
    let tenpai = [
        "1m 1m 1m 2p 3p 4p 5p 6p 7p 8s 8s 9s 9s",
        "9m 9m 9m 2p 3p 4p 5p 6p 7p E E S S",
    ];
    let noten = [
        "1m 9m 1p 5p 8p 1s 4s 7s E S W P C",
        "1p 4p 8p 2s 5s 8s E S W P F C 6p",
    ];
    let rules = TENHOU.with_players(3);
    assert_eq!(
        drawn_out(rules, &[tenpai[0], noten[0], noten[1]]).deltas(),
        [vec![2000, -1000, -1000]]
    );
    assert_eq!(
        drawn_out(rules, &[noten[0], tenpai[0], tenpai[1]]).deltas(),
        [vec![-2000, 1000, 1000]]
    );
}

#[test]
fn nine_kinds_of_terminals_and_honours_void_the_round_for_who_wishes() {
    let nine = "1m 9m 1p 9p 1s 9s E S W 2m 2m 2m 3p";
    let mut play = Deal::new(TENHOU).holds(0, nine).draws("3p").begin(TENHOU);
    assert!(play.may(0, "ryukyoku") && play.may(0, "dahai"));
    assert_eq!(play.act(0, "ryukyoku").told(), ["ryukyoku", "end_kyoku"]);
    assert_eq!(play.deltas(), [vec![0; 4]]);
}

#[test]
fn four_equal_winds_in_the_first_go_round_void_the_round() {
    let holds = |deal: Deal, number: u8| {
        deal.holds(number, &NOTEN[usize::from(number)].replace(" N", " W"))
    };
    let deal = (0..4).fold(Deal::new(TENHOU), holds);
    let mut play = deal.draws("N N N N").begin(TENHOU);
    for number in 0..3 {
        play.act(number, "dahai N").pass();
    }
    assert_eq!(
        play.act(3, "dahai N").told(),
        ["dahai 3 N tsumogiri", "ryukyoku", "end_kyoku"]
    );

    // Not with three players, and not after another wind.
    let deal = (0..4).fold(Deal::new(TENHOU), holds);
    let mut play = deal.draws("N N N 3p").begin(TENHOU);
    for number in 0..3 {
        play.act(number, "dahai N").pass();
    }
    play.act(3, "dahai E").pass();
    assert!(play.told().iter().all(|event| event != "ryukyoku"));
}

/// Hands that need only the riichi, each with a tile to discard.
fn four_riichi() -> Play {
    let hands = [
        "1m 1m 1m 2p 3p 4p 5p 6p 7p 8s 8s 9s 9s",
        "2m 2m 2m 2p 3p 4p 5p 6p 7p E E S S",
        "3m 3m 3m 2p 3p 4p 5p 6p 7p W W N N",
        "4m 4m 4m 1s 2s 3s 4s 5s 6s P P F F",
    ];
    let deal = (0_u8..4).fold(Deal::new(TENHOU), |deal, number| {
        deal.holds(number, hands[usize::from(number)])
    });
    deal.draws("9p 9p 9p 6m").begin(TENHOU)
}

#[test]
fn four_riichi_void_the_round_when_the_last_of_them_is_not_won_on() {
    let mut play = four_riichi();
    for number in 0..3 {
        play.act(number, "reach 9p").pass();
    }
    let told = play.act(3, "reach 6m").told();
    assert_eq!(
        told,
        [
            "reach 3",
            "dahai 3 6m tsumogiri",
            "reach_accepted 3",
            "ryukyoku",
            "end_kyoku"
        ]
    );
    assert_eq!(
        (play.scores(), play.game.kyotaku()),
        (vec![24_000; 4], 4),
        "the sticks stay"
    );
}

/// The dealer and seat 1 have two kans each, and the dealer has still to discard.
fn four_kans(owners: [u8; 4]) -> Play {
    let mut hands = [const { Vec::new() }; 2];
    for (owner, kan) in owners.into_iter().zip(["2m", "4m", "6m", "8m"]) {
        hands[usize::from(owner)].push(kan);
    }
    let fill = [
        "1p", "1p", "3p", "3p", "5p", "5p", "7p", "9s", "9s", "7s", "7s", "5s", "5s",
    ];
    let hand = |kans: &[&str]| -> String {
        let kans: Vec<&str> = kans.iter().flat_map(|kan| [*kan; 3]).collect();
        kans.iter()
            .chain(&fill[..13 - kans.len()])
            .copied()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let deal = Deal::new(TENHOU)
        .holds(0, &hand(&hands[0]))
        .holds(1, &hand(&hands[1]));
    let deal = deal
        .holds(2, "1m 3m 9m 9p 9p 1s 3s E E S S W C")
        .holds(3, "1m 3m 9m 9p 2p 1s 3s E E S S W F");
    // Each of the two draws the fourth tile of its first kan, and as replacements the fourth tiles
    // of its others.
    let first = |owner: u8| {
        if hands[usize::from(owner)].is_empty() {
            "P"
        } else {
            hands[usize::from(owner)][0]
        }
    };
    let mut replacements = Vec::new();
    for kans in &hands {
        replacements.extend(kans.iter().skip(1));
        if !kans.is_empty() {
            replacements.push(&"P");
        }
    }
    let replacements: Vec<&str> = replacements.into_iter().copied().collect();
    let deal = deal
        .draws(&format!("{} {}", first(0), first(1)))
        .replacements(&replacements.join(" "));
    let mut play = deal.doras("N N N 8p 8p").begin(TENHOU);
    for kan in &hands[0] {
        play.act(0, &format!("ankan [{kan}"));
    }
    if !hands[1].is_empty() {
        play.act(0, "dahai P").pass();
        for kan in &hands[1] {
            play.act(1, &format!("ankan [{kan}"));
        }
    }
    play
}

#[test]
fn four_kans_of_two_seats_void_the_round_after_the_next_discard() {
    let mut play = four_kans([0, 0, 1, 1]);
    assert!(!play.told().contains(&"ryukyoku".to_owned()));
    assert_eq!(
        play.act(1, "dahai P").told(),
        ["dahai 1 P tsumogiri", "ryukyoku", "end_kyoku"]
    );
}

#[test]
fn four_kans_of_one_seat_do_not() {
    let mut play = four_kans([0, 0, 0, 0]);
    play.act(0, "dahai P").pass();
    assert!(
        !play.told().contains(&"ryukyoku".to_owned()),
        "{:?}",
        play.told()
    );
}

fn three_on_one_tile(rules: Rules) -> Play {
    // Tanyao: none needs riichi.
    let mut play = Deal::new(rules)
        .holds(0, NOTEN[2])
        .holds(1, "2m 3m 4m 2p 3p 4p 6s 7s 8s 6p 7p 2s 2s")
        .holds(2, "2m 3m 4m 2p 3p 4p 6s 7s 8s 6p 7p 3s 3s")
        .holds(3, "2m 3m 4m 2p 3p 4p 6s 7s 8s 6p 7p 4s 4s")
        .draws("8p")
        .doras("N")
        .begin(rules);
    play.act(0, "dahai 8p")
        .act(1, "hora")
        .act(2, "hora")
        .act(3, "hora");
    play
}

#[test]
fn three_winners_on_one_tile_void_the_round_by_tenhous_rules_and_all_win_by_mahjong_souls() {
    let play = three_on_one_tile(TENHOU);
    assert_eq!(play.told(), ["ryukyoku", "end_kyoku"]);
    let play = three_on_one_tile(SOUL);
    assert_eq!(
        play.told(),
        [
            "hora 1 from 0",
            "hora 2 from 0",
            "hora 3 from 0",
            "end_kyoku"
        ]
    );
}

/// Seat 0 draws and discards only terminals and honours.
fn nagashi() -> Deal {
    let outside = tiles("1m 9m 1p 9p 1s 9s E S W N P F C 1m 9m 1p 9p 1s");
    let deal = Deal::new(TENHOU)
        .holds(0, NOTEN[2])
        .holds(1, "2m 2m 3m 3m 4m 6m 6m 7m 7m 8m 8m 2p 2p");
    outside
        .into_iter()
        .enumerate()
        .fold(deal, |deal, (turn, tile)| deal.draw_at(4 * turn, tile))
}

#[test]
fn a_seat_that_discards_only_terminals_and_honours_is_paid_a_mangan() {
    let mut play = nagashi().begin(TENHOU);
    assert_eq!(
        play.draw_out().deltas(),
        [vec![12_000, -4000, -4000, -4000]]
    );
}

#[test]
fn not_when_one_of_them_was_called() {
    let mut play = nagashi()
        .holds(2, "1m 1m 2s 2s 3s 3s 5s 5s 6s 6s 7s 8s 8s")
        .begin(TENHOU);
    play.act(0, "dahai 1m")
        .pass_but(2)
        .act(2, "pon 1m")
        .act(2, "dahai 8s");
    assert!(
        play.draw_out().deltas()[0]
            .iter()
            .all(|points| points.abs() <= 3000),
        "{:?}",
        play.deltas()
    );
}

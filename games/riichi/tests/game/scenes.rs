//! Rounds set up for rare situations, against `riichienv-core`: the same requests, legal lists,
//! events and scores.

use riichi::game::RiichiGame;
use riichi::{Action, Rules, Seat};

use crate::against::{EngineComparison, Seen};
use crate::deal::{Deal, tiles};

/// A wall for these rules.
type Lay = fn(Rules) -> Deal;

/// The wishes of the seats: the first legal one is taken; otherwise they pass or discard the drawn
/// tile.
type Wishes = [(u8, &'static str)];

fn choose(wishes: &Wishes, seat: Seat, legal: &[Action]) -> Action {
    let begins = |begins: &str| {
        legal
            .iter()
            .find(|action| format!("{action:?}").starts_with(begins))
    };
    let wished = wishes
        .iter()
        .filter(|(who, _)| usize::from(*who) == seat.index())
        .find_map(|(_, wish)| begins(wish));
    let idle = |action: &&Action| {
        matches!(
            action,
            Action::None
                | Action::Dahai {
                    tsumogiri: true,
                    ..
                }
        )
    };
    *wished
        .or_else(|| legal.iter().find(idle))
        .unwrap_or(&legal[0])
}

/// Plays the round by Tenhou's rules and by Mahjong Soul's; what came up in each.
fn compare(name: &str, deal: impl Fn(Rules) -> Deal, wishes: &Wishes) -> [Seen; 2] {
    [Rules::TENHOU_HALF, Rules::MAHJONG_SOUL_HALF].map(|rules| {
        let mut seen = Seen::new();
        let mut comparison = EngineComparison::of_round(name, rules, &deal(rules).wall());
        while !seen.contains_key("EndKyoku") {
            comparison.play_on(
                |_: &RiichiGame, seat, legal| choose(wishes, seat, legal),
                &mut seen,
            );
        }
        seen
    })
}

/// How often this occurred by Tenhou's rules and by Mahjong Soul's.
fn times(seen: &[Seen; 2], what: &str) -> [u64; 2] {
    [0, 1].map(|place| seen[place].get(what).copied().unwrap_or(0))
}

#[test]
fn three_winners_on_one_tile() {
    let deal = |rules| {
        Deal::new(rules)
            .holds(0, "2m 5m 8m 1p 5p 9p 2s 5s 8s E S W C")
            .holds(1, "2m 3m 4m 2p 3p 4p 6s 7s 8s 6p 7p 2s 2s")
            .holds(2, "2m 3m 4m 2p 3p 4p 6s 7s 8s 6p 7p 3s 3s")
            .holds(3, "2m 3m 4m 2p 3p 4p 6s 7s 8s 6p 7p 4s 4s")
            .draws("8p")
            .doras("N")
    };
    let seen = compare(
        "three winners",
        deal,
        &[(1, "hora"), (2, "hora"), (3, "hora")],
    );
    assert_eq!(
        (times(&seen, "ThreeWinners"), times(&seen, "Hora")),
        ([1, 0], [0, 3])
    );
}

#[test]
fn a_closed_kan_that_thirteen_orphans_wait_for() {
    let deal = |rules| {
        Deal::new(rules)
            .holds(0, "9m 9m 9m 2m 2m 2p 2p 7p 7p 2s 2s 7s 7s")
            .holds(1, "1m 1m 1p 9p 1s 9s E S W N P F C")
            .holds(2, "1m 4m 7m 2p 3p 8p 3s 6s 8s 8s 4s 4s P")
            .holds(3, "3m 4m 7m 3p 6p 8p 3s 6s 8s 8s 4s 4s F")
            .draws("9m")
            .replacements("8p")
            .doras("6p 6p")
    };
    let seen = compare("a robbed closed kan", deal, &[(0, "ankan"), (1, "hora")]);
    assert_eq!(times(&seen, "Hora"), [0, 1]);
}

/// Seat 0 discards dragons; seat 1 holds two of each besides these tiles.
fn dragons(rules: Rules, rest: &str) -> Deal {
    Deal::new(rules)
        .holds(0, "P F C 1m 9m 1p 9p 1s 9s E W W N")
        .holds(1, &format!("P P F F C C {rest}"))
        .holds(2, "3m 7m 1p 4p 7p 1s 3s 4m 8m 2p 5p W N")
        .holds(3, "2m 6m 1p 4p 7p 1s 3s 5m 8m 2p 5p W N")
        .doras("3p")
}

const TO_DRAGONS: [(u8, &str); 10] = [
    (0, "dahai P"),
    (0, "dahai F"),
    (0, "dahai C"),
    (1, "hora"),
    (1, "pon P"),
    (1, "pon F"),
    (1, "pon C"),
    (1, "dahai 9m"),
    (1, "dahai 9p"),
    (1, "dahai 9s"),
];

#[test]
fn three_dragons_that_one_seat_has_fed() {
    const HONOURS: &str = "E E E S 9m 9p 9s";
    let deals: [(&str, Lay); 4] = [
        ("won by a draw", |rules| {
            dragons(rules, "2m 3m 4m 5s 9m 9p 9s").draws("6m 6m 6s 6p 8p 8s 6p 8p 8s 6p 5s")
        }),
        ("won on a discard", |rules| {
            dragons(rules, "2m 3m 4m 5s 9m 9p 9s").draws("6m 6m 6s 6p 8p 8s 6p 5s")
        }),
        ("two yakuman by a draw", |rules| {
            dragons(rules, HONOURS).draws("6m 6m 6s 6p 8p 8s 6p 8p 8s 6p S")
        }),
        ("two yakuman on a discard", |rules| {
            dragons(rules, HONOURS).draws("6m 6m 6s 6p 8p 8s 6p S")
        }),
    ];
    for (name, deal) in deals {
        let seen = compare(name, deal, &TO_DRAGONS);
        assert_eq!(
            (times(&seen, "Pon"), times(&seen, "Hora")),
            ([3, 3], [1, 1]),
            "{name}"
        );
    }
}

#[test]
fn four_winds_that_one_seat_has_fed() {
    let winds = |rules: Rules| {
        Deal::new(rules)
            .holds(0, "E S W N 1m 4m 7m 1p 4p 7p 1s 4s 7s")
            .holds(1, "E E S S W W N N 5p 9m 9p 9s 1s")
            .holds(2, "2m 3m 8m 2p 3p 6p 8p 2s 3s 6s 8s P F")
            .holds(3, "2m 3m 8m 2p 3p 6p 8p 2s 3s 6s 8s P C")
            .doras("3p")
    };
    let by_draw = |rules| winds(rules).draws("6m 6m 6s 6m 5m 5s 6s 8p 8s 5m 4m 4s 6p 5p");
    let on_discard = |rules| winds(rules).draws("6m 6m 6s 6m 5m 5s 6s 8p 8s 5m 5p");
    let calls = ["pon E", "pon S", "pon W", "pon N"].map(|call| (1, call));
    let throws = ["dahai E", "dahai S", "dahai W", "dahai N"].map(|throw| (0, throw));
    let rest = ["hora", "dahai 9m", "dahai 9p", "dahai 9s", "dahai 1s"].map(|wish| (1, wish));
    let wishes: Vec<(u8, &str)> = calls.into_iter().chain(throws).chain(rest).collect();
    let seen = compare("four winds by a draw", by_draw, &wishes);
    assert_eq!(
        (times(&seen, "Pon"), times(&seen, "Hora")),
        ([4, 4], [1, 1])
    );
    let seen = compare("four winds on a discard", on_discard, &wishes);
    assert_eq!(
        (times(&seen, "Pon"), times(&seen, "Hora")),
        ([4, 4], [1, 1])
    );
}

#[test]
fn four_kans_of_one_seat() {
    let deal = |rules| {
        Deal::new(rules)
            .holds(0, "2m 4m 6m 8m 1p 4p 7p 1s 4s 7s E S W")
            .holds(1, "2m 2m 2m 4m 4m 4m 6m 6m 6m 8m 8m 8m 5p")
            .holds(2, "1m 9m 1p 4p 7p 1s 4s 7s E S W N P")
            .holds(3, "1m 9m 1p 4p 7p 1s 4s 7s E S W N F")
            .draws("9s 9s 9s 8s 8s 8s 8s 9p 9p 9p")
            .replacements("N N P 5p")
            .doras("C C C F F")
    };
    let throws = ["dahai 2m", "dahai 4m", "dahai 6m", "dahai 8m"].map(|throw| (0, throw));
    let wishes: Vec<(u8, &str)> = throws
        .into_iter()
        .chain([(1, "hora"), (1, "daiminkan")])
        .collect();
    let seen = compare("four kans", deal, &wishes);
    assert_eq!(
        (times(&seen, "Daiminkan"), times(&seen, "Hora")),
        ([4, 4], [1, 1])
    );
}

#[test]
fn discards_of_nothing_but_terminals_and_honours() {
    /// This many seats, from the dealer on, draw and discard them.
    fn deal(rules: Rules, seats: usize) -> Deal {
        let all = tiles("1m 9m 1p 9p 1s 9s E S W N P F C");
        let deal = Deal::new(rules)
            .holds(0, "2m 3m 5m 6m 8m 2p 4p 6p 8p 2s 4s 6s 8s")
            .holds(1, "2m 3m 4m 6m 8m 2p 4p 6p 8p 2s 4s 6s 8s");
        let turns = (0..18)
            .flat_map(|turn| (0..seats).map(move |seat| 4 * turn + seat))
            .filter(|&place| place < 70);
        turns
            .zip(all.into_iter().cycle())
            .fold(deal, |deal, (place, tile)| deal.draw_at(place, tile))
    }
    for (name, laid) in [
        ("one seat", (|rules| deal(rules, 1)) as Lay),
        ("two seats", |rules| deal(rules, 2)),
    ] {
        let seen = compare(name, laid, &[]);
        assert_eq!(times(&seen, "NagashiMangan"), [1, 1], "{name}");
    }
}

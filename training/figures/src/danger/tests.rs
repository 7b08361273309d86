//! Counts and figures with known answers.

use riichi::event::{HAND_SIZE, Hora, Points, StartKyoku};
use riichi::{Event, PerSeat, Rules, Seat, Tile, Wind};
use riichi_estimates::danger::figures::line_column;
use riichi_estimates::danger::{
    Class, Copies, DoraTrait, Group, OutsideTrait, RiichiTrait, Side, SuitTrait, Traits,
};

use super::count::{Cells, DangerCounter, Paid, RIICHI_WORTH, Rate};
use super::fit::fit;
use crate::observe::Observer;

const DEALER: Seat = Seat::FIRST;

fn tile(name: &str) -> Tile {
    name.parse().expect("a tile")
}

fn hand(names: &str) -> [Tile; HAND_SIZE] {
    let tiles: Vec<Tile> = names.split_whitespace().map(tile).collect();
    tiles.try_into().expect("13 tiles")
}

fn start(hands: [Option<&str>; 4]) -> Event {
    Event::StartKyoku(StartKyoku {
        bakaze: Wind::East,
        kyoku: 1,
        honba: 0,
        kyotaku: 0,
        oya: DEALER,
        dora_marker: tile("C"),
        scores: None,
        tehais: PerSeat::from_fn(4, |seat| hands[seat.index()].map(hand)),
    })
}

/// The dealer waits for 1s and 4s and declares riichi with East; South draws 9m and discards it.
/// Then comes this.
fn riichi_and_one_discard_and(more: &[Event]) -> DangerCounter {
    let south = Seat::new(1).expect("a seat");
    let events = [
        start([
            Some("2m 3m 4m 5m 6m 7m 2p 3p 4p 2s 3s 8s 8s"),
            Some("1s 4s 5s 1p 9p 9s S W N P P F C"),
            Some("1m 1m 1p 1p 5p 5p 7p 7p 9p 9p S S F"),
            Some("1m 1m 5m 5m 8m 8m 7s 7s 9s 9s W W F"),
        ]),
        Event::Tsumo {
            actor: DEALER,
            tile: Some(tile("E")),
        },
        Event::Reach { actor: DEALER },
        Event::Dahai {
            actor: DEALER,
            tile: tile("E"),
            tsumogiri: true,
        },
        Event::ReachAccepted {
            actor: DEALER,
            scores: None,
        },
        Event::Tsumo {
            actor: south,
            tile: Some(tile("9m")),
        },
        Event::Dahai {
            actor: south,
            tile: tile("9m"),
            tsumogiri: true,
        },
    ];
    let (mut observer, mut counter) = (Observer::new(Rules::TENHOU_HALF), DangerCounter::new());
    for event in events.iter().chain(more) {
        observer
            .apply(event, |seen| counter.take(seen))
            .expect("it can happen");
    }
    counter
}

fn riichi_and_one_discard() -> DangerCounter {
    riichi_and_one_discard_and(&[])
}

fn of_class(cells: &Cells, class: Class) -> Rate {
    let mut sum = Rate::default();
    for (found, _, _, rate) in cells
        .iter()
        .filter(|(found, ..)| Some(*found) == class.index())
    {
        assert!(found < Class::COUNT);
        sum.of += rate.of;
        sum.hits += rate.hits;
    }
    sum
}

#[test]
fn every_kind_that_the_discarder_held_is_a_sample_and_a_hit_if_it_would_have_dealt_in() {
    let counter = riichi_and_one_discard();
    let open = |group| Class::Sides {
        group,
        better: Side::Open,
        worse: Side::Shut,
    };
    // 1s hits; 9m, 1p, 9p and 9s do not.
    assert_eq!(
        of_class(&counter.riichi, open(Group::OneNine)),
        Rate { of: 5, hits: 1 }
    );
    let middle = |group| Class::Sides {
        group,
        better: Side::Open,
        worse: Side::Open,
    };
    assert_eq!(
        of_class(&counter.riichi, middle(Group::FourSix)),
        Rate { of: 1, hits: 1 }
    );
    assert_eq!(
        of_class(&counter.riichi, middle(Group::Five)),
        Rate { of: 1, hits: 0 }
    );
    // P twice is one kind; C is the other kind with two visible tiles, one of them as the
    // indicator.
    assert_eq!(
        of_class(
            &counter.riichi,
            Class::Honour {
                unseen: 2,
                value: true
            }
        ),
        Rate { of: 2, hits: 0 }
    );
}

#[test]
fn hands_without_riichi_are_counted_by_whether_they_are_tenpai() {
    let counter = riichi_and_one_discard();
    // At the dealer's discard the other three; at South's the other two, one of them with seven
    // pairs less one.
    let [first, ..] = counter.tenpai[0];
    assert_eq!(first.of, 5);
    assert_eq!(
        first.hits, 4,
        "West and North wait for the seventh pair at both discards"
    );
}

#[test]
fn what_a_deal_in_costs_is_counted_without_honba() {
    let west = Seat::new(2).expect("a seat");
    let deltas = Points::from_slice(&[12_000, 0, -11_000, 0]).expect("four seats");
    let counter = riichi_and_one_discard_and(&[
        Event::Tsumo {
            actor: west,
            tile: Some(tile("4s")),
        },
        Event::Dahai {
            actor: west,
            tile: tile("4s"),
            tsumogiri: true,
        },
        Event::Hora(Hora {
            actor: DEALER,
            target: west,
            deltas: Some(deltas),
            scores: None,
            ura_markers: Default::default(),
        }),
    ]);
    let of_the_dealer = counter.paid[1][RIICHI_WORTH];
    assert_eq!(
        of_the_dealer[DoraTrait::Far as usize],
        Paid {
            times: 1,
            points: 11_000
        }
    );
    assert_eq!(
        counter
            .paid
            .iter()
            .flatten()
            .flatten()
            .map(|paid| paid.times)
            .sum::<u64>(),
        1
    );
}

const PLAIN: Traits = Traits {
    dora: DoraTrait::Far,
    outside: OutsideTrait::No,
    riichi: RiichiTrait::No,
    copies: Copies::Three,
    suit: SuitTrait::None,
};

#[test]
fn the_fit_separates_the_probability_of_a_class_from_the_factor_of_a_trait() {
    let mut cells = Cells::new();
    // 10 % and 4 %, and twice that next to the dora, in shares that differ between the classes.
    for (class, dora, of, hits) in [
        (20, DoraTrait::Far, 200_000, 20_000),
        (20, DoraTrait::Beside, 300_000, 60_000),
        (30, DoraTrait::Far, 500_000, 20_000),
        (30, DoraTrait::Beside, 100_000, 8_000),
    ] {
        *cells.at(class, 3, &Traits { dora, ..PLAIN }) = Rate { of, hits };
    }
    let figures = fit(&cells).figures;
    let near = |figure: f32, to: f32| (figure / to - 1.0).abs() < 0.01;
    assert!(
        near(figures.chance[20][3], 0.1) && near(figures.chance[30][3], 0.04),
        "{figures:?}"
    );
    assert!(
        near(figures.dora[DoraTrait::Beside as usize], 2.0),
        "{:?}",
        figures.dora
    );
    assert_eq!(
        figures.outside[OutsideTrait::Early as usize],
        1.0,
        "nothing was counted of it"
    );
    assert_eq!(
        figures.dora[DoraTrait::Far as usize],
        1.0,
        "it is in the chance"
    );
}

#[test]
fn a_cell_without_samples_leans_on_its_row_and_column() {
    let mut cells = Cells::new();
    *cells.at(20, 2, &PLAIN) = Rate {
        of: 100_000,
        hits: 10_000,
    };
    *cells.at(21, 2, &PLAIN) = Rate {
        of: 100_000,
        hits: 5_000,
    };
    *cells.at(20, 1, &PLAIN) = Rate {
        of: 100_000,
        hits: 20_000,
    };
    let chance = fit(&cells).figures.chance;
    // Half as likely as the row above, as in the other column.
    assert!(
        (chance[21][1] / chance[20][1] - 0.4).abs() < 0.15,
        "{} {}",
        chance[21][1],
        chance[20][1]
    );
}

#[test]
fn nothing_that_is_not_certainly_safe_has_no_chance_at_all() {
    let mut cells = Cells::new();
    *cells.at(1, 3, &PLAIN) = Rate {
        of: 10_000_000,
        hits: 0,
    };
    let chance = fit(&cells).figures.chance;
    assert!(
        chance.iter().flatten().all(|&chance| chance >= 0.0001),
        "{chance:?}"
    );
}

#[test]
fn fewer_copies_to_wait_with_make_no_honour_likelier() {
    let mut cells = Cells::new();
    let class = |unseen| {
        Class::Honour {
            unseen,
            value: true,
        }
        .index()
        .expect("a class with figures")
    };
    // Three samples and a lucky hit against many.
    *cells.at(class(1), 3, &PLAIN) = Rate { of: 3, hits: 3 };
    *cells.at(class(2), 3, &PLAIN) = Rate {
        of: 100_000,
        hits: 500,
    };
    *cells.at(class(3), 3, &PLAIN) = Rate {
        of: 100_000,
        hits: 2_000,
    };
    let chance = fit(&cells).figures.chance;
    assert!(
        chance[class(1)][3] <= chance[class(2)][3] && chance[class(2)][3] < chance[class(3)][3],
        "{chance:?}"
    );
}

#[test]
fn the_file_has_a_row_for_each_class_with_its_samples() {
    let file = riichi_and_one_discard().file("the command");
    let rows = Class::all()
        .filter(|class| file.matches(&format!("# {class}: ")).count() == 2)
        .count();
    assert_eq!(rows, Class::COUNT);
    assert!(file.contains("\n# the command\n"), "{file}");
    let column = line_column(18);
    let row = file
        .lines()
        .find(|line| line.contains("# 5, open and open: "))
        .expect("the last class");
    let samples: Vec<&str> = row
        .rsplit(": ")
        .next()
        .unwrap_or_default()
        .split(", ")
        .collect();
    assert_eq!(samples[column], "1", "{row}");
}

#[test]
fn the_figures_in_the_project_equal_the_commands_output_except_for_the_numbers() {
    let without_numbers = |file: &str| -> Vec<String> {
        let lines = file.lines().filter(|line| !line.starts_with("# figures "));
        lines
            .map(|line| line.chars().filter(|char| !char.is_ascii_digit()).collect())
            .collect()
    };
    let printed = without_numbers(&riichi_and_one_discard().file("figures danger"));
    assert_eq!(
        without_numbers(include_str!(
            "../../../../games/riichi-estimates/src/danger/figures/four_players.txt"
        )),
        printed
    );
    assert_eq!(
        without_numbers(include_str!(
            "../../../../games/riichi-estimates/src/danger/figures/three_players.txt"
        )),
        printed
    );
}

//! Splits of a hand into parts: by example, and against a search that uses only the definition of a
//! part.

#[path = "../../../riichi/tests/hand/checks.rs"]
mod checks;
#[path = "../../../riichi/benches/hand/random.rs"]
#[allow(dead_code, reason = "the benchmarks use the rest")]
mod random;
#[path = "../../../riichi/tests/hand/text.rs"]
#[allow(dead_code, reason = "the tests of hands use the rest")]
mod text;

use std::collections::BTreeSet;

use riichi::shanten::standard_shanten;
use riichi::{ConcealedHand, Kind};
use riichi_estimates::splits::{Part, Shape, Split, best_split, for_each_split};

use checks::checks;
use random::SplitMix64;
use text::{hand, hand_of, kind, kinds, set};

const ALL: (usize, usize) = (0, 34);
const ONE_SUIT: (usize, usize) = (0, 9);

/// The weights of the design: 0.5 for an isolated tile, 0.3 for a gap, 0.2 for neighbours.
fn by_the_design(part: Part) -> u32 {
    match part.shape() {
        Shape::Isolated => 5,
        Shape::Gap => 3,
        Shape::Neighbours => 2,
        Shape::Pair | Shape::Triplet | Shape::Run => 0,
    }
}

/// The parts as texts are easiest to write: each by its tiles.
fn written(split: &[Part]) -> Vec<Vec<Kind>> {
    split.iter().map(|part| part.kinds().collect()).collect()
}

fn parts(texts: &[&str]) -> Vec<Vec<Kind>> {
    texts.iter().map(|text| kinds(text)).collect()
}

fn all_splits(hand: &ConcealedHand) -> Vec<Vec<Part>> {
    let mut splits = Vec::new();
    for_each_split(hand, |split| splits.push(split.to_vec()));
    splits
}

/// The part that these tiles form, lowest first.
fn part_of(tiles: &[Kind]) -> Option<Part> {
    let shape = match *tiles {
        [_] => Shape::Isolated,
        [a, b] if a == b => Shape::Pair,
        [a, b] if a.offset(1) == Some(b) => Shape::Neighbours,
        [a, b] if a.offset(2) == Some(b) => Shape::Gap,
        [a, b, c] if a == b && b == c => Shape::Triplet,
        [a, b, c] if a.offset(1) == Some(b) && b.offset(1) == Some(c) => Shape::Run,
        _ => return None,
    };
    Part::new(shape, tiles[0])
}

/// Gives each tile in turn to every existing group or to a new one, and keeps the states whose
/// groups are parts.
fn by_groups(tiles: &[Kind], groups: &mut Vec<Vec<Kind>>, found: &mut BTreeSet<Vec<Part>>) {
    let Some((&tile, rest)) = tiles.split_first() else {
        if let Some(mut split) = groups
            .iter()
            .map(|group| part_of(group))
            .collect::<Option<Vec<_>>>()
        {
            split.sort_unstable();
            found.insert(split);
        }
        return;
    };
    for place in 0..groups.len() {
        if groups[place].len() < 3 {
            groups[place].push(tile);
            by_groups(rest, groups, found);
            groups[place].pop();
        }
    }
    groups.push(vec![tile]);
    by_groups(rest, groups, found);
    groups.pop();
}

#[test]
fn each_way_takes_all_tiles() {
    let ways: Vec<_> = all_splits(&hand("112m1z", 3))
        .iter()
        .map(|split| written(split))
        .collect();
    assert_eq!(
        ways,
        [
            parts(&["11m", "2m", "1z"]),
            parts(&["12m", "1m", "1z"]),
            parts(&["1m", "1m", "2m", "1z"])
        ]
    );
}

#[test]
fn parts_keep_to_their_suit_and_honours_make_no_runs() {
    let ways = all_splits(&hand("9m1p9p1s123z", 2));
    assert_eq!(
        ways.iter().map(|split| written(split)).collect::<Vec<_>>(),
        [parts(&["9m", "1p", "9p", "1s", "1z", "2z", "3z"])]
    );
    assert_eq!(Part::new(Shape::Neighbours, kind("9m")), None);
    assert_eq!(Part::new(Shape::Gap, kind("8p")), None);
    assert_eq!(Part::new(Shape::Run, kind("1z")), None);
}

#[test]
fn every_way_is_found_once_and_in_the_order_of_its_parts() {
    let mut random = SplitMix64::new(30);
    for range in [ALL, (5, 13), ONE_SUIT, (0, 4), (25, 34)] {
        for _ in 0..checks() / 500 {
            let closed = random.deal(8, range);
            let mut expected = BTreeSet::new();
            let tiles: Vec<Kind> = closed
                .kinds()
                .iter()
                .flat_map(|kind| std::iter::repeat_n(kind, usize::from(closed[kind])))
                .collect();
            by_groups(&tiles, &mut Vec::new(), &mut expected);
            assert_eq!(
                all_splits(&hand_of(closed, 2, 4)),
                expected.into_iter().collect::<Vec<_>>(),
                "{closed:?}"
            );
        }
    }
}

/// The fewest tiles missing to four sets and a pair, less one, when each part goes into its own set
/// or the pair.
fn shanten_of(split: &[Part], melds: i8) -> i8 {
    // Tiles that a part has of a set; at most four sets count, the fullest first.
    let without_pair = |parts: &[Part]| {
        let mut tiles: Vec<i8> = parts
            .iter()
            .map(|part| part.kinds().count() as i8)
            .collect();
        tiles.sort_unstable_by(|a, b| b.cmp(a));
        tiles.iter().take(4 - melds as usize).sum::<i8>() + 3 * melds
    };
    let pairs = (0..split.len()).map(|place| {
        let mut others = split.to_vec();
        let pair = others.remove(place);
        let of_the_pair = match pair.shape() {
            Shape::Pair | Shape::Triplet => 2,
            Shape::Run | Shape::Neighbours | Shape::Gap | Shape::Isolated => 1,
        };
        without_pair(&others) + of_the_pair
    });
    // A pair that none of the parts begins is two tiles away.
    13 - pairs.chain([without_pair(split)]).max().unwrap_or(0)
}

#[test]
fn the_best_split_has_the_lowest_shanten_number_then_the_lowest_cost_then_comes_first() {
    let mut random = SplitMix64::new(31);
    for check in 0..checks() / 50 {
        let melds = random.below(5);
        let range = if check % 4 == 0 { (0, 14) } else { ALL };
        let tiles = 13 + random.below(2) - 3 * melds;
        let closed = hand_of(random.deal(tiles, range), melds, 4);
        let weights: Vec<u32> = (0..34 * 6).map(|_| random.below(4) as u32).collect();
        let cost = |part: Part| weights[part.first().index() * 6 + part.shape() as usize];
        let mut best: Option<(i8, u32, Vec<Part>)> = None;
        for_each_split(&closed, |split| {
            let shanten = shanten_of(split, melds as i8);
            if best.as_ref().is_none_or(|best| shanten <= best.0) {
                let way = (
                    shanten,
                    split.iter().map(|&part| cost(part)).sum(),
                    split.to_vec(),
                );
                best = best.take().into_iter().chain([way]).min();
            }
        });
        let Split {
            shanten,
            cost,
            parts,
        } = best_split(&closed, cost);
        assert_eq!(
            Some((shanten, cost, parts.to_vec())),
            best,
            "{closed:?} with {melds} melds"
        );
    }
}

#[test]
fn the_best_splits_shanten_is_the_hands_unless_it_holds_four_of_a_kind() {
    let mut random = SplitMix64::new(32);
    let mut with_four = 0;
    for check in 0..checks() {
        let melds = random.below(5);
        let range = [ALL, (0, 18), ONE_SUIT][check as usize % 3];
        let tiles = 13 + random.below(2) - 3 * melds;
        let players = if check % 4 == 0 { 3 } else { 4 };
        let tiles = if players == 3 {
            random.deal_three(tiles)
        } else {
            random.deal(tiles, range)
        };
        let closed = hand_of(tiles, melds, players);
        let (split, hand) = (
            best_split(&closed, by_the_design).shanten,
            standard_shanten(&closed),
        );
        if tiles.0.contains(&4) {
            with_four += 1;
            assert!(split <= hand, "{closed:?}: {split}, {hand}");
        } else {
            assert_eq!(split, hand, "{closed:?}");
        }
    }
    assert!(with_four > 0);
    // Only a fifth 1m would make it a hand.
    let closed = hand("1111m234p567s888s", 0);
    assert_eq!(
        (
            best_split(&closed, by_the_design).shanten,
            standard_shanten(&closed)
        ),
        (0, 1)
    );
}

#[test]
fn a_split_from_low_to_high_misreads_what_the_search_does_not() {
    let split = |text: &str, melds| best_split(&hand(text, melds), by_the_design);
    // From low to high 123 is taken first and 3, 4 and 6 are left.
    let search = split("1233346m789p456s1z", 0);
    assert_eq!(search.shanten, 0);
    assert_eq!(
        written(&search.parts),
        parts(&["123m", "33m", "46m", "789p", "456s", "1z"])
    );
    // 23m cost less than 24m.
    assert_eq!(written(&split("23345m", 3).parts), parts(&["23m", "345m"]));
}

#[test]
fn unfinished_parts_want_the_kinds_that_bring_them_on() {
    let wanted = |shape, first| Part::new(shape, kind(first)).unwrap().wanted();
    assert_eq!(wanted(Shape::Pair, "5p"), set("5p"));
    assert_eq!(wanted(Shape::Neighbours, "4m"), set("36m"));
    assert_eq!(wanted(Shape::Neighbours, "8s"), set("7s"));
    assert_eq!(wanted(Shape::Gap, "7p"), set("8p"));
    assert_eq!(wanted(Shape::Isolated, "2m"), set("1234m"));
    assert_eq!(wanted(Shape::Isolated, "6z"), set("6z"));
    assert!(wanted(Shape::Run, "1m").is_empty() && wanted(Shape::Triplet, "1m").is_empty());
}

#[test]
fn any_hand_is_split() {
    let mut random = SplitMix64::new(3);
    for _ in 0..500 {
        let melds = random.below(5);
        let range = [(0, 9), (9, 34), (0, 34), (27, 34)][random.below(4)];
        let tiles = 13 + random.below(2) - 3 * melds;
        let counts = random.deal(tiles, range);
        let hand = ConcealedHand::new(counts, melds, 4).expect("a hand");
        std::hint::black_box(best_split(&hand, |_| u32::MAX));
    }
}

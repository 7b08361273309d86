//! Distances to a win against exhaustive search, and to a win of eight fan.

use std::collections::HashSet;

use game_core::rng::Rng;
use mcr::count::{WinToCount, WinningForm};
use mcr::distance::{acceptance, discards, distance, distance_to};
use mcr::targets::{TargetSituation, distance_with_eight, targets};
use mcr::{Counting, DeclaredSet, HandTiles, count_fan};
use tiles::notation::Tiles;
use tiles::{Counts, Kind, Wind};

fn hand(text: &str) -> HandTiles {
    let tiles: Tiles = text.parse().expect("tiles");
    HandTiles::new(tiles.0.into_iter().collect(), &[]).expect("a hand")
}

/// The hand beside a declared set.
fn beside(set: &str, text: &str) -> HandTiles {
    let tiles: Tiles = text.parse().expect("tiles");
    let sets = [DeclaredSet::parse(set).expect("a set")];
    HandTiles::new(tiles.0.into_iter().collect(), &sets).expect("a hand")
}

#[test]
fn each_form_is_counted_by_its_missing_tiles() {
    use WinningForm::{
        HonoursAndKnitted, KnittedStraight, NineGates, Sets, SevenPairs, ThirteenOrphans,
    };
    for (text, form, lacks) in [
        ("123m456p789s1122z", Sets, 1),
        ("123m456p789s11222z", Sets, 0),
        ("1111m2222p3333s1z", SevenPairs, 1),
        ("19m19p19s1234567z", ThirteenOrphans, 1),
        ("147m258p36s12345z", HonoursAndKnitted, 1),
        ("147m258p369s1122z", KnittedStraight, 1),
        ("147m258p369s1234z", KnittedStraight, 3),
        ("147m258p369s1123z", KnittedStraight, 2),
        ("1112345678999m", NineGates, 1),
        ("1112345678999m1z", NineGates, 1),
        ("11123456789995m", NineGates, 0),
        ("11123456788899m", NineGates, 2),
    ] {
        assert_eq!(
            distance_to(&hand(text), form),
            Some(lacks),
            "{text} {form:?}"
        );
    }
    let declared = beside("555m", "147m258p369s1z");
    assert_eq!(
        (
            distance_to(&declared, KnittedStraight),
            distance_to(&declared, SevenPairs)
        ),
        (Some(1), None)
    );
}

/// A hand that lacks few tiles: a win of some form with tiles exchanged.
fn near(random: &mut Rng, exchanged: usize) -> HandTiles {
    loop {
        let mut counts = Counts::EMPTY;
        let kinds: Vec<usize> = if random.below(2) == 0 {
            (0..34).collect()
        } else {
            (0..34).step_by(1 + random.below(2)).collect()
        };
        let mut sets = Vec::new();
        match random.below(6) {
            0 => (0..7).for_each(|_| counts.0[random.below(34)] += 2),
            1 => {
                for (part, suit) in [[0, 1, 2], [1, 2, 0], [2, 0, 1]][random.below(3)]
                    .into_iter()
                    .enumerate()
                {
                    (0..3).for_each(|step| counts.0[9 * suit + part + 3 * step] += 1);
                }
                if random.below(2) == 0 {
                    counts.0[random.below(34)] += 3;
                    counts.0[random.below(34)] += 2;
                } else {
                    (27..32).for_each(|honour| counts.0[honour] += 1);
                }
            }
            _ => {
                for _ in 0..4 {
                    let first = kinds[random.below(kinds.len())];
                    let declares = random.below(4) == 0;
                    if first < 27 && first % 9 < 7 && random.below(3) > 0 {
                        let middle = Kind::new(first as u8 + 1).unwrap();
                        if declares {
                            sets.push(DeclaredSet::Chow(middle));
                        } else {
                            (first..first + 3).for_each(|index| counts.0[index] += 1);
                        }
                    } else if declares {
                        sets.push(DeclaredSet::Pung(Kind::new(first as u8).unwrap()));
                    } else {
                        counts.0[first] += 3;
                    }
                }
                counts.0[kinds[random.below(kinds.len())]] += 2;
            }
        }
        for _ in 0..exchanged {
            let held: Vec<usize> = (0..34).filter(|&index| counts.0[index] > 0).collect();
            counts.0[held[random.below(held.len())]] -= 1;
            counts.0[random.below(34)] += 1;
        }
        let held: Vec<usize> = (0..34).filter(|&index| counts.0[index] > 0).collect();
        counts.0[held[random.below(held.len())]] -= 1;
        if let Ok(hand) = HandTiles::new(counts, &sets)
            && hand
                .declared()
                .0
                .iter()
                .zip(counts.0)
                .all(|(declared, held)| declared + held <= 4)
        {
            return hand;
        }
    }
}

/// Whether the hand wins after this many draws, with at least this many fan by a discard or
/// self-drawn.
fn wins_after(hand: &HandTiles, draws: u8, fan: u16, situation: &TargetSituation) -> bool {
    let mut open = vec![hand.clone()];
    for left in (1..=draws).rev() {
        let mut next = HashSet::new();
        for hand in open {
            for kind in Kind::all() {
                let drawn = hand.concealed()[kind] + hand.declared()[kind];
                if drawn >= 4 || situation.unseen[kind] == 0 {
                    continue;
                }
                if left == 1 {
                    for self_drawn in [false, true] {
                        let win = WinToCount {
                            self_drawn,
                            ..WinToCount::new(&hand, kind)
                        };
                        if count_fan(&win, Counting::Judge)
                            .is_some_and(|count| count.total() >= fan)
                        {
                            return true;
                        }
                    }
                } else if let Some(full) = hand.with(kind) {
                    for discard in full
                        .concealed()
                        .kinds()
                        .iter()
                        .filter(|&discard| discard != kind)
                    {
                        let after = full.without(discard).unwrap();
                        next.insert(after.concealed().0);
                    }
                }
            }
        }
        open = next
            .into_iter()
            .filter_map(|counts| HandTiles::new(Counts(counts), hand.sets()).ok())
            .collect();
    }
    false
}

fn situation(hand: &HandTiles) -> TargetSituation {
    let declared = hand.declared();
    let unseen = Counts(std::array::from_fn(|index| {
        4 - hand.concealed().0[index] - declared.0[index]
    }));
    TargetSituation {
        seat_wind: Wind::East,
        prevalent_wind: Wind::East,
        counting: Counting::Judge,
        unseen,
    }
}

#[test]
fn the_distance_is_the_number_of_missing_tiles() {
    let mut random = Rng::keyed(&[4]);
    let mut seen = [0; 3];
    for round in 0..150 {
        let hand = near(&mut random, round % 2);
        let situation = situation(&hand);
        let lacks = distance(&hand);
        // The distance ignores whether declared sets hold the missing tiles.
        if Kind::all().any(|kind| hand.declared()[kind] > 0 && situation.unseen[kind] == 0) {
            continue;
        }
        for draws in 1..=2.min(lacks) {
            assert_eq!(
                wins_after(&hand, draws, 1, &situation),
                draws == lacks,
                "{hand} lacks {lacks}, {draws} tiles"
            );
        }
        seen[usize::from(lacks.min(3)) - 1] += 1;
    }
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
}

#[test]
fn the_distance_to_eight_fan_is_that_of_exhaustive_search() {
    let mut random = Rng::keyed(&[8]);
    let mut seen = [0; 4];
    for round in 0..120 {
        let hand = near(&mut random, round % 2);
        let situation = situation(&hand);
        let nearest = distance_with_eight(&hand, &situation).unwrap_or(u8::MAX);
        for draws in 1..=2.min(nearest) {
            assert_eq!(
                wins_after(&hand, draws, 8, &situation),
                draws == nearest,
                "{hand} lacks {nearest}, {draws} tiles"
            );
        }
        seen[usize::from(nearest.min(4)) - 1] += 1;
    }
    assert!(seen[0] > 10 && seen[1] > 10, "{seen:?}");
}

#[test]
fn a_win_counts_eight_by_the_order_of_its_tiles_or_because_it_is_self_drawn() {
    // With 7m before 2p or 5p it is a Chicken Hand; with 7m last the edge wait counts one.
    let chicken = beside("567m", "89m34p444s77z4z");
    // The third concealed pung is self-drawn, because no 3z is left.
    let pungs = beside("123m", "88m222p555s33z");
    for (hand, lacks) in [(chicken, 2), (pungs, 1)] {
        let mut situation = situation(&hand);
        situation.unseen[Wind::West.kind()] = 0;
        assert_eq!(
            distance_with_eight(&hand, &situation),
            Some(lacks),
            "{hand}"
        );
    }
}

#[test]
fn a_target_needs_held_and_missing_tiles_and_counts_eight() {
    let mut random = Rng::keyed(&[9]);
    let mut found = 0;
    for _ in 0..40 {
        let mut wall: Vec<usize> = (0..34).flat_map(|index| [index; 4]).collect();
        random.shuffle(&mut wall);
        let mut counts = Counts::EMPTY;
        wall[..14].iter().for_each(|&index| counts.0[index] += 1);
        let hand = HandTiles::new(counts, &[]).unwrap();
        let situation = situation(&hand);
        let all = targets(&hand, &situation, 1);
        assert!(!all.is_empty(), "{hand}");
        for target in &all {
            assert!(target.fan >= 8);
            assert!(target.lacking >= distance(&hand));
            assert_eq!(target.missing.total(), u32::from(target.lacking));
            assert_eq!(target.needed.total(), 14);
            for kind in Kind::all() {
                assert_eq!(
                    target.needed[kind].saturating_sub(hand.concealed()[kind]),
                    target.missing[kind]
                );
            }
        }
        found += all.len();
    }
    assert!(found > 200, "{found}");
}

#[test]
fn after_a_discard_acceptance_equals_that_of_the_remaining_hand() {
    let full = hand("123m456p78s11224z9s");
    let options = discards(&full);
    let north = options
        .iter()
        .find(|option| option.discard == Kind::NORTH)
        .expect("the north wind");
    assert_eq!(north.distance, 1);
    assert_eq!(north.acceptance.to_string(), "12z");
    assert_eq!(
        acceptance(&full.without(Kind::NORTH).unwrap()),
        north.acceptance
    );
}

//! The figures of random hands, as they were before the computation was made faster.

use std::fmt::Write as _;

use riichi::score::Dora;
use riichi::shanten::shanten;
use riichi::{
    Called, ConcealedHand, Counts, Hand, Kind, KindSet, Meld, MeldKind, Rules, Seat, Wind,
};
use riichi_estimates::expectation::{Aim, Detours, DiscardChances, Expectation};

use crate::random::SplitMix64;
use crate::scene::{HandScene, situation};

/// A line for each hand: its distance from tenpai, and the best and the worst discard with the
/// chance to win and the points.
const FIGURES: &str = include_str!("frozen.txt");

/// Hands at each distance from tenpai.
const HANDS: [usize; 4] = [200, 200, 200, 40];

/// A hand of four players, some with a meld, in the middle of a round; every third without the
/// discards of others.
fn scene(random: &mut SplitMix64, steps: usize, case: usize) -> HandScene {
    let all = (0, 34);
    loop {
        let runs = [12, 3, 24].map(|first| Kind::new(first).expect("a kind"));
        let meld = (case % 4 == 3).then(|| {
            let first = runs[random.below(runs.len())];
            let tiles = [0, 1, 2].map(|step| first.offset(step).expect("a run").tile());
            let called = Called {
                tile: tiles[0],
                from: Seat::FIRST,
            };
            Meld::new(MeldKind::Chi, &tiles, Some(called), 0).expect("a run")
        });
        let melds: Vec<Meld> = meld.into_iter().collect();
        let mut hand = random.complete(4 - melds.len(), all);
        random.exchange(&mut hand, steps + 1, all);
        let marker = random.kind(0, 34);
        let mut seen = hand;
        for meld in &melds {
            meld.count_into(&mut seen);
        }
        seen[marker] += 1;
        for _ in 0..random.below(30) {
            let kind = random.kind(0, 34);
            if seen[kind] < 4 {
                seen[kind] += 1;
            }
        }
        let closed = ConcealedHand::new(hand, melds.len(), 4).expect("a full hand");
        if usize::try_from(shanten(&closed)) != Ok(steps) || seen.0.iter().any(|&seen| seen > 4) {
            continue;
        }
        let unseen = Counts(seen.0.map(|seen| 4 - seen));
        let fives = [4, 13, 22];
        let reds = fives.map(|five| u8::from(hand.0[five] > 0));
        let mut unseen_reds = fives.map(|five| u8::from(unseen.0[five] > 0));
        for (unseen, held) in unseen_reds.iter_mut().zip(reds) {
            *unseen = unseen.saturating_sub(held);
        }
        let thrown: KindSet = (0..random.below(9)).map(|_| random.kind(0, 34)).collect();
        let mut situation = situation();
        situation.oya = Seat::new(random.below(4) as u8).expect("a seat");
        situation.bakaze = if random.below(2) == 0 {
            Wind::East
        } else {
            Wind::South
        };
        situation.dora = Dora::named_by(&Rules::TENHOU_HALF, [marker.tile()]);
        return HandScene {
            hand: Hand::from_counts(hand, reds).expect("a hand"),
            melds,
            unseen: Hand::from_counts(unseen, unseen_reds).expect("tiles"),
            situation,
            thrown,
            draws: 1 + random.below(14) as u8,
            throws: [0, 3, 3][case % 3],
            may_riichi: !case.is_multiple_of(7),
            may_call: case % 3 == 2,
            ura_indicators: random.below(3) as u8,
            detours: if case % 8 == 5 && steps < 2 {
                Detours::One
            } else {
                Detours::None
            },
            aim: if case % 11 == 10 {
                Aim::Win
            } else {
                Aim::Points
            },
        };
    }
}

/// The line of a hand.
fn line(steps: usize, expectation: &Expectation) -> String {
    let mut line = steps.to_string();
    let discards = expectation.discards();
    for DiscardChances { tile, chances, .. } in discards.iter().take(1).chain(discards.last()) {
        let (win, points) = (chances.win, chances.points);
        write!(line, " {tile} {win:.6} {points:.2}").expect("a string grows");
    }
    line
}

/// For each of two discards of a line the tile, the chance to win and the points.
fn figures(line: &str) -> Vec<(&str, f64, f64)> {
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    words
        .chunks(3)
        .map(|words| {
            let number = |word: &str| word.parse().expect("a number");
            (words[0], number(words[1]), number(words[2]))
        })
        .collect()
}

pub(crate) fn lines() -> Vec<String> {
    let mut random = SplitMix64::new(53);
    let mut lines = Vec::new();
    for (steps, hands) in HANDS.into_iter().enumerate() {
        for case in 0..hands {
            let scene = scene(&mut random, steps, case);
            lines.push(line(steps, &scene.expectation()));
        }
    }
    lines
}

#[test]
fn the_figures_of_random_hands_are_what_they_were() {
    let lines = lines();
    let frozen: Vec<&str> = FIGURES.lines().collect();
    assert_eq!(lines.len(), frozen.len());
    for (now, before) in lines.iter().zip(frozen) {
        let (each, other) = (figures(now), figures(before));
        let as_before = each.len() == other.len()
            && each.iter().zip(&other).all(|(now, before)| {
                (now.1 - before.1).abs() < 1e-4 && (now.2 - before.2).abs() < 1.0
            });
        assert!(as_before, "now {now}, before {before}");
    }
}

//! Divisions of concealed tiles into sets and a pair, and the kinds that would complete them.

use arrayvec::ArrayVec;
use tiles::{KINDS, Kind};

use crate::hand::HandTiles;
use crate::masks::{EAST, KNITTED_STRAIGHTS, SUITED, bits};

/// One way to divide tiles into pungs, chows and a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Division {
    /// The kinds of the pungs.
    pub(crate) pungs: u64,
    /// The lowest tile of each chow by index, in order.
    pub(crate) chows: ArrayVec<u8, 4>,
    /// Index of the pair's kind.
    pub(crate) pair: u8,
}

/// The number of tiles of each kind in a hand; dividing the hand changes them.
pub(crate) type KindCounts = [u8; KINDS];

/// Calls `found` with each division, and each only once. The sets' lowest tiles ascend, and a pung
/// comes before a chow: of two divisions the one whose sets come first is found first.
pub(crate) fn divide(counts: &KindCounts, mut found: impl FnMut(&Division)) {
    // Of a complete hand one suit (or the honours) has two tiles more than a multiple of three, the
    // others none.
    let of_suit = |suit: usize| {
        counts[9 * suit..(9 * suit + 9).min(KINDS)]
            .iter()
            .sum::<u8>()
            % 3
    };
    let remainders = [of_suit(0), of_suit(1), of_suit(2), of_suit(3)];
    if remainders.contains(&1)
        || remainders
            .iter()
            .filter(|&&remainder| remainder == 2)
            .count()
            != 1
    {
        return;
    }
    let mut rest = *counts;
    let mut division = Division {
        pungs: 0,
        chows: ArrayVec::new(),
        pair: NO_PAIR,
    };
    divide_from(&mut rest, 0, &mut division, &mut found);
}

const NO_PAIR: u8 = u8::MAX;

fn divide_from(
    rest: &mut KindCounts,
    from: usize,
    division: &mut Division,
    found: &mut impl FnMut(&Division),
) {
    let Some(index) = (from..KINDS).find(|&index| rest[index] > 0) else {
        if division.pair != NO_PAIR {
            found(division);
        }
        return;
    };
    let count = rest[index];
    let can_run = SUITED >> index & 1 == 1 && index % 9 < 7;
    // The lowest tile is in a pung, in chows that begin with it, or in the pair; and so is every
    // tile of its kind.
    for (pung, pair) in [(true, false), (true, true), (false, false), (false, true)] {
        let used = 3 * u8::from(pung) + 2 * u8::from(pair);
        if used > count || (pair && division.pair != NO_PAIR) {
            continue;
        }
        let runs = count - used;
        if runs > 0 && !(can_run && rest[index + 1] >= runs && rest[index + 2] >= runs) {
            continue;
        }
        let sets = division.pungs.count_ones() as usize
            + division.chows.len()
            + usize::from(pung)
            + usize::from(runs);
        if sets > 4 {
            continue;
        }
        rest[index] = 0;
        if runs > 0 {
            rest[index + 1] -= runs;
            rest[index + 2] -= runs;
        }
        if pung {
            division.pungs |= 1 << index;
        }
        let pair_before = division.pair;
        if pair {
            division.pair = index as u8;
        }
        for _ in 0..runs {
            division.chows.push(index as u8);
        }
        divide_from(rest, index + 1, division, found);
        division
            .chows
            .truncate(division.chows.len() - usize::from(runs));
        division.pair = pair_before;
        if pung {
            division.pungs &= !(1 << index);
        }
        if runs > 0 {
            rest[index + 1] += runs;
            rest[index + 2] += runs;
        }
        rest[index] = count;
    }
}

/// The kinds, as bits, that complete the tiles to sets and a pair. There must be one more than a
/// multiple of three. It does not check whether such a tile remains: it may be the fifth of its
/// kind.
pub(crate) fn completing(counts: &KindCounts) -> u64 {
    let part = |suit: usize| &counts[9 * suit..(9 * suit + 9).min(KINDS)];
    let remainders: [u8; 4] = std::array::from_fn(|suit| part(suit).iter().sum::<u8>() % 3);
    let Some(odd) = (0..4).find(|&suit| remainders[suit] != 0) else {
        return 0;
    };
    let all_sets_but =
        |left_out: &[usize]| (0..4).all(|suit| left_out.contains(&suit) || is_sets(part(suit)));
    let completing = |suit: usize, complete: fn(&[u8]) -> bool| {
        let mut with = [0; 9];
        let length = part(suit).len();
        with[..length].copy_from_slice(part(suit));
        let mut kinds = 0;
        for place in 0..length {
            with[place] += 1;
            if complete(&with[..length]) {
                kinds |= 1 << (9 * suit + place);
            }
            with[place] -= 1;
        }
        kinds
    };
    match remainders[odd] {
        // The missing tile is of the suit that has the pair.
        1 if all_sets_but(&[odd]) => completing(odd, is_sets_and_pair),
        2 => {
            let Some(other) = (odd + 1..4).find(|&suit| remainders[suit] == 2) else {
                return 0;
            };
            if !all_sets_but(&[odd, other]) {
                return 0;
            }
            let mut kinds = 0;
            if is_sets_and_pair(part(other)) {
                kinds |= completing(odd, is_sets);
            }
            if is_sets_and_pair(part(odd)) {
                kinds |= completing(other, is_sets);
            }
            kinds
        }
        _ => 0,
    }
}

/// Whether a tile may complete a hand: false only when it does not. Cheap, for a question that is
/// asked at every discard.
pub(crate) fn completing_with(hand: &HandTiles, tile: Kind) -> bool {
    let sets = hand.sets().len();
    let held = &hand.concealed().0;
    completing(held) >> tile.index() & 1 == 1
        || (sets == 0
            && (seventh_pair(held) >> tile.index() & 1 == 1 || kinds_of(held).count_ones() >= 12))
        || (sets <= 1 && {
            let kinds = kinds_of(held) | 1 << tile.index();
            KNITTED_STRAIGHTS
                .iter()
                .any(|straight| straight & !kinds == 0)
        })
}

/// Whether the tiles of a suit (nine counts) or the honours (seven) are sets.
fn is_sets(part: &[u8]) -> bool {
    if part.len() < 9 {
        return part.iter().all(|&count| count % 3 == 0);
    }
    let mut rest = [0; 11];
    rest[..9].copy_from_slice(part);
    for index in 0..9 {
        // Three equal chows are three pungs: a pung is never worse.
        let runs = rest[index] % 3;
        if runs > 0 {
            if index > 6 || rest[index + 1] < runs || rest[index + 2] < runs {
                return false;
            }
            rest[index + 1] -= runs;
            rest[index + 2] -= runs;
        }
    }
    true
}

/// As [`is_sets`], but with a pair.
fn is_sets_and_pair(part: &[u8]) -> bool {
    let mut rest = [0; 9];
    rest[..part.len()].copy_from_slice(part);
    (0..part.len()).any(|index| {
        part[index] >= 2 && {
            rest[index] -= 2;
            let complete = is_sets(&rest[..part.len()]);
            rest[index] += 2;
            complete
        }
    })
}

/// The kinds that are held an odd number of times, when one more tile makes seven pairs of 13
/// tiles; four equal tiles are two pairs.
pub(crate) fn seventh_pair(counts: &KindCounts) -> u64 {
    let mut odd = 0;
    for (index, &count) in counts.iter().enumerate() {
        odd |= u64::from(count & 1) << index;
    }
    if odd.count_ones() == 1 { odd } else { 0 }
}

/// The kinds with at least one tile.
pub(crate) fn kinds_of(counts: &KindCounts) -> u64 {
    tiles::Counts(*counts).kinds().bits()
}

/// The counts without one tile of each of these kinds.
pub(crate) fn without_each(counts: &KindCounts, kinds: u64) -> KindCounts {
    let mut rest = *counts;
    for index in bits(kinds) {
        rest[index] -= 1;
    }
    rest
}

/// Whether a kind of this index is an honour.
pub(crate) const fn is_honour(index: u8) -> bool {
    index as usize >= EAST
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiles::Counts;
    use tiles::notation::Tiles;

    fn counts(text: &str) -> KindCounts {
        text.parse::<Tiles>()
            .unwrap()
            .0
            .into_iter()
            .collect::<Counts>()
            .0
    }

    fn divisions(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        divide(&counts(text), |division| {
            let name = |index: usize| Kind::new(index as u8).unwrap().to_string();
            let pungs = bits(division.pungs).map(|index| format!("{0}{0}{0}", name(index)));
            let chows = division
                .chows
                .iter()
                .map(|&index| format!("{}+", name(index.into())));
            all.push(
                pungs
                    .chain(chows)
                    .chain([format!("={}", name(division.pair.into()))])
                    .collect::<Vec<_>>()
                    .join(" "),
            );
        });
        all
    }

    #[test]
    fn every_division_is_found_once() {
        assert_eq!(
            divisions("11122233344499m"),
            [
                "1m1m1m 2m2m2m 3m3m3m 4m4m4m =9m",
                "1m1m1m 2m+ 2m+ 2m+ =9m",
                "4m4m4m 1m+ 1m+ 1m+ =9m"
            ]
        );
        assert_eq!(divisions("112233445566m77p"), ["1m+ 1m+ 4m+ 4m+ =7p"]);
        assert_eq!(divisions("2223m"), Vec::<String>::new());
        assert_eq!(divisions("11222233m44455z").len(), 0);
        // Without the pair 1m: pairs 1, 4 and 7 in one suit of two equal rows.
        assert_eq!(
            divisions("22334455667788m"),
            [
                "2m+ 2m+ 5m+ 5m+ =8m",
                "2m+ 2m+ 6m+ 6m+ =5m",
                "3m+ 3m+ 6m+ 6m+ =2m"
            ]
        );
    }

    #[test]
    fn completing_tiles_are_those_that_divide_with_one_more() {
        let mut random = game_core::rng::Rng::keyed(&[16]);
        let mut completed = 0;
        for round in 0..4000 {
            // A wall of few kinds, so that many hands wait.
            let kinds = [9, 12, 18, 34][round % 4];
            let mut wall: Vec<usize> = (0..kinds).flat_map(|index| [index; 4]).collect();
            random.shuffle(&mut wall);
            let mut hand = [0; KINDS];
            for &index in &wall[..13 - 3 * random.below(5)] {
                hand[index] += 1;
            }
            let mut expected = 0;
            for index in 0..KINDS {
                hand[index] += 1;
                divide(&hand, |_| expected |= 1_u64 << index);
                hand[index] -= 1;
            }
            assert_eq!(completing(&hand), expected, "{hand:?}");
            completed += u32::from(expected != 0);
        }
        assert!(completed > 800, "{completed}");
    }
}

//! Fan of two, three and four chows together: which combinations may be counted with each other.
//!
//! The principles of the official rules (pp. 29-30): sets joined once stay joined (不拆移), a set that
//! has made a fan with another does not make the same fan with a third (不得相同), a set that has not
//! been joined may be joined once with one that has (套算一次), and the player takes the dearest
//! (就高不就低). Together: each fan joins sets that were not joined before, not even by way of others,
//! and no set is in two fan of the same name.

use crate::fan::Fan;

/// The fan of two chows, by the index of their lowest tiles.
fn of_two(a: u8, b: u8) -> Option<Fan> {
    let (rank_a, rank_b) = (a % 9, b % 9);
    if a / 9 != b / 9 {
        return (rank_a == rank_b).then_some(Fan::MixedDoubleChow);
    }
    match rank_a.abs_diff(rank_b) {
        0 => Some(Fan::PureDoubleChow),
        3 => Some(Fan::ShortStraight),
        6 => Some(Fan::TwoTerminalChows),
        _ => None,
    }
}

/// The fan of three chows, in any order.
fn of_three(chows: [u8; 3]) -> Option<Fan> {
    let mut by_rank = chows.map(|chow| (chow % 9, chow / 9));
    by_rank.sort_unstable();
    let [(a, suit_a), (b, suit_b), (c, suit_c)] = by_rank;
    let steps = (b - a, c - b);
    if suit_a == suit_b && suit_b == suit_c {
        match steps {
            (0, 0) => Some(Fan::PureTripleChow),
            (1, 1) | (2, 2) => Some(Fan::PureShiftedChows),
            (3, 3) => Some(Fan::PureStraight),
            _ => None,
        }
    } else if suit_a != suit_b && suit_b != suit_c && suit_a != suit_c {
        match steps {
            (0, 0) => Some(Fan::MixedTripleChow),
            (1, 1) => Some(Fan::MixedShiftedChows),
            (3, 3) => Some(Fan::MixedStraight),
            _ => None,
        }
    } else {
        None
    }
}

/// The fan of four chows in order of index.
fn of_four([a, b, c, d]: [u8; 4]) -> Option<Fan> {
    if a / 9 != d / 9 {
        return None;
    }
    match (b - a, c - b, d - c) {
        (0, 0, 0) => Some(Fan::QuadrupleChow),
        (1, 1, 1) | (2, 2, 2) => Some(Fan::FourPureShiftedChows),
        _ => None,
    }
}

/// The pairs of four chows.
const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)];

/// By set of pairs (bits of [`PAIRS`]): whether each joins chows that were not joined before.
const JOINS_ONCE: [bool; 64] = {
    let mut joins = [false; 64];
    let mut chosen = 0;
    while chosen < 64 {
        let mut group = [0, 1, 2, 3];
        let mut once = true;
        let mut pair = 0;
        while pair < 6 {
            if chosen >> pair & 1 == 1 {
                let (a, b) = (group[PAIRS[pair].0], group[PAIRS[pair].1]);
                once &= a != b;
                let mut chow = 0;
                while chow < 4 {
                    if group[chow] == b {
                        group[chow] = a;
                    }
                    chow += 1;
                }
            }
            pair += 1;
        }
        joins[chosen] = once;
        chosen += 1;
    }
    joins
};

/// Calls `count` with each fan of up to four chows (lowest tiles by index, in order) that is
/// counted in the dearest choice.
pub(crate) fn chow_fans(chows: &[u8], mut count: impl FnMut(Fan)) {
    match *chows {
        [a, b] => {
            if let Some(fan) = of_two(a, b) {
                count(fan);
            }
        }
        [a, b, c] => match of_three([a, b, c]) {
            Some(fan) => count(fan),
            None => of_pairs(chows, count),
        },
        [a, b, c, d] => {
            if let Some(fan) = of_four([a, b, c, d]) {
                return count(fan);
            }
            // Any fan of three chows exceeds the three fan that pairs of four can make.
            let mut best: Option<(u8, Fan, Option<Fan>)> = None;
            for (three, fourth) in [
                ([a, b, c], d),
                ([a, b, d], c),
                ([a, c, d], b),
                ([b, c, d], a),
            ] {
                if let Some(fan) = of_three(three) {
                    let beside = three
                        .into_iter()
                        .filter_map(|chow| of_two(chow, fourth))
                        .min();
                    let value = fan.value() + u8::from(beside.is_some());
                    if best.is_none_or(|(most, ..)| value > most) {
                        best = Some((value, fan, beside));
                    }
                }
            }
            match best {
                Some((_, fan, beside)) => {
                    count(fan);
                    if let Some(fan) = beside {
                        count(fan);
                    }
                }
                None => of_pairs(chows, count),
            }
        }
        _ => {}
    }
}

/// The most fan of two chows each that three or four chows make; of equally many the first in the
/// order of the rules.
fn of_pairs(chows: &[u8], mut count: impl FnMut(Fan)) {
    let mut fans = [None; 6];
    let mut there = 0_usize;
    for (pair, &(a, b)) in PAIRS.iter().enumerate() {
        if let (Some(&a), Some(&b)) = (chows.get(a), chows.get(b)) {
            fans[pair] = of_two(a, b);
            there |= usize::from(fans[pair].is_some()) << pair;
        }
    }
    // Pairs that share a chow and make the same fan.
    let mut same = [0_usize; 6];
    if there.count_ones() > 1 {
        for (one, &(a, b)) in PAIRS.iter().enumerate() {
            for (other, &(c, d)) in PAIRS.iter().enumerate() {
                let share = one != other && (a == c || a == d || b == c || b == d);
                same[one] |=
                    usize::from(share && fans[one].is_some() && fans[one] == fans[other]) << other;
            }
        }
    }
    let mut best = (0, 0, 0);
    let mut chosen = there;
    while chosen > 0 {
        let pairs = || (0..6).filter(|pair| chosen >> pair & 1 == 1);
        if JOINS_ONCE[chosen] && pairs().all(|pair| same[pair] & chosen == 0) {
            let order: u32 = pairs()
                .filter_map(|pair| fans[pair])
                .map(|fan| u32::from(fan as u8))
                .sum();
            let rank = (chosen.count_ones(), u32::MAX - order);
            if rank > (best.0, best.1) {
                best = (rank.0, rank.1, chosen);
            }
        }
        chosen = (chosen - 1) & there;
    }
    for fan in (0..6)
        .filter(|pair| best.2 >> pair & 1 == 1)
        .filter_map(|pair| fans[pair])
    {
        count(fan);
    }
}

/// The fan of two chows that each two of these make, counted or not.
pub(crate) fn pair_fans(chows: &[u8]) -> impl Iterator<Item = Fan> {
    let pair = |&(a, b): &(usize, usize)| of_two(*chows.get(a)?, *chows.get(b)?);
    PAIRS.iter().filter_map(pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fans(chows: &[u8]) -> Vec<&'static str> {
        let mut names = Vec::new();
        chow_fans(chows, |fan| names.push(fan.english()));
        names.sort_unstable();
        names
    }

    #[test]
    fn of_234567_in_two_suits_three_of_four_combinations_count() {
        assert_eq!(
            fans(&[1, 4, 10, 13]),
            ["Mixed Double Chow", "Mixed Double Chow", "Short Straight"]
        );
    }

    #[test]
    fn a_set_makes_the_same_fan_only_once() {
        assert_eq!(
            fans(&[1, 10, 10]),
            ["Mixed Double Chow", "Pure Double Chow"]
        );
        assert_eq!(
            fans(&[1, 10, 10, 13]),
            ["Mixed Double Chow", "Pure Double Chow", "Short Straight"]
        );
    }

    #[test]
    fn beside_a_fan_of_three_chows_the_fourth_is_joined_once() {
        assert_eq!(fans(&[0, 3, 3, 6]), ["Pure Double Chow", "Pure Straight"]);
        assert_eq!(
            fans(&[0, 1, 2, 4]),
            ["Pure Shifted Chows", "Short Straight"]
        );
        assert_eq!(fans(&[0, 2, 4, 6]), ["Four Pure Shifted Chows"]);
    }
}

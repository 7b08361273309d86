//! The distance of a hand from a win: the number of missing tiles. 0 is a complete hand, 1 waits.
//!
//! The distance equals the shanten number of riichi plus one, for the forms of this game: four
//! equal tiles may be two pairs of seven, and there are two forms of knitted tiles. A complete hand
//! never has a kind five times; it does not check whether the missing tiles can still be drawn. For
//! the distance to a win of eight fan, see [`crate::targets`].

use tiles::shanten::{standard_shanten, thirteen_orphans_shanten};
use tiles::{ConcealedHand, Kind, KindSet};

use crate::count::WinningForm;
use crate::division::kinds_of;
use crate::hand::HandTiles;
use crate::masks::{HONOURS, KNITTED_STRAIGHTS, bits};

/// Players of the game, for the tables of [`tiles::shanten`].
const PLAYERS: u8 = 4;

/// Tiles that a hand lacks to the nearest win of any form.
pub fn distance(hand: &HandTiles) -> u8 {
    FORMS
        .iter()
        .filter_map(|&form| distance_to(hand, form))
        .min()
        .unwrap_or(u8::MAX)
}

/// The forms whose distances are the least; nine gates is a hand of sets as well.
const FORMS: [WinningForm; 5] = [
    WinningForm::Sets,
    WinningForm::SevenPairs,
    WinningForm::ThirteenOrphans,
    WinningForm::HonoursAndKnitted,
    WinningForm::KnittedStraight,
];

/// Tiles that a hand lacks to a win of this form; `None` when its declared sets rule the form out.
pub fn distance_to(hand: &HandTiles, form: WinningForm) -> Option<u8> {
    let sets = hand.sets().len();
    let counts = &hand.concealed().0;
    let concealed = || ConcealedHand::new(*hand.concealed(), sets, PLAYERS).ok();
    match form {
        WinningForm::Sets => Some((standard_shanten(&concealed()?) + 1) as u8),
        WinningForm::KnittedStraight => (sets <= 1).then(|| to_knitted_straight(hand)),
        _ if sets > 0 => None,
        WinningForm::SevenPairs => Some(7 - counts.iter().map(|count| count / 2).sum::<u8>()),
        WinningForm::ThirteenOrphans => Some((thirteen_orphans_shanten(&concealed()?)? + 1) as u8),
        WinningForm::HonoursAndKnitted => {
            let kinds = kinds_of(counts);
            let most = KNITTED_STRAIGHTS
                .iter()
                .map(|straight| (kinds & (straight | HONOURS)).count_ones())
                .max();
            Some(14 - most.unwrap_or(0) as u8)
        }
        WinningForm::NineGates => {
            let best = (0..3).map(|suit| {
                let gates = [3, 1, 1, 1, 1, 1, 1, 1, 3];
                (0..9)
                    .map(|rank| counts[9 * suit + rank].min(gates[rank]))
                    .sum::<u8>()
            });
            let thirteen = 13 - best.max().unwrap_or(0);
            // The fourteenth is any other tile of the suit. It counts only beside the thirteen,
            // since it is drawn last.
            let complete =
                (0..3).any(|suit| counts[9 * suit..9 * suit + 9].iter().sum::<u8>() == 14);
            Some(thirteen + u8::from(thirteen > 0 || !complete))
        }
    }
}

fn to_knitted_straight(hand: &HandTiles) -> u8 {
    let counts = &hand.concealed().0;
    let kinds = kinds_of(counts);
    let mut best = u8::MAX;
    for straight in KNITTED_STRAIGHTS {
        let missing = 9 - (kinds & straight).count_ones() as u8;
        if missing >= best {
            continue;
        }
        let mut rest = *counts;
        for index in bits(kinds & straight) {
            rest[index] -= 1;
        }
        // The straight takes one of each of its kinds, also of those that are missing.
        let limit: [u8; 34] = std::array::from_fn(|index| 4 - u8::from(straight >> index & 1 == 1));
        let beside = if hand.sets().is_empty() {
            set_and_pair(&rest, &limit)
        } else {
            pair(&rest, &limit)
        };
        best = best.min(missing + beside);
    }
    best
}

/// Tiles missing to a pair, with no kind used more often than its limit.
fn pair(rest: &[u8; 34], limit: &[u8; 34]) -> u8 {
    (0..34)
        .filter(|&index| limit[index] >= 2)
        .map(|index| 2 - rest[index].min(2))
        .min()
        .unwrap_or(2)
}

/// Tiles missing to a set and a pair, with no kind used more often than its limit.
fn set_and_pair(rest: &[u8; 34], limit: &[u8; 34]) -> u8 {
    let mut best = 5;
    let mut left = *rest;
    let mut limits = *limit;
    let mut with = |parts: [usize; 3]| {
        let mut missing = 0;
        let mut fits = true;
        for part in parts {
            if left[part] > 0 {
                left[part] -= 1;
            } else {
                missing += 1;
            }
            fits &= limits[part] > 0;
            limits[part] = limits[part].saturating_sub(1);
        }
        // A set of nothing held is never better than one of something.
        if fits && missing < best.min(3) {
            best = best.min(missing + pair(&left, &limits));
        }
        for part in parts {
            (left[part], limits[part]) = (rest[part], limit[part]);
        }
    };
    for index in (0..34).filter(|&index| rest[index] > 0) {
        with([index; 3]);
        if index < 27 {
            let rank = index % 9;
            for first in rank.saturating_sub(2)..=rank.min(6) {
                let first = index - rank + first;
                with([first, first + 1, first + 2]);
            }
        }
    }
    best
}

/// The kinds that bring a hand of 13 tiles closer to a win; empty for a full hand.
pub fn acceptance(hand: &HandTiles) -> KindSet {
    distance_and_acceptance(hand).1
}

/// Both at once. A tile brings no form closer by more than one, so only the forms that are the
/// nearest now can come closer than that.
fn distance_and_acceptance(hand: &HandTiles) -> (u8, KindSet) {
    let distances = FORMS.map(|form| distance_to(hand, form));
    let now = distances.into_iter().flatten().min().unwrap_or(u8::MAX);
    let comes_closer = |with: &HandTiles| {
        let mut nearest = FORMS
            .into_iter()
            .zip(distances)
            .filter(|(_, distance)| *distance == Some(now));
        nearest.any(|(form, _)| distance_to(with, form).is_some_and(|distance| distance < now))
    };
    (
        now,
        Kind::all()
            .filter(|&kind| hand.with(kind).as_ref().is_some_and(comes_closer))
            .collect(),
    )
}

/// A discard and the resulting hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscardDistance {
    /// The discard.
    pub discard: Kind,
    /// Tiles that the hand then lacks.
    pub distance: u8,
    /// The kinds that bring it closer then.
    pub acceptance: KindSet,
}

/// Every discard of a full hand, in order of kind; empty before a draw.
pub fn discards(hand: &HandTiles) -> Vec<DiscardDistance> {
    let kinds = hand.concealed().kinds();
    let of = |discard: Kind| {
        let (distance, acceptance) = distance_and_acceptance(&hand.without(discard)?);
        Some(DiscardDistance {
            discard,
            distance,
            acceptance,
        })
    };
    kinds.iter().filter_map(of).collect()
}

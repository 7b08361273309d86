//! The shapes of a hand, counted at a glance.

use riichi::{Counts, Kind, KindSet};

/// The shapes among closed tiles. A tile may be counted in several.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Shapes {
    pub(super) pairs: u8,
    pub(super) triplets: u8,
    /// Two in a row that a tile at either end completes.
    pub(super) two_sided: u8,
    /// Two with one missing between them, or 12 and 89.
    pub(super) one_sided: u8,
    /// Three in a row.
    pub(super) runs: u8,
    /// 12 without 3, and 89 without 7.
    pub(super) ends: u8,
    /// Three with one missing between each two.
    pub(super) double_gaps: u8,
    /// Four in a row.
    pub(super) fours: u8,
    /// Three in a row with the middle one twice.
    pub(super) bulges: u8,
    /// A pair beside a single neighbour, on either side.
    pub(super) leanings: u8,
    /// Single tiles without another within two steps: honours, 1 and 9, 2 and 8, 3 to 7.
    pub(super) isolated: [u8; 4],
}

impl Shapes {
    pub(super) fn of(closed: &Counts) -> Self {
        let mut shapes = Self::default();
        for (kind, &count) in Kind::all().zip(&closed.0).filter(|&(_, &count)| count > 0) {
            let near = |steps: i8| kind.offset(steps).map_or(0, |other| closed[other]);
            shapes.pairs += u8::from(count == 2);
            shapes.triplets += u8::from(count >= 3);
            let Some(number) = kind.number() else {
                shapes.isolated[0] += u8::from(count == 1);
                continue;
            };
            let (next, after) = (near(1), near(2));
            let is_end = number == 1 && after == 0 || number == 8 && near(-1) == 0;
            shapes.ends += u8::from(next > 0 && is_end);
            shapes.double_gaps += u8::from(next == 0 && after > 0 && near(3) == 0 && near(4) > 0);
            shapes.fours += u8::from(next > 0 && after > 0 && near(3) > 0);
            shapes.bulges += u8::from(next >= 2 && after > 0);
            let is_single = |near: u8| u8::from(near == 1);
            shapes.leanings += u8::from(count == 2) * (is_single(near(-1)) + is_single(next));
            if next > 0 {
                let is_two_sided = (2..=7).contains(&number);
                shapes.two_sided += u8::from(is_two_sided);
                shapes.one_sided += u8::from(!is_two_sided);
                shapes.runs += u8::from(after > 0);
            } else {
                shapes.one_sided += u8::from(after > 0);
            }
            if count == 1 && next == 0 && after == 0 && near(-1) == 0 && near(-2) == 0 {
                let class = match number {
                    1 | 9 => 1,
                    2 | 8 => 2,
                    _ => 3,
                };
                shapes.isolated[class] += 1;
            }
        }
        shapes
    }
}

/// The number of kinds held of the nine of the nearest three colours (sanshoku).
pub(super) fn three_colours(all: KindSet) -> u32 {
    let suits = [0, 9, 18].map(|first| all.bits() >> first & 0x1ff);
    let at = |first: u32| {
        suits
            .iter()
            .map(|suit| (suit >> first & 0b111).count_ones())
            .sum()
    };
    (0..7).map(at).max().unwrap_or(0)
}

/// The number of kinds held of the nine of the nearest straight (ittsuu).
pub(super) fn straight(all: KindSet) -> u32 {
    [0, 9, 18]
        .into_iter()
        .map(|first| (all.bits() >> first & 0x1ff).count_ones())
        .max()
        .unwrap_or(0)
}

/// The number of tiles that are neither honours nor of the commonest suit.
pub(super) fn outside_one_suit(all: &Counts) -> u32 {
    let suits = [0, 9, 18].map(|first: usize| {
        all.0[first..first + 9]
            .iter()
            .map(|&count| u32::from(count))
            .sum::<u32>()
    });
    suits.iter().sum::<u32>() - suits.iter().max().unwrap_or(&0)
}

#[cfg(test)]
mod tests {
    use policy_sdk::testing::tile;

    use super::*;

    fn counts(tiles: &[&str]) -> Counts {
        tiles.iter().map(|name| tile(name)).collect()
    }

    #[test]
    fn shapes_are_counted_by_what_completes_them() {
        let shapes = Shapes::of(&counts(&[
            "1m", "2m", "4m", "5m", "3p", "5p", "9p", "9p", "4s", "1z", "6z", "6z", "6z",
        ]));
        assert_eq!(
            (shapes.two_sided, shapes.one_sided),
            (1, 3),
            "45m; 12m, 24m and 35p"
        );
        assert_eq!(
            (shapes.pairs, shapes.triplets, shapes.isolated),
            (1, 1, [1, 0, 0, 1])
        );
    }

    #[test]
    fn shapes_that_improve_are_counted() {
        let of = |tiles: &[&str]| {
            let Shapes {
                ends,
                double_gaps,
                fours,
                bulges,
                leanings,
                ..
            } = Shapes::of(&counts(tiles));
            [ends, double_gaps, fours, bulges, leanings]
        };
        assert_eq!(
            of(&["1m", "2m", "8p", "9p", "1s", "2s", "3s"]),
            [2, 0, 0, 0, 0],
            "12m and 89p"
        );
        assert_eq!(
            of(&["2m", "4m", "6m", "5p", "6p", "7p", "9p"]),
            [0, 1, 0, 0, 0],
            "246m"
        );
        assert_eq!(
            of(&["3m", "4m", "5m", "6m", "4p", "5p", "5p", "6p"]),
            [0, 0, 1, 1, 2],
            "3456m; 4556p"
        );
        assert_eq!(
            of(&["3m", "3m", "4m", "5p", "6p", "6p", "1z", "1z", "2z"]),
            [0, 0, 0, 0, 2],
            "334m and 566p"
        );
    }

    #[test]
    fn the_nearest_three_colours_and_straight_are_found() {
        let held = counts(&["2m", "3m", "4m", "2p", "3p", "2s", "4s", "7s", "9s"]).kinds();
        assert_eq!((three_colours(held), straight(held)), (7, 4));
    }
}

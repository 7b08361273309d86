//! All ways to split the closed tiles of a hand into parts: runs, triplets, pairs, neighbours, gaps
//! and isolated tiles.
//!
//! The same tiles can be split in many ways: `112m` is a pair and a tile, or neighbours and a tile,
//! or three tiles. Each way is found once, also where parts could be joined to a better one.
//!
//! Neither the melds nor the number of players changes how tiles can be split.

use arrayvec::ArrayVec;

use tiles::{ConcealedHand, Counts, KINDS, Kind, KindSet};

mod best;

pub use best::{Split, best_split, split_shanten};

/// Maximum number of tiles, and so of parts, of a hand.
const MAX_PARTS: usize = 14;

/// The shape of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// Three of a kind.
    Triplet,
    /// Three in a row.
    Run,
    /// Two of a kind.
    Pair,
    /// Two in a row, such as 23; 12 and 89 too, which only one kind makes a run.
    Neighbours,
    /// Two with one missing between them, such as 13.
    Gap,
    /// A single tile.
    Isolated,
}

impl Shape {
    /// All of them, in the order in which they are tried.
    pub const ALL: [Self; 6] = [
        Self::Triplet,
        Self::Run,
        Self::Pair,
        Self::Neighbours,
        Self::Gap,
        Self::Isolated,
    ];

    /// The distance of each of its tiles from the lowest.
    const fn steps(self) -> &'static [i8] {
        match self {
            Self::Triplet => &[0, 0, 0],
            Self::Run => &[0, 1, 2],
            Self::Pair => &[0, 0],
            Self::Neighbours => &[0, 1],
            Self::Gap => &[0, 2],
            Self::Isolated => &[0],
        }
    }

    /// The numbers of tiles of its lowest kind, of the next, and of the one after.
    const fn tiles(self) -> [u8; 3] {
        const TILES: [[u8; 3]; Shape::ALL.len()] = {
            let mut tiles = [[0; 3]; Shape::ALL.len()];
            let mut shape = 0;
            while shape < tiles.len() {
                let mut steps = Shape::ALL[shape].steps();
                while let [step, rest @ ..] = steps {
                    tiles[shape][*step as usize] += 1;
                    steps = rest;
                }
                shape += 1;
            }
            tiles
        };
        TILES[self as usize]
    }
}

/// A part of a split hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    first: Kind,
    shape: Shape,
}

impl Part {
    /// The part of this shape whose lowest kind is `first`; `None` if the part would go beyond the
    /// end of the suit, and for consecutive honours.
    pub fn new(shape: Shape, first: Kind) -> Option<Self> {
        let part = Self { first, shape };
        (part.kinds().count() == shape.steps().len()).then_some(part)
    }

    /// The shape of its tiles.
    pub const fn shape(self) -> Shape {
        self.shape
    }

    /// Its lowest kind.
    pub const fn first(self) -> Kind {
        self.first
    }

    /// The kind of each of its tiles, the lowest first.
    pub fn kinds(self) -> impl Iterator<Item = Kind> {
        self.at(self.shape.steps())
    }

    /// The kinds that improve it: one tile makes a pair, neighbours or a gap a set, or an isolated
    /// tile one of these. Empty for sets.
    pub fn wanted(self) -> KindSet {
        let steps: &[i8] = match self.shape {
            Shape::Triplet | Shape::Run => &[],
            Shape::Pair => &[0],
            Shape::Neighbours => &[-1, 2],
            Shape::Gap => &[1],
            Shape::Isolated => &[-2, -1, 0, 1, 2],
        };
        self.at(steps).collect()
    }

    /// The kinds at these distances from the lowest, as far as the suit has them.
    fn at(self, steps: &[i8]) -> impl Iterator<Item = Kind> + use<'_> {
        steps.iter().filter_map(move |&step| {
            if step == 0 {
                Some(self.first)
            } else {
                self.first.offset(step)
            }
        })
    }
}

/// Parts in order of their lowest kinds, and of shapes where these are the same.
pub type SplitParts = ArrayVec<Part, MAX_PARTS>;

/// Calls `visit` with each way to split the concealed tiles of a hand, once.
///
/// Ways come in the order of their parts. There are many: some 10,000 for 14 tiles of one suit, and
/// for tiles of several suits the product of the numbers for each suit. [`best_split`] does not go
/// through them all.
pub fn for_each_split(hand: &ConcealedHand, mut visit: impl FnMut(&[Part])) {
    let mut tiles = SpacedCounts::new(hand.counts());
    tiles.split(0, KINDS, &mut SplitParts::new(), &mut visit);
}

/// Counts with two empty places after each suit and each honour, so that no part reaches across.
struct SpacedCounts([u8; PLACES]);

const PLACES: usize = 3 * SUIT_PLACES + 7 * HONOUR_PLACES;
const SUIT_PLACES: usize = 9 + 2;
const HONOUR_PLACES: usize = 1 + 2;

/// The position of a kind.
const fn place(index: usize) -> usize {
    match index.checked_sub(Kind::EAST.index()) {
        None => index / 9 * SUIT_PLACES + index % 9,
        Some(honour) => 3 * SUIT_PLACES + honour * HONOUR_PLACES,
    }
}

impl SpacedCounts {
    fn new(counts: &Counts) -> Self {
        let mut tiles = [0; PLACES];
        for (index, &count) in counts.0.iter().enumerate() {
            tiles[place(index)] = count;
        }
        Self(tiles)
    }

    /// Splits the tiles of the kinds `from..end` and appends their parts to `parts`; the last part
    /// in it may begin at `from`. Tiles and parts are unchanged afterwards.
    fn split(
        &mut self,
        from: usize,
        end: usize,
        parts: &mut SplitParts,
        visit: &mut impl FnMut(&[Part]),
    ) {
        let Some((index, first)) = self.lowest(from, end) else {
            visit(parts);
            return;
        };
        for shape in Shape::ALL {
            let part = Part { first, shape };
            // Parts of one kind follow each other in the order of shapes, so that each way comes
            // once.
            if parts.last().is_none_or(|last| *last <= part) && self.take(part) {
                parts.push(part);
                self.split(index, end, parts, visit);
                parts.pop();
                self.put_back(part);
            }
        }
    }

    fn lowest(&self, from: usize, end: usize) -> Option<(usize, Kind)> {
        let index = (from..end).find(|&index| self.0[place(index)] > 0)?;
        Some((index, Kind::new(index as u8)?))
    }

    /// Takes a part's tiles out and returns whether they were there; if not, nothing changes.
    fn take(&mut self, part: Part) -> bool {
        let there = self.of(part);
        let wanted = part.shape.tiles();
        let all = there
            .iter()
            .zip(wanted)
            .all(|(&there, wanted)| there >= wanted);
        if all {
            there
                .iter_mut()
                .zip(wanted)
                .for_each(|(there, wanted)| *there -= wanted);
        }
        all
    }

    fn put_back(&mut self, part: Part) {
        self.of(part)
            .iter_mut()
            .zip(part.shape.tiles())
            .for_each(|(there, tiles)| *there += tiles);
    }

    /// The counts of a part's lowest kind and the two above it.
    fn of(&mut self, part: Part) -> &mut [u8] {
        let first = place(part.first.index());
        &mut self.0[first..first + 3]
    }
}

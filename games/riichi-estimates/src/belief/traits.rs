//! The features of a hand and a kind, as a list of the traits that hold.

use ::tiles::Kind;
use arrayvec::ArrayVec;

use super::reading::{LikelyYaku, PlayerFeatures, Stance, UnderRiichi};
use crate::danger::figures::{LINE_COLUMNS, line_column};
use crate::danger::{Class, Opponent, Traits};

/// The traits that hold, each by its number, at most one of each block.
pub type TraitList = ArrayVec<u16, 24>;

/// Mutually exclusive traits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraitBlock {
    /// The feature.
    pub name: &'static str,
    /// Number of traits.
    pub size: usize,
}

const fn block(name: &'static str, size: usize) -> TraitBlock {
    TraitBlock { name, size }
}

/// Total number of traits in the blocks.
const fn total(blocks: &[TraitBlock]) -> usize {
    let (mut total, mut place) = (0, 0);
    while place < blocks.len() {
        total += blocks[place].size;
        place += 1;
    }
    total
}

/// The features that predict whether a hand without riichi is tenpai.
pub const TENPAI_BLOCKS: [TraitBlock; 16] = [
    block("melds 0 to 4, by tiles thrown 0 to 19", 5 * 20),
    block(
        "melds 0 to 3, by drawn tiles thrown since the hand changed, 0 to 5",
        4 * 6,
    ),
    block(
        "melds 0 to 3, by tiles thrown from the hand since the last call, 0 to 5",
        4 * 6,
    ),
    block(
        "melds 0 to 3, by tiles thrown since the last call, 0 to 6",
        4 * 7,
    ),
    block(
        "closed or open, by the last tile from the hand",
        2 * (KIND_GROUPS + 1),
    ),
    block(
        "closed or open, by the one before it",
        2 * (KIND_GROUPS + 1),
    ),
    block(
        "closed or open, by how near the last tile from the hand is to the dora",
        2 * 4,
    ),
    block(
        "closed or open, by tiles from 3 to 7 among the first six",
        2 * 7,
    ),
    block("closed or open, by what it did under others' riichi", 2 * 6),
    block(
        "closed or open, by tiles thrown then that were not safe, 0 to 3",
        2 * 4,
    ),
    block("likely yaku", 5),
    block("melds 0 to 3, by han shown 0 to 3", 4 * 4),
    block("closed or open, by dealer or not", 2 * 2),
    block("tiles left, by eight", 10),
    block("closed kan", 2),
    block("likely yaku, by melds 0 to 3", 5 * 4),
];
/// Number of traits that predict whether a hand is tenpai.
pub const TENPAI_TRAITS: usize = total(&TENPAI_BLOCKS);

/// The features that predict whether a tenpai hand wins on a kind.
pub const WAIT_BLOCKS: [TraitBlock; 19] = [
    block("passed since the hand last changed", 1),
    block(
        "class, by two-sided waits left",
        Class::COUNT * LINE_COLUMNS,
    ),
    block("how near to the dora", 4),
    block("outside of early discards", 4),
    block(
        "beside the last tile from the hand: no, one, two, three away",
        4,
    ),
    block("beside the one before it", 4),
    block("copies unseen", 4),
    block("the suit collected", 4),
    block("tiles of the suit thrown, 0 to 5", 6),
    block("one nearer to the middle: not thrown, early, later", 3),
    block("one nearer to the end", 3),
    block("two nearer to the middle", 3),
    block("two nearer to the end", 3),
    block("four nearer to the middle", 3),
    block("sort of kind, by melds 0 to 4", KIND_GROUPS * 5),
    block("sort of kind, by tiles thrown, by three", KIND_GROUPS * 6),
    block("sort of kind, by likely yaku", KIND_GROUPS * 5),
    block("share of the possible waits", SHARE_COLUMNS),
    block("melds all triplets: honour, shut, open side", 3 * 3),
];
/// Number of traits that predict whether a tenpai hand wins on a kind.
pub const WAIT_TRAITS: usize = total(&WAIT_BLOCKS);

/// The features that predict the cost of a deal-in.
pub const LOSS_BLOCKS: [TraitBlock; 10] = [
    block("closed, open or riichi, by dealer or not", 3 * 2),
    block("closed, open or riichi, by han shown 0 to 5", 3 * 6),
    block("closed, open or riichi, by how near to the dora", 3 * 4),
    block("closed, open or riichi, by sort of kind", 3 * KIND_GROUPS),
    block("closed, open or riichi, by unseen dora 0 to 8", 3 * 9),
    block("ippatsu", 2),
    block("double riichi", 2),
    block("closed, open or riichi, by tiles thrown, by three", 3 * 6),
    block("likely yaku, by melds 0 to 4", 5 * 5),
    block("the suit collected", 4),
];
/// Number of traits that predict the cost of a deal-in.
pub const LOSS_TRAITS: usize = total(&LOSS_BLOCKS);

/// The features that predict whether a kind is held.
pub const KEEP_BLOCKS: [TraitBlock; 9] = [
    block("sort of kind, by tiles thrown, by three", KIND_GROUPS * 6),
    block(
        "honour or suited, by whether it threw one: no, early, later",
        2 * 3,
    ),
    block("one nearer to the middle: not thrown, early, later", 3),
    block("one nearer to the end", 3),
    block("two nearer to the middle", 3),
    block("two nearer to the end", 3),
    block("how near to the dora", 4),
    block("the suit collected", 4),
    block("sort of kind, by likely yaku", KIND_GROUPS * 5),
];
/// Number of traits that predict whether a kind is held.
pub const KEEP_TRAITS: usize = total(&KEEP_BLOCKS);

/// Sorts of kinds: guest winds, honours that are a yaku, 1 and 9, 2 and 8, 3 and 7, 4 and 6, 5.
const KIND_GROUPS: usize = 7;
/// Columns of the share of the possible waits.
const SHARE_COLUMNS: usize = 24;

fn kind_group(kind: Kind, opponent: &Opponent) -> usize {
    match kind.number() {
        None => usize::from(opponent.values().contains(kind)),
        Some(1 | 9) => 2,
        Some(2 | 8) => 3,
        Some(3 | 7) => 4,
        Some(4 | 6) => 5,
        Some(_) => 6,
    }
}

fn group_or_none(kind: Option<Kind>, opponent: &Opponent) -> usize {
    kind.map_or(KIND_GROUPS, |kind| kind_group(kind, opponent))
}

/// A list that is being made: the number of the first trait of each block follows from the sizes
/// before it.
struct Lister<'a> {
    blocks: &'a [TraitBlock],
    list: TraitList,
}

impl<'a> Lister<'a> {
    const fn new(blocks: &'a [TraitBlock]) -> Self {
        Self {
            blocks,
            list: TraitList::new_const(),
        }
    }

    /// Adds one trait of each block from `first` on: the one at this place.
    fn put(&mut self, first: usize, places: &[usize]) {
        let mut start: usize = self.blocks[..first].iter().map(|block| block.size).sum();
        for (block, &place) in self.blocks[first..].iter().zip(places) {
            self.list.push((start + place.min(block.size - 1)) as u16);
            start += block.size;
        }
    }
}

fn three_turns(turns: usize) -> usize {
    (turns.saturating_sub(1) / 3).min(5)
}

/// When the kind this many steps away was discarded: 0 never, 1 early, 2 later. Positive steps lead
/// to the middle of the suit; from a five they lead up.
fn thrown_at(reading: &PlayerFeatures, kind: Kind, steps: i8) -> usize {
    let inwards = if kind.number().is_some_and(|number| number > 5) {
        -1
    } else {
        1
    };
    match kind.offset(inwards * steps) {
        Some(other) if reading.early.contains(other) => 1,
        Some(other) if reading.late.contains(other) => 2,
        _ => 0,
    }
}

fn distance(kind: Kind, tile: Option<Kind>) -> usize {
    let Some(tile) = tile.filter(|tile| !kind.is_honour() && tile.suit() == kind.suit()) else {
        return 0;
    };
    match tile.index().abs_diff(kind.index()) {
        steps @ 1..=3 => steps,
        _ => 0,
    }
}

impl PlayerFeatures {
    /// The traits that predict whether the hand is tenpai.
    pub fn tenpai_traits(&self) -> TraitList {
        let open = usize::from(self.stance == Stance::Open);
        let melds = self.melds.min(3);
        let dora = self.last[0].map_or(0, |kind| {
            Traits::of(kind, &self.sight, &self.opponent).dora as usize
        });
        let under_riichi = match self.under_riichi {
            UnderRiichi::None => 0,
            UnderRiichi::NotYet => 1,
            UnderRiichi::Safe { drawn } => 2 + usize::from(drawn),
            UnderRiichi::Risky { drawn } => 4 + usize::from(drawn),
        };
        let mut lister = Lister::new(&TENPAI_BLOCKS);
        lister.put(
            0,
            &[
                self.melds.min(4) * 20 + self.turns.min(19),
                melds * 6 + self.unchanged.min(5),
                melds * 6 + self.from_hand.min(5),
                melds * 7 + self.since_call.min(6),
                open * (KIND_GROUPS + 1) + group_or_none(self.last[0], &self.opponent),
                open * (KIND_GROUPS + 1) + group_or_none(self.last[1], &self.opponent),
                open * 4 + dora,
                open * 7 + self.early_middle.min(6),
                open * 6 + under_riichi,
                open * 4 + self.risky.min(3),
                self.yaku as usize,
                melds * 4 + self.shown_han.min(3),
                open * 2 + usize::from(self.opponent.is_dealer()),
                (self.tiles_left / 8).min(9),
                usize::from(self.closed_kan),
                self.yaku as usize * 4 + melds,
            ],
        );
        lister.list
    }

    /// The traits that predict whether the hand wins on a kind, if it is tenpai; `None` if it
    /// certainly does not.
    pub fn wait_traits(&self, kind: Kind) -> Option<TraitList> {
        let possible = Class::of(kind, &self.sight, &self.opponent, &self.certain_lines);
        possible.index()?;
        let mut lister = Lister::new(&WAIT_BLOCKS);
        let class = Class::of(kind, &self.sight, &self.since_change, &self.lines);
        let Some(index) = class.index() else {
            lister.put(0, &[0]);
            return Some(lister.list);
        };
        let traits = Traits::of(kind, &self.sight, &self.opponent);
        let group = kind_group(kind, &self.opponent);
        let share = self.shares[kind.index()].max(1e-6).ln();
        lister.put(
            1,
            &[
                index * LINE_COLUMNS + line_column(self.lines.live()),
                traits.dora as usize,
                traits.outside as usize,
                distance(kind, self.last[0]),
                distance(kind, self.last[1]),
                traits.copies as usize,
                traits.suit as usize,
                kind.suit()
                    .map_or(0, |suit| self.suits[usize::from(suit)].min(5)),
                thrown_at(self, kind, 1),
                thrown_at(self, kind, -1),
                thrown_at(self, kind, 2),
                thrown_at(self, kind, -2),
                thrown_at(self, kind, 4),
                group * 5 + self.melds.min(4),
                group * 6 + three_turns(self.turns),
                group * 5 + self.yaku as usize,
                ((share + 7.0) / 7.0 * SHARE_COLUMNS as f32).max(0.0) as usize,
            ],
        );
        if let Some(triplets @ 1..) = self.triplets {
            let side = match class {
                Class::Honour { .. } => 0,
                Class::Sides { .. } => 2,
                _ => 1,
            };
            lister.put(18, &[(triplets - 1).min(2) * 3 + side]);
        }
        Some(lister.list)
    }

    /// The traits that predict the cost of a deal-in with a kind.
    pub fn loss_traits(&self, kind: Kind) -> TraitList {
        let stance = self.stance as usize;
        let traits = Traits::of(kind, &self.sight, &self.opponent);
        let mut lister = Lister::new(&LOSS_BLOCKS);
        lister.put(
            0,
            &[
                stance * 2 + usize::from(self.opponent.is_dealer()),
                stance * 6 + self.shown_han.min(5),
                stance * 4 + traits.dora as usize,
                stance * KIND_GROUPS + kind_group(kind, &self.opponent),
                stance * 9 + self.unseen_dora.min(8),
                usize::from(self.ippatsu),
                usize::from(self.double_riichi),
                stance * 6 + three_turns(self.turns),
                self.yaku as usize * 5 + self.melds.min(4),
                traits.suit as usize,
            ],
        );
        lister.list
    }

    /// The traits that predict whether a kind is held.
    pub fn keep_traits(&self, kind: Kind) -> TraitList {
        let traits = Traits::of(kind, &self.sight, &self.opponent);
        let group = kind_group(kind, &self.opponent);
        let mut lister = Lister::new(&KEEP_BLOCKS);
        lister.put(
            0,
            &[
                group * 6 + three_turns(self.turns),
                usize::from(!kind.is_honour()) * 3 + thrown_at(self, kind, 0),
                thrown_at(self, kind, 1),
                thrown_at(self, kind, -1),
                thrown_at(self, kind, 2),
                thrown_at(self, kind, -2),
                traits.dora as usize,
                traits.suit as usize,
                group * 5 + self.yaku as usize,
            ],
        );
        lister.list
    }
}

const _: () = assert!(LikelyYaku::Other as usize == 4 && Stance::Riichi as usize == 2);

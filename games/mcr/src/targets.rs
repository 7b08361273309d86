//! Targets: the nearest complete hands of eight fan that a hand can become.
//!
//! The search covers every hand of sets that lacks at most three tiles; with any number of missing
//! tiles, it also covers hands with three sets that make a fan of eight or more together, hands of
//! one suit with or without honours, of pungs, of few ranks, of reversible tiles, of outside sets
//! and of fives, and all special forms. Each is counted by
//! [`count_fan`](crate::count_fan), so that no combination of small fan is missed or
//! invented.

use std::collections::HashSet;

use arrayvec::ArrayVec;
use tiles::{Counts, KINDS, Kind, Wind};

use crate::count::MINIMUM_FAN;
use crate::distance::distance;
use crate::division::KindCounts;
use crate::fan::Counting;
use crate::fan_cache::{Circumstances, TilesKey, key_of, key_of_sets, total_fan};
use crate::hand::{DeclaredSet, HandTiles};
use crate::masks::{HONOURS, KNITTED_STRAIGHTS, ORPHANS, REVERSIBLE, bits, ranks, suit};

/// The circumstances that affect the fan of a target, besides its tiles.
#[derive(Debug, Clone, Copy)]
pub struct TargetSituation {
    /// The seat's wind.
    pub seat_wind: Wind,
    /// The round's wind.
    pub prevalent_wind: Wind,
    /// The way of counting.
    pub counting: Counting,
    /// Number of tiles of each kind that may still come.
    pub unseen: Counts,
}

/// A complete hand of eight fan or more that a hand can become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The concealed tiles it needs, missing ones included.
    pub needed: Counts,
    /// Number of missing tiles of each kind.
    pub missing: Counts,
    /// Number of missing tiles.
    pub lacking: u8,
    /// Its fan when the tile that is hardest to come by completes it, as a discard, or else
    /// self-drawn.
    pub fan: u16,
}

/// Maximum number of targets to look for at one distance.
const MAX_TARGETS: usize = 400;
/// Maximum number of leaves of one class of hands at one distance.
const MAX_PER_CLASS: usize = 60;
/// The search covers every hand of sets that lacks at most this many tiles.
const THOROUGH: u8 = 3;
/// No target lacks more: a hand of 13 tiles holds something of every plan.
const FARTHEST: u8 = 9;

/// The nearest targets of a hand, full or not: those that lack the fewest tiles, and those that
/// lack up to `beyond` more. Empty if the tiles that may still come allow none.
pub fn targets(hand: &HandTiles, situation: &TargetSituation, beyond: u8) -> Vec<Target> {
    let mut search = TargetSearch::new(hand, situation);
    let mut last = FARTHEST;
    for lacking in distance(hand)..=FARTHEST {
        search.at(lacking);
        if !search.found.is_empty() {
            last = last.min(search.found[0].lacking + beyond);
        }
        if lacking >= last {
            break;
        }
    }
    search.found
}

/// Tiles that a hand lacks to the nearest win of eight fan among the forms that are looked through
/// (see the module); `None` when the tiles that may still come allow none.
pub fn distance_with_eight(hand: &HandTiles, situation: &TargetSituation) -> Option<u8> {
    targets(hand, situation, 0)
        .first()
        .map(|target| target.lacking)
}

/// A set by its lowest tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Chow(u8),
    Pung(u8),
}

impl Piece {
    const fn tiles(self) -> [usize; 3] {
        match self {
            Self::Chow(first) => [first as usize, first as usize + 1, first as usize + 2],
            Self::Pung(index) => [index as usize; 3],
        }
    }

    fn of(set: &DeclaredSet) -> Self {
        match set {
            DeclaredSet::Chow(middle) => Self::Chow(middle.index() as u8 - 1),
            other => Self::Pung(other.kind().index() as u8),
        }
    }
}

/// Which sets and pairs a class of hands is made of.
struct HandClass {
    pungs: u64,
    chows: u64,
    pairs: u64,
}

impl HandClass {
    fn allows(&self, piece: Piece) -> bool {
        match piece {
            Piece::Chow(first) => self.chows >> first & 1 == 1,
            Piece::Pung(index) => self.pungs >> index & 1 == 1,
        }
    }

    fn of_kinds(kinds: u64) -> Self {
        let chow = |first: usize| first < 27 && first % 9 < 7 && kinds >> first & 0b111 == 0b111;
        let chows = (0..27)
            .filter(|&first| chow(first))
            .fold(0, |chows, first| chows | 1 << first);
        Self {
            pungs: kinds,
            chows,
            pairs: kinds,
        }
    }
}

/// Chows that begin with these ranks (bit 0 is the one).
const fn chows_from(first_ranks: u64) -> u64 {
    ranks(first_ranks & 0x7f)
}

fn classes() -> Vec<HandClass> {
    let mut classes: Vec<HandClass> = (0..3)
        .map(|number| HandClass::of_kinds(suit(number) | HONOURS))
        .collect();
    for kinds in [ranks(0b0_0000_1111), ranks(0b1_1110_0000), REVERSIBLE] {
        classes.push(HandClass::of_kinds(kinds));
    }
    let all = (1 << KINDS) - 1;
    classes.push(HandClass {
        pungs: all,
        chows: 0,
        pairs: all,
    });
    classes.push(HandClass {
        pungs: ORPHANS,
        chows: chows_from(0b100_0001),
        pairs: ORPHANS,
    });
    let fives = ranks(1 << 4);
    classes.push(HandClass {
        pungs: fives,
        chows: chows_from(0b001_1100),
        pairs: fives,
    });
    classes
}

/// Three sets that make a fan together.
fn patterns() -> Vec<[Piece; 3]> {
    let mut patterns = Vec::new();
    const ORDERS: [[u8; 3]; 6] = [
        [0, 9, 18],
        [0, 18, 9],
        [9, 0, 18],
        [9, 18, 0],
        [18, 0, 9],
        [18, 9, 0],
    ];
    for suit in [0, 9, 18] {
        patterns.push([0, 3, 6].map(|rank| Piece::Chow(suit + rank)));
        for step in [0, 1, 2] {
            for first in 0..7 - 2 * step {
                patterns.push([0, 1, 2].map(|place| Piece::Chow(suit + first + step * place)));
            }
        }
        for first in 0..7 {
            patterns.push([0, 1, 2].map(|place| Piece::Pung(suit + first + place)));
        }
    }
    for order in ORDERS {
        let in_order = |make: fn(u8) -> Piece, first: u8, step: u8| {
            [0, 1, 2].map(|place: u8| make(order[usize::from(place)] + first + step * place))
        };
        patterns.push(in_order(Piece::Chow, 0, 3));
        patterns.extend((0..5).map(|first| in_order(Piece::Chow, first, 1)));
        patterns.extend((0..7).map(|first| in_order(Piece::Pung, first, 1)));
    }
    patterns.extend((0..7).map(|rank| ORDERS[0].map(|suit| Piece::Chow(suit + rank))));
    patterns.extend((0..9).map(|rank| ORDERS[0].map(|suit| Piece::Pung(suit + rank))));
    for left_out in 27..31 {
        let winds: Vec<Piece> = (27..31)
            .filter(|&wind| wind != left_out)
            .map(Piece::Pung)
            .collect();
        patterns.push([winds[0], winds[1], winds[2]]);
    }
    patterns.push([31, 32, 33].map(Piece::Pung));
    patterns
}

thread_local! {
    static PLANS: (Vec<HandClass>, Vec<[Piece; 3]>) = (classes(), patterns());
}

struct TargetSearch<'a> {
    hand: &'a HandTiles,
    situation: &'a TargetSituation,
    found: Vec<Target>,
    seen: HashSet<TilesKey>,
    /// Declared sets as pieces, and their key.
    declared: Vec<Piece>,
    sets_key: u32,
    /// Tiles of the hand that are not used yet.
    left: KindCounts,
    missing: KindCounts,
    lacking: u8,
    /// Tiles lacking that are looked for.
    wanted: u8,
    leaves: usize,
}

impl<'a> TargetSearch<'a> {
    fn new(hand: &'a HandTiles, situation: &'a TargetSituation) -> Self {
        Self {
            hand,
            situation,
            found: Vec::new(),
            seen: HashSet::new(),
            declared: hand.sets().iter().map(Piece::of).collect(),
            sets_key: key_of_sets(hand.sets()),
            left: hand.concealed().0,
            missing: [0; KINDS],
            lacking: 0,
            wanted: 0,
            leaves: 0,
        }
    }

    /// Looks for all targets that lack this many tiles.
    fn at(&mut self, lacking: u8) {
        self.wanted = lacking;
        self.special_forms();
        PLANS.with(|(classes, patterns)| {
            for pattern in patterns {
                self.with_pattern(pattern);
            }
            for class in classes {
                self.of_class(class, MAX_PER_CLASS);
            }
        });
        if lacking <= THOROUGH {
            self.of_class(&HandClass::of_kinds((1 << KINDS) - 1), MAX_TARGETS);
        }
    }

    /// Uses these tiles; `false` when that lacks too many or tiles that cannot come, and then
    /// nothing is used.
    fn take(&mut self, tiles: &[usize]) -> bool {
        for (place, &index) in tiles.iter().enumerate() {
            if self.left[index] > 0 {
                self.left[index] -= 1;
            } else if self.lacking < self.wanted
                && self.missing[index] < self.situation.unseen.0[index]
            {
                self.missing[index] += 1;
                self.lacking += 1;
            } else {
                self.give_back(&tiles[..place]);
                return false;
            }
        }
        true
    }

    fn give_back(&mut self, tiles: &[usize]) {
        for &index in tiles {
            if self.missing[index] > 0 {
                self.missing[index] -= 1;
                self.lacking -= 1;
            } else {
                self.left[index] += 1;
            }
        }
    }

    fn special_forms(&mut self) {
        let sets = self.hand.sets().len();
        if sets <= 1 {
            for straight in KNITTED_STRAIGHTS {
                let tiles: Vec<usize> = bits(straight).collect();
                if self.take(&tiles) {
                    self.leaves = 0;
                    self.complete(1 - sets, &HandClass::of_kinds((1 << KINDS) - 1));
                    self.give_back(&tiles);
                }
            }
        }
        if sets > 0 {
            return;
        }
        for straight in KNITTED_STRAIGHTS {
            // Any 14 of the 16 kinds: all but two of those that are not held.
            let kinds = straight | HONOURS;
            let missing: Vec<usize> = bits(kinds).filter(|&index| self.left[index] == 0).collect();
            if missing.len() != usize::from(self.wanted) + 2 {
                continue;
            }
            for (place, &one) in missing.iter().enumerate() {
                for &other in &missing[place + 1..] {
                    let tiles: Vec<usize> = bits(kinds & !(1 << one | 1 << other)).collect();
                    self.leaf_of(&tiles);
                }
            }
        }
        let orphans: Vec<usize> = bits(ORPHANS).collect();
        for &twice in &orphans {
            let tiles: Vec<usize> = orphans.iter().copied().chain([twice]).collect();
            self.leaf_of(&tiles);
        }
        self.seven_pairs();
    }

    /// All held pairs, then singles with the most tiles left, each lacking one tile.
    fn seven_pairs(&mut self) {
        let mut tiles: Vec<usize> = (0..KINDS)
            .flat_map(|index| vec![index; usize::from(self.left[index] / 2 * 2)])
            .collect();
        tiles.truncate(14);
        let mut singles: Vec<usize> = (0..KINDS)
            .filter(|&index| self.left[index] % 2 == 1)
            .collect();
        singles.sort_by_key(|&index| std::cmp::Reverse(self.situation.unseen.0[index]));
        let open = 7 - tiles.len() / 2;
        // One single may take the place of the last: the wait can be chosen.
        for last in open.saturating_sub(1)..singles.len() {
            let mut pairs = tiles.clone();
            for &index in singles
                .iter()
                .take(open.saturating_sub(1))
                .chain((open > 0).then(|| &singles[last]))
            {
                pairs.extend([index; 2]);
            }
            self.leaf_of(&pairs);
            if open == 0 {
                break;
            }
        }
    }

    fn leaf_of(&mut self, tiles: &[usize]) {
        if tiles.len() == 14 && self.take(tiles) {
            self.leaf();
            self.give_back(tiles);
        }
    }

    /// Hands with three sets that make a fan. They include declared sets, except for one that may
    /// be an additional set.
    fn with_pattern(&mut self, pattern: &[Piece; 3]) {
        let mut rest: Vec<Piece> = pattern.to_vec();
        let mut beside = 0;
        for index in 0..self.declared.len() {
            match rest.iter().position(|piece| *piece == self.declared[index]) {
                Some(place) => drop(rest.swap_remove(place)),
                None => beside += 1,
            }
        }
        if beside > 1 {
            return;
        }
        let tiles: Vec<usize> = rest.iter().flat_map(|piece| piece.tiles()).collect();
        if self.take(&tiles) {
            self.leaves = 0;
            self.complete(1 - beside, &HandClass::of_kinds((1 << KINDS) - 1));
            self.give_back(&tiles);
        }
    }

    fn of_class(&mut self, class: &HandClass, most: usize) {
        if !self.declared.iter().all(|&piece| class.allows(piece)) {
            return;
        }
        self.leaves = MAX_TARGETS - most;
        self.complete(4 - self.declared.len(), class);
    }

    /// Completes the hand with this many sets and a pair of a class.
    fn complete(&mut self, sets: usize, class: &HandClass) {
        // Sorted by the tiles that each lacks alone: no set lacks fewer together with others.
        let mut pieces: Vec<(u8, Piece)> = Vec::new();
        if sets > 0 {
            let chows = bits(class.chows).map(|index| Piece::Chow(index as u8));
            let pungs = bits(class.pungs).map(|index| Piece::Pung(index as u8));
            for piece in chows.chain(pungs) {
                let [a, b, c] = piece.tiles();
                let lacks = match piece {
                    Piece::Pung(_) => 3 - self.left[a].min(3),
                    Piece::Chow(_) => [a, b, c]
                        .iter()
                        .map(|&index| u8::from(self.left[index] == 0))
                        .sum(),
                };
                pieces.push((lacks, piece));
            }
            pieces.sort_by_key(|&(lacks, _)| lacks);
        }
        self.add_sets(&pieces, sets, class.pairs);
    }

    fn add_sets(&mut self, pieces: &[(u8, Piece)], sets: usize, pairs: u64) {
        if sets == 0 {
            for index in bits(pairs) {
                if self.leaves >= MAX_TARGETS {
                    return;
                }
                if self.take(&[index; 2]) {
                    self.leaf();
                    self.give_back(&[index; 2]);
                }
            }
            return;
        }
        for (place, &(lacks, piece)) in pieces.iter().enumerate() {
            if self.leaves >= MAX_TARGETS
                || usize::from(self.lacking) + usize::from(lacks) * sets > usize::from(self.wanted)
            {
                return;
            }
            let tiles = piece.tiles();
            if self.take(&tiles) {
                // A chow may come again, a pung not.
                let again = usize::from(matches!(piece, Piece::Pung(_)));
                self.add_sets(&pieces[place + again..], sets - 1, pairs);
                self.give_back(&tiles);
            }
        }
    }

    /// A complete hand: a target if it lacks exactly the wanted number of tiles, and counts eight.
    fn leaf(&mut self) {
        if self.lacking != self.wanted {
            return;
        }
        self.leaves += 1;
        let held = self.hand.concealed();
        let mut needed = Counts::EMPTY;
        for index in 0..KINDS {
            needed.0[index] = held.0[index] - self.left[index] + self.missing[index];
        }
        let key = key_of(&needed);
        if !self.seen.insert(key) {
            return;
        }
        if let Some(fan) = self.fan(&needed, key) {
            let missing = Counts(self.missing);
            self.found.push(Target {
                needed,
                missing,
                lacking: self.lacking,
                fan,
            });
        }
    }

    /// The fan, if there are eight: with the rarest tile as the last, else with any missing one, as
    /// a discard or self-drawn. A complete hand is counted as won with each of its tiles.
    fn fan(&self, needed: &Counts, key: TilesKey) -> Option<u16> {
        let last = if self.lacking == 0 {
            *needed
        } else {
            Counts(self.missing)
        };
        let mut kinds: ArrayVec<Kind, KINDS> = last.kinds().iter().collect();
        kinds.sort_by_key(|&kind| self.situation.unseen[kind]);
        let TargetSituation {
            seat_wind,
            prevalent_wind,
            counting,
            ..
        } = *self.situation;
        for self_drawn in [false, true] {
            let circumstances = Circumstances {
                self_drawn,
                seat_wind,
                prevalent_wind,
                counting,
            };
            for &tile in &kinds {
                let fan = total_fan(
                    needed,
                    self.hand.sets(),
                    (key, self.sets_key),
                    tile,
                    circumstances,
                )?;
                if fan >= MINIMUM_FAN {
                    return Some(fan);
                }
            }
        }
        None
    }
}

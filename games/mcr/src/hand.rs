//! Hands: declared sets and concealed tiles, checked once.

use std::fmt;

use arrayvec::ArrayVec;
use tiles::notation::{NotationError, Tiles};
use tiles::{Counts, Kind, Tile};

/// Maximum number of declared sets of a hand.
pub const MAX_SETS: usize = 4;

/// A declared set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeclaredSet {
    /// A chow, by the kind of its middle tile (2 to 8 of a suit).
    Chow(Kind),
    /// A pung.
    Pung(Kind),
    /// A kong that others have seen being made: of a claimed discard, or a pung with the fourth
    /// tile added.
    MeldedKong(Kind),
    /// A kong of four tiles drawn by oneself. It does not open the hand.
    ConcealedKong(Kind),
}

impl DeclaredSet {
    /// The kind that names it: the middle one of a chow, else the kind of all its tiles.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Chow(kind)
            | Self::Pung(kind)
            | Self::MeldedKong(kind)
            | Self::ConcealedKong(kind) => kind,
        }
    }

    /// Whether it is a kong.
    pub const fn is_kong(self) -> bool {
        matches!(self, Self::MeldedKong(_) | Self::ConcealedKong(_))
    }

    /// Whether it opens the hand: all but a concealed kong do.
    pub const fn is_melded(self) -> bool {
        !matches!(self, Self::ConcealedKong(_))
    }

    /// Its tiles: each kind with how many there are of it.
    pub fn tiles(self) -> impl Iterator<Item = (Kind, u8)> {
        let (kinds, count) = match self {
            Self::Chow(middle) => ([middle.offset(-1), Some(middle), middle.offset(1)], 1),
            Self::Pung(kind) => ([Some(kind), None, None], 3),
            Self::MeldedKong(kind) | Self::ConcealedKong(kind) => ([Some(kind), None, None], 4),
        };
        kinds.into_iter().flatten().map(move |kind| (kind, count))
    }

    /// The set of a text: `123m` a chow, `555p` a pung, `7777s` a melded kong, `c7777s` a concealed
    /// one.
    ///
    /// # Errors
    ///
    /// If the text cannot be read, or its tiles are not a set.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        let (concealed, written) = text
            .strip_prefix('c')
            .map_or((false, text), |written| (true, written));
        let tiles: Tiles = written.parse()?;
        let mut kinds: ArrayVec<Kind, 4> = ArrayVec::new();
        let wrong = || NotationError::Meld {
            text: text.to_owned(),
        };
        for tile in &tiles.0 {
            kinds.try_push(tile.kind()).map_err(|_| wrong())?;
        }
        kinds.sort_unstable();
        let all_equal = kinds.iter().all(|&kind| kind == kinds[0]);
        match (kinds.as_slice(), concealed) {
            (&[kind, _, _], false) if all_equal => Ok(Self::Pung(kind)),
            (&[first, middle, last], false)
                if first.offset(1) == Some(middle) && middle.offset(1) == Some(last) =>
            {
                Ok(Self::Chow(middle))
            }
            (&[kind, _, _, _], false) if all_equal => Ok(Self::MeldedKong(kind)),
            (&[kind, _, _, _], true) if all_equal => Ok(Self::ConcealedKong(kind)),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for DeclaredSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_melded() {
            f.write_str("c")?;
        }
        let tiles: Tiles = self
            .tiles()
            .flat_map(|(kind, count)| std::iter::repeat_n(kind.tile(), usize::from(count)))
            .collect();
        tiles.fmt(f)
    }
}

/// Declared sets, in the order in which they were laid down.
pub type DeclaredSets = ArrayVec<DeclaredSet, MAX_SETS>;

/// The tiles of one seat: concealed ones by kind, and declared sets. Before a draw there are 13
/// tiles and after it 14, where each set counts for three; never more than four of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandTiles {
    concealed: Counts,
    sets: DeclaredSets,
    full: bool,
}

const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Why tiles are not the hand of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAHand {
    /// Too many declared sets.
    #[error("{0} declared sets; a hand has at most {MAX_SETS}")]
    Sets(usize),
    /// A chow around a tile that is no 2 to 8 of a suit.
    #[error("a chow around {0}; the middle tile of a chow is a 2 to 8 of a suit")]
    Chow(Kind),
    /// More than four of a kind.
    #[error("{count} of {}; there are 4 of each kind", Tiles(vec![.kind.tile()]))]
    FifthOfAKind {
        /// The kind.
        kind: Kind,
        /// The number given.
        count: u8,
    },
    /// Too many or too few concealed tiles.
    #[error(
        "{tiles} concealed tile{}; with {sets} declared set{} there are {} before a draw and {} after it",
        plural(*.tiles as usize), plural(*.sets), 13 - 3 * .sets, 14 - 3 * .sets
    )]
    Tiles {
        /// The number given.
        tiles: u32,
        /// Number of declared sets.
        sets: usize,
    },
}

impl HandTiles {
    /// Concealed tiles and declared sets.
    ///
    /// # Errors
    ///
    /// Why the tiles cannot belong to a seat.
    pub fn new(concealed: Counts, sets: &[DeclaredSet]) -> Result<Self, NotAHand> {
        let sets = DeclaredSets::try_from(sets).map_err(|_| NotAHand::Sets(sets.len()))?;
        let mut all = concealed;
        for set in &sets {
            if let DeclaredSet::Chow(middle) = set
                && (middle.offset(-1).is_none() || middle.offset(1).is_none())
            {
                return Err(NotAHand::Chow(*middle));
            }
            for (kind, count) in set.tiles() {
                all[kind] = all[kind].saturating_add(count);
            }
        }
        if let Some(kind) = Kind::all().find(|&kind| all[kind] > 4) {
            return Err(NotAHand::FifthOfAKind {
                kind,
                count: all[kind],
            });
        }
        let tiles = concealed.total();
        let full = match tiles as usize + 3 * sets.len() {
            13 => false,
            14 => true,
            _ => {
                return Err(NotAHand::Tiles {
                    tiles,
                    sets: sets.len(),
                });
            }
        };
        Ok(Self {
            concealed,
            sets,
            full,
        })
    }

    /// The concealed tiles by kind.
    pub const fn concealed(&self) -> &Counts {
        &self.concealed
    }

    /// The declared sets.
    pub fn sets(&self) -> &[DeclaredSet] {
        &self.sets
    }

    /// Whether there are 14 tiles: the hand is complete, or a discard comes next.
    pub const fn is_full(&self) -> bool {
        self.full
    }

    /// Number of tiles of each kind in the declared sets.
    pub fn declared(&self) -> Counts {
        let mut counts = Counts::EMPTY;
        for (kind, count) in self.sets.iter().flat_map(|set| set.tiles()) {
            counts[kind] += count;
        }
        counts
    }

    /// A hand before the deal, the one that has not 13 tiles.
    pub(crate) fn empty() -> Self {
        Self {
            concealed: Counts::EMPTY,
            sets: DeclaredSets::new(),
            full: false,
        }
    }

    /// The hand without these concealed tiles and with one more set; `None` when the tiles are not
    /// there. In between, a hand may have 14 tiles and a claimed set.
    pub(crate) fn changed(&self, taken: &[Kind], set: Option<DeclaredSet>) -> Option<Self> {
        let mut hand = self.clone();
        for &kind in taken {
            hand.concealed[kind] = hand.concealed[kind].checked_sub(1)?;
        }
        if let Some(set) = set {
            hand.sets.try_push(set).ok()?;
        }
        hand.full = hand.concealed.total() as usize + 3 * hand.sets.len() == 14;
        Some(hand)
    }

    /// The hand after a concealed tile was added to the pung of its kind; `None` when there is no
    /// such tile or pung.
    pub(crate) fn with_added(&self, kind: Kind) -> Option<Self> {
        let mut hand = self.changed(&[kind], None)?;
        *hand
            .sets
            .iter_mut()
            .find(|set| **set == DeclaredSet::Pung(kind))? = DeclaredSet::MeldedKong(kind);
        Some(hand)
    }

    /// The hand with one more tile; `None` when it is full or has all four of the kind.
    pub fn with(&self, kind: Kind) -> Option<Self> {
        let held = self.concealed[kind] + self.declared()[kind];
        (!self.full && held < 4).then(|| {
            let mut hand = self.clone();
            hand.concealed[kind] += 1;
            hand.full = true;
            hand
        })
    }

    /// The hand with one tile less; `None` when it is not full or does not hold the kind.
    pub fn without(&self, kind: Kind) -> Option<Self> {
        (self.full && self.concealed[kind] > 0).then(|| {
            let mut hand = self.clone();
            hand.concealed[kind] -= 1;
            hand.full = false;
            hand
        })
    }
}

/// The sets in order, then the concealed tiles.
impl fmt::Display for HandTiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for set in &self.sets {
            write!(f, "{set} ")?;
        }
        let tiles: Tiles = Kind::all()
            .flat_map(|kind| std::iter::repeat_n(kind.tile(), usize::from(self.concealed[kind])))
            .collect::<Vec<Tile>>()
            .into_iter()
            .collect();
        tiles.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str) -> Counts {
        text.parse::<Tiles>().unwrap().0.into_iter().collect()
    }

    fn set(text: &str) -> DeclaredSet {
        DeclaredSet::parse(text).unwrap()
    }

    #[test]
    fn a_set_is_read_from_its_tiles_and_written_back() {
        for text in ["123m", "789s", "555p", "7777z", "c1111m"] {
            assert_eq!(set(text).to_string(), text);
        }
        assert_eq!(set("312m"), set("123m"));
        for text in [
            "12m", "124m", "123z", "556p", "c555p", "66667m", "55555m", "",
        ] {
            assert!(
                matches!(DeclaredSet::parse(text), Err(NotationError::Meld { .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn a_hand_has_13_or_14_tiles_if_a_set_counts_for_three() {
        for (text, sets, full) in [
            ("123m456p789s1122z", &[][..], false),
            ("11z", &["1111m", "c2222m", "345p", "777z"], true),
        ] {
            let sets: Vec<_> = sets.iter().map(|text| set(text)).collect();
            assert_eq!(
                HandTiles::new(counts(text), &sets).map(|hand| hand.is_full()),
                Ok(full),
                "{text}"
            );
        }
        let wrong = |text: &str, sets: &[&str]| {
            let sets: Vec<_> = sets.iter().map(|text| set(text)).collect();
            HandTiles::new(counts(text), &sets)
                .expect_err("it is not a hand")
                .to_string()
        };
        assert_eq!(
            wrong("1z", &["123m"]),
            "1 concealed tile; with 1 declared set there are 10 before a draw and 11 after it"
        );
        assert_eq!(
            wrong("11z", &["1111z", "123m", "123m", "123m"]),
            "6 of 1z; there are 4 of each kind"
        );
        assert_eq!(
            wrong("11z", &["123m"; 5]),
            "5 declared sets; a hand has at most 4"
        );
    }

    #[test]
    fn a_fourth_tile_is_found_in_the_declared_sets_too() {
        let sets = [set("123m"), set("111m")];
        let five = HandTiles::new(counts("1m456p78s1z"), &sets);
        assert_eq!(
            five.expect_err("five of 1m").to_string(),
            "5 of 1m; there are 4 of each kind"
        );
        let hand = HandTiles::new(counts("4m456p78s1z"), &sets).unwrap();
        let one = counts("1m").kinds().iter().next().unwrap();
        assert_eq!((hand.with(one), hand.without(one)), (None, None));
    }
}

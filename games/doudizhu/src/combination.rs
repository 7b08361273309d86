//! The combinations of cards that may be played together, and which one beats another.
//!
//! From Botzone's judges (`checkPokerType` and the comparison at the end of `main` in both). Other
//! rule sets also allow the following:
//!
//! - wings are single cards of different ranks, or pairs of different ranks, never both, and none
//!   has a rank of the body. So a pair is never two singles, and 3334 + 4 with 555 more is nothing;
//! - a two and a joker may be wings, both jokers too (two different ranks);
//! - no run holds a two or a joker;
//! - 3333 is a bomb and nothing else; 33334444 is a shuttle and not a four with two pairs;
//! - a shuttle is no bomb: it beats nothing but a lower shuttle of the same size.

use crate::card::Rank;
use crate::counts::RankCounts;
use crate::rules::DouDizhuRules;

/// The cards played with the body of a trio, plane, four with two or shuttle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wings {
    /// Nothing, or the kind takes none.
    None,
    /// Single cards of different ranks.
    Singles,
    /// Pairs of different ranks.
    Pairs,
}

impl Wings {
    /// Cards in one wing.
    pub const fn width(self) -> u8 {
        self as u8
    }
}

/// The kind of a combination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CombinationKind {
    /// One card.
    Single,
    /// Two of a rank.
    Pair,
    /// Three of a rank, alone or with one wing.
    Trio,
    /// Five or more ranks in a row, one card each.
    Straight,
    /// Three or more ranks in a row, two cards each.
    PairStraight,
    /// Two or more ranks in a row, three cards each, without wings or with one for each rank.
    Plane,
    /// Four of a rank with two wings.
    FourWithTwo,
    /// Two or more ranks in a row, four cards each, alone or with wings
    /// ([`DouDizhuRules::shuttle_wings`]).
    Shuttle,
    /// Four of a rank.
    Bomb,
    /// Both jokers.
    Rocket,
}

impl CombinationKind {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::Single,
        Self::Pair,
        Self::Trio,
        Self::Straight,
        Self::PairStraight,
        Self::Plane,
        Self::FourWithTwo,
        Self::Shuttle,
        Self::Bomb,
        Self::Rocket,
    ];

    /// Cards of each rank of the body.
    pub const fn width(self) -> u8 {
        match self {
            Self::Single | Self::Straight | Self::Rocket => 1,
            Self::Pair | Self::PairStraight => 2,
            Self::Trio | Self::Plane => 3,
            Self::FourWithTwo | Self::Shuttle | Self::Bomb => 4,
        }
    }

    /// Minimum number of ranks in a row, for a run.
    pub const fn shortest_run(self) -> Option<u8> {
        match self {
            Self::Straight => Some(5),
            Self::PairStraight => Some(3),
            Self::Plane | Self::Shuttle => Some(2),
            _ => None,
        }
    }

    /// The allowed wings.
    pub const fn allowed_wings(self) -> &'static [Wings] {
        match self {
            Self::Trio | Self::Plane | Self::Shuttle => {
                &[Wings::None, Wings::Singles, Wings::Pairs]
            }
            Self::FourWithTwo => &[Wings::Singles, Wings::Pairs],
            _ => &[Wings::None],
        }
    }

    /// Its name in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Pair => "pair",
            Self::Trio => "trio",
            Self::Straight => "straight",
            Self::PairStraight => "pair straight",
            Self::Plane => "plane",
            Self::FourWithTwo => "four with two",
            Self::Shuttle => "shuttle",
            Self::Bomb => "bomb",
            Self::Rocket => "rocket",
        }
    }

    const fn power(self) -> u8 {
        match self {
            Self::Rocket => 2,
            Self::Bomb => 1,
            _ => 0,
        }
    }
}

/// The part of played cards that is compared: everything except the ranks of the wings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Combination {
    /// The kind.
    pub kind: CombinationKind,
    /// The lowest rank of the body.
    pub low: Rank,
    /// Ranks in the body: 1 except for runs, and 2 for the rocket.
    pub length: u8,
    /// The wings of the body.
    pub wings: Wings,
}

/// Why a combination does not beat another one; the names are Botzone's codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotBeaten {
    /// Of another kind, or with other wings.
    #[error("they are of another kind, or have other wings")]
    MismatchKind,
    /// A longer or shorter run.
    #[error("their run is longer or shorter")]
    MismatchLength,
    /// Not higher.
    #[error("they are not higher")]
    NotHigher,
}

impl Combination {
    /// The combination that the cards form; `None` if they cannot be played together.
    pub fn of(cards: RankCounts, rules: DouDizhuRules) -> Option<Self> {
        let exactly = |number: u8| {
            cards.at_least(number)
                & !if number < 4 {
                    cards.at_least(number + 1)
                } else {
                    0
                }
        };
        let ranks = [0, exactly(1), exactly(2), exactly(3), exactly(4)];
        let [_, ones, pairs, trios, fours] = ranks.map(|bits: u16| bits.count_ones() as u8);
        let made = |kind: CombinationKind, body: u16, wings| {
            let low = Rank::new(body.trailing_zeros() as u8)?;
            Some(Self {
                kind,
                low,
                length: body.count_ones() as u8,
                wings,
            })
        };
        let is_run = |bits: u16, least: u8| {
            bits.count_ones() as u8 >= least
                && (bits >> bits.trailing_zeros())
                    .wrapping_add(1)
                    .is_power_of_two()
                && bits < 1 << Rank::TWO.index()
        };
        match (ones, pairs, trios, fours) {
            (1, 0, 0, 0) => made(CombinationKind::Single, ranks[1], Wings::None),
            (0, 1, 0, 0) => made(CombinationKind::Pair, ranks[2], Wings::None),
            (0, 0, 1, 0) => made(CombinationKind::Trio, ranks[3], Wings::None),
            (1, 0, 1, 0) => made(CombinationKind::Trio, ranks[3], Wings::Singles),
            (0, 1, 1, 0) => made(CombinationKind::Trio, ranks[3], Wings::Pairs),
            (0, 0, 0, 1) => made(CombinationKind::Bomb, ranks[4], Wings::None),
            (2, 0, 0, 1) => made(CombinationKind::FourWithTwo, ranks[4], Wings::Singles),
            (0, 2, 0, 1) => made(CombinationKind::FourWithTwo, ranks[4], Wings::Pairs),
            (2, 0, 0, 0) if cards.get(Rank::SMALL_JOKER) + cards.get(Rank::BIG_JOKER) == 2 => {
                made(CombinationKind::Rocket, ranks[1], Wings::None)
            }
            (_, 0, 0, 0) if is_run(ranks[1], 5) => {
                made(CombinationKind::Straight, ranks[1], Wings::None)
            }
            (0, _, 0, 0) if is_run(ranks[2], 3) => {
                made(CombinationKind::PairStraight, ranks[2], Wings::None)
            }
            (_, _, _, 0) if is_run(ranks[3], 2) => made(
                CombinationKind::Plane,
                ranks[3],
                wings_of(ones, pairs, trios)?,
            ),
            (_, _, 0, _) if is_run(ranks[4], 2) => made(
                CombinationKind::Shuttle,
                ranks[4],
                wings_of(ones, pairs, fours * rules.shuttle_wings)?,
            ),
            _ => None,
        }
    }

    /// Why this does not beat the other one; `Ok` when it does.
    ///
    /// # Errors
    ///
    /// The first of the reasons for which Botzone's judges refuse it.
    pub fn check_beats(&self, other: &Self) -> Result<(), NotBeaten> {
        let (own, their) = (self.kind.power(), other.kind.power());
        if own != their {
            return if own > their {
                Ok(())
            } else {
                Err(NotBeaten::NotHigher)
            };
        }
        if (self.kind, self.wings) != (other.kind, other.wings) {
            return Err(NotBeaten::MismatchKind);
        }
        if self.length != other.length {
            return Err(NotBeaten::MismatchLength);
        }
        if self.low > other.low {
            Ok(())
        } else {
            Err(NotBeaten::NotHigher)
        }
    }

    /// Whether this may be played on the other one.
    pub fn beats(&self, other: &Self) -> bool {
        self.check_beats(other).is_ok()
    }

    /// Number of wings.
    pub const fn wing_count(&self, rules: DouDizhuRules) -> u8 {
        match (self.wings, self.kind) {
            (Wings::None, _) => 0,
            (_, CombinationKind::FourWithTwo) => 2,
            (_, CombinationKind::Shuttle) => self.length * rules.shuttle_wings,
            _ => self.length,
        }
    }

    /// The cards of the body.
    pub fn body(&self) -> RankCounts {
        RankCounts::run(self.low, self.length, self.kind.width()).unwrap_or_default()
    }

    /// The points for playing it in `FightTheLandlord`, in hundredths.
    pub const fn points(&self) -> u8 {
        match self.kind {
            CombinationKind::Single => 1,
            CombinationKind::Pair => 2,
            CombinationKind::Trio => 4,
            CombinationKind::Straight | CombinationKind::PairStraight => 6,
            CombinationKind::Plane | CombinationKind::FourWithTwo => 8,
            CombinationKind::Shuttle if self.length >= 3 => 20,
            CombinationKind::Shuttle | CombinationKind::Bomb => 10,
            CombinationKind::Rocket => 16,
        }
    }

    /// Whether it is a bomb or the rocket, which beat other kinds.
    pub const fn is_bomb(&self) -> bool {
        self.kind.power() > 0
    }
}

/// The wings of a run that takes `wanted` of them; `None` when the rest is something else.
const fn wings_of(ones: u8, pairs: u8, wanted: u8) -> Option<Wings> {
    match (ones, pairs) {
        (0, 0) => Some(Wings::None),
        (ones, 0) if ones == wanted => Some(Wings::Singles),
        (0, pairs) if pairs == wanted => Some(Wings::Pairs),
        _ => None,
    }
}

//! Cards as four masks of ranks: the cards of a hand and comparisons between plays take few operations.

use doudizhu::{Combination, CombinationKind, DouDizhuPlay, Rank, RankCounts, Wings};

/// The ranks that may be in a run.
pub(crate) const RUN_RANKS: u16 = (1 << (Rank::ACE.index() + 1)) - 1;
/// The two and the jokers.
pub(crate) const HIGH_RANKS: u16 = !RUN_RANKS;
/// Both jokers.
pub(crate) const JOKERS: u16 = 1 << Rank::SMALL_JOKER.index() | 1 << Rank::BIG_JOKER.index();

/// Ranks by how many cards they have at least: bit r of number n - 1 for n cards of rank r.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct RankMasks([u16; 4]);

impl RankMasks {
    pub(crate) fn new(cards: RankCounts) -> Self {
        Self([1, 2, 3, 4].map(|number| cards.at_least(number)))
    }

    /// The ranks with at least this many cards, 1 to 4.
    #[inline]
    pub(crate) const fn with(self, cards: u8) -> u16 {
        self.0[cards as usize - 1]
    }

    #[inline]
    pub(crate) const fn len(self) -> u8 {
        let [one, two, three, four] = self.0;
        (one.count_ones() + two.count_ones() + three.count_ones() + four.count_ones()) as u8
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0[0] == 0
    }

    /// Removes this many cards of each of these ranks, which must have them.
    #[inline]
    pub(crate) const fn without(mut self, ranks: u16, cards: u8) -> Self {
        let mut step = 0;
        while step < cards {
            let [one, two, three, four] = self.0;
            self.0 = [
                one & !ranks | two & ranks,
                two & !ranks | three & ranks,
                three & !ranks | four & ranks,
                four & !ranks,
            ];
            step += 1;
        }
        self
    }

    /// Both together, which have no more than four of a rank.
    #[inline]
    pub(crate) const fn plus(self, other: Self) -> Self {
        let ([a1, a2, a3, a4], [b1, b2, b3, b4]) = (self.0, other.0);
        Self([a1 | b1, a2 | b2 | a1 & b1, a3 | b3 | a2 & b1 | a1 & b2, a4 | b4 | a3 & b1 | a2 & b2 | a1 & b3])
    }

    /// The lowest ranks of all bodies like this one that the cards have.
    #[inline]
    pub(crate) fn bodies(self, kind: CombinationKind, length: u8) -> u16 {
        match kind {
            CombinationKind::Rocket if self.0[0] & JOKERS == JOKERS => 1 << Rank::SMALL_JOKER.index(),
            CombinationKind::Rocket => 0,
            _ if kind.shortest_run().is_some() => {
                let ranks = self.with(kind.width()) & RUN_RANKS;
                (1..length).fold(ranks, |lows, step| lows & ranks >> step)
            }
            _ => self.with(kind.width()),
        }
    }
}

/// The ranks above one.
#[inline]
pub(crate) const fn above(rank: Rank) -> u16 {
    !1 << rank.index()
}

/// The lowest of some ranks, as a mask.
#[inline]
pub(crate) const fn lowest(ranks: u16) -> u16 {
    ranks & ranks.wrapping_neg()
}

/// The lowest of some ranks.
#[inline]
pub(crate) fn lowest_rank(ranks: u16) -> Option<Rank> {
    if ranks == 0 { None } else { Rank::new(ranks.trailing_zeros() as u8) }
}

/// Cards that are played: the combination and the ranks of its wings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RankPlay {
    pub(crate) combination: Combination,
    pub(crate) wings: u16,
}

impl RankPlay {
    pub(crate) fn of(play: &DouDizhuPlay) -> Self {
        let Combination { wings, .. } = play.combination;
        let mut played = Self { combination: play.combination, wings: 0 };
        if wings != Wings::None {
            played.wings = play.cards.at_least(wings.width()) & !played.body();
        }
        played
    }

    /// The ranks of the body.
    #[inline]
    pub(crate) const fn body(&self) -> u16 {
        ((1 << self.combination.length) - 1) << self.combination.low.index()
    }

    #[inline]
    pub(crate) const fn cards(&self) -> u8 {
        self.combination.length * self.combination.kind.width()
            + self.wings.count_ones() as u8 * self.combination.wings.width()
    }

    /// The rest of a hand that has the cards.
    #[inline]
    pub(crate) const fn out_of(&self, hand: RankMasks) -> RankMasks {
        hand.without(self.body(), self.combination.kind.width()).without(self.wings, self.combination.wings.width())
    }

    /// Whether no combination of the same kind and size out of these cards is higher. Bombs are considered only by a
    /// bomb.
    #[inline]
    pub(crate) fn is_top(&self, others: RankMasks) -> bool {
        let Combination { kind, low, length, .. } = self.combination;
        match kind {
            CombinationKind::Rocket => true,
            CombinationKind::Bomb => others.with(4) & above(low) == 0 && others.bodies(CombinationKind::Rocket, 2) == 0,
            _ => others.bodies(kind, length) & above(low) == 0,
        }
    }
}

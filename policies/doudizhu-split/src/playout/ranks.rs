//! Plays as masks of ranks: comparisons between them take few operations.

use doudizhu::masks::RUN_RANKS;
use doudizhu::{Combination, CombinationKind, DouDizhuPlay, Rank, RankMasks, Wings};

/// The two and the jokers.
pub(crate) const HIGH_RANKS: u16 = !RUN_RANKS;

/// The lowest ranks of all bodies of a kind and a number of ranks that the cards have.
#[inline]
pub(crate) fn bodies(cards: RankMasks, kind: CombinationKind, length: u8) -> u16 {
    match kind {
        CombinationKind::Rocket if cards.has_rocket() => 1 << Rank::SMALL_JOKER.index(),
        CombinationKind::Rocket => 0,
        _ if kind.shortest_run().is_some() => {
            let ranks = cards.with(kind.width()) & RUN_RANKS;
            (1..length).fold(ranks, |lows, step| lows & ranks >> step)
        }
        _ => cards.with(kind.width()),
    }
}

#[inline]
pub(crate) const fn above(rank: Rank) -> u16 {
    !1 << rank.index()
}

/// The lowest of some ranks, as a mask.
#[inline]
pub(crate) const fn lowest(ranks: u16) -> u16 {
    ranks & ranks.wrapping_neg()
}

#[inline]
pub(crate) fn lowest_rank(ranks: u16) -> Option<Rank> {
    if ranks == 0 {
        None
    } else {
        Rank::new(ranks.trailing_zeros() as u8)
    }
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
        let mut played = Self {
            combination: play.combination,
            wings: 0,
        };
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
        hand.without(self.body(), self.combination.kind.width())
            .without(self.wings, self.combination.wings.width())
    }

    /// Whether no combination of the same kind and size out of these cards is higher. Bombs are
    /// considered only by a bomb.
    #[inline]
    pub(crate) fn is_top(&self, others: RankMasks) -> bool {
        let Combination {
            kind, low, length, ..
        } = self.combination;
        match kind {
            CombinationKind::Rocket => true,
            CombinationKind::Bomb => others.with(4) & above(low) == 0 && !others.has_rocket(),
            _ => bodies(others, kind, length) & above(low) == 0,
        }
    }
}

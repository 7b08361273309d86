//! The cards of a hand as four masks of ranks: searches compare and remove cards in few operations.

use crate::card::Rank;
use crate::counts::RankCounts;

/// The ranks that may be in a run, the three to the ace: bit r for rank r.
pub const RUN_RANKS: u16 = (1 << (Rank::ACE.index() + 1)) - 1;
/// The ranks of both jokers.
pub const JOKERS: u16 = 1 << Rank::SMALL_JOKER.index() | 1 << Rank::BIG_JOKER.index();

/// Ranks by how many cards they have at least: bit r of mask n - 1 for n cards of rank r.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RankMasks([u16; 4]);

impl RankMasks {
    /// These cards.
    pub const fn new(cards: RankCounts) -> Self {
        Self([
            cards.at_least(1),
            cards.at_least(2),
            cards.at_least(3),
            cards.at_least(4),
        ])
    }

    /// The ranks with at least this many cards.
    ///
    /// # Panics
    ///
    /// If the number of cards is not 1 to 4.
    #[inline]
    pub const fn with(self, cards: u8) -> u16 {
        self.0[cards as usize - 1]
    }

    /// The number of cards of a rank.
    pub const fn count(self, rank: Rank) -> u8 {
        let rank = rank.index();
        let [one, two, three, four] = self.0;
        ((one >> rank & 1) + (two >> rank & 1) + (three >> rank & 1) + (four >> rank & 1)) as u8
    }

    /// The number of cards.
    #[inline]
    pub const fn len(self) -> u8 {
        let [one, two, three, four] = self.0;
        (one.count_ones() + two.count_ones() + three.count_ones() + four.count_ones()) as u8
    }

    /// Whether there are no cards.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] == 0
    }

    /// Whether both jokers are among the cards.
    #[inline]
    pub const fn has_rocket(self) -> bool {
        self.0[0] & JOKERS == JOKERS
    }

    /// The ranks with an odd number of cards.
    pub(crate) const fn odd(self) -> u16 {
        let [one, two, three, four] = self.0;
        one & !two | three & !four
    }

    /// The minimum number of singles and pairs that the cards make.
    pub(crate) const fn fewest_units(self) -> u32 {
        self.0[0].count_ones() + self.0[2].count_ones()
    }

    /// Removes this many cards of each of these ranks, which must have them.
    #[inline]
    #[must_use]
    pub const fn without(mut self, ranks: u16, cards: u8) -> Self {
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
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        let ([a1, a2, a3, a4], [b1, b2, b3, b4]) = (self.0, other.0);
        Self([
            a1 | b1,
            a2 | b2 | a1 & b1,
            a3 | b3 | a2 & b1 | a1 & b2,
            a4 | b4 | a3 & b1 | a2 & b2 | a1 & b3,
        ])
    }
}
